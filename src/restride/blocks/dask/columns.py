"""What the chunks along one axis read, those of a straight stretch at once.

In a regime, where every map of the chain is straight, a box reads what the box before
it reads, moved by a slope times as much as the box has moved.  So a few questions about
a regime tell of all its chunks what they read, whatever their lengths, and NumPy finds
the chunks of the source.  A chunk outside all regimes is asked alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.edges import Edges, Numbers
from restride.blocks.dask.gather import Place
from restride.blocks.dask.recipe import Index
from restride.blocks.dask.spots import NOWHERE, Asked, Read, Side
from restride.blocks.intervals import Interval, Intervals

__all__ = ["Column", "Columns", "laid_out"]

FEW = 2
"""A block of so few elements has a form of its own: of one, every straight map is the
same, and of two, each may be read alone."""


class Column(NamedTuple):
    """Of some chunks along an axis, in order."""

    kinds: list[int]
    """Of the spots of the side."""
    firsts: list[int]
    """The first chunk of the source that each reads; 0 where it reads none."""
    chunks: list[Index]
    """All chunks that each reads."""


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
    asked: Asked
    lengths: Numbers
    """Of the chunks."""
    low: Numbers
    """The first position that each reads."""
    high: Numbers
    """One past the last."""
    apart: Intervals
    """What each reads, from `low` on, where that is not all between."""


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
        self._kinds: dict[tuple[object, ...], int] = {}

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

    def _counts(self, length: int) -> Index:
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

        def group(some: Any, asked: Asked, apart: Intervals) -> Group:
            found = (places[some], asked, lengths[some], low[some], high[some])
            return Group(*found, apart)

        is_long = (lengths > FEW) & regime.is_dense
        if is_long.any():
            yield group(is_long, regime.whole, ())
        for n in set(lengths[~is_long].tolist()):
            key = number, n
            if key not in self._short:
                self._short[key] = self._asked(regime.begin, regime.begin + n)
            asked = self._short[key]
            yield group(~is_long & (lengths == n), asked, _apart(asked.reads))

    def _fill(self, draft: _Draft, group: Group) -> None:
        """The kinds of a group, and the chunks that it reads."""
        axis = self._side.axis
        if axis is None or not group.asked.reads:
            lengths, place = np.unique(group.lengths, return_inverse=True)
            kinds = [self._unplaced(group.asked, n) for n in lengths.tolist()]
            draft.kinds[group.places] = np.array(kinds)[place]
            return
        first, last = axis.edges.find(group.low), axis.edges.find(group.high - 1)
        if group.apart and (last - first > 1).any():
            self._fill_apart(draft, group)
            return
        draft.firsts[group.places], draft.lasts[group.places] = first, last
        draft.kinds[group.places] = self._kinds_of(group, axis.edges, first, last)

    def _unplaced(self, asked: Asked, length: int) -> int:
        return self._side.spot(asked, self._counts(length), NOWHERE).kind

    def _fill_apart(self, draft: _Draft, group: Group) -> None:
        """One by one: chunks between the first and the last may not be read."""
        cells = group.places.tolist(), group.lengths.tolist(), group.low.tolist()
        for k, length, low in zip(*cells, strict=True):
            reads = _moved(group.apart, low)
            draft.put(k, self._side.placed(group.asked, self._counts(length), reads))

    def _kinds_of(
        self, group: Group, edges: Edges, first: Numbers, last: Numbers
    ) -> Numbers:
        """The kind of each chunk, asked where it is not as the one before."""
        span, offset = group.high - group.low, group.low - edges.begins(first)
        tell = [group.lengths, span, offset, last - first]
        tell += [edges.lengths(first), edges.lengths(last)]
        is_new = np.ones(len(first), bool)
        is_new[1:] = (last - first)[1:] > 1
        for values in tell:
            is_new[1:] |= values[1:] != values[:-1]
        new = np.flatnonzero(is_new)
        cells = [values[new].tolist() for values in (*tell[:3], first, last)]
        kinds = [
            self._kind(group, length, span, offset, edges.lengths_between(*met))
            for length, span, offset, *met in zip(*cells, strict=True)
        ]
        return np.repeat(np.array(kinds), np.diff(new, append=len(first)))

    def _kind(
        self, group: Group, length: int, span: int, offset: int, met: Index
    ) -> int:
        """The kind of a chunk that reads `span` from `offset` of chunks `met` on."""
        key = group.asked.form, length, span, offset, met, group.apart
        kind = self._kinds.get(key)
        if kind is None:
            reads: Intervals = ((offset, offset + span),)
            if group.apart:
                reads = _moved(group.apart, offset)
            place = Place(reads, laid_out(met))
            spot = self._side.new_spot(group.asked, self._counts(length), place)
            kind = self._kinds[key] = spot.kind
        return kind


class _Draft:
    """A column being filled."""

    def __init__(self, count: int) -> None:
        self.kinds = np.zeros(count, np.int64)
        self.firsts = np.zeros(count, np.int64)
        self.lasts = np.full(count, -1, np.int64)
        self._alone: dict[int, Index] = {}

    def put(self, place: int, read: Read) -> None:
        """One chunk, asked alone."""
        self.kinds[place], self.firsts[place] = read.spot.kind, read.first
        self._alone[place] = read.chunks

    def column(self, side: Side) -> Column:
        """The column filled."""
        firsts, lasts = self.firsts.tolist(), self.lasts.tolist()
        met = _none if side.axis is None else side.axis.edges.met
        chunks = list(map(met, firsts, lasts))
        for place, found in self._alone.items():
            chunks[place] = found
        return Column(self.kinds.tolist(), firsts, chunks)


def _none(first: int, last: int) -> Index:
    return ()


def _runs(which: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Places in a row of equal numbers, and the number; those of -1 left out."""
    changes = (np.flatnonzero(np.diff(which)) + 1).tolist()
    for begin, end in pairwise([0, *changes, len(which)]):
        if begin < end and which[begin] >= 0:
            yield int(which[begin]), np.arange(begin, end)


def laid_out(lengths: Index) -> Intervals:
    """The ranges of chunks of these lengths, but for those of no element."""
    if len(lengths) == 1:
        return ((0, lengths[0]),)
    edges = pairwise(accumulate(lengths, initial=0))
    return tuple([(low, high) for low, high in edges if low < high])


def _apart(reads: Intervals) -> Intervals:
    """Several intervals, counted from the first; () of one."""
    return _moved(reads, -reads[0][0]) if len(reads) > 1 else ()


def _moved(reads: Intervals, by: int) -> Intervals:
    return tuple([(low + by, high + by) for low, high in reads])
