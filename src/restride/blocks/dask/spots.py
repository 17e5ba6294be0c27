"""What a chunk of the result reads along one component of a chain, asked alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from restride.blocks.components import Component
from restride.blocks.dask.cells import Cell
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Place
from restride.blocks.dask.kinds import NOWHERE, AxisKind
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.intervals import Interval, Intervals

__all__ = [
    "NOTHING",
    "ONE",
    "SEVERAL",
    "WHOLE",
    "Asked",
    "Read",
    "Side",
    "Spot",
    "Spots",
]

NOTHING, WHOLE, ONE, SEVERAL = range(4)
"""Of the source, a block reads no chunk, is a chunk, reads one, or reads several."""


class Asked(NamedTuple):
    """What a range of each row reads."""

    form: int
    """Equal where the component's part of the map is, wherever it reads."""
    ranges: tuple[Interval, ...]
    reads: Intervals


class Spot(NamedTuple):
    """What chunks do that differ in the numbers of their cells only."""

    number: int
    asked: Asked
    """Ranges whose map serves the chunks, from its front."""
    along: AxisKind
    reach: int
    """`NOTHING`, `WHOLE`, `ONE` or `SEVERAL`."""


Spots = Sequence[Spot]
"""One per component of a chain."""


class Read(NamedTuple):
    """What one chunk reads."""

    spot: Spot
    first: int
    """The first chunk of the source; 0 where nothing is read."""
    chunks: Sequence[int]
    cell: Cell = ()


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
        """By number."""
        self._component = component
        self._forms: dict[tuple[int, ...], int] = {}
        self._spots: dict[tuple[int, AxisKind, int], Spot] = {}
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
            return Read(self.spot(asked, AxisKind(counts, NOWHERE), NOTHING), 0, ())
        chunks = self.axis.numbers(reads)
        place = Place(reads, self.axis.ranges_of(chunks))
        place = place.moved(-place.chunks[0][0])
        reach = WHOLE if place.reads == place.chunks else ONE
        reach = SEVERAL if len(chunks) > 1 else reach
        return Read(self.spot(asked, AxisKind(counts, place), reach), chunks[0], chunks)

    def spot(self, asked: Asked, along: AxisKind, reach: int) -> Spot:
        """The spot of all chunks that are so, made once."""
        key = asked.form, along, reach
        found = self._spots.get(key)
        if found is None:
            found = self._spots[key] = Spot(len(self.spots), asked, along, reach)
            self.spots.append(found)
        return found

    def lead(self) -> int | None:
        """Which row's chunks tell where a chunk is; -1: there is one place.

        None where there are several such rows.
        """
        many = [k for k, axis in enumerate(self.walkers) if axis.count > 1]
        return None if len(many) > 1 else (many or [-1])[0]

    def leading_axis(self) -> int:
        """The result axis of that row; -1 where there is none."""
        row = self.lead()
        return -1 if row is None or row < 0 else self.rows[row]

    def index(self, row: int, number: int) -> Index:
        """The numbers of a chunk along the rows, of which one has many chunks."""
        return tuple([number if k == row else 0 for k in range(len(self.rows))])
