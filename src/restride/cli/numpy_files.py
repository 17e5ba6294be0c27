"""NumPy's own files: .npy mapped into memory, .npz read member by member."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

import numpy as np

from restride.cli.files import replace
from restride.cli.sources import Array, Source, check_memory
from restride.errors import DTypeError, RestrideError, ShapeError, UnsupportedError

__all__ = ["npy_writer", "npz_writer", "open_npy", "open_npz"]

MOST_AXES, MOST_BYTES = 64, 2**63 - 1
"""What an array can have at all; a header beyond it is damaged or hostile."""

DEFAULT_MEMBER = "arr_0"
"""What numpy.savez calls an array without a name."""


def open_npy(name: str, path: Path) -> Source:
    """The array in a .npy file, mapped rather than read."""
    with path.open("rb") as stream:
        shape, dtype, begin = _header(name, stream)
    _check_length(name, shape, dtype, path.stat().st_size - begin)

    def load() -> Array:
        mode: Literal["r"] | None = "r" if prod(shape) * dtype.itemsize else None
        with _damage(name):
            found: Array = np.load(path, mode, allow_pickle=False)
            return found

    return Source(name, shape, dtype, load)


def open_npz(name: str, path: Path, member: str | None) -> Source:
    """The array `member` of a .npz file; the only one where none is named."""
    with _damage(name), zipfile.ZipFile(path) as archive:
        entry = _entry(name, archive, member)
        with archive.open(entry) as stream:
            shape, dtype, begin = _header(name, stream)
        _check_length(name, shape, dtype, entry.file_size - begin)

    def load() -> Array:
        check_memory(f"input {name}", prod(shape) * dtype.itemsize)
        with (
            _damage(name),
            zipfile.ZipFile(path) as archive,
            archive.open(entry) as stream,
        ):
            return np.lib.format.read_array(stream, allow_pickle=False)

    return Source(name, shape, dtype, load)


def npy_writer(path: Path) -> Callable[[Array], None]:
    """What saves an array as a .npy file."""
    return lambda x: replace(path, lambda stream: _write(stream, x))


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
            with _damage(str(path)):
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


def _header(name: str, stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, dtype and where the data begins."""
    with _damage(name):
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            found = np.lib.format.read_array_header_1_0(stream)
        else:
            found = np.lib.format.read_array_header_2_0(stream)
    shape, _, dtype = found
    if dtype.hasobject:
        raise DTypeError(
            f"input {name} holds Python objects ({dtype}), which could run code "
            "when loaded and are never read; save it with a plain dtype."
        )
    size = prod(n for n in shape if n) * max(dtype.itemsize, 1)
    if any(n < 0 for n in shape) or len(shape) > MOST_AXES or size > MOST_BYTES:
        raise _damaged(name, f"shape {shape} of {dtype}")
    return shape, dtype, stream.tell()


def _check_length(
    name: str, shape: tuple[int, ...], dtype: np.dtype[Any], found: int
) -> None:
    needed = prod(shape) * dtype.itemsize
    if needed > found:
        raise ShapeError(
            f"input {name}: its header says {shape} of {dtype}, {needed} bytes, and "
            f"{max(found, 0)} follow; the file is cut short, write it again."
        )


@contextmanager
def _damage(name: str) -> Iterator[None]:
    """Turn what a damaged file raises into one sentence."""
    try:
        yield
    except (RestrideError, OSError, MemoryError):
        raise
    except Exception as error:  # hostile bytes get anything out of a parser
        raise _damaged(name, str(error)) from None


def _damaged(name: str, reason: str) -> UnsupportedError:
    kind = ".npz" if ".npz" in name.lower() else ".npy"
    short = reason if len(reason) <= 120 else f"{reason[:117]}..."
    return UnsupportedError(
        f"input {name} is not a {kind} file that can be read ({short}); "
        "write it again with numpy.save or numpy.savez."
    )
