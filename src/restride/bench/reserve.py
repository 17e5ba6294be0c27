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

PIECE_BYTES = 1 << 25
"""What is held is let go in pieces of so many bytes, no more of them than asked for."""


class Reserve:
    """Pages that the host has given.

    Parameters
    ----------
    most_bytes : int
        Held at most; what is lent beyond is touched anew each time.

    Examples
    --------
    >>> reserve = Reserve(1 << 30)
    >>> with reserve.lent(2 * PIECE_BYTES):
    ...     reserve.held_bytes
    0
    >>> with reserve.lent(PIECE_BYTES):
    ...     reserve.held_bytes == PIECE_BYTES
    True
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes // PIECE_BYTES
        self._held: list[np.ndarray[Any, Any]] = []

    @property
    def held_bytes(self) -> int:
        """What is held now."""
        return len(self._held) * PIECE_BYTES

    @contextmanager
    def lent(self, nbytes: int) -> Iterator[None]:
        """For the body, so many bytes are free and can be had without the host."""
        pieces = -(-nbytes // PIECE_BYTES)
        self._fill(max(pieces, len(self._held)))
        del self._held[len(self._held) - pieces :]
        try:
            yield
        finally:
            self._fill(min(pieces + len(self._held), self._most))

    def _fill(self, pieces: int) -> None:
        """Hold so many pieces, or more if there are more."""
        while len(self._held) < pieces:
            self._held.append(touched(PIECE_BYTES))

    def let_go(self) -> None:
        """Hold nothing."""
        self._held.clear()


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
