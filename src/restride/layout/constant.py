"""A constant that stands where no source element does."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Constant"]


@dataclass(frozen=True, init=False)
class Constant:
    """A value compared by type and bits, so -0.0 is not 0.0 and True is not 1.

    Examples
    --------
    >>> Constant(0.0) == Constant(-0.0), Constant(1) == Constant(True)
    (False, False)
    >>> Constant(float("nan")) == Constant(float("nan"))
    True
    """

    value: Any = field(compare=False)
    """What the caller gave; None means all-zero bytes."""
    key: tuple[Any, ...] = field(repr=False)

    def __init__(self, value: Any) -> None:
        vars(self).update(value=value, key=_key(value))


def _key(value: Any) -> tuple[Any, ...]:
    if type(value) is float:
        return float, struct.pack("=d", value)
    if type(value) is complex:
        return complex, struct.pack("=dd", value.real, value.imag)
    if value is None or type(value) in (int, bool, bytes, str):
        return type(value), value
    raw = getattr(value, "tobytes", None)
    if raw is not None:
        return type(value), str(getattr(value, "dtype", "")), raw()
    return type(value), id(value)  # unknown: equal to itself alone, while it lives
