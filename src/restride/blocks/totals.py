"""What all boxes of a grid read, from a few of them: never a loop over the boxes.

Where every map reads the shape made before it, the chain falls apart into
*components*: result axes that lead to no common source axis.  What a box reads is a
product over components, so the sum over all boxes is a product of sums, and each sum
runs over the few kinds of ranges that :mod:`restride.blocks.regimes` finds.  Where
the source is read flat the kinds of all axes are taken together; where something is
read under another shape on the way, the boxes are visited, or every so many of them
where they are more than `MOST_BOXES`; but a merge of axes at the end is undone for
boxes that keep to its rows.

>>> from restride.layout import Chain
>>> chain = Chain.identity((1000,)).windows([3], [1], [1], [0])
>>> Totals(chain).over(Grid((998, 3), (100, 3)))
Total(read=1018, made=(), most=(102, 300), is_exact=True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from restride.blocks.boxes import Grid
from restride.blocks.components import Component, components
from restride.blocks.intervals import Interval
from restride.blocks.merges import Merge, keeps_rows, merges, unmerged
from restride.blocks.regimes import classes, regimes
from restride.blocks.restrict import Block, Box, restriction
from restride.layout.chain import Chain

__all__ = ["MOST_VISITS", "Total", "Totals"]

MOST_VISITS = 1 << 14
"""Most boxes looked at one by one; every so many of them where there are more."""


MOST_BOXES = 1 << 11
"""The same of whole boxes, each of which is taken back through every map."""

Kind = tuple[int, Interval]
"""How many ranges of an axis are alike, and one of them."""


class Total(NamedTuple):
    """Sums over the boxes of a grid, in elements."""

    read: int
    """Source elements that all boxes read together."""
    made: tuple[int, ...]
    """Elements of each intermediate that all boxes make together; a 0 may follow."""
    most: tuple[int, ...]
    """No box holds more: of the source, of each intermediate, of the result."""
    is_exact: bool
    """False where all this is told from every so many boxes."""

    @staticmethod
    def of(sums: Sequence[int], most: Sequence[int], is_exact: bool) -> Total:
        """From sums over the source, each intermediate and the result."""
        return Total(sums[0], tuple(sums[1:-1]), tuple(most), is_exact)


class Totals:
    """A chain, prepared for the sums over any grid of its result."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.restriction = restriction(chain)
        self._regimes: list[list[Interval]] | None = None
        if self.restriction.is_plain:
            axes = range(len(chain.shape))
            self._regimes = [regimes(chain.maps, axis) for axis in axes]
        merged = self.restriction.merged
        self._merges: list[Merge] = []
        if merged is not None:
            made = chain.maps[-1].shape
            self._merges = merges(merged, made)
            self._before = Totals(Chain(chain.source_shape, chain.maps, made))
        self._components: list[Component] | None = None
        if self.restriction.is_plain and not self.restriction.flat:
            self._components = components(self.restriction)

    def over(self, grid: Grid, visits: int = MOST_VISITS) -> Total:
        """The sums over the boxes of `grid`; at most `visits` of them are visited."""
        if not len(grid):
            none = (0,) * (len(self.chain.maps) + 1)
            return Total.of(none, none, True)
        if self._merges and keeps_rows(self._merges, grid):
            return self._by_rows(grid, visits)
        kinds = [self._kinds(grid, axis) for axis in range(len(grid.block))]
        if self._components is None:
            return self._by_boxes(grid, kinds, visits)
        return self._by_components(grid, self._components, kinds, visits)

    def rows(self, axis: int) -> tuple[int, ...]:
        """Extents of the axes that a result axis merges; () where it merges none."""
        return self._merges[axis].extents if self._merges else ()

    def _by_rows(self, grid: Grid, visits: int) -> Total:
        """As if nothing was merged: boxes of whole rows, or whole parts of one row,
        for each of which the row is made."""
        boxes, times = unmerged(self._merges, self._before.chain.shape, grid)
        found = self._before.over(boxes, visits)
        if times == 1:
            return found
        made = [n * times for n in (*found.made, prod(boxes.extents))]
        sizes = zip(grid.block, grid.extents, strict=True)
        most = *found.most, prod([min(b, n) for b, n in sizes])
        return Total(found.read * times, tuple(made), most, found.is_exact)

    def _kinds(self, grid: Grid, axis: int) -> Sequence[Kind]:
        """How many ranges of each kind tile an axis, and one of them."""
        if self._regimes is None:
            return _Each(grid, axis)
        sizes = grid.extents[axis], grid.block[axis], grid.begin(axis)
        return classes(self._regimes[axis], *sizes)

    def _by_components(
        self,
        grid: Grid,
        parts: Sequence[Component],
        kinds: Sequence[Sequence[Kind]],
        visits: int,
    ) -> Total:
        levels = len(self.chain.maps) + 1
        sums, most, is_exact = [1] * levels, [1] * levels, True
        for part in parts:
            own = _along(part, [kinds[r] for r in part.rows], visits)
            sums = [a * b for a, b in zip(sums, own.sums, strict=True)]
            most = [a * b for a, b in zip(most, own.most, strict=True)]
            is_exact = is_exact and own.is_exact
        for k, m in enumerate(self.chain.maps):
            if m.background is not None:
                sums[: k + 1] = most[: k + 1] = [0] * (k + 1)
        if not self.chain.source_shape:  # one element has no part that is less
            sums[0], most[0] = len(grid), 1
        return Total.of(sums, most, is_exact)

    def _by_boxes(
        self, grid: Grid, kinds: Sequence[Sequence[Kind]], visits: int
    ) -> Total:
        total, visits = prod(map(len, kinds)), min(visits, MOST_BOXES)
        found = _Sums(len(self.chain.maps) + 2)
        for number in _spread(total, visits):
            count, box = _chosen(kinds, number)
            found.add(count, _held(self.restriction(box), len(found.most)))
        sums = [held * len(grid) // found.boxes for held in found.sums]
        return Total.of(sums, found.most, total <= visits)


class _Sums:
    """Elements held on each level by the boxes added so far."""

    def __init__(self, levels: int) -> None:
        self.boxes, self.is_exact = 0, True
        self.sums, self.most = [0] * levels, [0] * levels

    def add(self, count: int, held: Sequence[int]) -> None:
        """So many boxes that each hold so much."""
        self.boxes += count
        self.sums = [n + count * h for n, h in zip(self.sums, held, strict=True)]
        self.most = list(map(max, self.most, held))


def _along(part: Component, kinds: Sequence[Sequence[Kind]], visits: int) -> _Sums:
    """The sums over the boxes of one component's own axes."""
    total = prod(map(len, kinds))
    found = _Sums(len(part.lanes) + 1)
    for number in _spread(total, visits):
        count, box = _chosen(kinds, number)
        found.add(count, part.held([(kept,) for kept in box]))
    if total > visits:
        boxes = prod([sum([count for count, _ in along]) for along in kinds])
        found.sums = [held * boxes // found.boxes for held in found.sums]
        found.is_exact = False
    return found


def _spread(total: int, most: int) -> Iterator[int]:
    """All of ``0 .. total - 1``, or `most` of them from the first to the last."""
    if total <= most:
        yield from range(total)
    else:
        yield from (k * (total - 1) // (most - 1) for k in range(most))


def _chosen(kinds: Sequence[Sequence[Kind]], number: int) -> tuple[int, Box]:
    """How many boxes are of this kind, counted row-major, and one of them."""
    count, box = 1, []
    for along in reversed(kinds):
        number, k = divmod(number, len(along))
        count *= along[k][0]
        box.append(along[k][1])
    return count, tuple(reversed(box))


def _held(block: Block, levels: int) -> tuple[int, ...]:
    """Elements of its source part, of each intermediate and of its result."""
    held = [block.elements_read, *[m.size for m in block.chain.maps[:-1]]]
    spare = levels - 1 - len(held)  # maps that this box does without
    return (*held, *[0] * spare, prod(block.chain.shape))


class _Each(Sequence[Kind]):
    """Every range along an axis, each of its own kind."""

    def __init__(self, grid: Grid, axis: int) -> None:
        self.grid, self.axis = grid, axis

    def __len__(self) -> int:
        return self.grid.shape[self.axis]

    def __getitem__(self, k: Any) -> Any:
        return 1, self.grid.range(self.axis, k)
