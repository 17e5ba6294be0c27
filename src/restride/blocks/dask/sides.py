"""What the chunks of a result read, axis by axis, and put together for many at once.

A map is separable: what a chunk reads along a source axis depends on its place along
the result axes that walk it alone.  So a result of n1 x n2 chunks asks n1 + n2
questions, and the answers for all its chunks are products of the answers per axis,
which `itertools` puts together faster than Python could.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product, repeat
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.parts import Lane, Part

__all__ = ["Sides", "Spot", "Streams"]

Kind = tuple[int, ...]
Job = TypeVar("Job")
Spots = Sequence["Spot"]
Streams = Iterator[tuple[tuple[Any, ...], Job, tuple[Any, ...], tuple[Index, ...]]]
"""Per chunk: its key, its job, the key of the first chunk of the source that it reads,
and the chunks read along each source axis."""


class Spot(NamedTuple):
    """Along one lane: what the chunks at one place of the result read."""

    kind: int
    """Equal where the part has the same form, at the same place of equal chunks."""
    place: Place
    """Counted from the first chunk read."""
    chunks: Index
    """The source's chunks, by number; none where nothing is read."""
    first: int
    part: Part
    """Of the lane."""

    @property
    def is_whole(self) -> bool:
        """True where exactly one chunk is read, and all of it."""
        return len(self.chunks) == 1 and self.place.reads == self.place.chunks


class Side(dict[Any, Spot]):
    """One lane: its spots, by the chunks of the result axes that walk it."""

    def __init__(self, lane: Lane, recipe: Recipe) -> None:
        self.rows = lane.rows
        self.source = lane.source
        self.pick: Callable[[Index], Any] = (
            itemgetter(*lane.rows) if lane.rows else _none
        )
        self._lane = lane
        self._walkers = [recipe.axes[r] for r in lane.rows]
        self._axis = None if lane.source is None else recipe.source_axes[lane.source]
        self._kinds: dict[tuple[int, Place, int], int] = {}

    def __missing__(self, at: Any) -> Spot:
        spot = self._spot(at if isinstance(at, tuple) else (at,))
        form = spot.part.number, spot.place, len(spot.chunks)
        kind = self._kinds.setdefault(form, len(self._kinds))
        self[at] = spot = spot._replace(kind=kind)
        return spot

    def _spot(self, at: Index) -> Spot:
        ranges = [axis.range_of(k) for axis, k in zip(self._walkers, at, strict=True)]
        part = self._lane.part(tuple([(r,) if r[0] < r[1] else () for r in ranges]))
        if self._axis is None or not part.reads:
            chunks: Index = (0,) if part.reads else ()
            return Spot(0, Place((), ()), chunks, 0, part)
        chunks = self._axis.numbers(part.reads)
        place = Place(part.reads, self._axis.ranges_of(chunks))
        if not chunks:
            return Spot(0, place, chunks, 0, part)
        place = place.moved(-place.chunks[0][0])
        return Spot(0, place, chunks, chunks[0], part)


class Sides(Generic[Job]):
    """The lanes of one map over chunks.

    Parameters
    ----------
    recipe : Recipe
    lanes : sequence of Lane
        Of its map; those of the source axes come first.
    job_of : callable
        What the blocks whose lanes are at some spots have in common; asked once for
        all spots of equal kinds.
    """

    def __init__(
        self, recipe: Recipe, lanes: Sequence[Lane], job_of: Callable[[Spots], Job]
    ) -> None:
        self._recipe = recipe
        self._sides = [Side(lane, recipe) for lane in lanes]
        self._rank = len(recipe.source_axes)
        self._job_of = job_of

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
        several = any(len(spot.chunks) > 1 for column in columns for spot in column)
        chunks: Iterator[Any] = repeat(())
        if several:
            read = [[spot.chunks for spot in column] for column in columns]
            chunks = _chosen(product(*read), here, len(columns))
        first = [[spot.first for spot in column] for column in columns]
        keys = product((recipe.source_name,), *first)
        return zip(
            product((recipe.name,), *[range(axis.count) for axis in recipe.axes]),
            self._jobs(columns, order),
            _chosen(keys, [0, *[k + 1 for k in here]], 1 + len(columns)),
            chunks,
            strict=False,
        )

    def _jobs(self, columns: list[list[Spot]], order: list[int]) -> Iterator[Job]:
        """The job of every chunk: a row along the last column at once.

        Rows whose other lanes are of equal kinds have equal jobs.
        """
        rows: dict[Kind, list[Job]] = {}
        *outer, inner = columns or [[]]
        if not columns:
            yield self._job_of([])
        for spots in product(*outer) if columns else ():
            kind = tuple([spot.kind for spot in spots])
            row = rows.get(kind)
            if row is None:
                row = rows[kind] = self._row(spots, inner, order)
            yield from row

    def _row(
        self, outer: tuple[Spot, ...], inner: list[Spot], order: list[int]
    ) -> list[Job]:
        known: dict[int, Job] = {}
        for spot in inner:
            if spot.kind not in known:
                spots = (*outer, spot)
                known[spot.kind] = self._job_of([spots[k] for k in order])
        return [known[spot.kind] for spot in inner]

    def _lead(self, side: Side) -> int | None:
        """The result axis whose chunks tell where a lane is; -1: always at one place.

        None where there are several.
        """
        many = [r for r in side.rows if self._recipe.axes[r].count > 1]
        return None if len(many) > 1 else (many or [-1])[0]

    def _column(self, side: Side, lead: int) -> list[Spot]:
        """The spots of a lane, chunk after chunk of the axis that leads it."""
        index = [0] * len(self._recipe.axes)
        if lead < 0:
            return [side[side.pick(tuple(index))]]
        column = []
        for k in range(self._recipe.axes[lead].count):
            index[lead] = k
            column.append(side[side.pick(tuple(index))])
        return column


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
