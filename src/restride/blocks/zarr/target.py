"""A Zarr array as a target: begun beside its place, resumable, put there when whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from restride.arrays import checked_dtype
from restride.blocks.opened import check_name
from restride.blocks.restrict import Box
from restride.blocks.targets import Work
from restride.blocks.zarr.few_threads import (
    WAITING,
    finished,
    made_array,
    opened_array,
    stack_bytes,
)
from restride.blocks.zarr.files import check_metadata, is_chunk
from restride.blocks.zarr.kept import kept_words
from restride.blocks.zarr.layout import Layout, compressors, laid_out
from restride.blocks.zarr.places import Place, node_of, place_of
from restride.blocks.zarr.source import ZarrSource
from restride.blocks.zarr.tiles import SHARE, held_bytes, pieces, tile
from restride.blocks.zarr.unfinished import (
    ARRAY,
    DoneMap,
    Unfinished,
    unfinished_folder,
)
from restride.blocks.zarr.zarr_python import library, quiet, told_by_zarr
from restride.errors import DTypeError, UnsupportedError

__all__ = ["ZarrTarget", "target"]

Array = np.ndarray[Any, Any]


def target(
    path: str | os.PathLike[str],
    *,
    chunks: Any = None,
    shards: Any = None,
    compressor: Any = None,
    note: Callable[[str], None] | None = None,
) -> ZarrTarget:
    """A Zarr array of version 3 to write.

    Parameters
    ----------
    path : path
        ``store.zarr``, or ``store.zarr/name`` for an array in a group.
    chunks : sequence of int, optional
        Extents of a chunk in elements.  Without it: like the source's chunks along the
        axes that walk them, else about 4 MB, and within a 32nd of `max_bytes`.
    shards : sequence of int, optional
        Extents of a shard, whole multiples of the chunks.  Without it: as many chunks
        to a shard as in the source, or none.
    compressor : str or codec of zarr, optional
        "none", or "zstd", "gzip" or "blosc" with a level, as "zstd:3".  Without it: as
        in a source of version 3, else Zarr's own default.
    note : callable, optional
        Called with a line that says how much of a resumed run was there.

    Raises
    ------
    UnsupportedError
        The zarr package is not installed, the path names no store, or something else
        than a Zarr array is there.
    """
    return ZarrTarget(path, chunks, shards, compressor, note)


class ZarrTarget:
    """A Zarr array to be written; made by :func:`target`."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        chunks: Any = None,
        shards: Any = None,
        compressor: Any = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        library()
        self.note = note
        check_name(f"output {os.fspath(path)}")
        self.place = place_of(path)
        self.asked = chunks, shards, compressor
        self.chunks: tuple[int, ...] | None = None
        self.told = f"output {self.place.name}"
        self._unfinished: Unfinished | None = None
        with told_by_zarr(self.told):
            check_place(self.place)

    def layout(self, shape: tuple[int, ...], itemsize: int, work: Work) -> Layout:
        """The chunks and shards it will have: when resumed, those that it has."""
        source, (chunks, shards, _) = work.source, self.asked
        if work.resume and chunks is None and shards is None:
            begun = self._begun()
            if begun is not None and len(begun.chunks) == len(shape):
                return begun
        like = None
        if isinstance(source, ZarrSource):
            like = Layout(source.chunks, source.shards)
        return laid_out(
            shape, itemsize, like, work.chain, chunks, shards, work.max_bytes
        )

    def _begun(self) -> Layout | None:
        """The layout of the unfinished array that is there."""
        folder = unfinished_folder(self.place) / ARRAY
        if not folder.is_dir():
            return None
        try:
            with quiet():
                array = opened_array(folder, "r")
        except Exception:  # killed before it was all there, or damaged since
            return None
        return Layout(tuple(array.chunks), array.shards and tuple(array.shards))

    def held(self, shape: tuple[int, ...], itemsize: int, work: Work) -> int:
        """Bytes that writing takes besides the blocks."""
        unit = self.layout(shape, itemsize, work).unit
        packed = tile(unit, shape, itemsize, work.max_bytes // SHARE)
        # A source that is a Zarr array counts the threads that wait.
        waiting = 0 if isinstance(work.source, ZarrSource) else WAITING
        return held_bytes(packed, itemsize) + stack_bytes(work.max_bytes, waiting)

    def open(self, shape: tuple[int, ...], dtype: np.dtype[Any], work: Work) -> None:
        """Begin the array beside its place, or go on with it.

        Raises
        ------
        UnsupportedError, FileError, DTypeError, ShapeError
            It cannot be written there, or with these chunks or this dtype.
        """
        made = self.layout(shape, dtype.itemsize, work)
        checked_dtype(np.empty(0, dtype), self.told)
        check_fields(dtype, self.told)
        self.shape, self.chunks = shape, made.unit
        self._tile = tile(made.unit, shape, dtype.itemsize, work.max_bytes // SHARE)
        plan = self._plan(shape, dtype, work, made)
        if work.resume and not plan:
            raise UnsupportedError(
                "resume: an array in memory is not known again; give the source as a "
                "file."
            )
        with told_by_zarr(self.told), quiet():
            self._unfinished = Unfinished(self.place, plan, work.resume)
            try:
                self._done = self._found(shape, made.unit)
                self.array = self._created(shape, dtype, made, work)
            except BaseException:
                self.abort()
                raise

    def _found(self, shape: tuple[int, ...], unit: tuple[int, ...]) -> DoneMap:
        """What the record says is done, if all the files of that are there."""
        made = self._open()
        try:
            done = DoneMap(shape, unit, made.boxes)
        except (ValueError, IndexError):
            raise made.damaged() from None
        for place in done.units():
            if not is_chunk(made.array.joinpath("c", *map(str, place))):
                raise made.damaged()
        return done

    @property
    def is_resumed(self) -> bool:
        """True where an earlier run has written some of it."""
        return self._done.any

    def resumed(self, done: int, blocks: int) -> None:
        """So many of the blocks were there: told to whoever asked."""
        if self.note is not None:
            self.note(f"resumed: {done} of {blocks} blocks were there")

    def is_done(self, box: Box) -> bool:
        """True where an earlier run has written the box."""
        return self._done.has(box)

    def write(self, box: Box, cells: Array) -> None:
        """Pack the cells, some shards at a time."""
        made = self._open()
        with told_by_zarr(self.told):
            finished(self._pack(box, cells))
            made.add(box)

    async def _pack(self, box: Box, cells: Array) -> None:
        for piece in pieces([(pair,) for pair in box], self._tile, self._tile):
            await self.array.async_array.setitem(piece.where, cells[piece.at])

    def commit(self) -> None:
        """Put the array in its place, and make the groups above it."""
        made, self._unfinished = self._open(), None
        with told_by_zarr(self.told):
            try:
                check_place(self.place)  # that of now: hours may have passed
                groups = self._groups()
                made.commit()
            except BaseException:
                made.abort()
                raise
            with quiet():
                self._consolidate(groups)

    def abort(self) -> None:
        """Stop; what is done stays for a later run, beside the place."""
        made, self._unfinished = self._unfinished, None
        if made is not None:
            made.abort()

    def _open(self) -> Unfinished:
        if self._unfinished is None:
            raise AssertionError("a target is opened before it is written")
        return self._unfinished

    def _plan(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], work: Work, made: Layout
    ) -> dict[str, str]:
        """What the array is the result of; empty where a source is not known again."""
        known = [source.identity for source in work.sources]
        if None in known:
            return {}
        told = compressors(self.asked[2], _packed_like(work.source))
        return {
            "chain": work.told,
            "source": repr(known),
            "target": repr((shape, str(dtype), dtype.descr, *made, told)),
        }

    def _created(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], made: Layout, work: Work
    ) -> Any:
        folder = self._open().array
        if self._done.any:
            check_metadata(folder, self.told)
            begun = opened_array(folder, "r+")
            if not _is_like(begun, shape, dtype, made):
                raise self._open().damaged()
            return begun
        words: dict[str, Any] = {
            "chunks": made.chunks,
            "shards": made.shards,
            "compressors": compressors(self.asked[2], _packed_like(work.source)),
            # A chunk of -0.0 equals the fill value 0.0 and would be left out.
            "config": {"write_empty_chunks": True},
        }
        if isinstance(work.source, ZarrSource):
            words |= kept_words(work.source.array, work.chain)
        try:
            return made_array(folder, shape=shape, dtype=dtype, **words)
        except ValueError as error:
            if "data type" not in str(error):
                raise
            raise DTypeError(
                f"{self.told}: Zarr has no name for the dtype {dtype}; view it as one "
                f"of the same size first, such as uint{8 * dtype.itemsize}."
            ) from None

    def _groups(self) -> list[Any]:
        """The groups above the array, made where they are not there."""
        opened = library().api.asynchronous.open_group
        return [finished(opened(str(f), mode="a")) for f in self.place.above]

    def _consolidate(self, groups: list[Any]) -> None:
        """Metadata that a group keeps of all that is in it would not have the array."""
        for group in groups:
            if group.metadata.consolidated_metadata is not None:
                work = library().api.asynchronous.consolidate_metadata(group.store)
                finished(work)


