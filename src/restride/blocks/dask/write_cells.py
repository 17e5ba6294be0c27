"""Along one axis of a region write: what of each chunk is written, and from where.

The arithmetic is done for all chunks of the axis at once; what is told of each is a
cell of numbers, from which the worker makes the rest (`puts`).

>>> from restride.blocks.dask.chunk_axis import ChunkAxis
>>> along = walked(ChunkAxis.of((4, 4, 4)), Walk(1, 2, 5), ChunkAxis.of((5,)))
>>> along.chunks[0], along.cells
(range(0, 1), [(4, 1, 2, 0, 2, 5), (4, 1, 2, 2, 2, 5), (4, 1, 1, 4, 1, 5)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from restride.blocks.dask.cells import Cell, celled
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.edges import Numbers

__all__ = ["TOUCHED", "UNTOUCHED", "Along", "Walk", "at_one", "walked"]

UNTOUCHED, TOUCHED, COVERED = range(3)
"""Along an axis, nothing of a chunk is written to, something, or all."""


class Along(NamedTuple):
    """The chunks of one axis of the destination."""

    states: list[int]
    """Of each chunk."""
    chunks: list[Sequence[int]]
    """The chunks of the source that each is written from."""
    cells: list[Cell]
    """Elements of each chunk, the first that is written, and how many; where an axis of
    the source goes along, the first element read, how many, and the lengths of the
    chunks read, from the first of which it is counted."""


class Walk(NamedTuple):
    """The positions of an axis that are written."""

    begin: int
    step: int
    steps: int
    """How many."""


def at_one(axis: ChunkAxis, position: int) -> Along:
    """Of one position, which no axis of the source goes along."""
    made = Along([UNTOUCHED] * axis.count, [()] * axis.count, [()] * axis.count)
    number = axis.find(position)
    low, high = axis.range_of(number)
    made.states[number] = COVERED if high - low == 1 else TOUCHED
    made.cells[number] = high - low, position - low, 1
    return made


def walked(axis: ChunkAxis, walk: Walk, source: ChunkAxis) -> Along:
    """Of a walk that an axis of the source goes along.

    A source of one element there fills the whole walk.
    """
    numbers = np.arange(axis.count)
    lows, lengths = axis.edges.begins(numbers), axis.edges.lengths(numbers)
    first, last = _steps_inside(walk, lows, lows + lengths)
    touched = np.flatnonzero(first < last)
    first, last, lengths = first[touched], last[touched], lengths[touched]
    begin = walk.begin + first * walk.step - lows[touched]
    count = last - first
    states = np.where(count == lengths, COVERED, TOUCHED).tolist()
    if source.extent == 1:
        first, last = np.zeros_like(first), np.ones_like(last)
    edges = source.edges
    low, high = edges.find(first), edges.find(last - 1)
    told = [lengths, begin, count, first - edges.begins(low), last - first]
    found = states, edges.met(low, high), celled(told, edges, low, high)
    made = Along([UNTOUCHED] * axis.count, [()] * axis.count, [()] * axis.count)
    for k, state, chunks, cell in zip(touched.tolist(), *found, strict=True):
        made.states[k], made.chunks[k], made.cells[k] = state, chunks, cell
    return made


def _steps_inside(walk: Walk, lows: Numbers, highs: Numbers) -> tuple[Numbers, Numbers]:
    """The half-open ranges of steps of a walk that land in chunks."""
    begin, step, steps = walk
    if step > 0:
        first, last = -((begin - lows) // step), -((begin - highs) // step)
    else:
        first, last = (begin - highs) // -step + 1, (begin - lows) // -step + 1
    return np.maximum(first, 0), np.minimum(last, steps)
