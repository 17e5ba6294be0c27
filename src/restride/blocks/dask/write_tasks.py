"""The tasks of a region write: each chunk of the destination is itself, or written to.

A chunk that no cell of the region lies in is the destination's own, under another
name; one that the region covers is made without it; any other is a copy, written to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from dask._task_spec import TaskRef

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.nodes import same_chunk, task_with, uncollected
from restride.blocks.dask.puts import PutKind, put_of
from restride.blocks.dask.recipe import Index
from restride.blocks.dask.write_cells import (
    TOUCHED,
    UNTOUCHED,
    Along,
    Walk,
    at_one,
    walked,
)
from restride.layout.index_map import IndexMap

__all__ = ["WriteRecipe", "WriteTasks"]


class WriteRecipe(NamedTuple):
    """A region of a chunked destination, and the chunked source that fills it."""

    name: str
    region: IndexMap
    """The cells written, as the map that would read them; not empty."""
    dtype: np.dtype[Any]
    axes: tuple[ChunkAxis, ...]
    """Of the destination, and so of the result."""
    target_name: str
    source_name: str
    """Of an array of the region's axes, each as long as the region or of one."""
    source_axes: tuple[ChunkAxis, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """What the tasks read."""
        return self.target_name, self.source_name

    def indices(self) -> Iterator[Index]:
        """The chunks of the result by number, last axis fastest."""
        return product(*[range(axis.count) for axis in self.axes])

    def renamed(self, names: Mapping[str, str]) -> WriteRecipe:
        """The same over arrays of other names."""
        return self._replace(
            name=names.get(self.name, self.name),
            target_name=names.get(self.target_name, self.target_name),
            source_name=names.get(self.source_name, self.source_name),
        )

    def maker(self) -> WriteTasks:
        """What makes the tasks."""
        return WriteTasks(self)


class WriteTasks:
    """Makes the tasks of a region write."""

    def __init__(self, recipe: WriteRecipe) -> None:
        self.recipe = recipe
        walkers = {axis.source: r for r, axis in enumerate(recipe.region.axes)}
        rows = [walkers.get(s) for s in range(len(recipe.axes))]
        self._along = [self._axis(s, row) for s, row in enumerate(rows)]
        self._walked = [
            (s, row, self._along[s].chunks)
            for s, row in enumerate(rows)
            if row is not None
        ]
        self._still: list[Sequence[int]]
        self._still = [(axis.find(0),) for axis in recipe.source_axes]
        """The chunk read along each axis of the source, where it is one element."""
        steps = [1 if r is None else recipe.region.axes[r].map.step for r in rows]
        axes = tuple(zip(steps, rows, strict=True))
        self._kind = PutKind(recipe.dtype, axes, len(recipe.source_axes))

    def all(self) -> dict[Any, Any]:
        """Every task, by key."""
        return self.of(self.recipe.indices())

    def of(self, indices: Iterable[Index]) -> dict[Any, Any]:
        """The tasks of some chunks of the result."""
        name = self.recipe.name
        with uncollected():
            return {(name, *at): self._task((name, *at), at) for at in indices}

    def _axis(self, s: int, row: int | None) -> Along:
        recipe = self.recipe
        if row is None:
            return at_one(recipe.axes[s], recipe.region.base[s])
        steps = recipe.region.axes[row].map
        walk = Walk(recipe.region.base[s], steps.step, steps.extent)
        return walked(recipe.axes[s], walk, recipe.source_axes[row])

    def _task(self, key: Any, index: Index) -> Any:
        recipe = self.recipe
        own: Any = (recipe.target_name, *index)
        pairs = list(zip(self._along, index, strict=True))
        states = [along.states[k] for along, k in pairs]
        if UNTOUCHED in states:
            return same_chunk(key, own)
        cells = tuple([along.cells[k] for along, k in pairs])
        chunks = list(self._still)
        for s, row, read in self._walked:
            chunks[row] = read[index[s]]
        needs: Any = list(product((recipe.source_name,), *chunks))
        references = map(TaskRef, needs)
        if TOUCHED not in states:
            args = (self._kind, cells, None, *references)
            return task_with(key, put_of, args, needs)
        args = (self._kind, cells, TaskRef(own), *references)
        return task_with(key, put_of, args, (own, *needs))
