"""A plan: the moves a chain needs, with its constants as bytes of the dtype.

A plan holds no array and no memory stride; equal functions give equal plans.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.passes import crop_cuts

__all__ = ["Move", "Plan"]

ToBytes = Callable[[Any], bytes]
"""Turns a constant into the bytes of one element, or refuses."""


@dataclass(frozen=True)
class Move:
    """One pass: every result element written once, from one source."""

    map: IndexMap
    """Where each element comes from; its constants are bytes."""
    target: IndexMap | None = None
    """Cells of a larger array to write; None: a whole row-major result."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of what is written."""
        return self.map.shape

    def elements_read(self) -> int:
        """Most source elements touched: the box read, or the result if smaller."""
        box = self.map.reads()
        inside = prod(b - a for a, b in box) if box is not None else 0
        return min(inside, self.map.size)


@dataclass(frozen=True)
class Plan:
    """A tuple of moves, one and one more per cut."""

    moves: tuple[Move, ...]
    """In order; each reads the result of the one before, the first the source."""
    source_shape: tuple[int, ...]
    """Extents of the source."""
    shape: tuple[int, ...]
    """Extents of the result (of the destination, for a region write)."""
    dtype: Any
    """NumPy dtype of source and result, byte order included."""

    @staticmethod
    def of(
        chain: Chain, dtype: Any, to_bytes: ToBytes, region: IndexMap | None = None
    ) -> Plan:
        """The plan of `chain`, or of writing it into `region` of a destination."""
        maps = [_in_bytes(m, to_bytes) for m in crop_cuts(chain)]
        moves = [*map(Move, maps[:-1]), Move(maps[-1], region)]
        shape = chain.shape if region is None else region.source_shape
        return Plan(tuple(moves), chain.source_shape, shape, dtype)

    @property
    def cuts(self) -> int:
        """How many intermediate arrays are made."""
        return len(self.moves) - 1

    @property
    def bytes_read(self) -> int:
        """Bytes of all sources touched, each element of a box once."""
        itemsize: int = self.dtype.itemsize
        return sum(move.elements_read() for move in self.moves) * itemsize

    @property
    def bytes_written(self) -> int:
        """Bytes of all results."""
        itemsize: int = self.dtype.itemsize
        return sum(move.map.size for move in self.moves) * itemsize

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.moves, self.source_shape, self.shape, str(self.dtype)))


def _in_bytes(m: IndexMap, to_bytes: ToBytes) -> IndexMap:
    if not m.fills:
        return m
    return m.refilled(tuple(Constant(to_bytes(f.value)) for f in m.fills))
