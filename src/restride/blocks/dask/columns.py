"""What the chunks along one axis read, those of a straight stretch at once.

In a regime, where every map of the chain is straight, a box reads what the box before
it reads, moved by a slope times as much as the box has moved.  So a few questions about
a regime tell of all its chunks what they read, whatever their lengths, and NumPy finds
the chunks of the source.  A chunk outside all regimes is asked alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.cells import Cell, celled, zipped
from restride.blocks.dask.edges import Edges, Numbers
from restride.blocks.dask.kinds import NOWHERE, AxisKind, moved
from restride.blocks.dask.spots import NOTHING, ONE, SEVERAL, WHOLE, Asked, Read, Side
from restride.blocks.intervals import Interval, Intervals

__all__ = ["Column", "Columns"]

FEW = 2
"""A block of so few elements has a form of its own: of one, every straight map is the
same, and of two, each may be read alone."""


class Column(NamedTuple):
    """Of some chunks along an axis, in order."""

    spots: list[int]
    """Of the side, by number."""
    firsts: list[int]
    """The first chunk of the source that each reads; 0 where it reads none."""
    chunks: list[Sequence[int]] | None
    """All chunks that each reads; None where each reads one at most."""
    cells: list[Cell]

    def read(self) -> list[Sequence[int]]:
        """All chunks that each reads, where it reads any."""
        return self.chunks or list(zip(self.firsts, strict=True))


class Regime(NamedTuple):
    """A range of the axis along which what is read moves evenly."""

    begin: int
    whole: Asked
    """What all of it reads."""
    head: Interval
    """From the first to the last position that its first element reads."""
    slope: int
    is_dense: bool
    """True where a block of more than `FEW` reads all from its first to its last, so
    that the form of the whole serves it."""


class Group(NamedTuple):
    """Chunks of one regime that one form serves."""

    places: Numbers
    """In the column."""
    lengths: Numbers
    """Of the chunks."""
    low: Numbers
    """The first position that each reads."""
    high: Numbers
    """One past the last."""
    asked: Asked
    apart: Intervals
    """What each reads, from `low` on, where that is not all between."""

    def some(self, which: Any, asked: Asked, apart: Intervals = ()) -> Group:
        """Those at some places."""
        places, lengths, low, high = [values[which] for values in self[:4]]
        return Group(places, lengths, low, high, asked, apart)


class Columns:
    """Makes columns of a side along the row that leads it.

    Parameters
    ----------
    side : Side
    row : int
        Which of its rows; the others have one chunk each.
    regimes : sequence of (int, int)
        As :func:`restride.blocks.regimes.regimes` gives them for that axis.
    """

    def __init__(self, side: Side, row: int, regimes: Sequence[Interval]) -> None:
        self._side, self._row, self._ranges = side, row, regimes
        extents = [axis.extent for axis in side.walkers]
        self._beside = extents[:row], extents[row + 1 :]
        self._begins = np.array([low for low, _ in regimes], np.int64)
        self._ends = np.array([high for _, high in regimes], np.int64)
        self._regimes: dict[int, Regime] = {}
        self._short: dict[tuple[int, int], Asked] = {}

    def of(self, numbers: Numbers) -> Column:
        """The column of some chunks, numbers ascending."""
        edges = self._side.walkers[self._row].edges
        lows, lengths = edges.begins(numbers), edges.lengths(numbers)
        which = self._which(lows, lengths)
        draft = _Draft(len(numbers))
        for k in np.flatnonzero(which < 0).tolist():
            at = self._side.index(self._row, int(numbers[k]))
            draft.put(k, self._side.read(at))
        for regime, places in _runs(which):
            for group in self._groups(regime, places, lows[places], lengths[places]):
                self._fill(draft, group)
        return draft.column(self._side)

    def _which(self, lows: Numbers, lengths: Numbers) -> Numbers:
        """The regime that holds all of each chunk, by number; -1 where none does."""
        found = np.searchsorted(self._begins, lows, "right") - 1
        is_in = (found >= 0) & (lengths > 0)
        is_in[is_in] = (lows + lengths)[is_in] <= self._ends[found[is_in]]
        return np.where(is_in, found, -1)

    def _asked(self, low: int, high: int) -> Asked:
        """What a range of the leading axis reads."""
        before, after = ([(0, n) for n in some] for some in self._beside)
        return self._side.asked((*before, (low, high), *after))

    def _counts(self, length: int | None) -> tuple[Any, ...]:
        before, after = self._beside
        return (*before, length, *after)

    def _regime(self, number: int) -> Regime:
        found = self._regimes.get(number)
        if found is None:
            found = self._regimes[number] = self._looked_at(*self._ranges[number])
        return found

    def _looked_at(self, begin: int, end: int) -> Regime:
        whole = self._asked(begin, end)
        if not whole.reads:
            return Regime(begin, whole, (0, 0), 0, True)
        first = self._asked(begin, begin + 1).reads
        beside = self._asked(begin + 1, begin + 2).reads if begin + 1 < end else first
        least = self._asked(begin, min(begin + FEW + 1, end)).reads
        head = first[0][0], first[-1][1]
        return Regime(begin, whole, head, beside[0][0] - head[0], len(least) == 1)

    def _groups(
        self, number: int, places: Numbers, lows: Numbers, lengths: Numbers
    ) -> Iterator[Group]:
        """The chunks of a regime by the form that serves them."""
        regime = self._regime(number)
        first = regime.slope * (lows - regime.begin)
        last = first + regime.slope * (lengths - 1)
        low = regime.head[0] + np.minimum(first, last)
        high = regime.head[1] + np.maximum(first, last)
        all_ = Group(places, lengths, low, high, regime.whole, ())
        is_long = (lengths > FEW) & regime.is_dense
        if is_long.any():
            yield all_ if is_long.all() else all_.some(is_long, regime.whole)
        for n in set(lengths[~is_long].tolist()):
            key = number, n
            if key not in self._short:
                self._short[key] = self._asked(regime.begin, regime.begin + n)
            asked = self._short[key]
            yield all_.some(~is_long & (lengths == n), asked, _apart(asked.reads))

    def _fill(self, draft: _Draft, group: Group) -> None:
        """The spots of a group, its cells, and the chunks that it reads."""
        axis = self._side.axis
        if axis is None or not group.asked.reads:
            along = AxisKind(self._counts(None), NOWHERE)
            spot = self._side.spot(group.asked, along, NOTHING)
            draft.spots[group.places] = spot.number
            draft.tell(group.places, zipped([group.lengths]))
            return
        first, last = axis.edges.find(group.low), axis.edges.find(group.high - 1)
        further = last - first
        if group.apart and (further > 1).any():
            self._fill_apart(draft, group)
            return
        draft.firsts[group.places], draft.lasts[group.places] = first, last
        draft.spots[group.places] = self._spots(group, axis.edges, first, further)
        draft.tell(group.places, _cells(group, axis.edges, first, last))

    def _fill_apart(self, draft: _Draft, group: Group) -> None:
        """One by one: chunks between the first and the last may not be read."""
        columns = group.places.tolist(), group.lengths.tolist(), group.low.tolist()
        for k, length, low in zip(*columns, strict=True):
            reads = moved(group.apart, low)
            draft.put(k, self._side.placed(group.asked, self._counts(length), reads))

    def _spots(
        self, group: Group, edges: Edges, first: Numbers, further: Numbers
    ) -> Numbers:
        """The spot of each chunk, which tells how much of the source it reads."""
        reach = np.where(further > 0, SEVERAL, ONE)
        if not group.apart:
            is_whole = group.high - group.low == edges.lengths(first)
            reach[is_whole & (further == 0)] = WHOLE
        along = AxisKind(self._counts(None), None, group.apart)
        number = np.zeros(SEVERAL + 1, np.int64)
        for k in set(reach.tolist()):
            number[k] = self._side.spot(group.asked, along, k).number
        return number[reach]


class _Draft:
    """A column being filled."""

    def __init__(self, count: int) -> None:
        self.spots = np.zeros(count, np.int64)
        self.firsts = np.zeros(count, np.int64)
        self.lasts = np.full(count, -1, np.int64)
        self._cells: list[Cell] = [()] * count
        self._alone: dict[int, Sequence[int]] = {}

    def tell(self, places: Numbers, cells: list[Cell]) -> None:
        """The cells of some chunks."""
        first, count = int(places[0]), len(places)
        if places[-1] - first == count - 1:
            self._cells[first : first + count] = cells
            return
        for k, cell in zip(places.tolist(), cells, strict=True):
            self._cells[k] = cell

    def put(self, place: int, read: Read) -> None:
        """One chunk, asked alone."""
        self.spots[place], self.firsts[place] = read.spot.number, read.first
        self._alone[place] = read.chunks

    def column(self, side: Side) -> Column:
        """The column filled."""
        firsts = self.firsts.tolist()
        several = self._several(side)
        chunks: list[Sequence[int]] | None = None
        if several:
            chunks = list(zip(firsts, strict=True))
            for place, found in several:
                chunks[place] = found
        return Column(self.spots.tolist(), firsts, chunks, self._cells)

    def _several(self, side: Side) -> list[tuple[int, Sequence[int]]]:
        """The places that read several chunks, and those."""
        several = [(k, found) for k, found in self._alone.items() if len(found) > 1]
        places = np.flatnonzero(self.lasts > self.firsts)
        if side.axis is not None and len(places):
            met = side.axis.edges.met(self.firsts[places], self.lasts[places])
            several += zip(places.tolist(), met, strict=True)
        return several


def _runs(which: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Places in a row of equal numbers, and the number; those of -1 left out."""
    changes = (np.flatnonzero(np.diff(which)) + 1).tolist()
    for begin, end in pairwise([0, *changes, len(which)]):
        if begin < end and which[begin] >= 0:
            yield int(which[begin]), np.arange(begin, end)


def _cells(group: Group, edges: Edges, first: Numbers, last: Numbers) -> list[Cell]:
    """The cells of the chunks of a group."""
    offset = group.low - edges.begins(first)
    end = offset + group.high - group.low
    is_whole = (first == last) & (offset == 0) & (end == edges.lengths(first))
    if is_whole.all():
        return zipped([group.lengths, end])
    return celled([group.lengths, offset, end], edges, first, last)


def _apart(reads: Intervals) -> Intervals:
    """Several intervals, counted from the first; () of one."""
    return moved(reads, -reads[0][0]) if len(reads) > 1 else ()
