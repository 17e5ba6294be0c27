"""A chain restricted to a box of its result: again a chain, over less of the source.

For each box of the result, what is read of the source is a product of intervals, one
list per source axis, and over those intervals laid end to end the box is a chain of
its own.  Files, Zarr, Dask and xarray all work block by block through this one
function.

>>> from restride.layout import Chain
>>> chain = Chain.identity((10,)).pad([(3, 3)], "wrap")
>>> block = restrict(chain, [(1, 6)])
>>> block.reads, block.chain.source_shape, block.chain.shape
((((0, 3), (8, 10)),), (5,), (5,))

Laws: the blocks of a tiling make the whole; a block reads nothing outside its
`reads`; and for slices and pads the blocks together read no more than the source and
what the mode repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import NamedTuple, TypeVar

from restride.blocks.intervals import Intervals, flat_spans, length
from restride.blocks.lanes import Lanes
from restride.blocks.parts import Lane
from restride.blocks.reread import Reread
from restride.checks import as_ints
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap

__all__ = ["Block", "Box", "MOST_SPANS", "Restriction", "restrict", "restriction"]

Box = tuple[tuple[int, int], ...]
"""Half-open ranges, one per result axis."""

MOST_SPANS = 1 << 16
"""Most spans of flat elements that one block reads; beyond it whole rows are read."""

MEMORY = 1 << 12
"""Restricted chains remembered: inner blocks share theirs, so a grid has few."""


class Block(NamedTuple):
    """A box of a result, and what makes it."""

    box: Box
    """Half-open ranges of the result, one per axis."""
    reads: tuple[Intervals, ...]
    """Per source axis the intervals read: the source part is their product.  () on
    an axis: nothing is read at all."""
    chain: Chain
    """The box, as a chain over the intervals laid end to end."""
    flat: bool = False
    """True: the source is read row-major, and `reads` is one list of spans of it."""

    @property
    def elements_read(self) -> int:
        """Source elements of the block."""
        return prod(self.chain.source_shape)


def restrict(chain: Chain, box: Sequence[tuple[int, int]]) -> Block:
    """`chain` making only `box` of its result, over only the source it needs.

    ``block.chain(x[reads])[i] == chain(x)[i + low]`` for every index i of the box.

    Parameters
    ----------
    chain : Chain
        Any steps; cuts are taken back through, so that what stands between holds
        only what the box needs.
    box : sequence of (int, int)
        One half-open (low, high) per result axis, in elements.

    Returns
    -------
    Block
        `reads` is the smallest product of interval lists.  Where neighbours read lie
        apart (a step, or windows further apart than they are wide) the smallest is
        one interval from first to last, unless at least 4096 elements would be
        skipped between two reads, or there are only two: then each is an interval of
        its own, as long as one run makes no more than 4096 of them.  Where several
        result axes walk one source axis (windows that overlap) it is the one interval
        around what they read.

    Raises
    ------
    ShapeError, DTypeError
        The box has another number of axes, or leaves the result.

    Notes
    -----
    Cost: one question per axis, each answered once per chain and interval; see
    :class:`Restriction` for many boxes of one chain.

    Examples
    --------
    >>> chain = Chain.identity((4, 100)).transpose((1, 0))
    >>> restrict(chain, [(10, 20), (0, 4)]).reads
    (((0, 4),), ((10, 20),))
    """
    return restriction(chain)(_checked(box, chain.shape))


@lru_cache(64)
def restriction(chain: Chain) -> Restriction:
    """The chain prepared for many boxes, made once."""
    return Restriction(chain)


class Restriction:
    """A chain prepared for many boxes.

    A chain without cuts is separable: ``lanes[k].part(...)`` answers for one source
    axis, from the ranges of the result axes ``lanes[k].rows`` alone.  So what a grid
    of n1 x n2 x ... boxes reads is n1 + n2 + ... answers, all remembered, and calling
    the restriction with a box only puts them together.  Boxes are not checked here.

    Parameters
    ----------
    chain : Chain
    in_memory : bool, optional
        The source lies in memory: from the first row read to the last is a view of it,
        and rows between them cost nothing.  Not for one that is read flat.

    >>> made = Restriction(Chain.identity((6, 8)).pad([(0, 0), (2, 2)], "edge"))
    >>> [lane.part((((0, 3),),)).reads for lane in made.lanes]
    [((0, 3),), ((0, 1),)]
    >>> made(((0, 3), (0, 3))).reads
    (((0, 3),), ((0, 1),))
    """

    def __init__(self, chain: Chain, in_memory: bool = False) -> None:
        self.chain = chain
        self.flat = chain.maps[0].source_shape != chain.source_shape
        """True where the source is read row-major under another shape."""
        in_memory = in_memory and not self.flat
        self._steps = _steps(chain.maps, in_memory)
        self._ending = Reread(chain.maps[-1].shape, chain.shape)
        self._with_ending = self._steps
        if not self._ending.is_same:
            ending = IndexMap.identity(chain.shape)
            self._with_ending = _steps((*chain.maps, ending), in_memory)
        self._coarse: Lanes | None = None
        self._known: dict[tuple[int, ...], Chain] = {}

    @property
    def is_plain(self) -> bool:
        """True where every map reads the shape made before it."""
        links = [step.link for step in self._steps if step.link is not None]
        return self._ending.is_same and all(link.is_same for link in links)

    @property
    def merged(self) -> list[tuple[int, ...]] | None:
        """Per result axis the axes last made that it is, where such a merge at the end
        is all that reads anything with another shape; else None."""
        links = [step.link for step in self._steps if step.link is not None]
        if self._ending.is_same or self.flat or not all(ln.is_same for ln in links):
            return None
        return self._ending.merged()

    @property
    def levels(self) -> list[list[Lane]]:
        """The lanes of every map, from the source on."""
        return [step.lanes.all for step in self._steps]

    @property
    def is_separable(self) -> bool:
        """True where `lanes` answer for every box: no cut, no reshape."""
        return len(self._steps) == 1 and self._ending.is_same and not self.flat

    @property
    def lanes(self) -> list[Lane]:
        """Of a separable chain: one per source axis, then axes that walk none."""
        return self._steps[0].lanes.all

    def __call__(self, box: Box) -> Block:
        """The block of a box that lies inside the result."""
        lists = tuple([(r,) if r[0] < r[1] else () for r in box])
        if self.is_separable:
            return self._at_once(box, lists)
        return self._through(box, lists)

    def _at_once(self, box: Box, lists: tuple[Intervals, ...]) -> Block:
        lanes = self._steps[0].lanes
        parts = lanes.parts(lists)
        key = tuple([part.number for part in parts])
        chain = self._known.get(key)
        if chain is None:
            m = lanes.joined(parts)
            chain = Chain(m.source_shape, (m,), m.shape)
            if len(self._known) >= MEMORY:
                self._known.clear()
            self._known[key] = chain
        return Block(box, lanes.reads(parts), chain)

    def _through(self, box: Box, lists: tuple[Intervals, ...]) -> Block:
        """Back through every map; what lies between makes only what is read."""
        steps = self._steps
        kept = None if () in lists else self._ending.made(lists)
        if kept is None and not self._ending.is_same:
            steps = self._with_ending
        lists = kept or lists
        done: list[IndexMap] = []
        reads: tuple[Intervals, ...] = ()
        shape = tuple([high - low for low, high in box])
        for step in reversed(steps):
            parts = step.lanes.parts(lists)
            done.insert(0, step.lanes.joined(parts))
            if step.lanes.is_unread(parts):
                return self._unread(box, done, shape)
            reads = step.lanes.reads(parts)
            if step.link is None:
                break
            lists = _present(step.link.made(reads))
        if self.flat:
            return self._spread(box, lists, done, shape)
        return Block(box, reads, Chain(done[0].source_shape, tuple(done), shape))

    def _unread(self, box: Box, maps: list[IndexMap], shape: tuple[int, ...]) -> Block:
        """Only constants, or no element: over a source of extent 0."""
        rank = 1 if self.flat else len(self.chain.source_shape)
        first = maps[0]
        made = IndexMap.make(
            (0,) * rank, first.axes, [0] * rank, first.fills, first.background
        )
        chain = Chain((0,) * rank, (_present(made), *maps[1:]), shape)
        return Block(box, ((),) * rank, chain, self.flat)

    def _spread(
        self,
        box: Box,
        lists: tuple[Intervals, ...],
        maps: list[IndexMap],
        shape: tuple[int, ...],
    ) -> Block:
        """What the first map reads as spans of the flat source."""
        lanes = self._steps[0].lanes
        read = lanes.map.source_shape
        spans = flat_spans(lanes.reads(lanes.parts(lists)), read, MOST_SPANS)
        if spans is None:
            lanes = self._rows()
            parts = lanes.parts(lists)
            maps[0] = lanes.joined(parts)
            spans = _present(flat_spans(lanes.reads(parts), read, MOST_SPANS))
        chain = Chain((length(spans),), tuple(maps), shape)
        return Block(box, (spans,), chain, True)

    def _rows(self) -> Lanes:
        """The first map reading whole rows, so that they are few."""
        if self._coarse is None:
            self._coarse = Lanes(self.chain.maps[0])
            read = self._coarse.map.source_shape
            for lane in self._coarse.all[1 : len(read)]:
                lane.align = lane.extent
        return self._coarse


class Step(NamedTuple):
    """One map of a chain, and how it reads the result before it."""

    lanes: Lanes
    link: Reread | None
    """None: it reads the source."""


def _steps(maps: Sequence[IndexMap], in_memory: bool) -> list[Step]:
    steps = [Step(Lanes(maps[0], in_memory), None)]
    for before, m in pairwise(maps):
        lanes, link = Lanes(m), Reread(before.shape, m.source_shape)
        alone = steps[-1].lanes.takes_lists()
        for lane, align in zip(lanes.all, link.aligns(alone), strict=False):
            lane.align = align
        steps.append(Step(lanes, link))
    return steps


Found = TypeVar("Found")


def _present(found: Found | None) -> Found:
    """For answers that the alignment of the lanes makes sure of."""
    if found is None:
        raise AssertionError("rows were asked for that are whole on one side only")
    return found


def _checked(box: Sequence[tuple[int, int]], shape: tuple[int, ...]) -> Box:
    """The box as plain ints inside the result."""
    ranges = tuple(box) if isinstance(box, (tuple, list)) else ()
    if len(ranges) != len(shape):
        raise ShapeError(
            f"box = {box!r} is not one (low, high) per axis; the result has shape "
            f"{shape}, so give {len(shape)}."
        )
    found = []
    for axis, (given, n) in enumerate(zip(ranges, shape, strict=True)):
        ends = as_ints(given, f"box[{axis}]")
        if len(ends) != 2 or not 0 <= ends[0] <= ends[1] <= n:
            raise ShapeError(
                f"box[{axis}] = {ends} must be (low, high) with 0 <= low <= high <= "
                f"{n}, the extent of axis {axis}."
            )
        found.append((ends[0], ends[1]))
    return tuple(found)
