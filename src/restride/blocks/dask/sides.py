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
from restride.blocks.dask.columns import Column, Columns
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.spots import Read, Side, Spots
from restride.blocks.regimes import regimes

__all__ = ["Sides", "Streams"]

Kind = tuple[int, ...]
Job = TypeVar("Job")
Streams = Iterator[tuple[tuple[Any, ...], Job, tuple[Any, ...], tuple[Index, ...]]]
"""Per chunk: its key, its job, the key of the first chunk of the source that it reads,
and the chunks read along each source axis."""


class Sides(Generic[Job]):
    """The components of one chain over chunks.

    Parameters
    ----------
    recipe : Recipe
    parts : sequence of Component
        Of its chain; those of the source axes come first.
    job_of : callable
        What the blocks have in common whose components are at some spots; asked once
        for all of equal kinds.
    """

    def __init__(
        self,
        recipe: Recipe,
        parts: Sequence[Component],
        job_of: Callable[[Spots], Job],
    ) -> None:
        self._recipe = recipe
        self._sides = [Side(part, recipe) for part in parts]
        self._rank = len(recipe.source_axes)
        self._job_of = job_of

    def of(self, indices: Sequence[Index]) -> Streams[Job]:
        """The streams of some chunks."""
        name, source, rank = self._recipe.name, self._recipe.source_name, self._rank
        asked = [self._reader(side, indices) for side in self._sides]
        known: dict[Kind, Job] = {}
        for index in indices:
            reads = [read(index) for read in asked]
            kind = tuple([read.spot.kind for read in reads])
            if kind not in known:
                known[kind] = self._job_of([read.spot for read in reads])
            first = (source, *[read.first for read in reads[:rank]])
            chunks = tuple([read.chunks for read in reads[:rank]])
            yield (name, *index), known[kind], first, chunks

    def _reader(self, side: Side, indices: Sequence[Index]) -> Callable[[Index], Read]:
        """What a side reads for each of these chunks of the result."""
        row = side.lead()
        if row is None or row < 0:
            return lambda index: side.read(tuple([index[r] for r in side.rows]))
        lead = side.rows[row]
        numbers = sorted({index[lead] for index in indices})
        column = self._columns(side, row).of(np.array(numbers, np.int64))
        spots = [side.spots[kind] for kind in column.kinds]
        reads = map(Read, spots, column.firsts, column.chunks)
        known = dict(zip(numbers, reads, strict=True))
        return lambda index: known[index[lead]]

    def _columns(self, side: Side, row: int) -> Columns:
        maps = self._recipe.chain.maps
        return Columns(side, row, regimes(maps, side.rows[row]))

    def all(self) -> Streams[Job]:
        """The streams of every chunk, in the order of their keys."""
        recipe = self._recipe
        rows = [side.lead() for side in self._sides]
        if None in rows:
            return self.of(list(recipe.indices()))
        leads = [
            -1 if row is None or row < 0 else side.rows[row]
            for side, row in zip(self._sides, rows, strict=True)
        ]
        order = sorted(range(len(leads)), key=lambda k: leads[k])
        """The sides, as the keys of their chunks go."""
        columns = [self._column(self._sides[k]) for k in order]
        here = [order.index(k) for k in range(self._rank)]
        chunks: Iterator[Any] = repeat(())
        if any(len(some) > 1 for column in columns for some in column.chunks):
            read = product(*[column.chunks for column in columns])
            chunks = _chosen(read, here, len(columns))
        keys = product((recipe.source_name,), *[column.firsts for column in columns])
        return zip(
            product((recipe.name,), *[range(axis.count) for axis in recipe.axes]),
            self._jobs(columns, order),
            _chosen(keys, [0, *[k + 1 for k in here]], 1 + len(columns)),
            chunks,
            strict=False,
        )

    def _column(self, side: Side) -> Column:
        """A side, chunk after chunk of the axis that leads it."""
        row = side.lead()
        if row is None or row < 0:
            read = side.read((0,) * len(side.rows))
            return Column([read.spot.kind], [read.first], [read.chunks])
        count = side.walkers[row].count
        return self._columns(side, row).of(np.arange(count))

    def _jobs(self, columns: list[Column], order: list[int]) -> Iterator[Job]:
        """The job of every chunk: a row along the last column at once.

        Rows whose other sides are of equal kinds have equal jobs.
        """
        if not columns:
            return iter([self._job_of([])])
        *outer, inner = [column.kinds for column in columns]
        rows: dict[Kind, list[Job]] = {}

        def row_of(kinds: Kind) -> list[Job]:
            row = rows.get(kinds)
            if row is None:
                known = {k: self._job_at((*kinds, k), order) for k in set(inner)}
                row = rows[kinds] = [known[k] for k in inner]
            return row

        return chain.from_iterable(map(row_of, product(*outer)))

    def _job_at(self, kinds: Kind, order: list[int]) -> Job:
        """The job where the sides, in some order, are of these kinds."""
        spots: list[Any] = [None] * len(order)
        for k, kind in zip(order, kinds, strict=True):
            spots[k] = self._sides[k].spots[kind]
        return self._job_of(spots)


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
