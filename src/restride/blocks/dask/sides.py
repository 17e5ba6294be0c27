"""What the chunks of a result read, axis by axis, and put together for many at once.

A chain is separable: what a chunk reads along a source axis depends on its place along
the result axes that lead to it alone.  So a result of n1 x n2 chunks asks n1 + n2
questions, and the answers for all its chunks are products of the answers per axis,
which `itertools` puts together faster than Python could.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product, repeat
from operator import itemgetter
from typing import Any, Generic, TypeVar

import numpy as np

from restride.blocks.components import Component
from restride.blocks.dask.cells import Cell
from restride.blocks.dask.columns import Column, Columns
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.spots import Read, Side, Spots
from restride.blocks.regimes import regimes

__all__ = ["Sides", "Streams"]

Job = TypeVar("Job")
Streams = Iterator[
    tuple[
        tuple[Any, ...],
        Job,
        tuple[Cell, ...],
        tuple[Any, ...],
        tuple[Sequence[int], ...],
    ]
]
"""Per chunk: its key, its job, its cells, the key of the first chunk of the source that
it reads, and the chunks read along each source axis (() where all read one at most)."""


class Sides(Generic[Job]):
    """The components of one chain over chunks.

    Parameters
    ----------
    recipe : Recipe
    parts : sequence of Component
        Of its chain; those of the source axes come first.
    job_of : callable
        What the blocks have in common whose components are at some spots; asked once
        for all of equal spots.
    """

    def __init__(
        self,
        recipe: Recipe,
        parts: Sequence[Component],
        job_of: Callable[[Spots], Job],
    ) -> None:
        sides = [Side(part, recipe) for part in parts]
        leads = [side.leading_axis() for side in sides]
        order = sorted(range(len(sides)), key=lambda k: leads[k])
        """As the keys of their chunks go."""
        self._sides = [sides[k] for k in order]
        self._recipe = recipe
        self._job_of = job_of
        self.reads = tuple([order.index(s) for s in range(len(recipe.source_axes))])
        """Of each source axis, the side that leads to it."""
        rows = [r for side in self._sides for r in side.rows]
        self.rows = tuple([rows.index(r) for r in range(len(rows))])
        """Of each result axis, its place among the rows of all sides."""

    def of(self, indices: Sequence[Index]) -> Streams[Job]:
        """The streams of some chunks."""
        name, source = self._recipe.name, self._recipe.source_name
        asked = [self._reader(side, indices) for side in self._sides]
        known: dict[Index, Job] = {}
        for index in indices:
            reads = [read(index) for read in asked]
            numbers = tuple([read.spot.number for read in reads])
            if numbers not in known:
                known[numbers] = self._job_of([read.spot for read in reads])
            cells = tuple([read.cell for read in reads])
            first = (source, *[reads[k].first for k in self.reads])
            chunks = tuple([reads[k].chunks for k in self.reads])
            yield (name, *index), known[numbers], cells, first, chunks

    def _reader(self, side: Side, indices: Sequence[Index]) -> Callable[[Index], Read]:
        """What a side reads for each of these chunks of the result."""
        row = side.lead()
        if row is None or row < 0:
            return lambda index: side.read(tuple([index[r] for r in side.rows]))
        lead = side.rows[row]
        numbers = sorted({index[lead] for index in indices})
        column = self._columns(side, row).of(np.array(numbers, np.int64))
        spots = [side.spots[number] for number in column.spots]
        reads = map(Read, spots, column.firsts, column.read(), column.cells)
        known = dict(zip(numbers, reads, strict=True))
        return lambda index: known[index[lead]]

    def _columns(self, side: Side, row: int) -> Columns:
        maps = self._recipe.chain.maps
        return Columns(side, row, regimes(maps, side.rows[row]))

    def all(self) -> Streams[Job]:
        """The streams of every chunk, in the order of their keys."""
        recipe = self._recipe
        if any(side.lead() is None for side in self._sides):
            return self.of(list(recipe.indices()))
        columns = [self._column(side) for side in self._sides]
        keys = product((recipe.source_name,), *[column.firsts for column in columns])
        return zip(
            product((recipe.name,), *[range(axis.count) for axis in recipe.axes]),
            self._jobs(columns),
            product(*[column.cells for column in columns]),
            _chosen(keys, [0, *[k + 1 for k in self.reads]], 1 + len(columns)),
            self._chunks(columns),
            strict=False,
        )

    def _chunks(self, columns: list[Column]) -> Iterator[Any]:
        """The chunks read along each source axis, if any block reads several."""
        if all(column.chunks is None for column in columns):
            return repeat(())
        read = product(*[column.read() for column in columns])
        return _chosen(read, self.reads, len(columns))

    def _column(self, side: Side) -> Column:
        """A side, chunk after chunk of the axis that leads it."""
        row = side.lead()
        if row is None or row < 0:
            read = side.read((0,) * len(side.rows))
            chunks = [read.chunks] if len(read.chunks) > 1 else None
            return Column([read.spot.number], [read.first], chunks, [read.cell])
        count = side.walkers[row].count
        return self._columns(side, row).of(np.arange(count))

    def _jobs(self, columns: list[Column]) -> Iterator[Job]:
        """The job of every chunk: a row along the last column at once.

        Rows whose other sides are at equal spots have equal jobs.
        """
        if not columns:
            return iter([self._job_of([])])
        *outer, inner = [column.spots for column in columns]
        rows: dict[Index, list[Job]] = {}

        def row_of(numbers: Index) -> list[Job]:
            row = rows.get(numbers)
            if row is None:
                known = {k: self._job_at((*numbers, k)) for k in set(inner)}
                row = rows[numbers] = [known[k] for k in inner]
            return row

        return chain.from_iterable(map(row_of, product(*outer)))

    def _job_at(self, numbers: Index) -> Job:
        """The job where the sides are at these spots."""
        pairs = zip(self._sides, numbers, strict=True)
        return self._job_of([side.spots[number] for side, number in pairs])


def _chosen(
    values: Iterator[tuple[Any, ...]], places: Sequence[int], length: int
) -> Iterator[Any]:
    """These places of tuples of a length, as tuples."""
    if list(places) == list(range(length)):
        return values
    first = places[0] if places else 0
    if list(places) == list(range(first, first + len(places))):
        return map(itemgetter(slice(first, first + len(places))), values)
    return map(itemgetter(*places), values)
