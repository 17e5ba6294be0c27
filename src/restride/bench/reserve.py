"""Memory held between measurements, so that the host of a machine leaves it there.

A virtual machine may report memory that has been free for two seconds, and its host
takes it back; touching it again then costs twenty times as much as clearing it does,
and whoever comes first pays.  So what is about to be filled with results is touched
first, and held whenever nobody needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["Reserve"]

PAGE_BYTES = 4096

MOST_HELD = 4 << 30
"""Bytes held at most: more than this is touched anew, which takes seconds."""


class Reserve:
    """Pages that the host has given.

    Examples
    --------
    >>> reserve = Reserve()
    >>> with reserve.lent(1 << 20):
    ...     reserve.held_bytes
    0
    >>> reserve.held_bytes
    1048576
    """

    def __init__(self) -> None:
        self._held = touched(0)

    @property
    def held_bytes(self) -> int:
        """What is held now."""
        return self._held.size

    @contextmanager
    def lent(self, nbytes: int) -> Iterator[None]:
        """For the body, so many bytes are free and can be had without the host."""
        usual = min(MOST_HELD, max(nbytes, self.held_bytes))
        self.let_go()
        touched(nbytes)
        try:
            yield
        finally:
            self._held = touched(usual)

    def let_go(self) -> None:
        """Hold nothing."""
        self._held = touched(0)


def touched(nbytes: int) -> np.ndarray[Any, Any]:
    """Bytes each of whose pages was written to once.

    Examples
    --------
    >>> touched(10_000).size
    10000
    """
    made = np.empty(nbytes, np.uint8)
    made[::PAGE_BYTES] = 1
    return made
