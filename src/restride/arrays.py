"""The only door for arrays: what comes in, and what may be written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.checks import is_nest, kind_of, shown
from restride.endless import refuse_endless
from restride.errors import DTypeError, RestrideError, ShapeError, UnsupportedError

__all__ = [
    "as_dtype",
    "as_given",
    "as_source",
    "as_target",
    "checked_dtype",
    "is_injective",
    "may_overlap",
    "memory",
    "owner_of",
    "plain",
    "whole_memory",
]

Array = np.ndarray[Any, Any]

EXACT_OVERLAP_LIMIT = 1 << 22
"""Most elements whose addresses are compared one by one when bounds do not decide."""


def as_source(x: Any, name: str = "x") -> Array:
    """`x` as a plain NumPy array; lists and subclasses lose what they were.

    Raises
    ------
    UnsupportedError
        A masked or sparse array: its mask or zeros would be lost in silence.
    DTypeError
        Elements that are Python objects, or None.
    """
    if type(x) is np.ndarray:
        return checked_dtype(x, name)
    if x is None:
        raise DTypeError(f"{name} is None; give an array.")
    if isinstance(x, np.ma.MaskedArray):
        raise UnsupportedError(
            f"{name} is a masked array and its mask would be lost; move "
            f"{name}.data and {name}.mask one by one."
        )
    home = type(x).__module__.split(".")
    if home[0] == "sparse" or home[:2] == ["scipy", "sparse"]:
        raise UnsupportedError(
            f"{name} is a sparse array ({type(x).__name__}), which has no strides; "
            "give a dense one."
        )
    try:
        if is_nest(type(x)):
            refuse_endless(x, name)
        array: Array = np.asarray(x)
    except RestrideError:
        raise
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise ShapeError(
                f"{name} is not an array: it has rows of different lengths; give rows "
                "of one length."
            ) from None
        raise ShapeError(f"{name} is not an array: {error}") from None
    except MemoryError:
        raise UnsupportedError(
            f"{name} takes more memory as an array than there is; give less."
        ) from None
    except (TypeError, RuntimeError) as error:
        raise UnsupportedError(
            f"{name} is a {type(x).__name__} that NumPy cannot read: {error} Give a "
            "NumPy array, or use the dialect of its library (restride.dialects)."
        ) from None
    return checked_dtype(array.view(np.ndarray), name)


def as_given(x: Any) -> Array:
    """The same of the array that a call is about: text is more likely a file's name.

    Raises
    ------
    UnsupportedError
        A str, bytes or path, which NumPy would take for an array of one text.
    """
    if isinstance(x, (str, bytes, os.PathLike)) and not isinstance(x, np.generic):
        raise UnsupportedError(
            f"x is {shown(x)}, {kind_of(x)} and no array; read a file with "
            "numpy.load, or move it by restride.run_blocks; of text make numpy.array()."
        )
    return as_source(x)


def plain(x: Array) -> Array:
    """`x` as its own memory says it is, whatever a subclass's attributes say."""
    seen: Array = np.ndarray.view(x, np.ndarray)
    return seen


