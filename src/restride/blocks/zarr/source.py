"""A Zarr array as a source: products of intervals, a few chunks at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from restride.arrays import checked_dtype
from restride.blocks.intervals import Interval, Intervals, length
from restride.blocks.memory import ChunkMemoryError, lacks_memory
from restride.blocks.opened import check_name
from restride.blocks.sources import in_room
from restride.blocks.zarr.few_threads import (
    finished,
    opened_array,
    own_loop_serves,
    stack_bytes,
)
from restride.blocks.zarr.files import check_metadata, state
from restride.blocks.zarr.flat import Scattered, scattered
from restride.blocks.zarr.places import place_of
from restride.blocks.zarr.tiles import READ_SHARE, Piece, held_bytes, pieces, tile
from restride.blocks.zarr.zarr_python import (
    is_local,
    library,
    quiet,
    short,
    told_by_zarr,
)
from restride.checks import MAX_BYTES, MAX_RANK
from restride.errors import FileError, ShapeError, UnsupportedError

__all__ = ["ZarrSource", "source"]

Array = np.ndarray[Any, Any]
Reads = Sequence[Intervals]

USUAL_BYTES = 256_000_000
WRONG = " The array is damaged there, or is no Zarr array of version 2 or 3."


def source(given: Any) -> ZarrSource:
    """A Zarr array to read from.

    Parameters
    ----------
    given : path or zarr.Array
        ``store.zarr``, or ``store.zarr/name`` for an array in a group; version 3 or 2.
        An array that is open may lie in any store.

    Raises
    ------
    FileError, UnsupportedError, DTypeError, ShapeError
        There is none, it is damaged, or its elements are no fixed bytes.
    """
    if not isinstance(given, (str, os.PathLike)):
        return ZarrSource(given, f"input {given!s}")
    check_name(f"input {os.fspath(given)}")
    place = place_of(given)
    name, zarr = f"input {place.name}", library()
    if not place.folder.is_dir():
        raise FileError(f"{name}: No such directory.")
    check_metadata(place.folder, name)
    with told_by_zarr(name, WRONG), quiet():
        try:
            array = opened_array(place.folder, "r")
        except FileNotFoundError:
            raise _no_array(name, place.folder) from None
        except zarr.errors.NodeTypeValidationError as error:
            if "group" in str(error):
                raise _no_array(name, place.folder) from None
            raise
    return ZarrSource(array, name)


def _no_array(name: str, folder: Path) -> UnsupportedError:
    """The error for a group or an empty directory, with what is in it."""
    found = sorted(
        [p.name for p in folder.iterdir() if p.is_dir() and p.name[0] != "."]
    )
    held = f"; it holds {', '.join(found[:8])}" if found else ""
    return UnsupportedError(
        f"{name} is no Zarr array{held}; give the path of an array, as store.zarr/name."
    )


class ZarrSource:
    """A Zarr array; made by :func:`source`."""

    def __init__(self, array: Any, name: str) -> None:
        self.array, self.name = array, name
        self.shape: tuple[int, ...] = tuple(map(int, array.shape))
        self.dtype: np.dtype[Any] = np.dtype(array.dtype)
        self.chunks: tuple[int, ...] = tuple([max(1, int(c)) for c in array.chunks])
        found = getattr(array, "shards", None)
        self.shards = None if found is None else tuple(map(int, found))
        size = prod(n for n in self.shape if n) * max(self.dtype.itemsize, 1)
        if len(self.shape) > MAX_RANK or size > MAX_BYTES:
            raise ShapeError(
                f"{name} says shape {self.shape} of {self.dtype}, which is more than "
                f"{MAX_RANK} axes or 2**63 - 1 bytes; it is damaged."
            )
        checked_dtype(np.empty(0, self.dtype), name)
        self._tile = self.chunks
        self.held(USUAL_BYTES)
        self._root = _root(array)
        self._state = (
            None if self._root is None else state(self._root, name, len(self.shape))
        )

    def held(self, max_bytes: int) -> int:
        """Bytes that reading takes besides the part itself; fits tiles to these."""
        size = self.dtype.itemsize
        self._tile = tile(self.chunks, self.shape, size, max_bytes // READ_SHARE)
        # Many small pieces, freed apart, keep half as much again: so it was measured.
        held = held_bytes(self._tile, size) * 3 // 2
        return held + stack_bytes(max_bytes)

    @property
    def identity(self) -> str | None:
        """Changes where the array does; None where that cannot be told."""
        return None if self._root is None else f"{self._root} {self._state}"

    def read(self, reads: Reads, flat: bool, room: Array | None = None) -> Array:
        """The product of `reads`, unpacked into `room`.

        Raises
        ------
        FileError
            A chunk cannot be read or unpacked.
        """
        parts: Iterable[Piece | Scattered]
        if flat:
            rows = *self.chunks[:1], *self._tile[1:]  # no chunks between two spans
            extents: tuple[int, ...] = (length(reads[0]),)
            parts = scattered(reads[0], self.shape, rows)
        else:
            extents = tuple([length(r) for r in reads])
            parts = pieces(reads, self._tile, self.chunks)
        made = in_room(room, extents, self.dtype)
        if own_loop_serves(self.array):
            finished(self._unpack(parts, made))
            return made
        for part in parts:
            with self._told(part.box):
                part.into(made, self.array[part.where])
        return made

    async def _unpack(self, parts: Iterable[Piece | Scattered], made: Array) -> None:
        for part in parts:
            with self._told(part.box):
                read = await self.array.async_array.getitem(part.where)
                part.into(made, read)

    @contextmanager
    def _told(self, box: Sequence[Interval]) -> Iterator[None]:
        """Where whatever a codec raises becomes a sentence about the chunk."""
        try:
            yield
        except Exception as error:
            lows = [low - low % c for (low, _), c in zip(box, self.chunks, strict=True)]
            if lacks_memory(error):
                raise ChunkMemoryError(f"{self.name} at {tuple(lows)}") from None
            raise FileError(
                f"{self.name}: a chunk at {tuple(lows)} or after it cannot be read "
                f"({short(error)}); write it again."
            ) from None

    def expect(self, reads: Reads, flat: bool) -> None:
        """Chunks are read when they are needed."""

    def check_unchanged(self) -> None:
        """Refuse an array whose files are not what they were.

        Raises
        ------
        FileError
            The size, or the time of the last change, of one of them is another.
        """
        if (
            self._root is not None
            and state(self._root, self.name, len(self.shape)) != self._state
        ):
            raise FileError(
                f"{self.name} changed while it was read, so the result would be of "
                "two states of it; run again when nothing writes to it."
            )

    def close(self) -> None:
        """Nothing is held."""


def _root(array: Any) -> Path | None:
    if not is_local(array):
        return None
    return Path(os.path.realpath(array.store.root), array.path)
