"""The only door for arrays: what comes in, what may be written, how a value is bytes."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from restride.errors import DTypeError, ShapeError, UnsupportedError

__all__ = [
    "as_dtype",
    "as_source",
    "as_target",
    "constant_bytes",
    "is_injective",
    "may_overlap",
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
        Elements that are Python objects.
    """
    if type(x) is np.ndarray:
        return checked_dtype(x, name)
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
        array: Array = np.asarray(x)
    except ValueError as error:
        raise ShapeError(f"{name} is not an array: {error}") from None
    return checked_dtype(array.view(np.ndarray), name)


def checked_dtype(x: Array, name: str) -> Array:
    """`x`, unless its elements are no fixed bytes."""
    if x.dtype.hasobject:
        raise DTypeError(
            f"{name} has dtype {x.dtype}, whose elements are references to Python "
            "objects; restride moves bytes of fixed size only."
        )
    return x


def as_dtype(dtype: Any) -> np.dtype[Any]:
    """A NumPy dtype of fixed-size elements; names of ml_dtypes are known too."""
    if isinstance(dtype, str) and not hasattr(np, dtype):
        import ml_dtypes

        dtype = getattr(ml_dtypes, dtype, dtype)
    try:
        made = np.dtype(dtype)
    except TypeError:
        raise DTypeError(f"dtype {dtype!r} is not known to NumPy.") from None
    checked_dtype(np.empty(0, made), "the array")
    return made


def as_target(
    out: Any, shape: tuple[int, ...] | None, dtype: Any, name: str
) -> Array:
    """`out`, if it can take a result of `shape` and `dtype` in place.

    Raises
    ------
    DTypeError, ShapeError, UnsupportedError
        Not a plain array, of another shape or dtype (byte order included),
        read-only, or with two indices in the same memory.
    """
    if type(out) is not np.ndarray and not isinstance(out, np.memmap):
        raise UnsupportedError(
            f"{name} is a {type(out).__name__}; only a plain NumPy array can be "
            "written in place."
        )
    checked_dtype(out, name)
    if shape is not None and out.shape != shape:
        raise ShapeError(f"{name} has shape {out.shape}; the result has {shape}.")
    if dtype is not None and out.dtype != dtype:
        raise DTypeError(
            f"{name} has dtype {out.dtype.str if out.dtype.kind != 'V' else out.dtype}"
            f"; it must be {dtype}, byte order included."
        )
    if not out.flags.writeable:
        raise UnsupportedError(f"{name} is read-only; give a writable array.")
    if not is_injective(out):
        raise UnsupportedError(
            f"{name} has two indices in the same memory, so the order of writes would "
            "show; give a copy."
        )
    return out


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
    walks = sorted((abs(s), n) for s, n in zip(x.strides, x.shape, strict=True) if n > 1)
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


def constant_bytes(value: Any, dtype: np.dtype[Any]) -> bytes:
    """The bytes of one element of `dtype` that hold `value`; None: all zero.

    Integers and bool take what they hold exactly, floats the nearest.

    Raises
    ------
    DTypeError
        `value` cannot be held: 1.5, NaN or 300 in uint8, 1e400's like in a float,
        a complex in a real.

    Examples
    --------
    >>> constant_bytes(258, np.dtype("<u2"))
    b'\\x02\\x01'
    """
    if value is None:
        return bytes(dtype.itemsize)
    held = np.zeros((), dtype)
    try:
        with np.errstate(all="ignore"):
            held[()] = _converted(value, dtype)
    except (TypeError, ValueError, OverflowError):
        raise _refused(value, dtype) from None
    return held.tobytes()


def _converted(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, (np.generic, np.ndarray)) and value.dtype == dtype:
        return value
    if dtype.kind in "biu":
        return _exact_int(value, dtype)
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        whole = complex(value)
        real = whole.real if isinstance(value, (complex, np.complexfloating)) else value
        return complex(
            float(_nearest(real, part, value)), float(_nearest(whole.imag, part, value))
        ) if dtype.itemsize <= 16 else np.asarray(value, dtype)
    if dtype.kind == "f" or _is_small_float(dtype):
        return _nearest(value, dtype, value)
    return _other(value, dtype)


def _exact_int(value: Any, dtype: np.dtype[Any]) -> int:
    if isinstance(value, (complex, np.complexfloating, str, bytes)):
        raise _refused(value, dtype)
    whole = int(value)
    low, high = (0, 1) if dtype.kind == "b" else _limits(dtype)
    if whole != value or not low <= whole <= high:
        raise _refused(value, dtype)
    return whole


def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _is_small_float(dtype: np.dtype[Any]) -> bool:
    """True for bfloat16 and the float8 family of ml_dtypes."""
    return dtype.type.__module__ == "ml_dtypes" and "float" in dtype.name


def _nearest(value: Any, dtype: np.dtype[Any], given: Any) -> Any:
    if isinstance(value, (complex, np.complexfloating, str, bytes)):
        raise _refused(given, dtype)
    if dtype.itemsize > 8:
        return np.asarray(value, dtype)[()]
    number = float(value) if not isinstance(value, int) else _odd_double(value)
    if dtype.itemsize == 8:
        number = float(value)
    held = np.asarray(_odd(number) if _is_small_float(dtype) else number).astype(dtype)
    if math.isfinite(number) and not math.isfinite(float(held)):
        raise _refused(given, dtype)
    if math.isnan(number) and not math.isnan(float(held)):
        raise _refused(given, dtype)
    if number == 0 and float(held) != 0:
        raise _refused(given, dtype)
    return held[()]


def _odd_double(value: int) -> float:
    """`value` cut to 53 bits, the last one set if any was lost.

    Rounding that to a shorter float is the same as rounding `value` itself; a plain
    ``float(value)`` first would round twice.
    """
    spare = value.bit_length() - 53
    if spare <= 0:
        return float(value)
    kept = abs(value) >> spare
    lost = abs(value) & ((1 << spare) - 1)
    whole = math.ldexp(kept | bool(lost), spare)
    return -whole if value < 0 else whole


def _odd(number: float, bits: int = 12) -> float:
    """A float cut to `bits` bits in the same way: casts to 8 bits pass through 24."""
    if not math.isfinite(number) or number == 0:
        return number
    fraction, exponent = math.frexp(abs(number))
    scaled = math.ldexp(fraction, bits)
    kept = int(scaled)
    kept |= kept != scaled
    return math.copysign(math.ldexp(kept, exponent - bits), number)


def _other(value: Any, dtype: np.dtype[Any]) -> Any:
    """Dates, strings and records: 0 is all-zero bytes, the rest must come back."""
    if type(value) is int and value == 0:
        return np.zeros((), dtype)[()]
    held = np.asarray(value, dtype)
    same = held == np.asarray(value)
    lost = held != held  # noqa: PLR0124  (NaT is held, and equals nothing)
    if held.ndim or not bool(np.all(np.asarray(same) | np.asarray(lost))):
        raise _refused(value, dtype)
    return held[()]


def _refused(value: Any, dtype: np.dtype[Any]) -> DTypeError:
    what = "exactly" if dtype.kind in "biu" else "within its range"
    shown = repr(value) if sys.getsizeof(value) < 200 else type(value).__name__
    return DTypeError(
        f"constant {shown} cannot be held by dtype {dtype} {what}; give a value it "
        "holds, or None for zero bytes."
    )
