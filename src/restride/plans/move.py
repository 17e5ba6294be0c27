"""A move: one pass over a result, reading one source."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from restride.layout.index_map import IndexMap

__all__ = ["Band", "Move", "elements_read"]


class Move(NamedTuple):
    """Every result element is written once, from one source element or constant."""

    map: IndexMap
    """Where each element comes from; its constants are bytes."""
    target: IndexMap | None = None
    """Cells of a larger array to write; None: a whole row-major result."""
    bands: tuple[Band, ...] = ()
    """After a cut: the same result in boxes, most of them read from before the cut."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of what is written."""
        return self.map.shape


class Band(NamedTuple):
    """A box of a result, and where it is read from."""

    scratch: Move | None
    """What is materialised for it first; None: it reads the source itself."""
    move: Move
    """Its elements, and the cells of the whole result that they are."""


def elements_read(m: IndexMap) -> int:
    """Source elements touched: the box read, or the result where that is smaller."""
    box = m.reads()
    inside = prod(b - a for a, b in box) if box is not None else 0
    return min(inside, m.size)
