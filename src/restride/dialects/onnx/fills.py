"""Pad's constant: an input of data's type, or below opset 11 a float of 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.constants import constant_bytes
from restride.dialects.onnx.forms import Form
from restride.dialects.onnx.values import is_text
from restride.errors import DTypeError

__all__ = ["read_fill"]

Array = np.ndarray[Any, Any]

NUMBERS = (bool, int, float, complex)


def read_fill(
    given: Any, data: Array, mode: str, pairs: tuple[tuple[int, int], ...], form: Form
) -> Any:
    """The constant as an array of one element, a str, or None for zero bytes.

    It is checked in every mode, and used in one.
    """
    if is_text(data):
        return _read_text(given, form)
    if given is None:
        extends = mode == "constant" and max(map(max, pairs), default=0) > 0
        if extends and data.dtype.name == "float8_e8m0fnu":
            raise form.error(
                "value", "float8e8m0 has no 0 to pad with; give constant_value."
            )
        return None
    if form.version < 11:
        return _from_float(given, data, form)
    if hasattr(given, "dtype"):
        return _from_tensor(np.asarray(given), data, form)
    if not isinstance(given, NUMBERS):
        what = type(given).__name__
        raise form.error("shape", f"constant_value is a {what}; give one scalar.")
    return _held(given, data.dtype, form)


def _read_text(given: Any, form: Form) -> str:
    value = given
    if hasattr(given, "dtype") and getattr(given, "size", 0) == 1:
        value = np.asarray(given).reshape(-1)[0]
    if value is None or isinstance(value, str):
        return str(value or "")
    what = type(given).__name__
    raise form.error("dtype", f"constant_value is a {what}; data has strings.")


def _from_float(given: Any, data: Array, form: Form) -> Array:
    """The attribute `value`: rounded to 32 bits, then cast as ONNX's Cast does."""
    scalar = given.item() if getattr(given, "size", 0) == 1 else given
    if not isinstance(scalar, (bool, int, float)):
        what = type(given).__name__
        raise form.error("dtype", f"value is a {what}; give one float.")
    with np.errstate(all="ignore"):
        return _held(scalar, np.dtype(np.float32), form).astype(data.dtype)


def _from_tensor(given: Array, data: Array, form: Form) -> Array:
    if given.dtype.name != data.dtype.name:
        raise form.error(
            "dtype",
            f"constant_value has type {given.dtype} and data {data.dtype}; they must "
            "be equal.",
        )
    if given.size != 1:
        raise form.error(
            "shape", f"constant_value has shape {given.shape}; give one scalar."
        )
    return given.reshape(()).astype(data.dtype)


def _held(value: Any, dtype: np.dtype[Any], form: Form) -> Array:
    try:
        raw = constant_bytes(value, dtype)
    except DTypeError as error:
        raise form.error("value", str(error)) from None
    return np.frombuffer(raw, f"V{len(raw)}").view(dtype).reshape(())
