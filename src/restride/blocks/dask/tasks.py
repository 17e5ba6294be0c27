"""The tasks of a result: one per chunk, each from the source's chunks it reads.

A map is separable, so what all chunks read is found axis by axis, and a task only
puts the answers together.  A chunk that is a whole chunk of the source is that chunk,
under another name: nothing runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from dask._task_spec import Alias, Task, TaskRef

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Form, Place, make
from restride.blocks.dask.spans import Spans, make_flat, touched
from restride.blocks.intervals import Intervals
from restride.blocks.parts import Lane
from restride.blocks.restrict import Box, Restriction
from restride.layout.chain import Chain

__all__ = ["Recipe", "Tasks"]

Index = tuple[int, ...]
Node = Alias | Task


class Recipe(NamedTuple):
    """All that the tasks of a result follow from: small, whatever their number."""

    name: str
    """Of the result: its keys are (name, i, j, ...)."""
    chain: Chain
    """Its constants are bytes of the dtype."""
    dtype: np.dtype[Any]
    axes: tuple[ChunkAxis, ...]
    """The chunks of the result."""
    source_name: str
    source_axes: tuple[ChunkAxis, ...]

    def box(self, index: Index) -> Box:
        """The ranges of one chunk of the result."""
        return box_of(self.axes, index)

    def indices(self) -> Iterable[Index]:
        """The chunks of the result by number."""
        return product(*[range(axis.count) for axis in self.axes])


class Spot(NamedTuple):
    """Along one lane: what the chunks at one place of the result read."""

    number: int
    """Of the form the lane has there: equal for equal forms."""
    place: Place
    chunks: Index
    """The source's chunks, by number; none where nothing is read."""
    is_whole: bool
    """True where exactly one chunk is read, and all of it."""


NOWHERE = Place((), ())
"""Of a lane that reads no source axis."""


class Tasks:
    """Makes the tasks of a recipe; what was found for one serves the next."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._restriction = Restriction(recipe.chain)
        self._forms: dict[tuple[int, ...], tuple[Form, bool]] = {}
        self._alike: dict[Chain, Form] = {}
        self.is_separable = self._restriction.is_separable
        lanes = self._restriction.lanes if self.is_separable else []
        self._tables = [(_picker(lane.rows), Table(lane, recipe)) for lane in lanes]

    def of(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Node]]:
        """Key and task of each chunk of the result in `indices`."""
        if self.is_separable:
            return self._from_lanes(indices)
        return self._one_by_one(indices)

    def _from_lanes(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Node]]:
        """Of one map: its lanes answer, and each chunk puts their answers together."""
        recipe, tables, forms = self.recipe, self._tables, self._forms
        name, source, sides = recipe.name, recipe.source_name, len(recipe.source_axes)
        hidden = recipe.chain.maps[0].background is not None
        for index in indices:
            key: Any = (name, *index)
            spots = [table[pick(index)] for pick, table in tables]
            numbers = tuple([spot.number for spot in spots])
            form, is_identity = forms.get(numbers) or self._form(numbers, index)
            chunks = [spot.chunks for spot in spots]
            if hidden or () in chunks:
                yield key, Task(key, make, form, ())
                continue
            keys: Any = product((source,), *chunks[:sides])
            if is_identity and False not in [spot.is_whole for spot in spots[:sides]]:
                yield key, Alias(key, next(keys))
                continue
            places = tuple([spot.place for spot in spots[:sides]])
            yield key, Task(key, make, form, places, *map(TaskRef, keys))

    def _form(self, numbers: tuple[int, ...], index: Index) -> tuple[Form, bool]:
        chain = self._restriction(self.recipe.box(index)).chain
        is_identity = chain == Chain.identity(chain.source_shape)
        made = self._forms[numbers] = Form(chain, self.recipe.dtype), is_identity
        return made

    def _one_by_one(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Node]]:
        """Of a chain with cuts, or of a source read row-major."""
        recipe = self.recipe
        for index in indices:
            key = (recipe.name, *index)
            block = self._restriction(recipe.box(index))
            form = self._alike.get(block.chain)
            if form is None:
                form = self._alike[block.chain] = Form(block.chain, recipe.dtype)
            if () in block.reads:
                yield key, Task(key, make, form, ())
            elif block.flat:
                yield key, self._flat(key, form, block.reads[0])
            else:
                yield key, self._boxed(key, form, block.reads)

    def _boxed(self, key: Any, form: Form, reads: tuple[Intervals, ...]) -> Task:
        recipe = self.recipe
        pairs = list(zip(reads, recipe.source_axes, strict=True))
        chunks = [axis.numbers(intervals) for intervals, axis in pairs]
        places = tuple(
            [
                Place(intervals, axis.ranges_of(numbers))
                for (intervals, axis), numbers in zip(pairs, chunks, strict=True)
            ]
        )
        keys: Any = product((recipe.source_name,), *chunks)
        return Task(key, make, form, places, *map(TaskRef, keys))

    def _flat(self, key: Any, form: Form, spans: Intervals) -> Task:
        recipe = self.recipe
        shape, axes = recipe.chain.source_shape, recipe.source_axes
        chunks = touched(spans, shape, axes)
        ranges = tuple([box_of(axes, chunk) for chunk in chunks])
        refs = [TaskRef((recipe.source_name, *chunk)) for chunk in chunks]
        return Task(key, make_flat, form, Spans(spans, shape, ranges), *refs)


class Table(dict[Any, Spot]):
    """The spots of one lane, by the chunks of the result axes that walk it."""

    def __init__(self, lane: Lane, recipe: Recipe) -> None:
        self._lane = lane
        self._walkers = [recipe.axes[r] for r in lane.rows]
        self._source = None if lane.source is None else recipe.source_axes[lane.source]

    def __missing__(self, at: Any) -> Spot:
        spot = self[at] = self._spot(at if isinstance(at, tuple) else (at,))
        return spot

    def _spot(self, at: Index) -> Spot:
        ranges = [axis.range_of(k) for axis, k in zip(self._walkers, at, strict=True)]
        part = self._lane.part(tuple([(r,) if r[0] < r[1] else () for r in ranges]))
        if self._source is None or not part.reads:
            return Spot(part.number, NOWHERE, (0,) if part.reads else (), False)
        chunks = self._source.numbers(part.reads)
        place = Place(part.reads, self._source.ranges_of(chunks))
        return Spot(part.number, place, chunks, place.reads == place.chunks)


def box_of(axes: Sequence[ChunkAxis], index: Index) -> Box:
    """The ranges of one chunk."""
    return tuple([axis.range_of(k) for axis, k in zip(axes, index, strict=True)])


def _picker(rows: tuple[int, ...]) -> Callable[[Index], Any]:
    """Of a chunk's index, what tells where a lane is."""
    return itemgetter(*rows) if rows else lambda index: ()
