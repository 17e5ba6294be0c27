"""Where blocks come from: an array in memory, or a file read by position.

A source has a shape and a dtype, and reads products of intervals; nothing else is
asked of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Protocol

import numpy as np

from restride.blocks.intervals import Interval, Intervals, length
from restride.blocks.opened import Opened
from restride.blocks.pulls import alike, pulls

__all__ = ["ArraySource", "FileSource", "Source", "in_room", "opaque"]

Array = np.ndarray[Any, Any]
Reads = Sequence[Intervals]

FEW = 64
"""Elements of an interval, below which it is not worth a copy of its own."""


class Source(Protocol):
    """What :func:`restride.run_blocks` reads."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of the whole."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the elements."""

    @property
    def identity(self) -> str | None:
        """Words that change where the source does; None where nobody can tell."""

    def held(self, max_bytes: int) -> int:
        """Bytes of memory that reading takes besides the part read."""

    def read(self, reads: Reads, flat: bool, room: Array | None = None) -> Array:
        """The product of `reads`, one list of intervals per axis, laid end to end.

        With `flat`, `reads` is one list, of spans of the row-major reading.  `room`
        are bytes that the result may be made in; a result in memory of its own will
        do as well.
        """

    def expect(self, reads: Reads, flat: bool) -> None:
        """These will be read soon; a source may fetch them meanwhile."""

    def check_unchanged(self) -> None:
        """Refuse a source that changed since it was opened."""

    def close(self) -> None:
        """Let go of it."""


class ArraySource:
    """An array in memory."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype: np.dtype[Any] = array.dtype

    @property
    def identity(self) -> str | None:
        """Nobody can tell."""
        return None

    def held(self, max_bytes: int) -> int:
        """Nothing."""
        return 0

    def read(self, reads: Reads, flat: bool, room: Array | None = None) -> Array:
        """A view of the array where there is one interval per axis, else a copy."""
        if flat:
            return read_flat(self, reads[0], room)
        if all(len(r) <= 1 for r in reads):
            ranges: Any = [slice(*(r[0] if r else (0, 0))) for r in reads]
            return self.array[(*ranges, ...)]
        made = in_room(room, tuple([length(r) for r in reads]), self.dtype)
        whole, into = opaque(self.array), opaque(made)
        if prod([len(r) for r in reads]) * FEW > made.size:
            into[...] = whole[np.ix_(*[positions(r) for r in reads])]
            return made
        for cells in product(*map(along, reads)):
            target, part = zip(*cells, strict=True)
            into[target] = whole[part]
        return made

    def expect(self, reads: Reads, flat: bool) -> None:
        """All is there."""

    def check_unchanged(self) -> None:
        """Nobody can tell."""

    def close(self) -> None:
        """Nothing is held."""