def _is_like(
    array: Any, shape: tuple[int, ...], dtype: np.dtype[Any], made: Layout
) -> bool:
    """True for an array as it was made here; byte order is none of its dtype."""
    kept = array.shape, array.chunks, array.shards
    wanted = shape, made.chunks, made.shards
    return kept == wanted and array.dtype == dtype.newbyteorder("=")


def check_fields(dtype: np.dtype[Any], name: str) -> None:
    """Refuse records that the zarr package does not give back as they were.

    Raises
    ------
    DTypeError
        A field is of the other byte order, or has axes.
    """
    for field, *_ in (dtype.fields or {}).values():
        check_fields(field, name)
        if field.subdtype is not None or not field.isnative:
            raise DTypeError(
                f"{name}: Zarr does not keep records with fields such as {field}; view "
                f"them as raw bytes, V{dtype.itemsize}, first."
            )


def check_place(place: Place) -> None:
    """Refuse a place where no Zarr array can be put, before any work.

    Raises
    ------
    UnsupportedError
        Something else is there, or on the way there.
    OSError
        A name is longer than the file system takes.
    """
    parent = place.store.parent
    if not parent.is_dir():
        raise UnsupportedError(
            f"output {place.name}: {parent} is not a directory; make it first."
        )
    if not os.access(parent, os.W_OK | os.X_OK):
        raise UnsupportedError(
            f"output {place.name}: directory {parent} cannot be written; give another "
            "place."
        )
    longest = os.pathconf(parent, "PC_NAME_MAX")
    if any(len(os.fsencode(part)) > longest for part in Path(place.inside).parts):
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    for folder in place.above:
        if folder.exists() and not _is_bare(folder) and not _is_group(folder):
            raise UnsupportedError(
                f"output {place.name}: {folder} is no group of Zarr version 3, so no "
                "array can be put into it; give another name."
            )
    there = place.folder
    if not there.exists() or (there.is_dir() and not any(there.iterdir())):
        return
    if node_of(there).get("node_type") != "array":
        raise UnsupportedError(
            f"output {place.name} exists and is no Zarr array; give another name, or "
            "one inside it."
        )


def _is_bare(folder: Path) -> bool:
    """True for a directory without files, as mkdir leaves it, which may be a group."""
    return folder.is_dir() and all(inner.is_dir() for inner in folder.iterdir())


def _is_group(folder: Any) -> bool:
    node = node_of(folder)
    return node.get("node_type") == "group" and node.get("zarr_format") == 3


def _packed_like(source: Any) -> Any:
    """The codecs of a source of version 3."""
    if not isinstance(source, ZarrSource) or source.array.metadata.zarr_format != 3:
        return None
    return source.array.compressors
