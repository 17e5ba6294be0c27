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

__all__ = ["FlatJob", "Spans", "Touched", "boxes", "corners", "make_flat"]

Array = np.ndarray[Any, Any]
Box = tuple[Interval, ...]
Index = tuple[int, ...]
Groups = tuple[tuple[Index, ...], ...]


class Spans(NamedTuple):
    """What a block reads of a source that is read row-major."""

    reads: Intervals
    """Spans of flat elements."""
    shape: tuple[int, ...]
    """Extents of the source."""
    chunks: tuple[tuple[tuple[Interval, ...], ...], ...]
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
        self._known: list[dict[Interval, Index]] = [{} for _ in axes]
        self._ranges: dict[tuple[int, Index], tuple[Interval, ...]] = {}

    def __call__(self, reads: Intervals) -> tuple[Spans, Groups]:
        """What a block is told of its spans, and the chunks it reads by number."""
        numbers: dict[tuple[Index, ...], int] = {}
        which = [
            numbers.setdefault(self._group(box), len(numbers))
            for box in boxes(reads, self._shape)
        ]
        groups = tuple(numbers)
        ranges = tuple([self._ranges_of(group) for group in groups])
        many = tuple(which) if len(groups) > 1 else ()
        return Spans(reads, self._shape, ranges, many), groups

    def _group(self, box: Box) -> tuple[Index, ...]:
        found = []
        for known, axis, side in zip(self._known, self._axes, box, strict=True):
            numbers = known.get(side)
            if numbers is None:
                numbers = known[side] = axis.numbers((side,))
            found.append(numbers)
        return tuple(found)

    def _ranges_of(self, group: tuple[Index, ...]) -> tuple[tuple[Interval, ...], ...]:
        made = []
        for k, (axis, numbers) in enumerate(zip(self._axes, group, strict=True)):
            ranges = self._ranges.get((k, numbers))
            if ranges is None:
                ranges = self._ranges[k, numbers] = axis.ranges_of(numbers)
            made.append(ranges)
        return tuple(made)


def corners(groups: Iterable[Sequence[Iterable[Any]]]) -> dict[tuple[Any, ...], None]:
    """The products of some groups, each member once, in order.

    >>> list(corners([([0], [1, 2]), ([0, 1], [2])]))
    [(0, 1), (0, 2), (1, 2)]
    """
    return dict.fromkeys(chain.from_iterable([product(*group) for group in groups]))


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
