"""What a caller gives, read as ONNX's tensors: data, lists of integers, axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.arrays import as_source
from restride.checks import as_ints
from restride.dialects.onnx.forms import Form
from restride.errors import DTypeError
from restride.layout.notation import shown

__all__ = ["is_text", "read_axes", "read_data", "read_ints", "same_type"]

Array = np.ndarray[Any, Any]

INDEX_TYPES = ("int32", "int64")
"""What ONNX calls Tind."""

NAMES = {
    "float32": "float",
    "float64": "double",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1",
}
"""NumPy's and ml_dtypes' names where ONNX's differ."""


def is_text(array: Array) -> bool:
    """True for an array of strings: NumPy's own two kinds, or objects."""
    return array.dtype.kind in "OTU"


def read_data(data: Any, form: Form) -> Array:
    """`data` as an array of an element type that this version takes.

    Strings may be Python's in an array of objects, as ONNX's own helpers give them.
    """
    if data is None:
        raise form.error("data", "data is missing; give a tensor.")
    own = isinstance(data, np.ndarray) and not isinstance(data, np.ma.MaskedArray)
    array = data if own and data.dtype.kind in "OT" else _array(data, "data", form)
    name = _type_name(array)
    if name not in form.types:
        taken = ", ".join(sorted(form.types))
        raise form.error("dtype", f"data has type {name}; this version takes {taken}.")
    return array


def _array(given: Any, name: str, form: Form) -> Array:
    """`given` through the one door for arrays, whatever its own conversion raises."""
    try:
        return as_source(given, name)
    except DTypeError as error:
        raise form.error("dtype", str(error)) from None
    except (ValueError, TypeError, RuntimeError) as error:
        raise form.error("data", str(error)) from None


def _type_name(array: Array) -> str:
    if array.dtype.kind == "O":
        texts = all(isinstance(value, str) for value in array.flat)
        return "string" if texts else "object"
    if is_text(array):
        return "string"
    name = str(array.dtype.name)
    return NAMES.get(name, name)


def read_ints(
    given: Any, name: str, form: Form, types: tuple[str, ...] = INDEX_TYPES
) -> tuple[int, ...]:
    """A 1-D tensor, or a list, of integers that 64 bits hold."""
    if hasattr(given, "dtype"):
        return _read_tensor(_array(given, name, form), name, form, types)
    if not isinstance(given, (list, tuple, range)):
        what = type(given).__name__
        raise form.error("shape", f"{name} is a {what}; give a list or a 1-D tensor.")
    numbers = as_ints(given, name, any_length=True)
    for k, number in enumerate(numbers):
        if not -(2**63) <= number < 2**63:
            raise form.error(
                "value", f"{name}[{k}] = {shown(number)}; int64 is -2**63 to 2**63 - 1."
            )
    return numbers


def _read_tensor(
    array: Array, name: str, form: Form, types: tuple[str, ...]
) -> tuple[int, ...]:
    if array.dtype.name not in types:
        raise form.error(
            "dtype", f"{name} has type {array.dtype}; it must be {' or '.join(types)}."
        )
    if array.ndim != 1:
        raise form.error(
            "shape", f"{name} has shape {array.shape}; it must have one axis."
        )
    return tuple(array.tolist())


def same_type(given: dict[str, Any], form: Form) -> None:
    """Refuse index tensors of both types: one Tind stands for all of them."""
    types = {n: str(v.dtype) for n, v in given.items() if hasattr(v, "dtype")}
    if len(set(types.values())) > 1:
        told = ", ".join(f"{name} {dtype}" for name, dtype in types.items())
        raise form.error("dtype", f"{told}: all must be int32, or all int64.")


def read_axes(given: Any, rank: int, form: Form) -> tuple[int, ...]:
    """Axes of a tensor of `rank` axes, negative ones counted from the last."""
    axes = read_ints(given, "axes", form)
    for k, axis in enumerate(axes):
        if not -rank <= axis < rank:
            allowed = f"{-rank} to {rank - 1}" if rank else "none"
            raise form.error(
                "axis", f"axes[{k}] = {axis}; data has {rank} axes, allowed: {allowed}."
            )
    found = tuple([axis % rank for axis in axes])
    if len(set(found)) != len(found):
        raise form.error(
            "axis",
            f"axes = {list(axes)} names one axis twice, which ONNX leaves undefined; "
            "name each once.",
        )
    return found
