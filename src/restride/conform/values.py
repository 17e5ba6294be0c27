"""A tensor's values: the table's own, or made from a seed.

Made values depend on the seed, the case's name and the tensor's place alone, so a case
keeps its data when others are added to its table.
"""

from __future__ import annotations

from math import prod
from typing import Any
from zlib import crc32

import numpy as np

from restride.arrays import as_dtype
from restride.checks import MAX_RANK
from restride.conform.case import Fill, TensorSpec
from restride.conform.errors import CaseError
from restride.conform.fields import shown
from restride.targets import UnknownNameError, dtype_named

__all__ = [
    "MOST_ELEMENTS",
    "can_hold",
    "element_type",
    "is_exotic",
    "number_of",
    "values_of",
]

Array = np.ndarray[Any, Any]

MOST_ELEMENTS = 1 << 24
"""Largest tensor that is made; beyond it a case is checked by its shapes alone."""

MOST_COUNTED = 1 << 58
"""Most elements whose bytes NumPy counts, of any dtype here."""

INFINITE_SHARE = 1 / 16
"""Part of the values that are infinite where the range's ends are."""

DRAWN = ("random", "whole")
"""Kinds of values that depend on the seed."""

WIDEST_WHOLE = 5
"""Greatest size of whole values, which floats add without rounding."""

COUNTED = {"arange": (0, 1), "count": (1, 1), "negative": (-1, -1)}
"""First value and step of what TensorFlow's tables mean without saying it."""


def element_type(spec: TensorSpec) -> np.dtype[Any] | None:
    """NumPy's type of the elements; an unsigned one of that size where it has none.

    None where an element is no whole number of bytes: nothing here can hold it.

    Raises
    ------
    CaseError
        No table of dtypes holds the name.

    Examples
    --------
    >>> element_type(TensorSpec("hifloat8", ())), element_type(TensorSpec("bf16", ()))
    (dtype('uint8'), dtype(bfloat16))
    """
    try:
        known = dtype_named(spec.dtype)
    except UnknownNameError as error:
        raise CaseError(str(error)) from None
    if known.numpy is not None:
        return as_dtype(known.numpy)
    return np.dtype(f"u{known.bytes}") if known.bytes in (1, 2, 4, 8) else None


def is_exotic(spec: TensorSpec) -> bool:
    """True where neither NumPy nor ml_dtypes has the element type."""
    return dtype_named(spec.dtype).numpy is None


def can_hold(spec: TensorSpec) -> bool:
    """True where the tensor's values can be made here."""
    if element_type(spec) is None:
        return False
    if is_exotic(spec) and any(spec.data or ()):
        return False  # a value other than 0, and nothing that turns it into bits
    return _fits(spec.shape) and _fits(spec.storage_shape or ())


def _fits(shape: tuple[int, ...]) -> bool:
    """True where NumPy can hold it; of an empty array too it counts the other dims."""
    counted = prod(max(n, 1) for n in shape)
    is_shape = min(shape, default=0) >= 0 and len(shape) <= MAX_RANK
    return is_shape and prod(shape) <= MOST_ELEMENTS and counted <= MOST_COUNTED


def values_of(spec: TensorSpec, seed: int, name: str, place: int) -> Array:
    """The tensor's values, row-major.

    Parameters
    ----------
    spec : TensorSpec
        One that `can_hold` accepts.
    seed : int
    name : str
        Of the case.
    place : int
        Of the tensor among the case's tensors.

    Examples
    --------
    >>> spec = TensorSpec("int8", (2, 2), fill=Fill("random", 0, 3))
    >>> bool((values_of(spec, 1, "a", 0) == values_of(spec, 1, "a", 0)).all())
    True
    """
    dtype = element_type(spec)
    assert dtype is not None, "can_hold says so"
    if spec.data is not None:
        return _given(spec.data, dtype, spec.shape)
    if spec.fill.kind in COUNTED:
        start, step = COUNTED[spec.fill.kind]
        count = prod(spec.shape)
        return (start + step * np.arange(count)).astype(dtype).reshape(spec.shape)
    if spec.fill.kind not in DRAWN:
        return np.full(spec.shape, spec.fill.kind == "one", dtype)
    key = [seed, crc32(name.encode("utf-8", "surrogatepass")), place]
    generator = np.random.default_rng(key)
    fill = Fill("random", 0, np.inf) if is_exotic(spec) else spec.fill
    if fill.kind == "whole" and dtype.kind != "b":
        low = -WIDEST_WHOLE if dtype.kind != "u" else 0
        drawn = generator.integers(low, WIDEST_WHOLE, spec.shape, endpoint=True)
        return drawn.astype(dtype)
    return _random(generator, fill, dtype, spec.shape)


