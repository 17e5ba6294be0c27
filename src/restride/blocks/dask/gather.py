"""What one task does: gather the parts of chunks it needs, and run a chain over them.

All of this runs in a worker and knows nothing of Dask.  :class:`Form` and the places
are plain values, so that a task is small when it travels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from restride.arrays import as_source
from restride.blocks.dask.restricted import front
from restride.blocks.intervals import Interval, Intervals, length
from restride.blocks.sources import opaque
from restride.engines.prepared import Prepared
from restride.errors import DTypeError, ShapeError
from restride.layout.chain import Chain
from restride.plans.plan import Plan

__all__ = ["Form", "Job", "Place", "make", "part_of"]

Array = np.ndarray[Any, Any]


class Form(NamedTuple):
    """What many blocks share: the front of a chain, over their source part."""

    chain: Chain
    """Its constants are bytes of the dtype already."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    """Of the block: the chain may go on, and serves blocks of other lengths too."""

    def restricted(self) -> Chain:
        """The chain of the block, over its source part laid end to end."""
        if self.shape == self.chain.shape:
            return self.chain
        return front(self.chain, self.shape)


class Place(NamedTuple):
    """Along one source axis: what a block reads, and the ranges of the chunks given."""

    reads: Intervals
    chunks: tuple[Interval, ...]

    def moved(self, by: int) -> Place:
        """The same where positions are counted from elsewhere."""
        return Place(
            tuple([(low + by, high + by) for low, high in self.reads]),
            tuple([(low + by, high + by) for low, high in self.chunks]),
        )


class Job(NamedTuple):
    """What a task does; blocks that look alike share one."""

    form: Form
    places: tuple[Place, ...]
    """One per source axis, counted from anywhere; none where nothing is read."""


def make(job: Job, *chunks: Any) -> Array:
    """One block of a result.

    Parameters
    ----------
    job : Job
    *chunks : ndarray
        The product of the places' chunks, last axis fastest.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    form, places = job
    if not chunks:
        return run(form, np.empty(form.restricted().source_shape, form.dtype))
    boxes = list(product(*[place.chunks for place in places]))
    given = [
        checked(chunk, box, form.dtype)
        for chunk, box in zip(chunks, boxes, strict=True)
    ]
    return run(form, part_of(places, given))


def run(form: Form, source: Array) -> Array:
    """The chain of a form over its source part; nothing is copied for an identity."""
    plan = prepared(form)
    if plan is None:
        return source
    made: Array = plan(source)
    return made


@lru_cache(1024)
def prepared(form: Form) -> Prepared | None:
    """The plan of a form, made once per process: inner blocks share theirs.

    None where the block is its source part.
    """
    chain = form.restricted()
    if chain == Chain.identity(chain.source_shape):
        return None
    return Prepared(Plan.of(chain, form.dtype, lambda constant: constant))


def checked(chunk: Any, box: Sequence[Interval], dtype: np.dtype[Any]) -> Array:
    """A chunk as a plain array, if it is what the collection declared.

    NumPy's pickles come back in the machine's byte order, so a chunk that has
    travelled between processes may have the other one: the values are the same.
    """
    array = as_source(chunk, "a chunk")
    if array.dtype != dtype and _native(array.dtype) == _native(dtype):
        array = array.astype(dtype)
    shape = tuple([high - low for low, high in box])
    if array.dtype != dtype:
        raise DTypeError(
            f"a chunk has dtype {array.dtype} where the Dask array says {dtype}; give "
            "the right dtype= or meta= where the Dask array is made, or use astype()."
        )
    if array.shape != shape:
        raise ShapeError(
            f"a chunk has shape {array.shape} where the Dask array says {shape}; give "
            "the right chunks= where the Dask array is made."
        )
    return array


def _native(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("=")


def part_of(places: Sequence[Place], chunks: Sequence[Array]) -> Array:
    """The product of the intervals read; a view where it lies in one chunk.

    >>> x = np.arange(10)
    >>> part_of([Place(((1, 3), (7, 9)), ((0, 4), (4, 8), (8, 10)))],
    ...         [x[:4], x[4:8], x[8:]])
    array([1, 2, 7, 8])
    """
    lanes = [
        [list(_overlaps(place.reads, chunk)) for chunk in place.chunks]
        for place in places
    ]
    if len(chunks) == 1 and all(len(place.reads) == 1 for place in places):
        return _shown(chunks[0], [cells[0][1] for (cells,) in lanes])
    made = np.empty([length(place.reads) for place in places], chunks[0].dtype)
    bare = opaque(made)
    for chunk, lists in zip(map(opaque, chunks), product(*lanes), strict=True):
        for cells in product(*lists):
            into, inside = zip(*cells, strict=True)
            bare[into] = chunk[inside]
    return made


def _overlaps(reads: Intervals, chunk: Interval) -> Iterator[tuple[slice, slice]]:
    """Where a chunk's part of `reads` goes, laid end to end, and where it is in it."""
    at = 0
    for low, high in reads:
        first, last = max(low, chunk[0]), min(high, chunk[1])
        if first < last:
            into = slice(at + first - low, at + last - low)
            yield into, slice(first - chunk[0], last - chunk[0])
        at += high - low


def _shown(chunk: Array, inside: Sequence[slice]) -> Array:
    """A part of a chunk, as a view unless that keeps much memory alive for little."""
    everything: Any = (*inside, ...)
    shown: Array = chunk[everything]
    return shown if 2 * shown.size >= chunk.size else shown.copy()
