"""The edges of an axis's chunks, asked for many chunks or positions at once.

Chunks of one length are arithmetic; those of any other lengths are looked up among
their edges.  No position exceeds 2**63 - 1, the most elements that an array has.

>>> import numpy as np
>>> edges = Edges(Lengths.of((4, 0, 3, 5)))
>>> edges.find(np.array([3, 4, 7])).tolist(), edges.begins(np.array([3])).tolist()
([0, 2, 3], [7])
>>> edges.lengths_between(0, 2), edges.met(np.array([0, 2]), np.array([2, 3]))
((4, 0, 3), [(0, 2), (2, 3)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.blocks.dask.lengths import Lengths

__all__ = ["Edges", "Numbers"]

Numbers = np.ndarray[Any, np.dtype[np.int64]]
"""Chunks by number, or positions, or lengths."""


class Edges:
    """Where chunks begin and end.

    Parameters
    ----------
    lengths : Lengths
        Of the chunks; those of 0 hold no position.
    """

    def __init__(self, lengths: Lengths) -> None:
        self._extent = lengths.extent
        self._size = lengths.common
        """Length of every chunk but the last, or 0 where they differ."""
        self._written = () if self._size else lengths.written()
        self._has_empty = 0 in self._written
        self._edges = np.zeros(len(self._written) + 1, np.int64)
        np.cumsum(np.array(self._written, np.int64), out=self._edges[1:])

    def begins(self, numbers: Numbers) -> Numbers:
        """Position of the first element of each chunk."""
        return numbers * self._size if self._size else self._edges[numbers]

    def lengths(self, numbers: Numbers) -> Numbers:
        """Elements of each chunk."""
        if self._size:
            return np.minimum(self._size, self._extent - numbers * self._size)
        return self._edges[numbers + 1] - self._edges[numbers]

    def find(self, positions: Numbers) -> Numbers:
        """Number of the chunk that holds each position."""
        if self._size:
            return positions // self._size
        # Empty chunks begin where the one after them does: the last is meant.
        return np.searchsorted(self._edges, positions, "right") - 1

    def lengths_between(self, first: int, last: int) -> tuple[int, ...]:
        """Elements of the chunks from one to another."""
        if not self._size:
            return self._written[first : last + 1]
        rest = self._extent - last * self._size
        return (self._size,) * (last - first) + (min(self._size, rest),)

    def met(self, firsts: Numbers, lasts: Numbers) -> list[Sequence[int]]:
        """The chunks from one to another, but for those of no element, many times."""
        found: list[Any] = list(map(range, firsts.tolist(), (lasts + 1).tolist()))
        if not self._has_empty:
            return found
        return [tuple(filter(self._written.__getitem__, some)) for some in found]