def owner_of(x: Array) -> Array:
    """The array whose memory `x` is a view of."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    return x


def checked_dtype(x: Array, name: str) -> Array:
    """`x`, unless its elements are no fixed bytes."""
    if x.dtype.itemsize == 0:
        raise DTypeError(f"{name} has dtype {x.dtype}, whose elements have no bytes.")
    if x.dtype.hasobject:
        raise DTypeError(
            f"{name} has dtype {x.dtype}, whose elements are references to Python "
            "objects; restride moves bytes of fixed size only."
        )
    return x


def memory(
    array: Array,
    offset: int,
    shape: Sequence[int],
    strides: Sequence[int],
    dtype: np.dtype[Any],
) -> Array:
    """`array`'s memory from byte `offset` on, as `shape` with byte `strides`.

    Nothing is checked here: the caller has proven that all of it lies inside.
    """
    named = _Memory(array, offset, tuple(shape), tuple(strides), dtype.itemsize)
    seen: Array = np.asarray(named)
    return seen if seen.dtype == dtype else seen.view(dtype)


def whole_memory(array: Array) -> tuple[Array, int]:
    """The bytes that `array` may see, as a line, and the byte its first element is at.

    They are those of the array whose memory it is a view of, found by its bases; the
    byte counts from there.  What lies around that array is nobody's to read.

    Examples
    --------
    >>> line, at = whole_memory(np.arange(6, dtype=np.uint8)[4:1:-1])
    >>> line.tolist(), at
    ([0, 1, 2, 3, 4, 5], 4)
    """
    owner = plain(owner_of(array))
    low, high = _span(owner)
    first, last = _span(array)
    if not low <= first <= last <= high:  # strides somebody set without a check
        owner, low, high = array, first, last
    line = memory(
        owner, low - owner.ctypes.data, (high - low,), (1,), np.dtype(np.uint8)
    )
    return line, array.ctypes.data - low


def _span(x: Array) -> tuple[int, int]:
    """The addresses [low, high) between which all bytes of `x` lie."""
    low = high = x.ctypes.data
    if x.size == 0:
        return low, high
    for stride, extent in zip(x.strides, x.shape, strict=True):
        reach = (extent - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high + x.itemsize


class _Memory:
    """Names bytes of an array through the array interface, and keeps it alive."""

    def __init__(
        self,
        keep: Array,
        offset: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        itemsize: int,
    ) -> None:
        self.keep = keep
        self.__array_interface__ = {
            "data": (keep.ctypes.data + offset, not keep.flags.writeable),
            "shape": shape,
            "strides": strides,
            "typestr": f"|V{itemsize}",
            "version": 3,
        }


def as_dtype(dtype: Any) -> np.dtype[Any]:
    """A NumPy dtype of fixed-size elements; names of ml_dtypes are known too."""
    if isinstance(dtype, str) and not hasattr(np, dtype):
        import ml_dtypes

        dtype = getattr(ml_dtypes, dtype, dtype)
    if isinstance(dtype, (list, tuple)):
        refuse_endless(dtype, "dtype")
    try:
        made: np.dtype[Any] = np.dtype(dtype)
    except Exception:  # NumPy's own, or that of a text it asked `dtype` for
        raise DTypeError(
            f"dtype {shown(dtype)} is not known to NumPy; give one such as 'float32'."
        ) from None
    checked_dtype(np.empty(0, made), "the array")
    return made


def as_target(out: Any, shape: tuple[int, ...] | None, dtype: Any, name: str) -> Array:
    """`out`, if it can take a result of `shape` and `dtype` in place.

    A memory map is judged by its memory: :func:`plain` is what may be written.

    Raises
    ------
    DTypeError, ShapeError, UnsupportedError
        Not a plain array, of another shape or dtype (byte order included),
        read-only, or with two indices in the same memory.
    """
    if type(out) is not np.ndarray and not isinstance(out, np.memmap):
        raise UnsupportedError(
            f"{name} is {kind_of(out)}; only a plain NumPy array can be written in "
            "place."
        )
    given: Array = out
    out = plain(out)
    checked_dtype(out, name)
    if shape is not None and out.shape != shape:
        raise ShapeError(f"{name} has shape {out.shape}; the result has {shape}.")
    if dtype is not None and out.dtype != dtype:
        raise DTypeError(
            f"{name} has dtype {out.dtype}; it must be {dtype}, byte order included."
        )
    if not out.flags.writeable:
        raise UnsupportedError(f"{name} is read-only; give a writable array.")
    if _hides_fields(out):
        raise UnsupportedError(
            f"{name} is a view of some fields of a record, and the bytes between them "
            "are other fields; write field by field."
        )
    if not is_injective(out):
        raise UnsupportedError(
            f"{name} has two indices in the same memory, so the order of writes would "
            "show; give a copy."
        )
    return given


def _hides_fields(x: Array) -> bool:
    """True when bytes between the fields of `x` are fields of what it views."""
    dtype = x.dtype
    if dtype.names is None or not isinstance(x.base, np.ndarray):
        return False
    whole = plain(x.base).dtype
    fewer = whole.names is not None and set(dtype.names) < set(whole.names)
    return fewer and bool(whole.itemsize == dtype.itemsize)


def is_injective(x: Array) -> bool:
    """True when no two indices of `x` share a byte.

    Examples
    --------
    >>> is_injective(np.broadcast_to(np.zeros(1), (3,)))
    False
    """
    if x.flags.c_contiguous or x.size <= 1:
        return True
    reach = x.itemsize
    axes = zip(x.strides, x.shape, strict=True)
    walks = sorted((abs(stride), extent) for stride, extent in axes if extent > 1)
    span = x.itemsize + sum(stride * (extent - 1) for stride, extent in walks)
    if x.size * x.itemsize > span:
        return False
    for stride, extent in walks:
        if stride < reach:
            return x.size <= EXACT_OVERLAP_LIMIT and _all_apart(x)
        reach += stride * (extent - 1)
    return True


def _all_apart(x: Array) -> bool:
    at = np.zeros(1, np.int64)
    for stride, extent in zip(x.strides, x.shape, strict=True):
        if stride == 0 and extent > 1:
            return False
        at = np.add.outer(at, np.arange(extent, dtype=np.int64) * stride).ravel()
    at.sort()
    return bool((np.diff(at) >= x.itemsize).all())


def may_overlap(a: Array, b: Array) -> bool:
    """True unless the memory spans of the two are apart (cheap, never wrong)."""
    return bool(np.may_share_memory(a, b))
