"""The files of a Zarr array in a directory: what they are, and whether one changed."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from restride.blocks.opened import told_of
from restride.blocks.zarr.places import MOST_METADATA_BYTES
from restride.errors import FileError

__all__ = ["check_metadata", "is_chunk", "state"]

METADATA = ("zarr.json", ".zarray", ".zattrs", ".zgroup")

CHUNK = re.compile(r"c?[0-9.]*")
"""Names of the files of chunks and shards, such as 0, c.0.1 or 0.1."""

Known = tuple[tuple[int, int], ...]
"""Directories on the way, by device and number."""


def check_metadata(folder: Path, name: str) -> None:
    """Refuse files that would be waited for, or read without an end.

    Raises
    ------
    FileError
        One is no regular file, or longer than any that tells of an array.
    """
    with told_of(name):
        for path in [folder / part for part in METADATA]:
            if not path.exists() or path.is_dir():
                continue
            _check_regular(path.stat(), name, path.name)
            if path.stat().st_size > MOST_METADATA_BYTES:
                raise FileError(
                    f"{name}: {path.name} has {path.stat().st_size} bytes, and at most "
                    f"{MOST_METADATA_BYTES} are read; keep less in its attributes."
                )


def is_chunk(path: Path) -> bool:
    """True for a file that may hold a chunk or shard: a regular one, not empty."""
    try:
        told = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(told.st_mode) and told.st_size > 0


def state(root: Path, name: str, rank: int) -> str:
    """A digest of the names, sizes and times of all files of the array of `rank` axes.

    Raises
    ------
    FileError
        One cannot be looked at, is no regular file, or is a chunk without a byte; a
        directory stands where a chunk is read.
    """
    digest = hashlib.sha256()
    with told_of(name):
        for line in _files(str(root), "", name, rank, ()):
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _files(
    folder: str, inside: str, name: str, rank: int, above: Known
) -> Iterator[str]:
    here = Path(folder).stat()
    known = (here.st_dev, here.st_ino)
    if known in above:
        raise FileError(f"{name}: {inside[1:]} leads back into itself; remove it.")
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = f"{inside}/{entry.name}"
        if entry.is_dir():
            if _stands_for_chunk(path[1:], rank):  # and would be read as one of zeros
                raise FileError(
                    f"{name}: {path[1:]} is a directory, and a chunk belongs there; "
                    "write the array again."
                )
            yield from _files(entry.path, path, name, rank, (*above, known))
            continue
        told = entry.stat()
        _check_regular(told, name, path[1:])
        if told.st_size == 0 and CHUNK.fullmatch(entry.name):
            raise FileError(
                f"{name}: {path[1:]} is empty, so it cannot be read; write it again."
            )
        yield f"{path} {told.st_size} {told.st_mtime_ns}\n"


def _stands_for_chunk(path: str, rank: int) -> bool:
    """True where a chunk of an array of `rank` axes has this name.

    Examples
    --------
    >>> [_stands_for_chunk(path, 2) for path in ("c", "c/0", "c/0/1", "0.1", "x/0/1")]
    [False, False, True, True, False]
    """
    parts = path.split("/")
    places = parts[1:] if parts[0] == "c" else parts
    if CHUNK.fullmatch(parts[-1]) and "." in parts[-1]:
        return True
    return len(places) >= rank and all(part.isdigit() for part in places)


def _check_regular(told: os.stat_result, name: str, path: str) -> None:
    if not stat.S_ISREG(told.st_mode):
        raise FileError(f"{name}: {path} is no regular file; remove it.")
