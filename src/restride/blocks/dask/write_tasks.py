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
from restride.blocks.dask.gather import Array, Place, checked, part_of
from restride.blocks.dask.nodes import alias, task_with, uncollected
from restride.blocks.dask.recipe import Index
from restride.blocks.dask.write_cells import UNTOUCHED, Along, Walk, at_one, walked
from restride.blocks.intervals import length
from restride.layout.index_map import IndexMap

__all__ = ["Put", "WriteRecipe", "WriteTasks", "put"]

ONE = Place(((0, 1),), ((0, 1),))
"""The only position of an axis of the source."""


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


class Put(NamedTuple):
    """What a task writes; chunks that are written alike share one."""

    shape: tuple[int, ...]
    """Of the chunk."""
    inside: tuple[slice, ...]
    """The cells written."""
    filled: tuple[int, ...]
    """Extents of what fills them, along the chunk's axes."""
    places: tuple[Place, ...]
    """What is read of the source, along its axes."""
    dtype: np.dtype[Any]

    @property
    def covers(self) -> bool:
        """True where every element of the chunk is written."""
        sides = zip(self.inside, self.shape, strict=True)
        return all(len(range(n)[inside]) == n for inside, n in sides)


class WriteTasks:
    """Makes the tasks of a region write."""

    def __init__(self, recipe: WriteRecipe) -> None:
        self.recipe = recipe
        walkers = {axis.source: r for r, axis in enumerate(recipe.region.axes)}
        rows = [walkers.get(s) for s in range(len(recipe.axes))]
        self._along = [self._axis(s, row) for s, row in enumerate(rows)]
        self._kinds = [along.kinds for along in self._along]
        self._walked = [
            (s, row, self._along[s].chunks)
            for s, row in enumerate(rows)
            if row is not None
        ]
        self._still: list[Sequence[int]] = [
            (axis.find(0),) for axis in recipe.source_axes
        ]
        """The chunk read along each axis of the source, where it is one element."""
        self._jobs: dict[Index, tuple[Put, bool]] = {}

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
        return walked(recipe.axes[s], walk, row, recipe.source_axes[row])

    def _task(self, key: Any, index: Index) -> Any:
        recipe = self.recipe
        own: Any = (recipe.target_name, *index)
        kinds = tuple([some[k] for some, k in zip(self._kinds, index, strict=True)])
        if UNTOUCHED in kinds:
            return alias(key, own)
        if kinds not in self._jobs:
            self._jobs[kinds] = self._put(kinds)
        does, covers = self._jobs[kinds]
        chunks = list(self._still)
        for s, row, read in self._walked:
            chunks[row] = read[index[s]]
        needs: Any = list(product((recipe.source_name,), *chunks))
        if covers:
            return task_with(key, put, (does, None, *map(TaskRef, needs)), needs)
        args = (does, TaskRef(own), *map(TaskRef, needs))
        return task_with(key, put, args, (own, *needs))

    def _put(self, kinds: Index) -> tuple[Put, bool]:
        """What is written to chunks of these kinds, and whether it covers them."""
        pairs = zip(self._along, kinds, strict=True)
        cells = [along.cells[kind] for along, kind in pairs]
        places = [ONE] * len(self.recipe.source_axes)
        filled = [1] * len(cells)
        for s, c in enumerate(cells):
            if c.row is not None:
                places[c.row] = c.place
                filled[s] = length(c.place.reads)
        shape = tuple([c.length for c in cells])
        inside = tuple([c.inside for c in cells])
        does = Put(shape, inside, tuple(filled), tuple(places), self.recipe.dtype)
        return does, does.covers


def put(does: Put, before: Any, *chunks: Any) -> Array:
    """One chunk of the destination with what is written to it.

    Parameters
    ----------
    does : Put
        Its places are of the source's `chunks`, which follow.
    before : ndarray or None
        The chunk as it was; None where all of it is written.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    boxes = product(*[place.chunks for place in does.places])
    given = [
        checked(chunk, box, does.dtype)
        for chunk, box in zip(chunks, boxes, strict=True)
    ]
    if before is None:
        made = np.empty(does.shape, does.dtype)
    else:
        box = [(0, n) for n in does.shape]
        made = checked(before, box, does.dtype).copy()
    cells: Any = (*does.inside, ...)
    made[cells] = part_of(does.places, given).reshape(does.filled)
    return made
