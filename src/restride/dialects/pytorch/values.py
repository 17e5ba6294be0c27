"""The value of a constant pad, converted as PyTorch converts it."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np

from restride.dialects.pytorch.errors import (
    TorchError,
    TorchOverflowError,
    TorchTypeError,
)

__all__ = ["as_element"]


def as_element(value: Any, dtype: np.dtype[Any]) -> Any:
    """`value` as one element of `dtype`; None is 0.

    Every value passes through a double, and those of 16 or 8 bits through a float
    after it.

    Raises
    ------
    TorchTypeError
        Not a number, or a complex one.
    TorchError
        Outside the range of `dtype`.

    Notes
    -----
    PyTorch 2.13: `value` of torch.nn.functional.pad is a float, and c10's
    checked_convert refuses what overflows.  It lets 2**63 pass for int64, and 2**64
    for uint64, where C++ leaves the result open; refused here.

    Examples
    --------
    >>> as_element(1.9, np.dtype("int8")), as_element(-1, np.dtype("bool"))
    (np.int8(1), np.True_)
    >>> as_element(256, np.dtype("uint8"))
    Traceback (most recent call last):
    restride.dialects.pytorch.errors.TorchError: pad(): value 256.0 cannot be converted to uint8 without overflow; allowed is 0 to 255.
    """  # noqa: E501
    number = _double(0.0 if value is None else value)
    low, high = _range(dtype)
    if dtype.kind in "biu":
        if dtype.kind == "b":
            return np.bool_(number != 0)
        if not low <= number <= high:
            raise _overflow(number, dtype, int(low), int(high))
        return dtype.type(int(number))
    beyond = math.isinf(number) and not _has_infinity(dtype)
    if beyond or (math.isfinite(number) and not low <= number <= high):
        raise _overflow(number, dtype, low, high)
    if math.isnan(number) and dtype.name == "float8_e5m2":
        return _nan_of_ones(number)
    if dtype.itemsize < 4 and dtype.kind != "c":
        with np.errstate(all="ignore"):
            return np.asarray(np.float32(number)).astype(dtype)[()]
    return dtype.type(number)


def _double(value: Any) -> float:
    """A Python or NumPy number, or a tensor without axes, as a float."""
    is_tensor = hasattr(value, "requires_grad") and not value.ndim
    if is_tensor and not value.requires_grad:
        value = value.item()
    numbers = (bool, int, float, np.bool_, np.integer, np.floating)
    if not isinstance(value, numbers):
        raise TorchTypeError(
            "value",
            f"pad(): argument 'value' must be float, not {type(value).__name__}.",
        )
    try:
        return float(value)
    except OverflowError:
        raise TorchOverflowError(
            "value", "pad(): value is an int too large to convert to float."
        ) from None


def _range(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The least and the greatest finite value."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return int(info.min), int(info.max)
    real = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
    found: Any = ml_dtypes.finfo(real)  # type: ignore[no-untyped-call]
    return float(found.min), float(found.max)


def _has_infinity(dtype: np.dtype[Any]) -> bool:
    if dtype.kind == "c" or dtype.itemsize >= 2:
        return True
    with np.errstate(all="ignore"):
        return bool(np.isinf(np.asarray(math.inf, np.float32).astype(dtype)))


def _nan_of_ones(number: float) -> Any:
    """PyTorch's NaN in float8_e5m2 has all bits set, that of ml_dtypes has not."""
    sign = 0x80 if math.copysign(1, number) < 0 else 0
    return np.array([0x7F | sign], np.uint8).view(ml_dtypes.float8_e5m2)[0]


def _overflow(number: float, dtype: np.dtype[Any], low: Any, high: Any) -> TorchError:
    return TorchError(
        "value",
        f"pad(): value {number} cannot be converted to {dtype} without overflow; "
        f"allowed is {low} to {high}.",
    )
