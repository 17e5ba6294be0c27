"""Remember what a call with the same parameters came to: keys by type and value.

``-0.0`` is not ``0.0``, ``True`` is not ``1``, two NaN of equal bits are equal, and a
list changed after the call is another key.

>>> freeze([1, 2]) == freeze([1, True]), freeze(0.0) == freeze(-0.0)
(False, False)
>>> freeze(slice(None, 2)) == freeze(slice(None, 2))
True
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

__all__ = ["Memo", "NotFrozen", "freeze"]

Made = TypeVar("Made")

PLAIN = frozenset({int, bool, str, bytes, type(None), type(Ellipsis)})
"""Types whose equal values are the same value."""

BYTES_OF_A_KEY = 4096
"""Largest array parameter worth remembering."""


class NotFrozen(Exception):  # noqa: N818  (a signal, never seen by a caller)
    """A parameter of a kind that is not remembered."""


def freeze(value: Any) -> Hashable:
    """A hashable stand-in for `value`, equal for equal type and bits only."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if kind is tuple or kind is list:
        return kind, tuple([freeze(v) for v in value])
    if kind is slice:
        return kind, freeze(value.start), freeze(value.stop), freeze(value.step)
    if kind is float:
        return kind, struct.pack("=d", value)
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        return kind, _array_key(value)
    raise NotFrozen


def _array_key(value: Any) -> Hashable:
    if value.dtype.hasobject or value.nbytes > BYTES_OF_A_KEY:
        raise NotFrozen
    return value.shape, value.dtype, value.tobytes()


class Memo(Generic[Made]):
    """At most `limit` results by key; emptied when full, since calls repeat few keys.

    Safe to use from many threads: at worst a result is made twice.
    """

    def __init__(self, limit: int = 1024) -> None:
        self.limit = limit
        self._known: dict[Hashable, Made] = {}

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `key` came to before, or what `make` gives now."""
        found = self._known.get(key)
        if found is None:
            found = make()
            if len(self._known) >= self.limit:
                self._known.clear()
            self._known[key] = found
        return found