class FileSource:
    """An array that lies in a file as it is in memory, from byte `begin` on."""

    def __init__(
        self,
        file: Opened,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        begin: int = 0,
        by_columns: bool = False,
    ) -> None:
        self.file, self.begin, self.by_columns = file, begin, by_columns
        self.shape, self.dtype = shape, dtype

    @property
    def identity(self) -> str | None:
        """The file, its size and the time of its last change."""
        whole = (self.begin, self.by_columns, self.shape, str(self.dtype))
        return f"{self.file.identity} {whole}"

    def held(self, max_bytes: int) -> int:
        """Nothing."""
        return 0

    def read(self, reads: Reads, flat: bool, room: Array | None = None) -> Array:
        """The elements, read by position into `room`.

        Raises
        ------
        FileError
            The file ends early, or cannot be read.
        """
        if not flat:
            return self._product(self.shape, reads, room)
        if self.by_columns and len(self.shape) > 1:
            return read_flat(self, reads[0], room)
        return self._rows((prod(self.shape),), reads, room)

    def expect(self, reads: Reads, flat: bool) -> None:
        """Have the system fetch what these reads need into its cache."""
        shape = (prod(self.shape),) if flat else self.shape
        if self.by_columns:
            if flat:
                return
            shape, reads = shape[::-1], reads[::-1]
        size = self.dtype.itemsize
        for pull in pulls(shape, reads, size):
            stretch = pull.rows * prod(pull.row_shape) * size
            self.file.expect(self.begin + pull.begin * size, stretch)

    def _product(
        self, shape: tuple[int, ...], reads: Reads, room: Array | None
    ) -> Array:
        if self.by_columns:
            return self._rows(shape[::-1], reads[::-1], room).T
        return self._rows(shape, reads, room)

    def _rows(self, shape: tuple[int, ...], reads: Reads, room: Array | None) -> Array:
        """The product of `reads` of the file read row-major as `shape`."""
        size = self.dtype.itemsize
        made = in_room(room, tuple([length(r) for r in reads]), self.dtype)
        cells = made.reshape(-1).view(np.uint8)
        even = alike(shape, reads, size)
        if even is not None:
            stretch, starts = even
            places = (self.begin + start * size for start in starts)
            self.file.read_each(cells, places, stretch * size)
            return made
        for pull in pulls(shape, reads, size):
            at_byte = self.begin + pull.begin * size
            shape = pull.rows, *pull.row_shape
            if not pull.crops:
                at = pull.at * size
                self.file.read(cells[at : at + prod(shape) * size], at_byte)
                continue
            whole = np.empty(prod(shape) * size, np.uint8)
            self.file.read(whole, at_byte)
            rows = opaque(whole.view(self.dtype)).reshape(shape)
            target = opaque(made)[pull.place]
            for part, where in pull.crops:
                target[(slice(None), *where)] = rows[(slice(None), *part)]
        return made

    def check_unchanged(self) -> None:
        """Refuse a file that was written to since it was opened."""
        self.file.check_unchanged()

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def opaque(array: Array) -> Array:
    """Records as bytes alone: NumPy's assignment leaves out the bytes of no field."""
    return array if array.dtype.names is None else array.view(f"V{array.itemsize}")


def positions(intervals: Sequence[Interval]) -> Array:
    """The positions of `intervals`, one by one."""
    return np.concatenate([np.arange(a, b) for a, b in intervals])


def along(intervals: Intervals) -> Iterator[tuple[slice, slice]]:
    """Where each interval goes, laid end to end, and where it is."""
    at = 0
    for low, high in intervals:
        yield slice(at, at + high - low), slice(low, high)
        at += high - low


def in_room(room: Array | None, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of `shape` in the bytes of `room`; a fresh one where it has too few."""
    needed = prod(shape) * dtype.itemsize
    if room is None or room.nbytes < needed:
        return np.empty(shape, dtype)
    return room[:needed].view(dtype).reshape(shape)


def read_flat(source: Source, spans: Intervals, room: Array | None = None) -> Array:
    """Spans of the row-major reading of a source that reads products only."""
    made = in_room(room, (length(spans),), source.dtype)
    done = 0
    for span in spans:
        for box in boxes_of_span(source.shape, *span):
            n = prod([b - a for a, b in box])
            held = made[done : done + n].view(np.uint8)
            part = source.read([(pair,) for pair in box], False, held)
            made[done : done + n] = part.reshape(-1)
            done += n
    return made


def boxes_of_span(
    shape: tuple[int, ...], low: int, high: int
) -> list[tuple[tuple[int, int], ...]]:
    """The boxes that hold elements low to high - 1 of the row-major reading, in order.

    Examples
    --------
    >>> boxes_of_span((4, 3), 2, 10)
    [((0, 1), (2, 3)), ((1, 3), (0, 3)), ((3, 4), (0, 1))]
    """
    if low >= high:
        return []
    if not shape:
        return [()]
    row = prod(shape[1:])
    first, last = low // row, (high - 1) // row
    if first == last:
        inside = boxes_of_span(shape[1:], low - first * row, high - first * row)
        return [((first, first + 1), *box) for box in inside]
    head, tail = -(-low // row), high // row
    found = boxes_of_span(shape, low, head * row) if low < head * row else []
    if head < tail:
        found.append(((head, tail), *[(0, n) for n in shape[1:]]))
    return found + (boxes_of_span(shape, tail * row, high) if tail * row < high else [])
