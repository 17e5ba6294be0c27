"""TensorFlow's TensorProto and TensorShapeProto, read from their bytes.

Numbers of fields are those of tensor.proto and tensor_shape.proto in
tensorflow/core/framework.
"""

from __future__ import annotations

from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from restride.checks import MAX_RANK
from restride.models.constant import Constant
from restride.models.files.messages import Entry, entries, packed, signed, within
from restride.models.files.wire import WireError
from restride.models.known import Known

__all__ = ["DTYPES", "MOST_ELEMENTS", "dtype_of", "read_shape", "read_tensor"]

Array = np.ndarray[Any, Any]
Shape = tuple[int | None, ...]

MOST_FILLED = 128
"""Most elements of a constant that writes out fewer, though more than one."""

MOST_ELEMENTS = 65_536
"""Most elements of a constant that are kept: parameters have few, weights many."""

DTYPES = {
    1: "float32",
    2: "float64",
    3: "int32",
    4: "uint8",
    5: "int16",
    6: "int8",
    7: "string",
    8: "complex64",
    9: "int64",
    10: "bool",
    11: "qint8",
    12: "quint8",
    13: "qint32",
    14: "bfloat16",
    15: "qint16",
    16: "quint16",
    17: "uint16",
    18: "complex128",
    19: "float16",
    20: "resource",
    21: "variant",
    22: "uint32",
    23: "uint64",
    24: "float8_e5m2",
    25: "float8_e4m3fn",
    29: "int4",
    30: "uint4",
}
"""Names of the numbers in types.proto; a reference's number is 100 more."""

FLOATS = {5: "f", 6: "d", 9: "f", 12: "d"}
"""Fields of floats, scomplex and dcomplex included, by their width."""

INTS = {7, 10, 11, 13, 16, 17}
"""Fields of integers: int, int64, bool, half (as bits), uint32, uint64."""


def dtype_of(number: int) -> str | None:
    """The element type of a DataType, or None where it says nothing."""
    return DTYPES.get(number - 100 if number > 100 else number)


def read_shape(message: memoryview) -> Shape | None:
    """Extents of a TensorShapeProto, None for each free one; None: unknown rank."""
    found: list[int | None] = []
    for number, value in entries(message):
        if number == 3 and signed(value):
            return None
        if number == 2:
            size = 0
            for inner, entry in entries(within(value)):
                size = signed(entry) if inner == 1 else size
            found.append(None if size < 0 else size)
        if len(found) > MAX_RANK:
            raise WireError(f"a shape of more than {MAX_RANK} axes.")
    return tuple(found)


def read_tensor(name: str, message: memoryview) -> Known:
    """A TensorProto: type and shape, and its elements where they are few."""
    dtype: str | None = None
    shape: Shape | None = ()
    content = memoryview(b"")
    lists: list[tuple[int, Entry]] = []
    unread = False  # floats of 8 bits, which no parameter is
    for number, value in entries(message):
        if number == 1:
            dtype = dtype_of(signed(value))
        elif number == 2:
            shape = read_shape(within(value))
        elif number == 4:
            content = within(value)
        elif number == 18:
            unread = True
        elif number in FLOATS or number in INTS:
            lists.append((number, value))
    known = Known(name, dtype, shape)
    extents = [n for n in shape or () if n is not None]
    if shape is None or len(extents) < len(shape) or prod(extents) > MOST_ELEMENTS:
        return known
    kind = _numpy(dtype)
    if kind is None or unread:
        return known
    if content:
        array: Array | None = _content(content, kind, extents)
    else:
        array = _listed(lists, kind, extents)
    if array is None:
        return known
    found = array
    return Known(name, dtype, array.shape, Constant(array.shape, dtype, lambda: found))


def _numpy(dtype: str | None) -> np.dtype[Any] | None:
    """NumPy's type of a constant's elements, or None where it has no such one."""
    if dtype is None or dtype in ("string", "resource", "variant"):
        return None
    try:
        return np.dtype(dtype)
    except TypeError:
        own = getattr(ml_dtypes, dtype, None)
        return None if own is None else np.dtype(own)


def _content(content: memoryview, dtype: np.dtype[Any], shape: list[int]) -> Array:
    """tensor_content: the elements row-major, little-endian as files have it."""
    if len(content) != prod(shape) * dtype.itemsize:
        raise WireError(
            f"a constant of shape {tuple(shape)} and type {dtype} has {len(content)} "
            "bytes."
        )
    return _shaped(np.frombuffer(bytes(content), dtype), shape)


def _shaped(array: Array, shape: list[int]) -> Array:
    """One element is every element of a larger constant; it is not written out."""
    try:
        if array.size == 1:
            return np.broadcast_to(array.reshape(()), shape)
        return array.reshape(shape)
    except ValueError as error:
        raise WireError(f"a constant of shape {tuple(shape)}: {error}.") from None


def _listed(
    lists: list[tuple[int, Entry]], dtype: np.dtype[Any], shape: list[int]
) -> Array | None:
    """The lists of numbers; where they are short the last one is repeated."""
    count = prod(shape)
    kinds = {number for number, _ in lists}
    paired = bool(kinds & {9, 12})
    most = 2 * count if paired else count
    values: list[Any] = []
    for number, value in lists:
        values += packed(value, most - len(values), FLOATS.get(number, "int"))
    if 1 < len(values) < most and count > MOST_FILLED:
        return None
    try:
        if paired:
            values = [complex(*pair) for pair in zip(*[iter(values)] * 2, strict=True)]
        if len(values) > 1:
            values += values[-1:] * (count - len(values))
        bits = 13 in kinds and dtype.itemsize == 2
        made = np.array(values or [0], np.uint16 if bits else dtype)
    except (OverflowError, TypeError, ValueError) as error:
        raise WireError(f"a constant of type {dtype}: {error}.") from None
    return _shaped(made.view(dtype) if bits else made, shape)
