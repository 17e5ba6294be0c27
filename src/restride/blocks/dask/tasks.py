"""The tasks of a result: one per chunk, each from the source's chunks it reads.

A chunk that is a whole chunk of the source is that chunk, under another name: nothing
runs.  What a map reads is found axis by axis (`sides`); of a source that is read
row-major, block by block.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from dask._task_spec import Alias, Task

from restride.blocks.components import components
from restride.blocks.dask.boxwise import Boxes
from restride.blocks.dask.columns import Spot
from restride.blocks.dask.gather import Form, make
from restride.blocks.dask.gather import Job as BlockJob
from restride.blocks.dask.nodes import alias, task, task_of_one, uncollected
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.sides import Sides, Streams
from restride.blocks.restrict import Box, Restriction
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
        self._restriction = Restriction(recipe.chain)

    def all(self) -> dict[Any, Node]:
        """Every task, by key."""
        with uncollected():
            if not self._falls_apart:
                return dict(Boxes(self.recipe, self._restriction).of_all())
            return self._together(self._sides().all())

    def of(self, indices: Sequence[Index]) -> dict[Any, Node]:
        """The tasks of some chunks of the result."""
        with uncollected():
            if not self._falls_apart:
                return dict(Boxes(self.recipe, self._restriction).of(indices))
            return self._together(self._sides().of(indices))

    @property
    def _falls_apart(self) -> bool:
        """True where nothing is read row-major under another shape."""
        return self._restriction.is_plain and not self._restriction.flat

    def _sides(self) -> Sides[Job]:
        return Sides(self.recipe, components(self._restriction), self._job)

    def _together(self, streams: Streams[Job]) -> dict[Any, Node]:
        """Tasks from what their sides say; once per chunk, so as little as can be."""
        made: dict[Any, Node] = {}
        source = (self.recipe.source_name,)
        for key, (needs, job), first, chunks in streams:
            if needs == WHOLE:
                made[key] = alias(key, first)
            elif needs == ONE:
                made[key] = task_of_one(key, make, job, first)
            elif needs == NOTHING:
                made[key] = task(key, make, job, ())
            else:
                made[key] = task(key, make, job, product(source, *chunks))
        return made

    def _job(self, box: Box, spots: Sequence[Spot]) -> Job:
        """What all blocks do whose sides are at such spots, of which `box` is one."""
        block = self._restriction(box)
        form = Form(block.chain, self.recipe.dtype)
        if () in block.reads or not all(spot.chunks for spot in spots):
            return Job(NOTHING, BlockJob(form, ()))
        read = spots[: len(self.recipe.source_axes)]
        does = BlockJob(form, tuple([spot.place for spot in read]))
        if any(len(spot.chunks) > 1 for spot in read):
            return Job(SEVERAL, does)
        # A chunk of the other byte order may have come by pickle, which turns it.
        is_all = form.dtype.isnative and all(spot.is_whole for spot in read)
        is_chunk = is_all and form.chain == Chain.identity(form.chain.source_shape)
        return Job(WHOLE if is_chunk else ONE, does)
