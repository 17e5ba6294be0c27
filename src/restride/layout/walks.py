"""Where strided walks get to, and by which index first, without listing them.

A walk is a step and a count; an index takes one number of steps, from 0, of each.

>>> first_outside(12, (3, 3), (4, 1), 2)
(2, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

__all__ = ["first_outside", "on_walk", "span"]

Walks = Sequence[tuple[int, int]]

MOST_TRIES = 4096
"""Of three walks or more: step counts of the longest that are tried.  So many are only
left where the others span thousands of its steps, and then an early one succeeds."""


def on_walk(wanted: int, walks: Sequence[tuple[int, int]]) -> bool:
    """True where ``sum of step * k`` with each k below its count can be `wanted`.

    Parameters
    ----------
    wanted : int
    walks : sequence of (int, int)
        The step and the count of each; no count is 0.

    Examples
    --------
    >>> [k for k in range(9) if on_walk(k, [(3, 2), (2, 2)])]
    [0, 2, 3, 5]
    """
    forward = [(abs(step), count) for step, count in walks if step and count > 1]
    at = wanted - sum(step * (count - 1) for step, count in walks if step < 0)
    return _reaches(at, sorted(forward, reverse=True))


def _reaches(wanted: int, walks: Walks) -> bool:
    """The same for steps above 0, the longest first."""
    if not walks:
        return wanted == 0
    if not 0 <= wanted <= span(walks)[1] or wanted % gcd(*(step for step, _ in walks)):
        return False
    (step, count), rest = walks[0], walks[1:]
    first = max(0, -((span(rest)[1] - wanted) // step))
    last = min(count - 1, wanted // step)
    if len(rest) == 1:
        return _meets(wanted, step, first, last, rest[0][0])
    tries = range(first, min(last + 1, first + MOST_TRIES))
    return any(_reaches(wanted - step * k, rest) for k in tries)


def _meets(wanted: int, step: int, first: int, last: int, other: int) -> bool:
    """True where some k of ``first..last`` leaves a multiple of `other`."""
    shared = gcd(step, other)
    if other == shared:
        return wanted % shared == 0 and first <= last
    turn = other // shared
    least = wanted // shared * pow(step // shared, -1, turn) % turn
    return first + (least - first) % turn <= last


def span(walks: Walks) -> tuple[int, int]:
    """The least and the most that the walks sum to.

    Examples
    --------
    >>> span([(3, 4), (-1, 3)])
    (-2, 9)
    """
    low = sum(min(0, step * (count - 1)) for step, count in walks)
    high = sum(max(0, step * (count - 1)) for step, count in walks)
    return low, high


def first_outside(
    total: int, size: Sequence[int], stride: Sequence[int], offset: int
) -> tuple[int, ...] | None:
    """The first index, in row-major order, at an element outside ``0..total - 1``.

    None where every index is inside; no size is 0.
    """
    walks = list(zip(stride, size, strict=True))
    index: list[int] = []
    at = offset
    for r, (step, count) in enumerate(walks):
        low, high = span(walks[r + 1 :])
        under = _least(-(at + low) - 1, step)
        over = _least(at + high - total, -step)
        found = [k for k in (under, over) if k is not None and k < count]
        if not found:
            return None
        index.append(min(found))
        at += step * index[-1]
    return tuple(index) if not 0 <= at < total else None


def _least(room: int, step: int) -> int | None:
    """The least k of 0 or more with ``step * k <= room``, or None."""
    if room >= 0:
        return 0
    return None if step >= 0 else -(-room // step)
