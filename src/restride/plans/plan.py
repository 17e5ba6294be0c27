"""A plan: the moves a chain needs, with its constants as bytes of the dtype.

A plan holds no array and no memory stride; equal functions give equal plans.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from restride.layout.axis import new
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.bands import bands
from restride.plans.crop import crop_cuts
from restride.plans.move import Move, elements_read

__all__ = ["Plan"]

ToBytes = Callable[[Constant], Constant]
"""Turns a constant into one of the bytes of an element, or refuses."""


class Parts(NamedTuple):
    """What a plan is made of."""

    moves: tuple[Move, ...]
    """In order; each reads the result of the one before, the first the source."""
    source_shape: tuple[int, ...]
    """Extents of the source."""
    shape: tuple[int, ...]
    """Extents of the result (of the destination, for a region write)."""
    dtype: Any
    """NumPy dtype of source and result, byte order included."""


class Plan(Parts):
    """A tuple of moves, one and one more per cut."""

    @staticmethod
    def of(
        chain: Chain, dtype: Any, to_bytes: ToBytes, region: IndexMap | None = None
    ) -> Plan:
        """The plan of `chain`, or of writing it into `region` of a destination."""
        *before, last = [
            _in_bytes(m, to_bytes) if m.fills else m for m in crop_cuts(chain)
        ]
        split = bands(before[-1], last) if before and region is None else ()
        moves = (*map(Move, before), new(Move, (last, region, split)))
        shape = chain.shape if region is None else region.source_shape
        return new(Plan, (moves, chain.source_shape, shape, dtype))

    @cached_property
    def apart(self) -> Plan:
        """The same plan with its result in an array of its own."""
        last = self.moves[-1]
        if last.target is None:
            return self
        moves = (*self.moves[:-1], Move(last.map))
        return Plan(moves, self.source_shape, last.shape, self.dtype)

    @property
    def cuts(self) -> int:
        """How many intermediate arrays are made."""
        return len(self.moves) - 1

    @property
    def bytes_read(self) -> int:
        """Bytes of all sources touched, each element of a box once per move."""
        itemsize: int = self.dtype.itemsize
        return sum(map(elements_read, self._maps())) * itemsize

    @property
    def bytes_written(self) -> int:
        """Bytes of all results, scratch included."""
        itemsize: int = self.dtype.itemsize
        return sum(m.size for m in self._maps()) * itemsize

    @property
    def bytes_scratch(self) -> int:
        """Bytes of the intermediate arrays."""
        last = self.moves[-1]
        final = sum(b.move.map.size for b in last.bands) or last.map.size
        itemsize: int = self.dtype.itemsize
        return self.bytes_written - final * itemsize

    def _maps(self) -> list[IndexMap]:
        """Every map an engine runs."""
        banded = self.moves[-1].bands
        whole = self.moves[:-2] if banded else self.moves
        scratch = [band.scratch for band in banded if band.scratch is not None]
        parts = [band.move for band in banded]
        return [move.map for move in (*whole, *scratch, *parts)]


def _in_bytes(m: IndexMap, to_bytes: ToBytes) -> IndexMap:
    return m.refilled(tuple(map(to_bytes, m.fills)))
