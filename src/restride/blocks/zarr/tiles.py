"""How many chunks are asked for at a time: few enough for memory, enough for speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.intervals import Interval, Intervals, length
from restride.blocks.sources import positions

__all__ = ["COPIES", "READ_SHARE", "SHARE", "Piece", "held_bytes", "pieces", "tile"]

Array = np.ndarray[Any, Any]

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

    where: tuple[slice, ...]
    """In the whole: from its first position along each axis to its last, by steps."""
    at: tuple[slice, ...]
    """In the part laid end to end."""
    kept: tuple[tuple[int, Array], ...] = ()
    """Axes along which it is less than `where` has, and what of that it is."""

    @property
    def box(self) -> tuple[tuple[int, int], ...]:
        """The box it lies in."""
        return tuple([(s.start, s.stop) for s in self.where])

    def into(self, made: Array, read: Array) -> None:
        """Put the piece where it belongs, of what was `read` at `where`."""
        for axis, kept in self.kept:
            read = read.take(kept, axis)
        made[self.at] = read


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


def pieces(
    reads: Sequence[Intervals], tile: Sequence[int], chunks: Sequence[int]
) -> Iterator[Piece]:
    """The product of `reads` in pieces that do not cross multiples of `tile`.

    A chunk is in one piece only, so that it is unpacked once: intervals that share
    chunks, or lie in neighbouring ones, are read as one.

    Examples
    --------
    >>> [p.box for p in pieces([((3, 9),)], (5,), (5,))]
    [((3, 5),), ((5, 9),)]
    >>> [p.where for p in pieces([((0, 1), (4, 5), (8, 9))], (10,), (10,))]
    [(slice(0, 9, 4),)]
    """
    axes = [list(_along(r, t, c)) for r, t, c in zip(reads, tile, chunks, strict=True)]
    for chosen in product(*axes):
        kept = [(axis, s.kept) for axis, s in enumerate(chosen) if s.kept is not None]
        yield Piece(
            tuple([s.where for s in chosen]), tuple([s.at for s in chosen]), tuple(kept)
        )


class _Stretch(NamedTuple):
    """Intervals of one axis that are read as one."""

    where: slice
    at: slice
    kept: Array | None


def _along(intervals: Intervals, tile: int, chunk: int) -> Iterator[_Stretch]:
    """Intervals joined where no whole chunk lies between, and cut at tiles."""
    at = 0
    near: list[Interval] = []
    for low, high in _cut(intervals, tile):
        if near:
            last = near[-1][1] - 1
            if low // tile != last // tile or low // chunk - last // chunk > 1:
                yield _joined(near, at)
                at += length(near)
                near = []
        near.append((low, high))
    if near:
        yield _joined(near, at)


def _cut(intervals: Intervals, tile: int) -> Iterator[Interval]:
    for low, high in intervals:
        while low < high:
            end = min(high, (low // tile + 1) * tile)
            yield low, end
            low = end


def _joined(near: Sequence[Interval], at: int) -> _Stretch:
    """Intervals as one slice, with a step where that is all they are."""
    low, high = near[0][0], near[-1][1]
    count = length(near)
    place = slice(at, at + count)
    if len(near) == 1:
        return _Stretch(slice(low, high), place, None)
    step = near[1][0] - low
    if [(low + k * step, low + k * step + 1) for k in range(len(near))] == near:
        return _Stretch(slice(low, high, step), place, None)
    return _Stretch(slice(low, high), place, positions(near) - low)
