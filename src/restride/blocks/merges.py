"""A merge of axes at the end of a chain, undone for boxes that keep to its rows.

Merged axes are row-major, so a box of whole rows of the first of them is a box of what
was made before the merge, and a whole part of one row lies in such a box.

>>> found = merges([(0, 1), (2,)], (6, 4, 9))
>>> boxes, times = unmerged(found, (6, 4, 9), Grid((24, 9), (8, 3)))
>>> boxes.block, times
((2, 4, 3), 1)
>>> boxes, times = unmerged(found, (6, 4, 9), Grid((24, 9), (2, 9)))
>>> boxes.block, times
((1, 4, 9), 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from restride.blocks.boxes import Grid

__all__ = ["Merge", "keeps_rows", "merges", "unmerged"]


class Merge(NamedTuple):
    """The axes made that one result axis is, without those of one position."""

    axes: tuple[int, ...]
    """Their numbers."""
    extents: tuple[int, ...]
    """Their extents."""

    @property
    def row(self) -> int:
        """Elements of one position of the first of them."""
        return prod(self.extents[1:])


def merges(merged: Sequence[tuple[int, ...]], made: Sequence[int]) -> list[Merge]:
    """Per result axis, of an array of shape `made`."""
    return [Merge(axes, tuple([made[a] for a in axes])) for axes in merged]


def keeps_rows(found: Sequence[Merge], grid: Grid) -> bool:
    """True where no box of `grid` holds parts of two rows."""
    sizes = zip(found, grid.block, grid.extents, strict=True)
    return not any(grid.first) and all(
        b >= n or b % merge.row == 0 or merge.row % b == 0 for merge, b, n in sizes
    )


def unmerged(
    found: Sequence[Merge], made: tuple[int, ...], grid: Grid
) -> tuple[Grid, int]:
    """The boxes of what was `made`, and for how many boxes of `grid` each is made."""
    block, times = list(made), 1
    for merge, b, n in zip(found, grid.block, grid.extents, strict=True):
        size = min(b, n)
        if merge.axes:
            block[merge.axes[0]] = max(1, size // merge.row)
            times *= max(1, merge.row // size)
    return Grid(made, tuple(block)), times
