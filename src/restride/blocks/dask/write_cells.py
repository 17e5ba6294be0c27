"""Along one axis of a region write: what of each chunk is written, and from where.

Chunks that are written at the same places, from the same place of equal chunks, share
one answer; the arithmetic is done for all chunks of the axis at once.

>>> from restride.blocks.dask.chunk_axis import ChunkAxis
>>> along = walked(ChunkAxis.of((4, 4, 4)), Walk(1, 2, 5), 0, ChunkAxis.of((5,)))
>>> along.chunks, [along.cells[k].inside for k in along.kinds[:2]]
([range(0, 1), range(0, 1), range(0, 1)], [slice(1, 5, 2), slice(1, 5, 2)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.edges import Numbers
from restride.blocks.dask.gather import Place
from restride.blocks.dask.kinds import laid_out
from restride.blocks.dask.recipe import Index

__all__ = ["UNTOUCHED", "Along", "Cells", "Walk", "at_one", "walked"]

UNTOUCHED = -1
"""The kind of a chunk that nothing is written to."""


class Cells(NamedTuple):
    """What is written of a chunk along one axis."""

    length: int
    """Of the chunk."""
    inside: slice
    written: int
    row: int | None
    """The axis of the source that fills it; None: one position, for all of it."""
    place: Place
    """What is read along that axis, counted from the first chunk read."""


class Along(NamedTuple):
    """The chunks of one axis of the destination."""

    kinds: list[int]
    """Of each chunk; `UNTOUCHED` where nothing is written."""
    chunks: list[Sequence[int]]
    """The chunks of the source that each is written from."""
    cells: list[Cells]
    """By kind."""


class Walk(NamedTuple):
    """The positions of an axis that are written."""

    begin: int
    step: int
    steps: int
    """How many."""


def at_one(axis: ChunkAxis, position: int) -> Along:
    """Of one position, which no axis of the source goes along."""
    kinds = [UNTOUCHED] * axis.count
    number = axis.find(position)
    low, high = axis.range_of(number)
    kinds[number] = 0
    inside = slice(position - low, position - low + 1)
    cells = Cells(high - low, inside, 1, None, Place((), ()))
    return Along(kinds, [()] * axis.count, [cells])


def walked(axis: ChunkAxis, walk: Walk, row: int, source: ChunkAxis) -> Along:
    """Of a walk that axis `row` of the source goes along.

    A source of one element there fills the whole walk.
    """
    numbers = np.arange(axis.count)
    lows, lengths = axis.edges.begins(numbers), axis.edges.lengths(numbers)
    first, last = _steps_inside(walk, lows, lows + lengths)
    touched = np.flatnonzero(first < last)
    first, last = first[touched], last[touched]
    begin = walk.begin + first * walk.step - lows[touched]
    count = last - first
    if source.extent == 1:
        first, last = np.zeros_like(first), np.ones_like(last)
    edges = source.edges
    low, high = edges.find(first), edges.find(last - 1)
    offset = first - edges.begins(low)
    made = Along([UNTOUCHED] * axis.count, [()] * axis.count, [])
    read = edges.met(low, high)
    known: dict[tuple[Any, ...], int] = {}
    rows = [lengths[touched], begin, count, offset, last - first, low, high]
    columns = zip(
        touched.tolist(), read, *[values.tolist() for values in rows], strict=True
    )
    for k, met, *told, one, other in columns:
        key = (*told, edges.lengths_between(one, other))
        kind = known.get(key)
        if kind is None:
            kind = known[key] = len(made.cells)
            made.cells.append(_cells(walk.step, row, *key))
        made.kinds[k] = kind
        made.chunks[k] = met
    return made


def _cells(
    step: int,
    row: int,
    length: int,
    begin: int,
    count: int,
    offset: int,
    read: int,
    met: Index,
) -> Cells:
    end = begin + count * step
    inside = slice(begin, end if end >= 0 else None, step)
    place = Place(((offset, offset + read),), laid_out(met))
    return Cells(length, inside, count, row, place)


def _steps_inside(walk: Walk, lows: Numbers, highs: Numbers) -> tuple[Numbers, Numbers]:
    """The half-open ranges of steps of a walk that land in chunks."""
    begin, step, steps = walk
    if step > 0:
        first, last = -((begin - lows) // step), -((begin - highs) // step)
    else:
        first, last = (begin - highs) // -step + 1, (begin - lows) // -step + 1
    return np.maximum(first, 0), np.minimum(last, steps)
