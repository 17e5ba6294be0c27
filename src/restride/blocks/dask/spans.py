"""A chunked array read row-major: which chunks a span of it lies in, and its elements.

No array is ever laid flat: a span of flat elements is a few boxes of the array, and
each box a part of some chunks.

>>> list(boxes(((2, 9),), (3, 4)))
[((0, 1), (2, 4)), ((1, 2), (0, 4)), ((2, 3), (0, 1))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product, repeat
from math import prod
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Form, checked, run
from restride.blocks.intervals import Interval, Intervals

__all__ = ["FlatJob", "Groups", "Spans", "Touched", "boxes", "corners", "make_flat"]

MOST_LISTED = 1 << 16
"""Of an axis of no more chunks, all their positions are kept."""

Array = np.ndarray[Any, Any]
Box = tuple[Interval, ...]
Index = tuple[int, ...]
Numbers = range | Index
Group = tuple[Numbers, ...]
"""Of each axis some chunks by number: their product."""
Groups = tuple[Group, ...]
Ranges = tuple[tuple[Interval, ...], ...]
"""The same by their positions."""


class Spans(NamedTuple):
    """What a block reads of a source that is read row-major."""

    reads: Intervals
    """Spans of flat elements."""
    shape: tuple[int, ...]
    """Extents of the source."""
    chunks: tuple[Ranges, ...]
    """Groups of chunks by their ranges, each group a product over the axes."""
    which: tuple[int, ...] = ()
    """Of each box read, the group of the chunks that it meets; () where there is one
    group."""


class FlatJob(NamedTuple):
    """What a task does that reads spans."""

    form: Form
    spans: Spans


def boxes(spans: Intervals, shape: tuple[int, ...]) -> Iterator[Box]:
    """Spans of an array's row-major reading as boxes of it, in the same order."""
    for low, high in spans:
        yield from _boxes(low, high, shape)


def _boxes(low: int, high: int, shape: tuple[int, ...]) -> Iterator[Box]:
    if not shape:
        yield ()
        return
    row = prod(shape[1:])
    first, begin = divmod(low, row)
    last, end = divmod(high, row)
    if first == last:
        yield from _in_row(first, begin, end, shape)
        return
    if begin:
        yield from _in_row(first, begin, row, shape)
        first += 1
    if first < last:
        yield ((first, last), *[(0, n) for n in shape[1:]])
    if end:
        yield from _in_row(last, 0, end, shape)


def _in_row(at: int, low: int, high: int, shape: tuple[int, ...]) -> Iterator[Box]:
    for box in _boxes(low, high, shape[1:]):
        yield ((at, at + 1), *box)


class Touched:
    """Which chunks hold the elements of spans, for many spans of one array."""

    def __init__(self, shape: tuple[int, ...], axes: Sequence[ChunkAxis]) -> None:
        self._shape, self._axes = shape, axes
        self._known: list[dict[Intervals, Numbers]] = [{} for _ in axes]
        self._all: dict[int, tuple[Interval, ...]] = {}

    def __call__(self, reads: Intervals) -> tuple[Spans, Groups]:
        """What a block is told of its spans, and groups of all chunks that it reads."""
        met = [self._group(box) for box in boxes(reads, self._shape)]
        found = list(dict.fromkeys(met))
        if len(found) == 1:
            return Spans(reads, self._shape, (self._ranges_of(found[0]),)), (found[0],)
        # The largest first: it mostly holds the others, and neighbours share it.
        widest = max(found, key=_size)
        others = [group for group in found if group != widest]
        number = {group: k for k, group in enumerate([widest, *others])}
        ranges = tuple([self._ranges_of(group) for group in number])
        told = Spans(reads, self._shape, ranges, tuple([number[g] for g in met]))
        return told, (widest, *[g for g in others if not _is_within(g, widest)])

    def along(self, lists: Sequence[Intervals]) -> tuple[Group, Ranges]:
        """Of each axis the chunks that hold its intervals, and their ranges."""
        group = tuple(
            [self._numbers(k, intervals) for k, intervals in enumerate(lists)]
        )
        return group, self._ranges_of(group)

    def _group(self, box: Box) -> Group:
        return tuple([self._numbers(k, (side,)) for k, side in enumerate(box)])

    def _numbers(self, axis: int, intervals: Intervals) -> Numbers:
        found = self._known[axis].get(intervals)
        if found is None:
            numbers = self._axes[axis].numbers(intervals)
            found = numbers
            if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
                found = range(numbers[0], numbers[-1] + 1)  # as short however many
            self._known[axis][intervals] = found
        return found

    def _ranges_of(self, group: Group) -> Ranges:
        return tuple(map(self._along, range(len(group)), group))

    def _along(self, axis: int, numbers: Numbers) -> tuple[Interval, ...]:
        """The positions of some chunks of an axis."""
        if axis not in self._all and self._axes[axis].count <= MOST_LISTED:
            self._all[axis] = self._axes[axis].ranges_of(range(self._axes[axis].count))
        if isinstance(numbers, range) and axis in self._all:
            return self._all[axis][numbers.start : numbers.stop]
        return self._axes[axis].ranges_of(numbers)


def _size(group: Group) -> int:
    return prod([len(numbers) for numbers in group])


def _is_within(group: Group, other: Group) -> bool:
    """True where all chunks of a group, which are neighbours, are in another one."""
    return all(
        b[0] <= a[0] and a[-1] <= b[-1] for a, b in zip(group, other, strict=True)
    )


def corners(groups: Iterable[Sequence[Iterable[Any]]]) -> list[tuple[Any, ...]]:
    """The products of some groups, each member once, in order.

    >>> corners([([0], [1, 2]), ([0, 1], [2])])
    [(0, 1), (0, 2), (1, 2)]
    """
    products = [product(*group) for group in groups]
    if len(products) == 1:
        return list(products[0])
    return list(dict.fromkeys(chain.from_iterable(products)))


def make_flat(job: FlatJob, *chunks: Any) -> Array:
    """One block of a result whose source is read row-major.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    form, spans = job
    line = np.empty(form.chain.source_shape, form.dtype)
    given = {
        corner: checked(chunk, corner, form.dtype)
        for corner, chunk in zip(corners(spans.chunks), chunks, strict=True)
    }
    at = 0
    for box, group in zip(
        boxes(spans.reads, spans.shape), spans.which or repeat(0), strict=False
    ):
        extents = [high - low for low, high in box]
        cells = line[at : at + prod(extents)].reshape(extents)
        for corner in product(*spans.chunks[group]):
            _put(cells, box, given[corner], corner)
        at += prod(extents)
    return run(form, line)


def _put(cells: Array, box: Box, chunk: Array, corner: Box) -> None:
    """One chunk's elements to where they stand in a box that it meets."""
    both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, corner, strict=True)]
    to: Any = _within(both, box)
    of: Any = _within(both, corner)
    cells[to] = chunk[of]


def _within(part: Iterable[Interval], box: Box) -> tuple[Any, ...]:
    pairs = zip(part, box, strict=True)
    return (*[slice(a - low, b - low) for (a, b), (low, _) in pairs], ...)