def number_of(value: Any) -> Any:
    """The number that a scalar parameter is; a pair is a complex one.

    Raises
    ------
    CaseError
        It is neither a number nor an object with a value.

    Examples
    --------
    >>> number_of({"dtype": "float", "value": "inf"}), number_of([1, 2])
    (inf, (1+2j))
    """
    held = value.get("value") if isinstance(value, dict) else value
    try:
        if isinstance(held, list) and len(held) == 2:
            return complex(*(_number(part) for part in held))
        return _number(held)
    except (TypeError, ValueError, OverflowError) as error:
        raise CaseError(f"value {shown(value)} is not a number: {error}.") from None


def _given(data: tuple[Any, ...], dtype: Any, shape: tuple[int, ...]) -> Array:
    """The table's own values, each converted to the dtype."""
    if dtype.kind == "c" and len(data) == 2 * prod(shape) and prod(shape):
        data = tuple(complex(*pair) for pair in zip(data[::2], data[1::2], strict=True))
    if len(data) != prod(shape):
        raise CaseError(
            f"data has length {len(data)}; shape {list(shape)} has {prod(shape)}."
        )
    try:
        if dtype.kind in "iu":
            return np.array([_whole(v) for v in data], dtype).reshape(shape)
        wide = np.complex128 if dtype.kind == "c" else np.float64
        with np.errstate(over="ignore", invalid="ignore"):
            numbers = [_number(v) for v in data]
            return np.array(numbers, wide).astype(dtype).reshape(shape)
    except (TypeError, ValueError, OverflowError) as error:
        raise CaseError(f"data {shown(list(data))} is not {dtype}: {error}.") from None


def _number(value: Any) -> Any:
    """A number; JSON without NaN and Infinity writes them as texts."""
    if isinstance(value, str):
        return float(value)
    if not isinstance(value, int | float | complex):
        raise TypeError(f"{shown(value)} is not a number")
    return value


def _whole(value: Any) -> int:
    """An integer; 2.0 is one, 2.5 is not."""
    whole = int(value)
    if whole != value:
        raise ValueError(f"{shown(value)} is not an integer")
    return whole


def _random(
    generator: np.random.Generator, fill: Fill, dtype: Any, shape: tuple[int, ...]
) -> Array:
    low, high = sorted((fill.low, fill.high))
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return _integers(generator, low, high, dtype, shape)
    if dtype.kind == "c":
        made = np.empty(shape, dtype)
        made.real = _floats(generator, low, high, made.real.dtype, shape)
        made.imag = _floats(generator, low, high, made.real.dtype, shape)
        return made
    return _floats(generator, low, high, dtype, shape)


def _integers(
    generator: np.random.Generator,
    low: float,
    high: float,
    dtype: Any,
    shape: tuple[int, ...],
) -> Array:
    """Integers of the range; of what the dtype holds, where the range is wider."""
    held = np.iinfo(dtype)
    first, last = (_clipped(end, held.min, held.max) for end in (low, high))
    return generator.integers(first, max(first, last), shape, dtype, endpoint=True)


def _clipped(end: float, least: int, most: int) -> int:
    if np.isnan(end):
        return 0
    return least if end <= least else most if end >= most else int(end)


def _floats(
    generator: np.random.Generator,
    low: float,
    high: float,
    dtype: Any,
    shape: tuple[int, ...],
) -> Array:
    """Floats of the range; infinite ends stand among finite values."""
    part = _info(dtype)
    least, most = float(part.min), float(part.max)
    share = generator.random(shape)
    finite = np.clip([low, high], least, most)
    made = (1 - share) * finite[0] + share * finite[1]
    if finite[0] == finite[1]:
        made = np.full(shape, finite[0])  # the sum above may miss it by a rounding
    for end in (low, high):
        if np.isinf(end):
            made = np.where(generator.random(shape) < INFINITE_SHARE, end, made)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(made).astype(dtype)


def _info(dtype: Any) -> Any:
    import ml_dtypes

    try:
        return ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    except ValueError:
        return ml_dtypes.iinfo(dtype)  # type: ignore[no-untyped-call]
