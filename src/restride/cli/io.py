"""Arrays from files and to files: .npy, .npz, raw .bin, Zarr, and images.

Opening reads the header only; `Source.load` reads (or maps) the data.  Pickled
objects are never loaded, and a header is believed only as far as the file reaches.
"""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from restride.blocks.beside import check_target, replace
from restride.blocks.run import run_blocks
from restride.blocks.zarr.places import is_zarr
from restride.blocks.zarr.source import source as zarr_source
from restride.blocks.zarr.target import target as zarr_target
from restride.cli import images, numpy_files
from restride.cli.sources import Array, Sink, Source
from restride.errors import DTypeError, ShapeError, UnsupportedError

__all__ = ["named_dtype", "open_sink", "open_source"]

KINDS = f".npy, .npz, .bin, .zarr or an image ({', '.join(images.SUFFIXES)})"


def named_dtype(name: str) -> np.dtype[Any]:
    """A dtype by its name; bfloat16 and the float8 family are known.

    Raises
    ------
    DTypeError
        No such dtype, or one without fixed-size elements.
    """
    try:
        made = np.dtype(_small_float(name) or name)
    except (TypeError, ValueError, SyntaxError, KeyError):
        made = np.dtype("V0")
    if made.itemsize == 0 or made.subdtype is not None or made.hasobject:
        raise DTypeError(
            f"--dtype '{name}' is not a dtype of fixed-size elements; "
            "write one such as uint8, float32, >i2 or bfloat16."
        )
    return made


def _small_float(name: str) -> Any:
    """The type of this name in ml_dtypes, which NumPy knows only once it is loaded."""
    if not name.startswith(("bfloat", "float8", "float4", "float6", "int4", "uint4")):
        return None
    import ml_dtypes

    return getattr(ml_dtypes, name, None)


def open_source(
    name: str, dtype: np.dtype[Any] | None = None, shape: tuple[int, ...] | None = None
) -> Source:
    """The array in file `name`; `dtype` and `shape` are what raw data needs.

    Raises
    ------
    UnsupportedError
        A kind of file that is not known, or one this installation cannot read.
    DTypeError, ShapeError
        `dtype` or `shape` is missing for raw data or contradicts the file.
    OSError
        The file cannot be read.
    """
    if is_zarr(name):
        return _as_told(_open_zarr(name), dtype, shape)
    path, member = split_member(name)
    suffix = path.suffix.lower()
    if suffix == ".bin":
        return _open_raw(name, path, dtype, shape)
    if suffix == ".npy":
        found = numpy_files.open_npy(name, path)
    elif suffix == ".npz":
        found = numpy_files.open_npz(name, path, member)
    elif suffix in images.SUFFIXES:
        found = images.open_image(name, path)
    else:
        raise UnsupportedError(f"input {name}: unknown kind of file; give {KINDS}.")
    return _as_told(found, dtype, shape)


def open_sink(name: str) -> Sink:
    """The file `name` as a place for a result; nothing is created yet."""
    if is_zarr(name):
        zarr_target(name)  # whose making refuses a place where none can be put
        return Sink(name, _any, lambda x: run_blocks([], x, name))
    path, member = split_member(name)
    suffix = path.suffix.lower()
    if suffix not in (".npy", ".npz", ".bin", *images.SUFFIXES):
        raise UnsupportedError(f"output {name}: unknown kind of file; give {KINDS}.")
    check_target(path)
    if suffix in images.SUFFIXES:
        return images.image_sink(name, path)
    if suffix == ".npz":
        _check_member(name, member)
        return Sink(name, _any, numpy_files.npz_writer(path, member))
    if suffix == ".npy":
        return Sink(name, _any, numpy_files.npy_writer(path))
    return Sink(name, _any, lambda x: replace(path, lambda f: write_raw(f, x)))


def split_member(name: str) -> tuple[Path, str | None]:
    """``file.npz:member`` as path and member.

    Examples
    --------
    >>> split_member("a.npz:x")[1], split_member("a.npy")[1]
    ('x', None)
    """
    at = name.lower().rfind(".npz:")
    if at < 0:
        return Path(name), None
    return Path(name[: at + 4]), name[at + 5 :]


def _check_member(name: str, member: str | None) -> None:
    """Refuse a name that no array of a file can have, or that leaves its folder."""
    parts = (member or "").split("/")
    if member is None or ("" not in parts and ".." not in parts and "\\" not in member):
        return
    raise UnsupportedError(
        f"output {name}: the name of an array in a .npz file is not empty and has no "
        "'..'; write file.npz:name, or file.npz for one array alone."
    )


def write_raw(stream: BinaryIO, x: Array) -> None:
    """The bytes of a row-major array, and nothing else."""
    stream.write(np.ascontiguousarray(x).reshape(-1).view(np.uint8).data)


def _any(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """A format that holds every array."""


def _open_raw(
    name: str, path: Path, dtype: np.dtype[Any] | None, shape: tuple[int, ...] | None
) -> Source:
    if dtype is None or shape is None:
        raise ShapeError(
            f"input {name} is raw data, which says nothing about itself; "
            "give --dtype and --shape."
        )
    needed, found = prod(shape) * dtype.itemsize, path.stat().st_size
    if needed != found:
        raise ShapeError(
            f"input {name} has {found} bytes and --shape {shape} of {dtype} takes "
            f"{needed}; give the shape it was written with."
        )
    if not needed:
        return Source(name, shape, dtype, lambda: np.empty(shape, dtype))
    return Source(name, shape, dtype, lambda: np.memmap(path, dtype, "r", shape=shape))


def _open_zarr(name: str) -> Source:
    found = zarr_source(name)
    everything = [((0, n),) for n in found.shape]
    return Source(
        name, found.shape, found.dtype, lambda: found.read(everything, flat=False)
    )


def _as_told(
    found: Source, dtype: np.dtype[Any] | None, shape: tuple[int, ...] | None
) -> Source:
    """The source, as the dtype the file format could not name."""
    if shape is not None and shape != found.shape:
        raise ShapeError(
            f"input {found.name} has shape {found.shape} and --shape says {shape}; "
            "leave --shape out, it is for raw data."
        )
    if dtype is None or dtype == found.dtype:
        return found
    if found.dtype.kind == "V" and found.dtype.itemsize == dtype.itemsize:
        return Source(found.name, found.shape, dtype, lambda: found.load().view(dtype))
    raise DTypeError(
        f"input {found.name} holds {found.dtype} and --dtype says {dtype}; "
        "leave --dtype out, restride does not convert."
    )
