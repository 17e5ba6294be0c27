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
from typing import Any

from dask._task_spec import Alias, Task, TaskRef

from restride.blocks.dask.gather import Form, make
from restride.blocks.dask.recipe import Index, Recipe, box_of
from restride.blocks.dask.sides import Kind, Sides, Spot, Streams
from restride.blocks.dask.spans import Spans, make_flat, touched
from restride.blocks.intervals import Intervals
from restride.blocks.restrict import Restriction
from restride.layout.chain import Chain

__all__ = ["Tasks"]

Node = Alias | Task

NOTHING, WHOLE, ONE, SEVERAL = range(4)
"""Of the source, a block reads no chunk, is a chunk, reads one, or reads several."""


class Tasks:
    """Makes the tasks of a recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._restriction = Restriction(recipe.chain)
        self._forms: dict[Chain, Form] = {}

    def all(self) -> dict[Any, Node]:
        """Every task, by key."""
        with uncollected():
            if self._restriction.flat:
                return dict(self._spanned(self.recipe.indices()))
            sides = Sides(self.recipe, self._restriction.lanes)
            return self._together(sides, sides.all())

    def of(self, indices: Sequence[Index]) -> dict[Any, Node]:
        """The tasks of some chunks of the result."""
        with uncollected():
            if self._restriction.flat:
                return dict(self._spanned(indices))
            sides = Sides(self.recipe, self._restriction.lanes)
            return self._together(sides, sides.of(indices))

    def _together(self, sides: Sides, streams: Streams) -> dict[Any, Node]:
        """Tasks from what their sides say; once per chunk, so as little as can be."""
        made: dict[Any, Node] = {}
        known: dict[Kind, tuple[int, Form]] = {}
        source = (self.recipe.source_name,)
        for key, kind, places, first, chunks in streams:
            found = known.get(kind)
            if found is None:
                index = key[1:]
                found = known[kind] = self._of_kind(sides.at(index), index)
            needs, form = found
            if needs == ONE:
                made[key] = Task(key, make, form, places, TaskRef(first))
            elif needs == WHOLE:
                made[key] = Alias(key, first)
            elif needs == NOTHING:
                made[key] = Task(key, make, form, ())
            else:
                keys: Any = product(source, *chunks)
                made[key] = Task(key, make, form, places, *map(TaskRef, keys))
        return made

    def _of_kind(self, spots: Sequence[Spot], index: Index) -> tuple[int, Form]:
        """What all blocks share whose sides have the forms of `spots`."""
        chain = self._restriction(self.recipe.box(index)).chain
        form = self._form(chain)
        counts = [len(spot.chunks) for spot in spots]
        if 0 in counts or self.recipe.chain.maps[0].background is not None:
            return NOTHING, form
        if max(counts, default=1) > 1:
            return SEVERAL, form
        read = spots[: len(self.recipe.source_axes)]
        is_all = all(spot.is_whole for spot in read)
        is_chunk = is_all and chain == Chain.identity(chain.source_shape)
        return WHOLE if is_chunk else ONE, form

    def _form(self, chain: Chain) -> Form:
        found = self._forms.get(chain)
        if found is None:
            found = self._forms[chain] = Form(chain, self.recipe.dtype)
        return found

    def _spanned(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Node]]:
        """Of a source that is read row-major: block by block, from spans of it."""
        for index in indices:
            key: Any = (self.recipe.name, *index)
            block = self._restriction(self.recipe.box(index))
            form = self._form(block.chain)
            if () in block.reads:
                yield key, Task(key, make, form, ())
            else:
                yield key, self._flat(key, form, block.reads[0])

    def _flat(self, key: Any, form: Form, spans: Intervals) -> Task:
        recipe = self.recipe
        shape, axes = recipe.chain.source_shape, recipe.source_axes
        chunks = touched(spans, shape, axes)
        ranges = tuple([box_of(axes, chunk) for chunk in chunks])
        refs = [TaskRef((recipe.source_name, *chunk)) for chunk in chunks]
        return Task(key, make_flat, form, Spans(spans, shape, ranges), *refs)


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
