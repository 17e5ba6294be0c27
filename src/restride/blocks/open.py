"""What a caller gives as source or target, as one that blocks can use."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from restride.arrays import as_source, may_overlap, owner_of, whole_memory
from restride.blocks.mapped import file_under, shows
from restride.blocks.npy import check_length, read_header
from restride.blocks.opened import Opened
from restride.blocks.sources import ArraySource, FileSource, Source
from restride.blocks.targets import ArrayTarget, FileTarget, Target
from restride.blocks.zarr.places import is_zarr
from restride.blocks.zarr.source import source as zarr_source
from restride.blocks.zarr.target import target as zarr_target
from restride.checks import kind_of, printable
from restride.errors import UnsupportedError
from restride.lazy import View

__all__ = ["npy_source", "open_source", "open_target", "raw_source"]

Array = np.ndarray[Any, Any]


def open_source(given: Any) -> Source:
    """A path ending in .npy, one of a Zarr array, an array, or a source already.

    Raises
    ------
    FileError, UnsupportedError, DTypeError, ShapeError
        The file cannot be read, or `given` is no source.
    """
    if _is_zarr(given):
        return zarr_source(given)
    if isinstance(given, (str, os.PathLike)):
        return _path_source(given)
    if isinstance(given, np.ndarray):
        return _mapped(given) or ArraySource(as_source(given, "source"))
    if hasattr(given, "read") and hasattr(given, "check_unchanged"):
        found: Source = given
        return found
    raise UnsupportedError(
        f"source is {kind_of(given)}; give the path of a .npy file or of a Zarr array, "
        f"a NumPy array or a memory map.{_instead(given)}"
    )


def open_target(given: Any, sources: Sequence[Source]) -> Target:
    """A path ending in .npy or .bin, one of a Zarr array, an array, or a target.

    Raises
    ------
    UnsupportedError
        `given` is no target, cannot be written, or shares memory with an array that is
        a source.
    """
    if isinstance(given, (str, os.PathLike)) and is_zarr(given):
        return zarr_target(given)
    if isinstance(given, (str, os.PathLike)):
        suffix = Path(given).suffix.lower()
        if suffix not in (".npy", ".bin"):
            raise UnsupportedError(
                f"output {printable(os.fspath(given))}: blocks are written to .npy, to "
                ".zarr, or to .bin for the bytes alone."
            )
        return FileTarget(given, raw=suffix == ".bin")
    if isinstance(given, np.ndarray):
        if any(_shares(source, given) for source in sources):
            raise UnsupportedError(
                "source and target share memory, and a block written would change "
                "what the next one reads; give another target."
            )
        return ArrayTarget(given)
    if hasattr(given, "write") and hasattr(given, "commit"):
        found: Target = given
        return found
    raise UnsupportedError(
        f"target is {kind_of(given)}; give the path of a .npy or .bin file or of a "
        f"Zarr array, a NumPy array or a memory map.{_instead(given)}"
    )


def _instead(given: Any) -> str:
    """What serves somebody who has an array of such a library."""
    array = given.array if isinstance(given, View) else given
    home = type(array).__module__.partition(".")[0]
    if home == "dask":
        return " restride.dask moves Dask arrays, whose own to_zarr() writes them."
    if home == "xarray":
        return " The accessor of restride.xarray moves labelled arrays."
    return ""


def npy_source(path: str | os.PathLike[str]) -> FileSource:
    """The array in a .npy file."""
    file = Opened(path)
    try:
        with open(file.fd, "rb", closefd=False) as stream:
            header = read_header(file.name, stream)
        shape, dtype, by_columns, begin = header
        check_length(file.name, shape, dtype, file.size_bytes - begin)
    except BaseException:
        file.close()
        raise
    return FileSource(file, shape, dtype, begin, by_columns)


def raw_source(
    path: str | os.PathLike[str], shape: tuple[int, ...], dtype: np.dtype[Any]
) -> FileSource:
    """The array of this shape and dtype in a file of nothing but its bytes."""
    file = Opened(path)
    try:
        check_length(file.name, shape, dtype, file.size_bytes)
    except BaseException:
        file.close()
        raise
    return FileSource(file, shape, dtype)


def _shares(source: Source, target: Array) -> bool:
    """True where writing into `target` may change what `source` reads."""
    if isinstance(source, ArraySource):
        return may_overlap(source.array, target)
    return isinstance(source, FileSource) and shows(target, source.file.fd)


def _is_zarr(given: Any) -> bool:
    """True for the path of a Zarr array, and for one that is open."""
    if isinstance(given, (str, os.PathLike)):
        return is_zarr(given)
    kind = type(given)
    return kind.__module__.partition(".")[0] == "zarr" and kind.__name__ == "Array"


def _path_source(path: str | os.PathLike[str]) -> Source:
    if Path(path).suffix.lower() != ".npy":
        raise UnsupportedError(
            f"input {printable(os.fspath(path))}: blocks are read from .npy or "
            ".zarr; map raw data with numpy.memmap."
        )
    return npy_source(path)


def _mapped(array: Array) -> FileSource | None:
    """The file under a memory map, where the array lies in it in one piece.

    Read by position, a file cut short gives an error; through the map it would end
    the process, and every page read would count as the process's memory.
    """
    owner = owner_of(array)
    if type(owner) is not np.memmap or owner.mode not in ("r", "r+", "w+"):
        return None
    if not isinstance(owner.base, mmap.mmap):
        return None
    if not array.flags.forc or array.size == 0:
        return None
    name = file_under(owner)
    if name is None or not os.access(name, os.R_OK):
        return None
    if owner.mode != "r":
        owner.flush()
    begin = owner.offset + whole_memory(array)[1]
    file = Opened(name)
    try:
        check_length(file.name, array.shape, array.dtype, file.size_bytes - begin)
    except BaseException:
        file.close()
        raise
    by_columns = not array.flags.c_contiguous
    return FileSource(file, array.shape, array.dtype, begin, by_columns)
