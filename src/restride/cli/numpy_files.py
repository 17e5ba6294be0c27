"""NumPy's own files: .npy mapped into memory, .npz read member by member."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import IO, BinaryIO, Literal

import numpy as np

from restride.blocks.beside import replace
from restride.blocks.npy import check_length, damage, read_header
from restride.blocks.opened import Opened
from restride.cli.sources import Array, Source, check_memory
from restride.errors import UnsupportedError

__all__ = ["npy_writer", "npz_writer", "open_npy", "open_npz"]

DEFAULT_MEMBER = "arr_0"
"""What numpy.savez calls an array without a name."""


def open_npy(name: str, path: Path) -> Source:
    """The array in a .npy file, mapped rather than read."""
    with Opened(path) as file, open(file.fd, "rb", closefd=False) as stream:
        shape, dtype, _, begin = read_header(name, stream)
        check_length(name, shape, dtype, file.size_bytes - begin)

    def load() -> Array:
        mode: Literal["r"] | None = "r" if prod(shape) * dtype.itemsize else None
        with damage(name):
            found: Array = np.load(path, mode, allow_pickle=False)
            return found

    return Source(name, shape, dtype, load)


def open_npz(name: str, path: Path, member: str | None) -> Source:
    """The array `member` of a .npz file; the only one where none is named."""
    with damage(name), zipfile.ZipFile(path) as archive:
        entry = _entry(name, archive, member)
        with archive.open(entry) as stream:
            shape, dtype, _, begin = read_header(name, stream)
        check_length(name, shape, dtype, entry.file_size - begin)

    def load() -> Array:
        check_memory(f"input {name}", prod(shape) * dtype.itemsize)
        with (
            damage(name),
            zipfile.ZipFile(path) as archive,
            archive.open(entry) as stream,
        ):
            return np.lib.format.read_array(stream, allow_pickle=False)

    return Source(name, shape, dtype, load)


def npy_writer(path: Path) -> Callable[[Array], None]:
    """What saves an array as a .npy file."""
    return lambda x: replace(path, lambda stream: _write(stream, x), x.nbytes)


def npz_writer(path: Path, member: str | None) -> Callable[[Array], None]:
    """What saves an array into a .npz file.

    With a member named, the file's other arrays stay; without, it is the only one.
    """

    def save(x: Array) -> None:
        replace(path, lambda stream: _write_member(stream, x, path, member))

    return save


def _write(stream: IO[bytes], x: Array) -> None:
    np.lib.format.write_array(stream, np.asarray(x), allow_pickle=False)


def _write_member(stream: BinaryIO, x: Array, path: Path, member: str | None) -> None:
    entry = f"{member or DEFAULT_MEMBER}.npy"
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as made:
        if member is not None and path.exists():
            with damage(str(path)):
                _keep_others(made, path, entry)
        with made.open(entry, "w", force_zip64=True) as room:
            _write(room, x)


def _keep_others(made: zipfile.ZipFile, path: Path, entry: str) -> None:
    with zipfile.ZipFile(path) as before:
        for item in before.infolist():
            if item.filename != entry:
                with before.open(item) as old, made.open(item, "w") as new:
                    shutil.copyfileobj(old, new)


def _entry(name: str, archive: zipfile.ZipFile, member: str | None) -> zipfile.ZipInfo:
    held = [n.removesuffix(".npy") for n in archive.namelist()]
    if member is None and len(held) == 1:
        member = held[0]
    if member not in held:
        listed = ", ".join(held[:8]) + (", ..." if len(held) > 8 else "")
        asked = "is no array of its file" if member else "was given without a name"
        raise UnsupportedError(
            f"input {name} {asked}; it holds {listed or 'nothing'}. "
            "Write file.npz:name."
        )
    names = archive.namelist()
    return archive.getinfo(names[held.index(member)])
