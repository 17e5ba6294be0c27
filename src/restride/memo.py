"""Remember what was made for a key.

>>> squares: Memo[int] = Memo()
>>> squares.get(3), squares.keep(3, 9), squares.get(3)
(None, 9, 9)
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

__all__ = ["Memo"]

Made = TypeVar("Made")


class Memo(dict[Hashable, Made]):
    """At most `limit` results by key; emptied when full, since calls repeat few keys.

    Safe to use from many threads: at worst a result is made twice.
    """

    def __init__(self, limit: int = 1024) -> None:
        self.limit = limit

    def keep(self, key: Hashable, made: Made) -> Made:
        """`made`, from now on the answer for `key`."""
        if len(self) >= self.limit:
            self.clear()
        self[key] = made
        return made
