"""The door for tensors: what TensorFlow makes of arrays, lists and numbers.

>>> as_tensor("pad", "input", [1, 2]).dtype, as_tensor("pad", "input", 0.5).dtype
(dtype('int32'), dtype('float32'))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from restride.arrays import as_source
from restride.checks import MAX_RANK, as_index
from restride.constants import constant_bytes
from restride.dialects.tensorflow.errors import TensorFlowError, in_words
from restride.errors import RestrideError, ShapeError
from restride.lazy import view

__all__ = ["as_integers", "as_mask", "as_tensor", "as_value"]

Array = np.ndarray[Any, Any]

INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
NUMBERS = INTEGERS | {
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
}
"""What `mirror_pad_grad` adds (its CPU kernels, TF_CALL_NUMBER_TYPES)."""

MOVED = NUMBERS | {"bool"}
"""What the pads and `tensor_strided_slice_update` take (TF_CALL_POD_TYPES)."""

SLICED = MOVED | {"float8_e4m3fn", "float8_e5m2"}
"""What `strided_slice` and its gradient take (TF_CALL_ALL_TYPES and the two float8)."""

DTYPES = {
    "strided_slice": SLICED,
    "strided_slice_grad": SLICED,
    "tensor_strided_slice_update": MOVED,
    "pad": MOVED,
    "pad_v2": MOVED,
    "mirror_pad": MOVED,
    "mirror_pad_grad": NUMBERS,
}
"""NumPy names of the dtypes for which TensorFlow 2.21 has a CPU kernel, strings apart:
TensorFlow's are of any length, and restride moves elements of one size."""

INT32 = range(-(2**31), 2**31)
INT64 = range(-(2**63), 2**63)

MOST_INDICES = 1 << 10
"""Longest index tensor looked at: far more than any tensor has axes."""

MOST_NUMBERS = 1 << 24
"""Longest range taken as a tensor; NumPy has arrays for more."""


def as_tensor(op: str, name: str, value: Any) -> Array:
    """`value` as a NumPy array of a dtype that `op` takes, in native byte order.

    Python's own numbers, alone or in lists, become int32 (int64 where one does not
    fit), float32, complex128 or bool, as in ``tf.convert_to_tensor``.
    """
    with in_words(op):
        array = as_source(_from_python(op, name, value), name)
    dtype = array.dtype.newbyteorder("=")
    if dtype.name not in DTYPES[op]:
        raise TensorFlowError(
            op,
            "other",
            f"{name} has dtype {array.dtype}, for which there is no kernel; allowed "
            f"are {', '.join(sorted(DTYPES[op]))}. Cast it first.",
        )
    if array.dtype == dtype:
        return array
    # Copied by the engine, which refuses what no memory holds before it asks for it.
    swapped: Array = view(array).copy().byteswap(inplace=True).view(dtype)
    return swapped


def _from_python(op: str, name: str, value: Any) -> Any:
    """Lists and numbers of Python's in TensorFlow's dtypes; arrays as they are."""
    if not _is_python(value):
        return value
    if isinstance(value, range):
        if value[MOST_NUMBERS:]:
            raise TensorFlowError(
                op, "other", f"{name} is a long range; give an array."
            )
        value = list(value)
    kinds = {type(leaf) for leaf in _leaves(value)}
    if bool in kinds and len(kinds) > 1:
        raise TensorFlowError(op, "other", f"{name} mixes bool with other types.")
    array = as_source(value, name)
    if array.dtype == np.int64 and _fits(array):
        return array.astype(np.int32)
    if array.dtype == np.float64 and kinds <= {int, float}:
        with np.errstate(over="ignore"):
            return array.astype(np.float32)
    return array


def _is_python(value: Any) -> bool:
    """True of Python's numbers and lists; np.float64 is a float too, and is none."""
    kinds = (list, tuple, range, int, float, complex)
    return isinstance(value, kinds) and not isinstance(value, np.generic)


def _leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """What lists hold at their ends; a list may also hold itself."""
    if depth > MAX_RANK:
        raise ShapeError(f"lists are nested deeper than {MAX_RANK} axes.")
    if not isinstance(value, (list, tuple, range)):
        yield value
        return
    for item in value:
        yield from _leaves(item, depth + 1)


def _fits(array: Array) -> bool:
    # As ints: of a NumPy number a range would look at every one of its own.
    return not array.size or (int(array.min()) in INT32 and int(array.max()) in INT32)


def as_value(op: str, name: str, value: Any, dtype: np.dtype[Any]) -> Array:
    """`value` as an array of `dtype`: one of that dtype, or numbers that it holds."""
    if _is_python(value):
        return _held(op, name, value, dtype)
    array = as_tensor(op, name, value)
    if array.dtype != dtype:
        raise TensorFlowError(
            op,
            "other",
            f"{name} has dtype {array.dtype} and input {dtype}; they must be equal. "
            "Cast one of them.",
        )
    return array


def _held(op: str, name: str, value: Any, dtype: np.dtype[Any]) -> Array:
    """Python's numbers in `dtype`: a bool only from bools, and nothing lost."""
    with in_words(op):
        shape = as_source(_from_python(op, name, value), name).shape
        leaves = list(_leaves(value))
        if any(getattr(leaf, "ndim", 0) for leaf in leaves):
            raise TensorFlowError(op, "other", f"{name} holds arrays; give one array.")
        if dtype.kind == "b" and not all(type(leaf) is bool for leaf in leaves):
            raise TensorFlowError(op, "other", f"{name} must hold bools, as input.")
        raw = b"".join([constant_bytes(leaf, dtype) for leaf in leaves])
    unread = np.dtype(f"V{dtype.itemsize}")
    held: Array = np.frombuffer(raw, unread).view(dtype) if raw else np.empty(0, dtype)
    return held.reshape(shape)


def as_integers(
    op: str, name: str, value: Any, dtypes: tuple[str, ...] = ("int32", "int64")
) -> Array:
    """An index tensor of any rank as int64: an array of `dtypes`, or Python's ints."""
    if _is_python(value):
        return _python_integers(op, name, value)
    with in_words(op):
        array = as_source(value, name)
    _check_length(op, name, array.size)
    if array.dtype.newbyteorder("=").name not in dtypes:
        raise TensorFlowError(
            op,
            "other",
            f"{name} has dtype {array.dtype}; allowed are {' and '.join(dtypes)}.",
        )
    return array.astype(np.int64)


def _python_integers(op: str, name: str, value: Any) -> Array:
    with in_words(op):
        for count, leaf in enumerate(_leaves(value), start=1):
            _check_length(op, name, count)
            if _integer(op, f"an entry of {name}", leaf) not in INT64:
                raise TensorFlowError(
                    op, "other", f"{name} has an entry that does not fit int64."
                )
        array = as_source(value, name)
    return array.astype(np.int64)


def _check_length(op: str, name: str, count: int) -> None:
    if count > MOST_INDICES:
        raise TensorFlowError(
            op,
            "shape_mismatch",
            f"{name} has more than {MOST_INDICES} entries; no tensor has so many axes.",
        )


def as_mask(op: str, name: str, value: Any) -> int:
    """A mask: an integer of 32 bits, read in two's complement."""
    mask = _integer(op, name, value)
    if mask not in INT32:
        raise TensorFlowError(
            op, "other", f"{name} does not fit int32; give -2**31 to 2**31 - 1."
        )
    return mask


def _integer(op: str, name: str, value: Any) -> int:
    try:
        return as_index(value, name, any_length=True)
    except RestrideError:
        kind = type(value).__name__
        raise TensorFlowError(op, "other", f"{name} is a {kind}, no int.") from None
