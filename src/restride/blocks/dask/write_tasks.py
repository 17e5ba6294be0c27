"""The tasks of a region write: each chunk of the destination is itself, or written to.

A chunk that no cell of the region lies in is the destination's own, under another
name; one that the region covers is made without it; any other is a copy, written to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from dask._task_spec import TaskRef

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Array, Place, checked, part_of
from restride.blocks.dask.nodes import alias, task_with, uncollected
from restride.blocks.dask.recipe import Index
from restride.blocks.intervals import Interval
from restride.layout.index_map import Axis, IndexMap

__all__ = ["WriteRecipe", "WriteTasks", "put"]


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


class Cells(NamedTuple):
    """Along one axis of the destination: what of a chunk is written, and from where."""

    inside: slice
    written: int
    covers: bool
    """True where every position of the chunk is written."""
    row: int | None
    """The axis of the source that fills it; None: one position, for all of it."""
    place: Place
    """What is read along that axis."""
    chunks: Index
    """The chunks it is read from."""


class Target(NamedTuple):
    """What a task writes into."""

    box: tuple[Interval, ...]
    inside: tuple[slice, ...]
    counts: tuple[int, ...]
    dtype: np.dtype[Any]


class WriteTasks:
    """Makes the tasks of a region write."""

    def __init__(self, recipe: WriteRecipe) -> None:
        self.recipe = recipe
        walkers = {axis.source: r for r, axis in enumerate(recipe.region.axes)}
        self._ranges = [axis.ranges_of(range(axis.count)) for axis in recipe.axes]
        self._cells = [
            [self._along(s, walkers.get(s), chunk) for chunk in ranges]
            for s, ranges in enumerate(self._ranges)
        ]
        self._still = [self._read(r, (0, 1)) for r in range(len(recipe.source_axes))]

    def all(self) -> dict[Any, Any]:
        """Every task, by key."""
        return self.of(self.recipe.indices())

    def of(self, indices: Iterable[Index]) -> dict[Any, Any]:
        """The tasks of some chunks of the result."""
        name = self.recipe.name
        with uncollected():
            return {(name, *at): self._task((name, *at), at) for at in indices}

    def _along(self, s: int, row: int | None, chunk: Interval) -> Cells | None:
        """What is written of one chunk along one axis; None: nothing."""
        base, (low, high) = self.recipe.region.base[s], chunk
        if row is None:
            if not low <= base < high:
                return None
            here = slice(base - low, base - low + 1)
            return Cells(here, 1, high - low == 1, None, Place((), ()), ())
        first, last = _steps_inside(self.recipe.region.axes[row], base, chunk)
        if first >= last:
            return None
        step = self.recipe.region.axes[row].map.step
        begin, end = base + first * step - low, base + last * step - low
        inside = slice(begin, end if end >= 0 else None, step)
        covers = last - first == high - low
        return Cells(inside, last - first, covers, row, *self._read(row, (first, last)))

    def _read(self, row: int, positions: Interval) -> tuple[Place, Index]:
        """Of an axis of the source, what is read and the chunks it is in."""
        axis = self.recipe.source_axes[row]
        if axis.count == 1:
            return Place((positions,), ((0, axis.extent),)), (0,)
        chunks = axis.numbers((positions,))
        return Place((positions,), axis.ranges_of(chunks)), chunks

    def _task(self, key: Any, index: Index) -> Any:
        recipe = self.recipe
        own: Any = (recipe.target_name, *index)
        cells = [along[k] for along, k in zip(self._cells, index, strict=True)]
        written = [c for c in cells if c is not None]
        if len(written) < len(cells):
            return alias(key, own)
        reads = list(self._still)
        for c in written:
            if c.row is not None:
                reads[c.row] = c.place, c.chunks
        target = Target(
            tuple([along[k] for along, k in zip(self._ranges, index, strict=True)]),
            tuple([c.inside for c in written]),
            tuple([c.written for c in written]),
            recipe.dtype,
        )
        read: Any = product((recipe.source_name,), *[chunks for _, chunks in reads])
        needs = list(read)
        covers = all(c.covers for c in written)
        before = None if covers else TaskRef(own)
        places = tuple([place for place, _ in reads])
        args = (target, places, before, *map(TaskRef, needs))
        return task_with(key, put, args, needs if covers else [own, *needs])


def _steps_inside(axis: Axis, base: int, chunk: Interval) -> tuple[int, int]:
    """The half-open range of steps of a walk that land in a chunk."""
    step, (low, high) = axis.map.step, chunk
    if step > 0:
        first, last = -((base - low) // step), -((base - high) // step)
    else:
        first, last = (base - high) // -step + 1, (base - low) // -step + 1
    return max(first, 0), min(last, axis.map.extent)


def put(target: Target, places: tuple[Place, ...], before: Any, *chunks: Any) -> Array:
    """One chunk of the destination with what is written to it.

    Parameters
    ----------
    target : Target
    places : tuple of Place
        What is read of the source, whose `chunks` follow.
    before : ndarray or None
        The chunk as it was; None where all of it is written.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    boxes = product(*[place.chunks for place in places])
    given = [
        checked(chunk, box, target.dtype)
        for chunk, box in zip(chunks, boxes, strict=True)
    ]
    if before is None:
        made = np.empty([high - low for low, high in target.box], target.dtype)
    else:
        made = checked(before, target.box, target.dtype).copy()
    cells: Any = (*target.inside, ...)
    made[cells] = part_of(places, given).reshape(target.counts)
    return made
