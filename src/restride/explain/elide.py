"""Which positions of a long axis are worth a place in a picture.

The ends, and what lies around the joints where something changes, are kept; each run
left out becomes one gap, told as None.

>>> kept(5, 9)
[0, 1, 2, 3, 4]
>>> kept(100, 7)
[0, 1, 2, None, 97, 98, 99]
>>> kept(100, 9, [50])
[0, 1, 2, None, 49, 50, None, 98, 99]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, pairwise

__all__ = ["kept"]

LEAST = 3
"""Places an axis is given at least: both ends, and the gap between them."""


def kept(extent: int, places: int, joints: Iterable[int] = ()) -> list[int | None]:
    """Positions of an axis of `extent` that fill at most `places`, gaps included.

    Parameters
    ----------
    extent : int
        Positions the axis has.
    places : int
        Most entries of the answer; fewer than 3 count as 3.
    joints : iterable of int
        Positions at which something begins; they and those before them come first.
    """
    places = max(places, LEAST)
    if extent <= places:
        return list(range(extent))
    chosen = {0, extent - 1}
    refused = 0
    for position in _wanted(extent, joints):
        tried = chosen | {position}
        if _places(tried, extent) <= places:
            chosen, refused = tried, 0
        elif (refused := refused + 1) > places:
            break
    return list(_with_gaps(chosen))


def _wanted(extent: int, joints: Iterable[int]) -> Iterator[int]:
    """Positions by how much they tell: at the joints, then inwards from the ends."""
    inside = [j for j in joints if 0 < j < extent]
    for joint in inside:
        yield from (joint, joint - 1)
    for k in count(1):
        if 2 * k >= extent:
            return
        yield from (k, extent - 1 - k)


def _places(chosen: set[int], extent: int) -> int:
    """Entries that the chosen positions take; a gap of one is no shorter than it."""
    order = sorted(chosen)
    gaps = sum(b - a > 1 for a, b in pairwise(order))
    return len(order) + gaps


def _with_gaps(chosen: set[int]) -> Iterator[int | None]:
    order = sorted(chosen)
    yield order[0]
    for before, here in pairwise(order):
        if here - before == 2:
            yield before + 1
        elif here - before > 2:
            yield None
        yield here
