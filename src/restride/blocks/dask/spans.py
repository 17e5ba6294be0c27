"""A chunked array read row-major: which chunks a span of it lies in, and its elements.

No array is ever laid flat: a span of flat elements is a few boxes of the array, and
each box a part of some chunks.

>>> list(boxes(((2, 9),), (3, 4)))
[((0, 1), (2, 4)), ((1, 2), (0, 4)), ((2, 3), (0, 1))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Form, checked, run
from restride.blocks.intervals import Interval, Intervals

__all__ = ["Spans", "boxes", "make_flat", "touched"]

Array = np.ndarray[Any, Any]
Box = tuple[Interval, ...]


class Spans(NamedTuple):
    """What a block reads of a source that is read row-major."""

    reads: Intervals
    """Spans of flat elements."""
    shape: tuple[int, ...]
    """Extents of the source."""
    chunks: tuple[Box, ...]
    """The ranges of each chunk given."""


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


def touched(
    spans: Intervals, shape: tuple[int, ...], axes: Sequence[ChunkAxis]
) -> list[tuple[int, ...]]:
    """The chunks that hold an element of `spans`, in order."""
    found: set[tuple[int, ...]] = set()
    for box in boxes(spans, shape):
        ranges = zip(axes, box, strict=True)
        found.update(product(*[axis.numbers((side,)) for axis, side in ranges]))
    return sorted(found)


def make_flat(form: Form, spans: Spans, *chunks: Any) -> Array:
    """One block of a result whose source is read row-major.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    line = np.empty(form.chain.source_shape, form.dtype)
    for chunk, box in zip(chunks, spans.chunks, strict=True):
        _spread(line, checked(chunk, box, form.dtype), box, spans)
    return run(form, line)


def _spread(line: Array, chunk: Array, corner: Box, spans: Spans) -> None:
    """One chunk's elements to where they stand in the spans laid end to end."""
    at = 0
    for box in boxes(spans.reads, spans.shape):
        extents = [high - low for low, high in box]
        both = [
            (max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, corner, strict=True)
        ]
        if all(low < high for low, high in both):
            cells = line[at : at + prod(extents)].reshape(extents)
            into = [
                slice(a - c, b - c) for (a, b), (c, _) in zip(both, box, strict=True)
            ]
            inside = [
                slice(a - c, b - c) for (a, b), (c, _) in zip(both, corner, strict=True)
            ]
            _put(cells, into, chunk, inside)
        at += prod(extents)


def _put(
    cells: Array, into: Sequence[slice], chunk: Array, inside: Sequence[slice]
) -> None:
    to: Any = (*into, ...)
    of: Any = (*inside, ...)
    cells[to] = chunk[of]
