"""Remember what was made for a key.

>>> squares = Memo()
>>> squares.get(3, lambda: 9), squares.get(3, lambda: 0)
(9, 9)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Memo"]

Made = TypeVar("Made")


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
