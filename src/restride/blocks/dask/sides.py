"""What the chunks of a result read, axis by axis, and put together for many at once.

A map is separable: what a chunk reads along a source axis depends on its place along
the result axes that walk it alone.  So a result of n1 x n2 chunks asks n1 + n2
questions, and the answers for all its chunks are products of the answers per axis,
which `itertools` puts together faster than Python could.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product, repeat
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.parts import Lane

__all__ = ["Sides", "Spot", "Streams"]

Kind = tuple[int, ...]
Streams = Iterator[
    tuple[tuple[Any, ...], Kind, tuple[Place, ...], tuple[Any, ...], tuple[Index, ...]]
]
"""Per chunk: its key, its kind, the places it reads, the key of the first chunk of the
source there, and the chunks read along each source axis."""


class Spot(NamedTuple):
    """Along one lane: what the chunks at one place of the result read."""

    kind: int
    """Equal where the part has the same form, and as few chunks make it up."""
    place: Place
    chunks: Index
    """The source's chunks, by number; none where nothing is read."""
    first: int
    number: int
    """Of the lane's form there."""

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
        self._kinds: dict[tuple[int, int, bool], int] = {}

    def __missing__(self, at: Any) -> Spot:
        spot = self._spot(at if isinstance(at, tuple) else (at,))
        form = spot.number, min(len(spot.chunks), 2), spot.is_whole
        kind = self._kinds.setdefault(form, len(self._kinds))
        self[at] = spot = spot._replace(kind=kind)
        return spot

    def _spot(self, at: Index) -> Spot:
        ranges = [axis.range_of(k) for axis, k in zip(self._walkers, at, strict=True)]
        part = self._lane.part(tuple([(r,) if r[0] < r[1] else () for r in ranges]))
        if self._axis is None or not part.reads:
            chunks: Index = (0,) if part.reads else ()
            return Spot(0, Place((), ()), chunks, 0, part.number)
        chunks = self._axis.numbers(part.reads)
        place = Place(part.reads, self._axis.ranges_of(chunks))
        return Spot(0, place, chunks, chunks[0] if chunks else 0, part.number)


class Sides:
    """The lanes of one map over chunks."""

    def __init__(self, recipe: Recipe, lanes: Sequence[Lane]) -> None:
        self._recipe = recipe
        self._sides = [Side(lane, recipe) for lane in lanes]
        self._rank = len(recipe.source_axes)

    def at(self, index: Index) -> list[Spot]:
        """What one chunk of the result reads, lane by lane; source axes come first."""
        return [side[side.pick(index)] for side in self._sides]

    def of(self, indices: Sequence[Index]) -> Streams:
        """The streams of some chunks."""
        name, source, rank = self._recipe.name, self._recipe.source_name, self._rank
        for index in indices:
            spots = self.at(index)
            yield (
                (name, *index),
                tuple([spot.kind for spot in spots]),
                tuple([spot.place for spot in spots[:rank]]),
                (source, *[spot.first for spot in spots[:rank]]),
                tuple([spot.chunks for spot in spots[:rank]]),
            )

    def all(self) -> Streams:
        """The streams of every chunk, in the order of their keys."""
        recipe = self._recipe
        leads = [self._lead(side) for side in self._sides]
        if None in leads:
            return self.of(list(recipe.indices()))
        found = sorted((lead, k) for k, lead in enumerate(leads) if lead is not None)
        columns = [self._column(self._sides[k], lead) for lead, k in found]
        lanes = [k for _, k in found]
        here = [lanes.index(k) for k in range(self._rank)]

        several = any(len(spot.chunks) > 1 for column in columns for spot in column)

        def streamed(field: str, choose: Callable[..., Any], *begin: Any) -> Any:
            values = [list(map(attrgetter(field), column)) for column in columns]
            return map(choose, product(*begin, *values))

        return zip(
            product((recipe.name,), *[range(axis.count) for axis in recipe.axes]),
            product(*[[spot.kind for spot in column] for column in columns]),
            streamed("place", _chooser(here)),
            streamed(
                "first", _chooser([0, *[k + 1 for k in here]]), (recipe.source_name,)
            ),
            streamed("chunks", _chooser(here)) if several else repeat(()),
            strict=False,
        )

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


def _chooser(places: Sequence[int]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """What takes these places out of a tuple, as a tuple."""
    first = places[0] if places else 0
    if list(places) == list(range(first, first + len(places))):
        return itemgetter(slice(first, first + len(places)))
    return itemgetter(*places)
