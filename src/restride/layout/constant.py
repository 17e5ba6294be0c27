"""A constant that stands where no source element does."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["Constant"]


PLAIN = frozenset((int, bool, bytes, str, type(None)))
"""Types whose values are equal exactly where their bits are."""


class Constant:
    """A value compared by type and bits, so -0.0 is not 0.0 and True is not 1.

    Examples
    --------
    >>> Constant(0.0) == Constant(-0.0), Constant(1) == Constant(True)
    (False, False)
    >>> Constant(float("nan")) == Constant(float("nan"))
    True
    """

    __slots__ = ("key", "value")

    value: Any
    """What the caller gave; None means all-zero bytes."""
    key: tuple[Any, ...]
    """Its type and bits."""

    def __init__(self, value: Any) -> None:
        self.value, kind = value, type(value)
        self.key = (kind, value) if kind in PLAIN else _key(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Constant({self.value!r})"


def _key(value: Any) -> tuple[Any, ...]:
    if type(value) is float:
        return float, struct.pack("=d", value)
    if type(value) is complex:
        return complex, struct.pack("=dd", value.real, value.imag)
    raw = getattr(value, "tobytes", None)
    if raw is not None:
        return type(value), str(getattr(value, "dtype", "")), raw()
    return type(value), id(value)  # unknown: equal to itself alone, while it lives
