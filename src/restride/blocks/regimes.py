"""Where along a result axis a box may move without changing how much it reads.

A regime is a range of result positions that all lie in one straight piece, in every
map of the chain; two boxes of one size inside one regime read equally much.  So what
a million boxes read along an axis is known from a few of them.

>>> from restride.layout import Chain
>>> chain = Chain.identity((100,)).pad([(5, 5)], "wrap")
>>> regimes(chain.maps, 0)
[(0, 5), (5, 105), (105, 110)]
>>> classes(regimes(chain.maps, 0), 110, 10)
[(9, (10, 20)), (1, (0, 10)), (1, (100, 110))]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from restride.blocks.intervals import Interval
from restride.layout.axis import Piece
from restride.layout.index_map import IndexMap

__all__ = ["classes", "regimes"]


def regimes(maps: Sequence[IndexMap], axis: int) -> list[Interval]:
    """Of result `axis` of the last map, each map reading the shape made before it.

    They are sorted and disjoint; positions outside all of them are each of their own
    kind.
    """
    m = maps[-1]
    walker = m.axes[axis]
    ends, pieces = walker.map.ends, walker.map.pieces
    ranges = [(end - p.count, end) for end, p in zip(ends, pieces, strict=True)]
    if len(maps) == 1 or walker.source is None:
        return ranges
    below = regimes(maps[:-1], walker.source)
    low, high = _around(m, axis)
    found: list[Interval] = []
    for (first, last), piece in zip(ranges, pieces, strict=True):
        if piece.fill is not None:
            found.append((first, last))
        else:
            found += sorted(_pulled_back(piece, first, below, low, high))
    return found


def classes(
    regimes: Sequence[Interval], extent: int, block: int, begin: int = 0
) -> list[tuple[int, Interval]]:
    """The ranges of `block` positions that tile an axis, alike ones counted once.

    Gives (how many, one of them).  With `begin` the first range is only so long.

    >>> classes([(0, 100)], 100, 30, 20)
    [(2, (20, 50)), (1, (0, 20)), (1, (80, 100))]
    """
    whole = (extent - begin) // block
    found: list[tuple[int, Interval]] = []
    alone: list[int] = []
    at = 0
    for low, high in regimes:
        first = max(at, -(-(low - begin) // block))
        last = max(first, (high - begin) // block)
        if first == last:
            continue
        alone += range(at, first)
        found.append((last - first, _nth(first, block, begin)))
        at = last
    alone += range(at, whole)
    found += [(1, _nth(k, block, begin)) for k in alone]
    ends = [(0, begin), (begin + whole * block, extent)]
    return found + [(1, end) for end in ends if end[0] < end[1]]


def _nth(k: int, block: int, begin: int) -> Interval:
    return begin + k * block, begin + (k + 1) * block


def _around(m: IndexMap, axis: int) -> tuple[int, int]:
    """Least and most position on the source axis where `axis` itself is at 0."""
    source = m.axes[axis].source
    if source is None:
        return 0, 0
    low = high = m.base[source]
    for r, other in enumerate(m.axes):
        if r != axis and other.source == source:
            far = other.map.step * (other.map.extent - 1)
            low, high = low + min(0, far), high + max(0, far)
    return low, high


def _pulled_back(
    piece: Piece, first: int, below: Sequence[Interval], low: int, high: int
) -> Iterator[Interval]:
    """The positions of `piece` whose whole reach lies in one range of `below`."""
    tips = piece.begin, piece.at(piece.count - 1)
    least, most = min(tips) + low, max(tips) + high
    which = max(0, bisect_right(below, (least, most + 1)) - 1)
    for begin, end in below[which:]:
        if begin > most:
            return
        fits = _within(piece, begin - low, end - 1 - high)
        if fits[0] < fits[1]:
            yield first + fits[0], first + fits[1]


def _within(piece: Piece, low: int, high: int) -> Interval:
    """The numbers k of a piece with ``low <= piece.at(k) <= high``, half-open."""
    step, begin = piece.step, piece.begin
    if step == 0:
        return (0, piece.count) if low <= begin <= high else (0, 0)
    if step < 0:
        low, high, step, begin = -high, -low, -step, -begin
    first = max(0, -(-(low - begin) // step))
    return first, min(piece.count, (high - begin) // step + 1)
