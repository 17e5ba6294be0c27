"""How many chunks are asked for at a time: few enough for memory, enough for speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from restride.blocks.intervals import Intervals

__all__ = ["COPIES", "READ_SHARE", "SHARE", "Piece", "held_bytes", "pieces", "tile"]

SHARE = 32
"""A tile takes the bytes allowed over this, or one chunk where that is more."""

READ_SHARE = 64
"""The same of a tile that is read, whose chunks may be small parts of a shard."""

COPIES = 4
"""What a tile takes while it is packed or unpacked: its elements, the chunks they
come from or go to, the bytes of these on the disk, and a shard of them."""

MOST_KEPT_BYTES = 64 << 20
"""Of what is freed, the allocator keeps twice the largest piece, and no more than this:
M_TRIM_THRESHOLD of glibc, mallopt(3)."""


class Piece(NamedTuple):
    """A part of a product of intervals that lies in few chunks."""

    box: tuple[tuple[int, int], ...]
    """In the whole."""
    at: tuple[slice, ...]
    """In the part laid end to end."""

    @property
    def where(self) -> tuple[slice, ...]:
        """The box as slices of the whole."""
        return tuple([slice(low, high) for low, high in self.box])


def tile(
    chunks: Sequence[int], shape: Sequence[int], itemsize: int, most_bytes: int
) -> tuple[int, ...]:
    """Extents in elements, multiples of `chunks`: rows of chunks, then more rows.

    Examples
    --------
    >>> tile((10, 10), (100, 35), 4, 4000)
    (20, 40)
    """
    found = list(chunks)
    for axis in reversed(range(len(found))):
        step = found[axis]
        room = most_bytes // max(1, prod(found) * itemsize)
        found[axis] = step * max(1, min(room, -(-shape[axis] // step)))
        if found[axis] < shape[axis]:
            break
    return tuple(found)


def held_bytes(tile: Sequence[int], itemsize: int) -> int:
    """Bytes of memory that a tile takes at most while it is packed or unpacked.

    Examples
    --------
    >>> held_bytes((20, 40), 4)
    19200
    """
    size = prod(tile) * itemsize
    return COPIES * size + min(2 * size, MOST_KEPT_BYTES)


def pieces(reads: Sequence[Intervals], tile: Sequence[int]) -> Iterator[Piece]:
    """The product of `reads` in pieces that do not cross multiples of `tile`.

    Examples
    --------
    >>> [p.box for p in pieces([((3, 9),)], (5,))]
    [((3, 5),), ((5, 9),)]
    """
    axes = [list(_along(r, t)) for r, t in zip(reads, tile, strict=True)]
    for chosen in product(*axes):
        yield Piece(tuple([c[0] for c in chosen]), tuple([c[1] for c in chosen]))


def _along(intervals: Intervals, step: int) -> Iterator[tuple[tuple[int, int], slice]]:
    at = 0
    for low, high in intervals:
        while low < high:
            end = min(high, (low // step + 1) * step)
            yield (low, end), slice(at, at + end - low)
            at, low = at + end - low, end
