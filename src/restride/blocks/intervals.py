"""Half-open intervals of one axis: sorted, disjoint, and adjacent ones joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["Interval", "Intervals", "flat_spans", "hull", "length", "merged"]

Interval = tuple[int, int]
"""Positions ``low .. high - 1``."""

Intervals = tuple[Interval, ...]
"""Sorted and disjoint, none empty, and no two of them touch."""


def merged(spans: Iterable[Interval]) -> Intervals:
    """The positions of all `spans` as the fewest intervals.

    Examples
    --------
    >>> merged([(7, 9), (0, 2), (2, 3), (4, 4)])
    ((0, 3), (7, 9))
    """
    found: list[Interval] = []
    for low, high in sorted(spans):
        if low >= high:
            continue
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def length(intervals: Sequence[Interval]) -> int:
    """Number of positions."""
    return sum([high - low for low, high in intervals])


def hull(intervals: Intervals, align: int = 1, extent: int | None = None) -> Intervals:
    """The one interval around all, its ends on multiples of `align` or at `extent`.

    Examples
    --------
    >>> hull(((1, 2), (5, 7)), 4, 7)
    ((0, 7),)
    """
    if not intervals:
        return ()
    low, high = intervals[0][0], intervals[-1][1]
    low, high = low - low % align, high + -high % align
    return ((low, high if extent is None else min(high, extent)),)


def flat_spans(
    lists: Sequence[Intervals], shape: Sequence[int], most: int
) -> Intervals | None:
    """A product of intervals over `shape` as spans of its row-major reading.

    None where there would be more than `most` of them.

    Examples
    --------
    >>> flat_spans([((0, 2),), ((1, 3),)], (3, 6), 10)
    ((1, 3), (7, 9))
    """
    spans: Intervals = ((0, 1),)
    row = 1
    for intervals, n in zip(reversed(lists), reversed(shape), strict=True):
        if spans == ((0, row),):
            spans = tuple([(a * row, b * row) for a, b in intervals])
        elif length(intervals) * len(spans) > most:
            return None
        else:
            rows = [i * row for a, b in intervals for i in range(a, b)]
            spans = merged([(at + a, at + b) for at in rows for a, b in spans])
        row *= n
    return spans
