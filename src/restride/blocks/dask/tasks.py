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
from restride.blocks.dask.gather import Form, make
from restride.blocks.dask.gather import Job as BlockJob
from restride.blocks.dask.nodes import alias, task, task_of_one, uncollected
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.restricted import restriction
from restride.blocks.dask.sides import Sides, Streams
from restride.blocks.dask.spots import Spots
from restride.layout.chain import Chain

__all__ = ["Tasks"]

Node = Alias | Task

NOTHING, WHOLE, ONE, SEVERAL = range(4)
"""Of the source, a block reads no chunk, is a chunk, reads one, or reads several."""


class Job(NamedTuple):
    """What some tasks do, and how much of the source they read."""

    needs: int
    does: BlockJob | None = None


WHOLE_CHUNK = Job(WHOLE)


class Served(NamedTuple):
    """A chain whose front serves many blocks."""

    chain: Chain
    is_read: bool
    is_identity: bool


class Tasks:
    """Makes the tasks of a recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._restriction = restriction(recipe.chain)
        self._components = components(self._restriction) if self._falls_apart else []
        rows = [r for part in self._components for r in part.rows]
        self._by_row = [rows.index(r) for r in range(len(rows))]
        self._served: dict[tuple[int, ...], Served] = {}

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
        return Sides(self.recipe, self._components, self._job)

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

    def _job(self, spots: Spots) -> Job:
        """What all blocks do whose sides are at such spots."""
        served = self._chain_for(spots)
        read = spots[: len(self.recipe.source_axes)]
        if served.is_identity and False not in [spot.is_whole for spot in read]:
            return WHOLE_CHUNK
        counts = [n for spot in spots for n in spot.counts]
        shape = tuple([counts[k] for k in self._by_row])
        form = Form(served.chain, self.recipe.dtype, shape)
        if not served.is_read:
            return Job(NOTHING, BlockJob(form, ()))
        is_one = all(len(spot.place.chunks) <= 1 for spot in read)
        does = BlockJob(form, tuple([spot.place for spot in read]))
        return Job(ONE if is_one else SEVERAL, does)

    def _chain_for(self, spots: Spots) -> Served:
        """The chain that serves all blocks whose sides have such forms."""
        key = tuple([spot.asked.form for spot in spots])
        found = self._served.get(key)
        if found is None:
            ranges = [r for spot in spots for r in spot.asked.ranges]
            box = tuple([ranges[k] for k in self._by_row])
            reads, chain = self._restriction(box)[1:3]
            is_read = () not in reads and all(spot.asked.reads for spot in spots)
            # A chunk of the other byte order may have come by pickle, which turns it.
            is_identity = (
                is_read
                and self.recipe.dtype.isnative
                and chain == Chain.identity(chain.source_shape)
            )
            found = self._served[key] = Served(chain, is_read, is_identity)
        return found
