"""Python numbers as elements of a dtype: exact, rounded to nearest, or refused."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np

from restride.checks import is_nest, shown
from restride.endless import refuse_endless
from restride.errors import DTypeError

__all__ = ["constant_bytes", "of_numbers"]

NUMBERS = (bool, int, float, complex)
"""Python's own numbers, which have no dtype and take the destination's."""

MOST_DIGITS = 6000
"""A decimal power beyond all floats, 1e4932 of the longest included."""

EXACT_IN_DOUBLE = 1 << 53
"""Every integer up to here is a double, and so is rounded once on its way."""

EXTENDED_MANTISSA_BITS = 63
"""What NumPy says of x86's extended float, the one type with bytes to spare."""

EXTENDED_BYTES = 10
"""Bytes of such a float that hold its value, the lowest ones."""


def constant_bytes(value: Any, dtype: np.dtype[Any]) -> bytes:
    """The bytes of one element of `dtype` that hold `value`; None: all zero.

    Integers and bool take what they hold exactly, floats the nearest.

    Raises
    ------
    DTypeError
        `value` cannot be held: 1.5, NaN or 300 in uint8, 1e39 in float32, a complex in
        a real.

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
    return _without_padding(held.tobytes(), dtype)


def of_numbers(given: Any, dtype: np.dtype[Any], name: str) -> Any:
    """A Python number, or lists of them, as an array of `dtype`; others as they are.

    Each number is held as :func:`constant_bytes` says.  Lists of uneven length are left
    to others to refuse.

    Examples
    --------
    >>> of_numbers([[1, 2], [3, 4]], np.dtype("float32"), "src").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if is_nest(type(given)):
        refuse_endless(given, name)
    shape: list[int] = []
    level = [given]
    while level and all(type(value) in (list, tuple) for value in level):
        lengths = set(map(len, level))
        if len(lengths) > 1:
            return given
        shape += lengths
        level = [value for row in level for value in row]
    if not all(type(value) in NUMBERS for value in level):
        return given
    quick = _quickly(level, dtype)
    if quick is not None:
        return quick.reshape(shape)
    raw = b"".join([constant_bytes(value, dtype) for value in level])
    return np.ndarray(shape, dtype, raw)


def _quickly(numbers: list[Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any] | None:
    """The numbers where NumPy holds them as one by one; None where it may not."""
    whole = [number for number in numbers if type(number) is int]
    if not set(map(type, numbers)) <= {int, float}:
        return None
    if dtype.kind in "iu":
        low, high = _limits(dtype)
        fit = low <= min(whole, default=0) <= max(whole, default=0) <= high
        return np.array(numbers, dtype) if fit and len(whole) == len(numbers) else None
    if dtype.kind != "f" or dtype.itemsize > 8:
        return None
    if max(map(abs, whole), default=0) > EXACT_IN_DOUBLE:
        return None
    doubles = np.array(numbers, np.float64)
    with np.errstate(all="ignore"):
        held = doubles.astype(dtype)
    same = np.isfinite(held) == np.isfinite(doubles)
    return held if same.all() else None


def _without_padding(raw: bytes, dtype: np.dtype[Any]) -> bytes:
    """Zeros where an extended float has no value bits: NumPy leaves them as found."""
    if dtype.type not in (np.longdouble, np.clongdouble):
        return raw
    if np.finfo(dtype).nmant != EXTENDED_MANTISSA_BITS:
        return raw
    size = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    spare = bytes(size - EXTENDED_BYTES)
    parts = [raw[k : k + size] for k in range(0, len(raw), size)]
    if dtype.newbyteorder("=") == dtype:
        return b"".join(part[:EXTENDED_BYTES] + spare for part in parts)
    return b"".join(spare + part[-EXTENDED_BYTES:] for part in parts)


def _converted(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, (np.generic, np.ndarray)) and value.dtype == dtype:
        return value
    if dtype.kind in "biu":
        return _exact_int(value, dtype)
    if dtype.kind == "c":
        return _complex(value, dtype)
    if dtype.kind == "f" or _is_small_float(dtype):
        return _nearest(value, dtype, value)
    return _other(value, dtype)


def _complex(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, (str, bytes)):
        raise _refused(value, dtype)
    if dtype.itemsize > 16:
        return np.asarray(value, dtype)
    part = np.dtype(f"f{dtype.itemsize // 2}")
    has_parts = isinstance(value, (complex, np.complexfloating))
    parts = (value.real, value.imag) if has_parts else (value, 0)
    held = [float(_nearest(number, part, value)) for number in parts]
    return complex(*held)


def _exact_int(value: Any, dtype: np.dtype[Any]) -> int:
    if isinstance(value, (complex, np.complexfloating, str, bytes)):
        raise _refused(value, dtype)
    if isinstance(value, Decimal) and value and value.adjusted() > MOST_DIGITS:
        raise _refused(value, dtype)  # and not written out as an integer first
    whole = int(value) if value else 0
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
    number = _double(value, exact=dtype.itemsize == 8)
    held = np.asarray(_odd(number) if _is_small_float(dtype) else number).astype(dtype)
    if math.isfinite(number) and not math.isfinite(float(held)):
        raise _refused(given, dtype)
    if not math.isfinite(number) and repr(abs(float(held))) != repr(abs(number)):
        raise _refused(given, dtype)
    if number == 0 and float(held) != 0:
        raise _refused(given, dtype)
    return held[()]


def _double(value: Any, exact: bool) -> float:
    """`value` as a float: the nearest, or on the way to a shorter float the odd one.

    The odd one is cut to 53 bits, with the last one set if any was lost: rounding that
    again is the same as rounding `value` itself, while rounding twice is not.
    """
    number = int(value) if isinstance(value, np.integer) else value
    if isinstance(number, Decimal) and abs(number.adjusted()) > MOST_DIGITS:
        number = _far(number)
    try:
        above, below = number.as_integer_ratio()
    except (AttributeError, ValueError, OverflowError):
        return float(value)  # NaN and infinities, and what has no ratio
    if above == 0 or type(value) is float:
        return float(value)  # -0.0 has no ratio of its own
    if exact:
        return float(above / below)
    return _odd_quotient(int(above), int(below))


def _far(number: Decimal) -> Decimal:
    """Beyond every float as it is, but short enough to be a quotient of integers."""
    if not number.is_finite() or not number:
        return number
    power = MOST_DIGITS if number.adjusted() > 0 else -MOST_DIGITS
    return Decimal(1).scaleb(power).copy_sign(number)


def _odd_quotient(above: int, below: int) -> float:
    shift = 53 - abs(above).bit_length() + below.bit_length()
    scaled = abs(above) << max(shift, 0)
    kept, lost = divmod(scaled, below << max(-shift, 0))
    spare = max(kept.bit_length() - 53, 0)
    lost |= kept & ((1 << spare) - 1)
    whole = math.ldexp(kept >> spare | bool(lost), spare - shift)
    return -whole if above < 0 else whole


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
    given = np.asarray(value)
    same = held == given
    if dtype.kind in "mM" and given.dtype.kind in "mM":
        same = held.astype(given.dtype) == given  # units overflow both ways alike
    lost = held != held  # NaT is held, and equals nothing
    if held.ndim or not bool(np.all(np.asarray(same) | np.asarray(lost))):
        raise _refused(value, dtype)
    return held[()]


def _refused(value: Any, dtype: np.dtype[Any]) -> DTypeError:
    what = "exactly" if dtype.kind in "biu" else "within its range"
    return DTypeError(
        f"constant {shown(value)} cannot be held by dtype {dtype} {what}; give a "
        "value it holds."
    )
