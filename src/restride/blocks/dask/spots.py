"""What a chunk of the result reads along one component of a chain, asked alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from restride.blocks.components import Component
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.intervals import Interval, Intervals

__all__ = ["NOWHERE", "Asked", "Read", "Side", "Spot", "Spots"]

NOWHERE = Place((), ())
"""Of a chunk that reads nothing."""


class Asked(NamedTuple):
    """What a range of each row reads."""

    form: int
    """Equal where the component's part of the map is, wherever it reads."""
    ranges: tuple[Interval, ...]
    reads: Intervals


class Spot(NamedTuple):
    """What chunks do that read alike, at the same place of equal chunks."""

    kind: int
    """Its number."""
    asked: Asked
    """Ranges whose map serves the chunk, from its front."""
    counts: Index
    """Elements of the chunk along each row."""
    place: Place
    """Counted from the first chunk read."""
    is_whole: bool
    """True where exactly one chunk is read, and all of it."""


Spots = Sequence[Spot]
"""One per component of a chain."""


class Read(NamedTuple):
    """What one chunk reads."""

    spot: Spot
    first: int
    """The first chunk of the source; 0 where nothing is read."""
    chunks: Index


class Side:
    """One component of a chain, over chunks.

    Parameters
    ----------
    component : Component
    recipe : Recipe
    """

    def __init__(self, component: Component, recipe: Recipe) -> None:
        self.rows = component.rows
        self.walkers = [recipe.axes[r] for r in self.rows]
        """The chunks of its result axes."""
        source = component.source
        axis = None if source is None else recipe.source_axes[source]
        self.axis: ChunkAxis | None = axis if axis and axis.extent else None
        """The chunks of the source axis that they lead to, if it has any element."""
        self.spots: list[Spot] = []
        """By kind."""
        self._component = component
        self._forms: dict[tuple[int, ...], int] = {}
        self._kinds: dict[tuple[int, Index, Place], Spot] = {}
        self._known: dict[Index, Read] = {}

    def read(self, at: Index) -> Read:
        """What the chunk reads that has these numbers along the rows."""
        found = self._known.get(at)
        if found is None:
            pairs = zip(self.walkers, at, strict=True)
            ranges = tuple([axis.range_of(k) for axis, k in pairs])
            asked = self.asked(ranges)
            counts = tuple([high - low for low, high in ranges])
            found = self._known[at] = self.placed(asked, counts, asked.reads)
        return found

    def asked(self, ranges: tuple[Interval, ...]) -> Asked:
        """What these ranges of the rows read."""
        kept = [(r,) if r[0] < r[1] else () for r in ranges]
        numbers, reads = self._component.traced(kept)
        form = self._forms.setdefault(numbers, len(self._forms))
        return Asked(form, ranges, reads)

    def placed(self, asked: Asked, counts: Index, reads: Intervals) -> Read:
        """The same where `asked` serves a chunk that reads elsewhere."""
        if self.axis is None or not reads:
            return Read(self.spot(asked, counts, NOWHERE), 0, ())
        chunks = self.axis.numbers(reads)
        place = Place(reads, self.axis.ranges_of(chunks))
        place = place.moved(-place.chunks[0][0])
        return Read(self.spot(asked, counts, place), chunks[0], chunks)

    def spot(self, asked: Asked, counts: Index, place: Place) -> Spot:
        """The spot of all chunks that read so, made once."""
        key = asked.form, counts, place
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = self.new_spot(asked, counts, place)
        return found

    def new_spot(self, asked: Asked, counts: Index, place: Place) -> Spot:
        """The same where the caller knows that there was none."""
        chunks = place.chunks
        is_whole = len(chunks) == 1 and place.reads == chunks
        made = Spot(len(self.spots), asked, counts, place, is_whole)
        self.spots.append(made)
        return made

    def lead(self) -> int | None:
        """Which row's chunks tell where a chunk is; -1: there is one place.

        None where there are several such rows.
        """
        many = [k for k, axis in enumerate(self.walkers) if axis.count > 1]
        return None if len(many) > 1 else (many or [-1])[0]

    def index(self, row: int, number: int) -> Index:
        """The numbers of a chunk along the rows, of which one has many chunks."""
        return tuple([number if k == row else 0 for k in range(len(self.rows))])
