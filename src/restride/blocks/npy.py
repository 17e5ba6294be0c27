"""The .npy format: what a header says, and a header for what will be written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import IO, Any, NamedTuple

import numpy as np

from restride.blocks.opened import told_of
from restride.checks import MAX_BYTES, MAX_RANK
from restride.errors import DTypeError, RestrideError, ShapeError, UnsupportedError

__all__ = ["Header", "check_length", "damage", "header_bytes", "read_header"]

VERSIONS = ((1, 0), (2, 0), (3, 0))

MOST_HEADER_BYTES = 1 << 20
"""Longest header read: far more than NumPy takes, and no burden on memory."""


class Header(NamedTuple):
    """What stands before the data of a .npy file."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    by_columns: bool
    """The first axis is the fast one ("fortran_order")."""
    begin: int
    """Byte the data begins at."""


def read_header(name: str, stream: IO[bytes]) -> Header:
    """The header at the beginning of `stream`; `name` is the file as the user wrote it.

    Raises
    ------
    UnsupportedError
        No .npy file, or a damaged or hostile one.
    DTypeError
        Its elements are Python objects, have no bytes, or have names it cannot keep.
    FileError
        It cannot be read.

    Notes
    -----
    numpy.lib.format, "Format Version 1.0" to "3.0".
    """
    try:
        with told_of(f"input {name}"), damage(name):
            shape, by_columns, dtype, is_unicode = _parsed(_Bounded(stream))
    except MemoryError:  # of the parser, for brackets in brackets without end
        raise _damaged(name, "its header is nested too deeply") from None
    _check_dtype(name, dtype, is_unicode)
    size = prod(n for n in shape if n) * dtype.itemsize
    is_odd = any(type(n) is not int or n < 0 for n in shape)
    if is_odd or len(shape) > MAX_RANK or size > MAX_BYTES:
        raise _damaged(name, f"shape {shape} of {dtype}")
    return Header(shape, dtype, bool(by_columns), stream.tell())


class _Bounded:
    """A stream that reads no more at a time than a header may be long."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        if size > MOST_HEADER_BYTES:
            raise ValueError(f"it tells of a header of {size} bytes")
        return self.stream.read(size)


def _parsed(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any], bool]:
    """Shape, "fortran_order", dtype, and whether the version has names in Unicode."""
    version = np.lib.format.read_magic(stream)
    if version not in VERSIONS:
        raise ValueError(f"version {version[0]}.{version[1]} is not known")
    if version == (1, 0):
        found = np.lib.format.read_array_header_1_0(stream)
    else:
        found = np.lib.format.read_array_header_2_0(stream)
    return *found, version == (3, 0)


def _check_dtype(name: str, dtype: np.dtype[Any], is_unicode: bool) -> None:
    if dtype.hasobject:
        raise DTypeError(
            f"input {name} holds Python objects ({dtype}), which could run code "
            "when loaded and are never read; save it with a plain dtype."
        )
    if dtype.itemsize == 0 or dtype.subdtype is not None:
        raise DTypeError(
            f"input {name} holds {dtype}, which is no dtype of an array's elements; "
            "save it with a plain dtype."
        )
    if is_unicode and not repr(dtype).isascii():  # read as Latin-1, which it is not
        raise DTypeError(
            f"input {name} has a field whose name is not in Latin-1; rename it."
        )


def header_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """The header of a row-major array, in the oldest version that holds it.

    Raises
    ------
    DTypeError
        A field has a name outside Latin-1.

    Examples
    --------
    >>> header_bytes((2, 3), np.dtype("<f4"))[1:6]
    b'NUMPY'
    """
    described = np.lib.format.dtype_to_descr(dtype)
    told = {"descr": described, "fortran_order": False, "shape": shape}
    stream = io.BytesIO()
    try:
        np.lib.format.write_array_header_1_0(stream, told)
    except UnicodeEncodeError:
        raise DTypeError(
            f"dtype {dtype} has a field whose name is not in Latin-1, which is what "
            "such a header holds; rename it."
        ) from None
    except ValueError:  # longer than version 1.0 can say
        stream = io.BytesIO()
        np.lib.format.write_array_header_2_0(stream, told)
    return stream.getvalue()


def check_length(
    name: str, shape: tuple[int, ...], dtype: np.dtype[Any], found: int
) -> None:
    """Refuse a file of `found` bytes after its header where more are needed."""
    needed = prod(shape) * dtype.itemsize
    if needed > found:
        raise ShapeError(
            f"input {name}: its header says {shape} of {dtype}, {needed} bytes, and "
            f"{max(found, 0)} follow; the file is cut short, write it again."
        )


@contextmanager
def damage(name: str) -> Iterator[None]:
    """Turn what a damaged file raises into one sentence."""
    try:
        yield
    except (RestrideError, OSError, MemoryError):
        raise
    except Exception as error:  # hostile bytes get anything out of a parser
        raise _damaged(name, str(error)) from None


def _damaged(name: str, reason: str) -> UnsupportedError:
    kind = ".npz" if ".npz" in name.lower() else ".npy"
    first = (reason.splitlines() or [""])[0].rstrip(".")
    short = first if len(first) <= 120 else f"{first[:117]}..."
    return UnsupportedError(
        f"input {name} is not a {kind} file that can be read ({short}); "
        "write it again with numpy.save or numpy.savez."
    )
