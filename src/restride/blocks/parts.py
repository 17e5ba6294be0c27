"""One source axis of a map, seen from a box of the result.

A map is separable, so what a box reads along a source axis depends on the box along
the result axes that walk it, and on nothing else.  :class:`Lane` is one source axis
with its walkers; :meth:`Lane.part` is the lane restricted, and is remembered: a grid
of n1 x n2 x ... boxes asks only n1 + n2 + ... questions.

Which intervals are the smallest: a straight run of neighbours is one interval, and
each piece of a bent axis has its own, so a wrap seam gives two.  A run whose reads
are apart (a step, or windows further apart than they are wide) is one interval from
first to last, unless at least `LEAST_SKIPPED` elements lie between two reads; then
each read is an interval of its own, up to `MOST_RUNS` of them.  Two reads alone are
always two intervals: a seam makes such pairs, and they may lie far apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from restride.blocks.intervals import Interval, Intervals, hull, length, merged
from restride.layout.axis import AxisMap, Piece
from restride.layout.index_map import Axis

__all__ = ["LEAST_SKIPPED", "MOST_RUNS", "Lane", "Part"]

LEAST_SKIPPED = 4096
"""Fewest elements between two reads that are skipped: fewer cost less to read than
to seek over."""

MOST_RUNS = 4096
"""Most intervals that one straight run is split into."""

MEMORY = 1 << 16
"""Parts remembered of one lane."""


class Part(NamedTuple):
    """A lane restricted to intervals of its result axes."""

    reads: Intervals
    """Positions read along the source axis; () when nothing is."""
    axes: tuple[Axis, ...]
    """The walkers, over those positions laid end to end."""
    base: int
    """Start position there."""
    number: int
    """Equal for parts of a lane that differ in the place of `reads` only."""


Straight = tuple[Intervals, list[AxisMap], int]
"""What is read, the walkers over it laid end to end, and where they start."""


class Lane:
    """One source axis and the result axes that walk it, or one that walks none."""

    def __init__(
        self,
        source: int | None,
        walkers: Sequence[tuple[int, Axis]],
        base: int,
        extent: int,
        inner: int,
    ) -> None:
        self.source, self.base, self.extent = source, base, extent
        self.rows = tuple([r for r, _ in walkers])
        """Result axes, in order."""
        self.walkers = tuple([axis for _, axis in walkers])
        self.inner = inner
        """Elements of one position: what the source axes after this one hold."""
        self.align: int | None = None
        """None: the smallest intervals.  Else one interval, on multiples of this."""
        self._known: dict[tuple[Intervals, ...], Part] = {}
        self._forms: dict[tuple[tuple[Axis, ...], int, int], int] = {}
        self._straights: dict[tuple[int, ...], tuple[int, Part]] = {}

    def part(self, lists: tuple[Intervals, ...]) -> Part:
        """The lane where its result axes keep `lists` only; asked once, remembered."""
        found = self._known.get(lists)
        if found is None:
            found = self._part(lists)
            if len(self._known) >= MEMORY:
                self._known.clear()
            self._known[lists] = found
        return found

    def _part(self, lists: tuple[Intervals, ...]) -> Part:
        if self._stays_straight(lists):
            return self._straight_between([kept[0] for kept in lists])
        reads: Intervals = ()
        base = 0
        pairs = zip(self.walkers, lists, strict=True)
        maps = [_kept(axis.map, kept) for axis, kept in pairs]
        if () in lists or any(m.all_fill for m in maps):
            pass
        elif self.source is None:
            reads = ((0, 1),)
        elif all(m.is_affine for m in maps):
            reads, maps, base = self._straight(maps)
        else:
            reads, maps = self._bent(maps[0])
        return self._told(reads, maps, base)

    def _told(self, reads: Intervals, maps: list[AxisMap], base: int) -> Part:
        axes = tuple([Axis(self.source, m) for m in maps])
        form = axes, base, length(reads)
        return Part(reads, axes, base, self._forms.setdefault(form, len(self._forms)))

    def _stays_straight(self, lists: tuple[Intervals, ...]) -> bool:
        """True for one range of each walker, all of them straight, as is usual."""
        return (
            self.source is not None
            and all(len(kept) == 1 for kept in lists)
            and all(axis.map.is_affine for axis in self.walkers)
        )

    def _straight_between(self, ranges: Sequence[Interval]) -> Part:
        """The same as `_straight`, with no map made of what is kept of each walker.

        Of ranges as long as earlier ones, what those read is only moved.
        """
        counts = tuple([high - low for low, high in ranges])
        start, steps = self.base, []
        for axis, (low, _), n in zip(self.walkers, ranges, counts, strict=True):
            start += axis.map.pieces[0].at(low)
            steps.append(axis.map.step if n > 1 else 0)
        known = self._straights.get(counts) if self.align is None else None
        if known is not None:
            at, part = known
            moved = tuple([(a + start - at, b + start - at) for a, b in part.reads])
            return Part(moved, part.axes, part.base, part.number)
        part = self._told(*self._over(start, list(counts), steps))
        if len(self._straights) < MEMORY:
            self._straights[counts] = start, part
        return part

    def _straight(self, maps: list[AxisMap]) -> Straight:
        """Walkers that are all straight: position = base + sum of step * index."""
        start = self.base + sum([m.at(0) for m in maps])  # type: ignore[misc]
        return self._over(start, [m.extent for m in maps], [m.step for m in maps])

    def _over(self, start: int, counts: list[int], steps: list[int]) -> Straight:
        reach = [step * (n - 1) for n, step in zip(counts, steps, strict=True)]
        low = start + sum([min(0, far) for far in reach])
        apart = None if self.align is not None else self._apart(counts, steps)
        if apart is None:
            high = start + sum([max(0, far) for far in reach])
            reads: Intervals = ((low, high + 1),)
            if self.align is not None:
                reads = hull(reads, self.align, self.extent)
            made = [AxisMap.affine(n, 0, s) for n, s in zip(counts, steps, strict=True)]
            return reads, made, start - reads[0][0]
        offsets, steps = apart
        reach = [step * (n - 1) for n, step in zip(counts, steps, strict=True)]
        made = [AxisMap.affine(n, 0, s) for n, s in zip(counts, steps, strict=True)]
        reads = tuple([(low + a, low + b) for a, b in offsets])
        return reads, made, -sum([min(0, far) for far in reach])

    def _apart(
        self, counts: list[int], steps: list[int]
    ) -> tuple[list[Interval], list[int]] | None:
        """Runs from the lowest position on, and the steps over them laid end to end.

        None where one interval serves: nothing worth skipping lies between.
        """
        runs, wide, filled = [(0, 1)], 1, 1
        compact = list(steps)
        order = sorted(range(len(steps)), key=lambda r: abs(steps[r]))
        for r in order:
            n, step = counts[r], abs(steps[r])
            if n == 1 or step == 0:
                continue
            skipped = (step - wide) * self.inner
            is_pair = n == 2 and len(steps) == 1 and skipped > 0
            if is_pair or (skipped >= LEAST_SKIPPED and len(runs) * n <= MOST_RUNS):
                runs = [(k * step + a, k * step + b) for k in range(n) for a, b in runs]
                compact[r] = filled if steps[r] > 0 else -filled
                filled *= n
            elif filled != wide:
                return None
            else:
                filled += step * (n - 1)
                runs = [(0, filled)]
            wide += step * (n - 1)
        return (runs, compact) if len(runs) > 1 else None

    def _bent(self, m: AxisMap) -> tuple[Intervals, list[AxisMap]]:
        """The only walker, in pieces: each has its intervals, and all are joined."""
        m = m.shifted(self.base)
        live = [p for p in m.pieces if p.fill is None]
        spans: list[Interval] = []
        for piece in live:
            spans += self._spans(piece)
        reads = merged(spans)
        if self.align is not None:
            reads = hull(reads, self.align, self.extent)
        lows = [low for low, _ in reads]
        starts = [0, *accumulate([high - low for low, high in reads])]
        moved: list[Piece] = []
        for piece in m.pieces:
            moved += _end_to_end(piece, reads, lows, starts)
        return reads, [AxisMap(moved)]

    def _spans(self, piece: Piece) -> list[Interval]:
        """The positions of one straight run, as intervals."""
        step, n = abs(piece.step), piece.count
        low = min(piece.begin, piece.at(n - 1))
        is_near = (step - 1) * self.inner < LEAST_SKIPPED
        if n > MOST_RUNS or (is_near and n != 2):
            return [(low, low + step * (n - 1) + 1)]
        return [(low + k * step, low + k * step + 1) for k in range(n)]


def _kept(m: AxisMap, kept: Intervals) -> AxisMap:
    """An axis map at the result positions of `kept` only, laid end to end."""
    if kept == ((0, m.extent),):
        return m
    parts = [m.take(low, 1, high - low) for low, high in kept]
    return (
        parts[0] if len(parts) == 1 else AxisMap([p for m in parts for p in m.pieces])
    )


def _end_to_end(
    piece: Piece, reads: Intervals, lows: list[int], starts: list[int]
) -> list[Piece]:
    """A piece over positions, as pieces over the intervals laid end to end."""
    if piece.fill is not None:
        return [piece]
    made: list[Piece] = []
    first = 0
    while first < piece.count:
        position = piece.at(first)
        which = bisect_right(lows, position) - 1
        low, high = reads[which]
        room = high - 1 - position if piece.step > 0 else position - low
        count = piece.count - first
        if piece.step:
            count = min(count, room // abs(piece.step) + 1)
        made.append(Piece(count, position - low + starts[which], piece.step))
        first += count
    return made
