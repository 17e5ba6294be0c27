"""The tasks of a result: one per chunk, each from the source's chunks it reads.

A chunk that is a whole chunk of the source is that chunk, under another name: nothing
runs.  What a map reads is found axis by axis (`sides`); of a source that is read
row-major, block by block.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, NamedTuple

from dask._task_spec import Alias, Task

from restride.blocks.dask.gather import Form, make
from restride.blocks.dask.gather import Job as BlockJob
from restride.blocks.dask.nodes import task, task_of_one
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.sides import Kind, Sides, Spot, Streams
from restride.blocks.dask.spans import FlatJob, Touched, corners, make_flat
from restride.blocks.intervals import Intervals
from restride.blocks.lanes import Lanes
from restride.blocks.restrict import Restriction
from restride.layout.chain import Chain

__all__ = ["Tasks"]

Node = Alias | Task

NOTHING, WHOLE, ONE, SEVERAL = range(4)
"""Of the source, a block reads no chunk, is a chunk, reads one, or reads several."""


class Job(NamedTuple):
    """What some tasks do, and how much of the source they read."""

    needs: int
    does: BlockJob


class Tasks:
    """Makes the tasks of a recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        first, *_ = recipe.chain.maps
        self._is_flat = first.source_shape != recipe.chain.source_shape
        self._lanes = Lanes(first)
        self._forms: dict[Kind, Form] = {}

    def all(self) -> dict[Any, Node]:
        """Every task, by key."""
        with uncollected():
            if self._is_flat:
                return dict(FlatTasks(self.recipe).of(self.recipe.indices()))
            return self._together(self._sides().all())

    def of(self, indices: Sequence[Index]) -> dict[Any, Node]:
        """The tasks of some chunks of the result."""
        with uncollected():
            if self._is_flat:
                return dict(FlatTasks(self.recipe).of(indices))
            return self._together(self._sides().of(indices))

    def _sides(self) -> Sides[Job]:
        return Sides(self.recipe, self._lanes.all, self._job)

    def _together(self, streams: Streams[Job]) -> dict[Any, Node]:
        """Tasks from what their sides say; once per chunk, so as little as can be."""
        made: dict[Any, Node] = {}
        source = (self.recipe.source_name,)
        for key, (needs, job), first, chunks in streams:
            if needs == ONE:
                made[key] = task_of_one(key, make, job, first)
            elif needs == WHOLE:
                made[key] = Alias(key, first)
            elif needs == NOTHING:
                made[key] = task(key, make, job, ())
            else:
                made[key] = task(key, make, job, product(source, *chunks))
        return made

    def _job(self, spots: Sequence[Spot]) -> Job:
        """What all blocks do whose sides are at such spots."""
        form = self._form(spots)
        counts = [len(spot.chunks) for spot in spots]
        if 0 in counts or self._lanes.is_hidden:
            return Job(NOTHING, BlockJob(form, ()))
        read = spots[: len(self.recipe.source_axes)]
        does = BlockJob(form, tuple([spot.place for spot in read]))
        if max(counts, default=1) > 1:
            return Job(SEVERAL, does)
        is_all = all(spot.is_whole for spot in read)
        is_chunk = is_all and form.chain == Chain.identity(form.chain.source_shape)
        return Job(WHOLE if is_chunk else ONE, does)

    def _form(self, spots: Sequence[Spot]) -> Form:
        numbers = tuple([spot.part.number for spot in spots])
        form = self._forms.get(numbers)
        if form is None:
            m = self._lanes.joined([spot.part for spot in spots])
            chain = Chain(m.source_shape, (m,), m.shape)
            form = self._forms[numbers] = Form(chain, self.recipe.dtype)
        return form


class FlatTasks:
    """Tasks over a source read row-major: block by block, from spans of it."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._restriction = Restriction(recipe.chain)
        self._touched = Touched(recipe.chain.source_shape, recipe.source_axes)
        self._forms: dict[Chain, Form] = {}

    def of(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Node]]:
        """The tasks of some chunks of the result, and their keys."""
        for index in indices:
            key: Any = (self.recipe.name, *index)
            block = self._restriction(self.recipe.box(index))
            form = self._form(block.chain)
            if () in block.reads:
                yield key, task(key, make, BlockJob(form, ()), ())
            else:
                yield key, self._flat(key, form, block.reads[0])

    def _form(self, chain: Chain) -> Form:
        found = self._forms.get(chain)
        if found is None:
            found = self._forms[chain] = Form(chain, self.recipe.dtype)
        return found

    def _flat(self, key: Any, form: Form, spans: Intervals) -> Task:
        told, groups = self._touched(spans)
        source: Any = (self.recipe.source_name,)
        needs = corners([(source, *group) for group in groups])
        made: Task = task(key, make_flat, FlatJob(form, told), needs)
        return made


@contextmanager
def uncollected() -> Iterator[None]:
    """Without Python's search for cycles: a million new tasks and no garbage.

    Each search would go through all tasks made so far, and take longer than they did.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
