"""Fields of a case as Python values, or a sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from restride.conform.errors import CaseError

__all__ = ["flat", "integers", "listed", "mapping", "shown", "text"]

LONGEST_SHOWN = 60
"""Most characters of a wrong value that a message repeats."""

DEEPEST = 64
"""Most lists inside lists that a tensor's data may have: NumPy's most axes."""


def shown(value: Any) -> str:
    """`value` for a message, cut short.

    Examples
    --------
    >>> shown("x" * 100)[-4:]
    'x...'
    """
    try:
        told = repr(value)
    except ValueError:  # an integer longer than Python prints
        told = f"an integer of {value.bit_length()} bits"
    return told if len(told) <= LONGEST_SHOWN else f"{told[: LONGEST_SHOWN - 3]}..."


def integers(value: Any, name: str) -> tuple[int, ...]:
    """A list of integers; bool and float are none.

    Examples
    --------
    >>> integers([2, 3], "shape")
    (2, 3)
    >>> integers([2, 3.5], "shape")
    Traceback (most recent call last):
    restride.conform.errors.CaseError: shape = [2, 3.5] is not a list of integers.
    """
    if not isinstance(value, list) or any(type(v) is not int for v in value):
        raise CaseError(f"{name} = {shown(value)} is not a list of integers.")
    return tuple(value)


def listed(value: Any, name: str) -> list[Any]:
    """A list; None is the empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise CaseError(f"{name} = {shown(value)} is not a list.")
    return value


def mapping(value: Any, name: str) -> dict[str, Any]:
    """An object with named fields; None is the empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CaseError(f"{name} = {shown(value)} is not an object with named fields.")
    return value


def text(value: Any, name: str) -> str:
    """A text without the blanks around it."""
    if not isinstance(value, str):
        raise CaseError(f"{name} = {shown(value)} is not a text.")
    return value.strip()


def flat(value: Any, name: str, depth: int = 0) -> Iterator[Any]:
    """The elements of lists inside lists, in order; anything else is one element."""
    if depth > DEEPEST:
        raise CaseError(f"{name} has lists more than {DEEPEST} deep.")
    if isinstance(value, list):
        for entry in value:
            yield from flat(entry, name, depth + 1)
    else:
        yield value
