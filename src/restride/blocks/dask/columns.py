"""What the chunks along one axis read, a stretch of equal ones at once.

Along a straight piece of a map each chunk reads what the one before reads, further on.
Where the chunks of the source are of one length too, or repeat, a thousand chunks are
told from two.

>>> from restride.blocks.dask.chunk_axis import ChunkAxis
>>> stretch = Stretch(ChunkAxis.of((5,) * 100), [(0, 250), (250, 500)])
>>> stretch.end(1), stretch.end(50)
(50, 99)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import gcd
from typing import NamedTuple

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index
from restride.blocks.intervals import Interval

__all__ = ["Column", "Spot", "Stretch", "column_of"]


class Spot(NamedTuple):
    """Along one component: what the chunks at one place of the result read."""

    kind: int
    """Equal where the parts have the same form, at the same place of equal chunks."""
    place: Place
    """Counted from the first chunk read."""
    chunks: Index
    """The source's chunks, by number; none where nothing is read."""
    first: int
    ranges: tuple[Interval, ...]
    """Of the result, one per axis of the component."""

    @property
    def is_whole(self) -> bool:
        """True where exactly one chunk is read, and all of it."""
        return len(self.chunks) == 1 and self.place.reads == self.place.chunks


class Column:
    """The spots of a component, chunk after chunk of the axis that leads it."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.firsts: list[int] = []
        self.chunks: list[Index] = []
        self.spots: dict[int, Spot] = {}
        """One of each kind."""

    def add(self, turn: Sequence[Spot], times: int = 1, shift: int = 0) -> None:
        """Some spots, repeated: each time their chunks are `shift` further on."""
        for spot in turn:
            self.spots.setdefault(spot.kind, spot)
        self.kinds += [spot.kind for spot in turn] * times
        if times == 1 or not shift:
            self.firsts += [spot.first for spot in turn] * times
            self.chunks += [spot.chunks for spot in turn] * times
            return
        moves = range(0, shift * times, shift)
        if len(turn) == 1:
            first, chunks = turn[0].first, turn[0].chunks
            self.firsts += range(first, first + shift * times, shift)
            self.chunks += zip(
                *[range(c, c + shift * times, shift) for c in chunks], strict=True
            )
            return
        self.firsts += [spot.first + move for move in moves for spot in turn]
        self.chunks += [
            tuple([c + move for c in spot.chunks]) for move in moves for spot in turn
        ]


class Stretch:
    """Of result chunks, how far they have equal lengths on a straight piece."""

    def __init__(self, axis: ChunkAxis, regimes: Sequence[Interval]) -> None:
        self.axis, self.regimes = axis, regimes
        self._lows = [low for low, _ in regimes]

    def end(self, number: int) -> int:
        """The first chunk after `number` that is outside its stretch."""
        low, high = self.axis.range_of(number)
        k = bisect_right(self._lows, low) - 1
        run = self.axis.run_of(number)
        if k < 0 or run is None or high > self.regimes[k][1] or low == high:
            return number + 1
        last = self.regimes[k][1]
        end = self.axis.count if last >= self.axis.extent else self.axis.find(last)
        return max(number + 1, min(end, run.number + run.count))


def column_of(
    spot_at: Callable[[int], Spot], stretch: Stretch, source: ChunkAxis | None
) -> Column:
    """The spots of all chunks of an axis; `source` is the axis they read."""
    made = Column()
    k = 0
    while k < stretch.axis.count:
        turn, times, shift = _turn(spot_at, stretch, source, k)
        made.add(turn, times, shift)
        k += len(turn) * times
    return made


def _turn(
    spot_at: Callable[[int], Spot],
    stretch: Stretch,
    source: ChunkAxis | None,
    k: int,
) -> tuple[list[Spot], int, int]:
    """Spots from `k` on, how often they come again, and how much further on."""
    here = spot_at(k)
    room = stretch.end(k) - k
    run = stretch.axis.run_of(k)
    alone = [here], 1, 0
    if run is None or room < 2 * len(run.pattern):
        return alone
    length, shift = len(run.pattern), 0
    beside = None
    if source is not None and here.chunks:
        again = spot_at(k + length)
        beside = source.run_of(here.first)
        if beside is None or not again.chunks:
            return alone
        moved = _low(source, again) - _low(source, here)
        turns = beside.span // gcd(moved, beside.span)
        length *= turns
        shift = moved * turns // beside.span * len(beside.pattern)
    if room < 2 * length:
        return alone
    turn = [spot_at(k + j) for j in range(length)]
    times = room // length
    if beside is not None:
        times = _times(turn, times, shift, beside.number, beside.number + beside.count)
    return (turn, times, shift) if times > 1 else alone


def _low(source: ChunkAxis, spot: Spot) -> int:
    """The first position of the source that is read."""
    return source.start(spot.first) + spot.place.reads[0][0]


def _times(turn: Sequence[Spot], most: int, shift: int, first: int, end: int) -> int:
    """How often the chunks of a turn can move on inside chunks ``first .. end - 1``."""
    if not all(spot.chunks for spot in turn):
        return 1
    low = min([spot.chunks[0] for spot in turn])
    high = max([spot.chunks[-1] for spot in turn])
    if low < first or high >= end:
        return 1
    if shift > 0:
        return min(most, (end - 1 - high) // shift + 1)
    return min(most, (low - first) // -shift + 1) if shift < 0 else most
