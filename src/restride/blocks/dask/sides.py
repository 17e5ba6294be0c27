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

from restride.blocks.components import Component
from restride.blocks.dask.columns import Column, Spot, Stretch, column_of
from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.intervals import Interval
from restride.blocks.regimes import regimes
from restride.blocks.restrict import Box

__all__ = ["Sides", "Streams"]

Kind = tuple[int, ...]
Job = TypeVar("Job")
Spots = Sequence[Spot]
Streams = Iterator[tuple[tuple[Any, ...], Job, tuple[Any, ...], tuple[Index, ...]]]
"""Per chunk: its key, its job, the key of the first chunk of the source that it reads,
and the chunks read along each source axis."""


class Side(dict[Any, Spot]):
    """One component: its spots, by the chunks of the result axes that lead to it."""

    def __init__(self, component: Component, recipe: Recipe) -> None:
        self.rows = component.rows
        self.pick: Callable[[Index], Any] = (
            itemgetter(*self.rows) if self.rows else _none
        )
        self._component = component
        self._walkers = [recipe.axes[r] for r in self.rows]
        source = component.source
        self.axis = None if source is None else recipe.source_axes[source]
        self._kinds: dict[tuple[Any, ...], int] = {}

    def __missing__(self, at: Any) -> Spot:
        spot = self[at] = self._spot(at if isinstance(at, tuple) else (at,))
        return spot

    def _spot(self, at: Index) -> Spot:
        pairs = zip(self._walkers, at, strict=True)
        ranges = tuple([axis.range_of(k) for axis, k in pairs])
        kept = [(r,) if r[0] < r[1] else () for r in ranges]
        numbers, reads = self._component.traced(kept)
        chunks: Index = (0,) if reads else ()
        place = Place((), ())
        if self.axis is not None and reads:
            chunks = self.axis.numbers(reads)
            place = Place(reads, self.axis.ranges_of(chunks))
        first = 0
        if place.chunks:
            first, place = chunks[0], place.moved(-place.chunks[0][0])
        form = numbers, place, len(chunks)
        kind = self._kinds.setdefault(form, len(self._kinds))
        return Spot(kind, place, chunks, first, ranges)


class Sides(Generic[Job]):
    """The components of one chain over chunks.

    Parameters
    ----------
    recipe : Recipe
    parts : sequence of Component
        Of its chain; those of the source axes come first.
    job_of : callable
        What the blocks have in common whose components are at some spots, from one of
        their boxes; asked once for all spots of equal kinds.
    """

    def __init__(
        self,
        recipe: Recipe,
        parts: Sequence[Component],
        job_of: Callable[[Box, Spots], Job],
    ) -> None:
        self._recipe = recipe
        self._sides = [Side(part, recipe) for part in parts]
        self._rank = len(recipe.source_axes)
        self._box_job_of = job_of

    def of(self, indices: Sequence[Index]) -> Streams[Job]:
        """The streams of some chunks."""
        name, source, rank = self._recipe.name, self._recipe.source_name, self._rank
        known: dict[Kind, Job] = {}
        for index in indices:
            spots = [side[side.pick(index)] for side in self._sides]
            kind = tuple([spot.kind for spot in spots])
            if kind not in known:
                known[kind] = self._job_of(spots)
            first = (source, *[spot.first for spot in spots[:rank]])
            chunks = tuple([spot.chunks for spot in spots[:rank]])
            yield (name, *index), known[kind], first, chunks

    def all(self) -> Streams[Job]:
        """The streams of every chunk, in the order of their keys."""
        recipe = self._recipe
        leads = [self._lead(side) for side in self._sides]
        if None in leads:
            return self.of(list(recipe.indices()))
        found = sorted((lead, k) for k, lead in enumerate(leads) if lead is not None)
        columns = [self._column(self._sides[k], lead) for lead, k in found]
        place = [k for _, k in found]
        order = [place.index(k) for k in range(len(place))]
        here = order[: self._rank]
        spots = [spot for column in columns for spot in column.spots.values()]
        chunks: Iterator[Any] = repeat(())
        if any(len(spot.chunks) > 1 for spot in spots):
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

    def _jobs(self, columns: list[Column], order: list[int]) -> Iterator[Job]:
        """The job of every chunk: a row along the last column at once.

        Rows whose other sides are of equal kinds have equal jobs.
        """
        if not columns:
            return iter([self._job_of([])])
        *outer, inner = columns
        rows: dict[Kind, list[Job]] = {}

        def row_of(kinds: Kind) -> list[Job]:
            row = rows.get(kinds)
            if row is None:
                pairs = zip(outer, kinds, strict=True)
                spots = [column.spots[kind] for column, kind in pairs]
                row = rows[kinds] = self._row(spots, inner, order)
            return row

        kinds = product(*[column.kinds for column in outer])
        return chain.from_iterable(map(row_of, kinds))

    def _row(self, outer: list[Spot], inner: Column, order: list[int]) -> list[Job]:
        known: dict[int, Job] = {}
        for kind, spot in inner.spots.items():
            spots = [*outer, spot]
            known[kind] = self._job_of([spots[k] for k in order])
        return [known[kind] for kind in inner.kinds]

    def _job_of(self, spots: Spots) -> Job:
        ranges: dict[int, Interval] = {}
        for side, spot in zip(self._sides, spots, strict=True):
            ranges |= zip(side.rows, spot.ranges, strict=True)
        box = tuple([ranges[r] for r in range(len(self._recipe.axes))])
        return self._box_job_of(box, spots)

    def _lead(self, side: Side) -> int | None:
        """The result axis whose chunks tell where a side is; -1: always at one place.

        None where there are several.
        """
        many = [r for r in side.rows if self._recipe.axes[r].count > 1]
        return None if len(many) > 1 else (many or [-1])[0]

    def _column(self, side: Side, lead: int) -> Column:
        """The spots of a side, chunk after chunk of the axis that leads it."""
        if lead < 0:
            made = Column()
            made.add([side[side.pick((0,) * len(self._recipe.axes))]])
            return made

        def spot_at(k: int) -> Spot:
            at = [k if r == lead else 0 for r in side.rows]
            return side[at[0] if len(at) == 1 else tuple(at)]

        axis, maps = self._recipe.axes[lead], self._recipe.chain.maps
        return column_of(spot_at, Stretch(axis, regimes(maps, lead)), side.axis)


def _none(index: Index) -> Index:
    return ()


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
