"""The tasks of a result: one per chunk, each from the source's chunks it reads.

A chunk that is a whole chunk of the source is that chunk, under another name: nothing
runs.  What a map reads is found axis by axis (`sides`); of a source that is read
row-major, block by block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from restride.blocks.components import components
from restride.blocks.dask.boxwise import Boxes
from restride.blocks.dask.kinds import Kind
from restride.blocks.dask.nodes import uncollected
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.restricted import restriction
from restride.blocks.dask.sides import Sides
from restride.blocks.dask.spots import NOTHING, ONE, WHOLE, Spots
from restride.blocks.dask.together import Job, Node, together
from restride.layout.chain import Chain

__all__ = ["Tasks"]

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
        self._served: dict[tuple[int, ...], Served] = {}

    def all(self) -> dict[Any, Node]:
        """Every task, by key."""
        with uncollected():
            if not self._falls_apart:
                return dict(Boxes(self.recipe, self._restriction).of_all())
            return together(self._sides.all(), self.recipe.source_name)

    def of(self, indices: Sequence[Index]) -> dict[Any, Node]:
        """The tasks of some chunks of the result."""
        with uncollected():
            if not self._falls_apart:
                return dict(Boxes(self.recipe, self._restriction).of(indices))
            return together(self._sides.of(indices), self.recipe.source_name)

    @property
    def _falls_apart(self) -> bool:
        """True where nothing is read row-major under another shape."""
        return self._restriction.is_plain and not self._restriction.flat

    @cached_property
    def _sides(self) -> Sides[Job]:
        return Sides(self.recipe, components(self._restriction), self._job)

    def _job(self, spots: Spots) -> Job:
        """What all blocks do whose sides are at such spots."""
        served = self._chain_for(spots)
        reads = self._sides.reads if served.is_read else ()
        reach = max([spots[k].reach for k in reads], default=WHOLE)
        if served.is_identity and reach == WHOLE:
            return WHOLE_CHUNK
        along = tuple([spot.along for spot in spots])
        does = Kind(served.chain, self.recipe.dtype, along, reads, self._sides.rows)
        return Job(max(reach, ONE) if served.is_read else NOTHING, does)

    def _chain_for(self, spots: Spots) -> Served:
        """The chain that serves all blocks whose sides have such forms."""
        key = tuple([spot.asked.form for spot in spots])
        found = self._served.get(key)
        if found is None:
            ranges = [r for spot in spots for r in spot.asked.ranges]
            box = tuple([ranges[k] for k in self._sides.rows])
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
