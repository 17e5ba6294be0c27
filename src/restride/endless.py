"""Lists without an end, refused before NumPy walks them for ever.

A list may hold itself, or the same list many times over: forty lists of two, each the
one before twice, are a million million elements.  Here each list is looked at once,
however often it stands in others.  What NumPy reads like a list, such as a subclass or
a deque, counts as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from restride.checks import MAX_RANK, is_nest
from restride.errors import ShapeError

__all__ = ["refuse_endless"]

MOST_LISTS = 1 << 22
"""Lists in lists that are looked at: some make new ones each time they are read."""

MOST = 1 << 28
"""Elements that are read from lists in lists: more take NumPy minutes."""


def refuse_endless(given: Sequence[Any], name: str) -> None:
    """Refuse lists that hold themselves, or more elements than can be read.

    Examples
    --------
    >>> refuse_endless([[1, 2], [3, 4]], "x")
    >>> ring = [1]
    >>> ring.append(ring)
    >>> refuse_endless(ring, "x")
    Traceback (most recent call last):
    restride.errors.ShapeError: x holds lists more than 64 deep; give an array, ...
    """
    try:
        count = _elements(given, name, 1, {})
    except OverflowError:
        raise ShapeError(f"{name} has more elements than an array can have.") from None
    if count > MOST and (type(given) is range or _nests_in(given)):
        raise ShapeError(
            f"{name} is lists of {count} elements in all; {MOST} are the most that are "
            "read. Give a NumPy array."
        )


Seen = dict[int, tuple[Any, int]]
"""By its id, each list, so that no other gets that id, and its elements."""


def _elements(given: Sequence[Any], name: str, depth: int, seen: Seen) -> int:
    """Elements that NumPy would read."""
    if depth > MAX_RANK:
        raise ShapeError(
            f"{name} holds lists more than {MAX_RANK} deep; give an array, or lists of "
            "numbers that do not hold themselves."
        )
    if id(given) not in seen:
        if len(seen) >= MOST_LISTS:
            raise ShapeError(f"{name} is more than {MOST_LISTS} lists; give an array.")
        kinds = _nests_in(given)
        # One that never ends by its iterator is read as far as its length says.
        items = islice(given, len(given)) if kinds else ()
        inner = [v for v in items if type(v) in kinds]
        more = [_elements(v, name, depth + 1, seen) for v in inner]
        seen[id(given)] = given, len(given) - len(inner) + sum(more)
    return seen[id(given)][1]


def _nests_in(given: Sequence[Any]) -> set[type]:
    """The types of what is a list in `given`."""
    if type(given) is range:
        return set()
    kinds = set(map(type, islice(given, len(given))))
    return {k for k in kinds if is_nest(k) and not issubclass(k, np.dtype)}
