"""Lists without an end, refused before NumPy walks them for ever.

A list may hold itself, or the same list many times over: forty lists of two, each the
one before twice, are a million million elements.  Here each list is looked at once,
however often it stands in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from restride.checks import MAX_RANK
from restride.errors import ShapeError

__all__ = ["refuse_endless"]

LISTS = frozenset((list, tuple))

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
    count = _elements(given, name, 1, {})
    if count > MOST and _has_lists(given):
        raise ShapeError(
            f"{name} is lists of {count} elements in all; {MOST} are the most that are "
            "read. Give a NumPy array."
        )


def _elements(given: Sequence[Any], name: str, depth: int, seen: dict[int, int]) -> int:
    """Elements that NumPy would read; `seen` keeps those of each list, by its id."""
    if depth > MAX_RANK:
        raise ShapeError(
            f"{name} holds lists more than {MAX_RANK} deep; give an array, or lists of "
            "numbers that do not hold themselves."
        )
    if id(given) not in seen:
        inner = [v for v in given if type(v) in LISTS] if _has_lists(given) else []
        more = [_elements(v, name, depth + 1, seen) for v in inner]
        seen[id(given)] = len(given) - len(inner) + sum(more)
    return seen[id(given)]


def _has_lists(given: Sequence[Any]) -> bool:
    return not LISTS.isdisjoint(map(type, given))
