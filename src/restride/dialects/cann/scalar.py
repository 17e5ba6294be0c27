"""``aclScalar``, and what it becomes in a tensor's dtype: C's conversions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.constants import constant_bytes
from restride.dialects.cann.errors import INVALID, aclnn_errors
from restride.errors import DTypeError
from restride.targets import DType, dtype_named

__all__ = ["AclScalar", "NotConvertibleError", "as_scalar", "converted"]

Array = np.ndarray[Any, Any]

SMALL_FLOATS = frozenset(
    {
        "hifloat8",
        "float8_e5m2",
        "float8_e4m3fn",
        "float8_e8m0",
        "float4_e2m1",
        "float4_e1m2",
    }
)
"""Types for which aclnnConstantPadNd has rules of its own."""


class NotConvertibleError(DTypeError):
    """A scalar that a dtype cannot take."""


@dataclass(frozen=True)
class AclScalar:
    """One number with a dtype of its own, as ``aclCreateScalar`` makes it.

    Raises
    ------
    AclnnError
        Stage "create": a dtype that no scalar has, or a value that it does not hold.

    Examples
    --------
    >>> AclScalar(0.1, "float").number == 0.1    # held in 32 bits
    False
    """

    value: Any
    dtype: Any = None
    """Name of the dtype; None: int64, double, complex128 or bool, as the value is."""

    def __post_init__(self) -> None:
        with aclnn_errors("aclCreateScalar", INVALID, "create"):
            if self.value is None:
                raise DTypeError("value is None; give a number.")
            own = _own_dtype(self.value) if self.dtype is None else self.dtype
            kind = dtype_named(own)
            if kind.numpy is None:
                raise DTypeError(f"a scalar of {kind} is not known; use float.")
            held = constant_bytes(self.value, as_dtype(kind.numpy))
        object.__setattr__(self, "dtype", kind)
        object.__setattr__(self, "value", np.frombuffer(held, as_dtype(kind.numpy))[0])

    @property
    def number(self) -> Any:
        """The value as Python's own bool, int, float or complex."""
        return self.value.item()


def _own_dtype(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.dtype
    kinds = {bool: "bool", float: "double", complex: "complex128"}
    if type(value) in kinds:
        return kinds[type(value)]
    if type(value) is int:
        return "uint64" if value >= 2**63 else "int64"
    raise DTypeError(
        f"a scalar of type {type(value).__name__} is not known; give a number."
    )


def as_scalar(given: Any, operator: str) -> AclScalar | None:
    """`given` as an ``aclScalar``; None stays a null pointer."""
    if given is None or isinstance(given, AclScalar):
        return given
    if getattr(given, "ndim", None) == 0 and isinstance(given, np.ndarray):
        given = given[()]
    with aclnn_errors(operator, INVALID):
        return AclScalar(given)


def converted(scalar: AclScalar, kind: DType) -> Array | None:
    """`scalar` as one element of `kind`; None stands for all-zero bytes.

    Integers wrap, floats lose their fraction into an integer and are rounded to the
    nearest in a shorter float, and anything but 0 is True.

    Raises
    ------
    NotConvertibleError
        C leaves the conversion undefined (a float outside the integer type, NaN), the
        imaginary part would be lost, or no conversion to `kind` is known.

    Notes
    -----
    CANN opbase, aclScalar: ``static_cast`` from the scalar's dtype.  Beyond it, a
    complex number into a real one is refused, where the source goes on with 0.

    Examples
    --------
    >>> converted(AclScalar(-1), dtype_named("uint8")).tolist()
    255
    >>> converted(AclScalar(-2.9), dtype_named("int8")).tolist()
    -2
    """
    number = scalar.number
    if kind.name in SMALL_FLOATS and number == 0:
        return None
    if kind.numpy is None:
        raise _refused(number, kind)
    dtype = as_dtype(kind.numpy)
    if kind.name in SMALL_FLOATS:
        return _small_float(number, kind, dtype)
    if dtype.kind == "b":
        return np.asarray(number != 0)
    if isinstance(number, complex) and dtype.kind != "c":
        raise _refused(number, kind)
    if dtype.kind in "iu":
        return _whole(number, kind, dtype)
    with np.errstate(all="ignore"):
        wide = np.asarray(scalar.value)
        if kind.name == "bf16":
            wide = wide.astype(np.float32)  # on the way to bf16, as the source goes
        return wide.astype(dtype)


def _whole(number: Any, kind: DType, dtype: np.dtype[Any]) -> Array:
    bits = 8 * dtype.itemsize
    if isinstance(number, float):
        info = np.iinfo(dtype)
        if not math.isfinite(number) or not info.min <= math.trunc(number) <= info.max:
            raise _refused(number, kind)
    raw = math.trunc(number) % 2**bits
    return np.asarray(raw, f"u{dtype.itemsize}").view(dtype)


def _small_float(number: Any, kind: DType, dtype: np.dtype[Any]) -> Array:
    """The nearest float8, where it holds the number."""
    try:
        raw = constant_bytes(number, dtype)
    except DTypeError:
        raise _refused(number, kind) from None
    return np.frombuffer(raw, dtype)[0:1].reshape(())


def _refused(number: Any, kind: DType) -> NotConvertibleError:
    return NotConvertibleError(
        f"value = {number!r} cannot be converted to {kind}; give a value it holds."
    )
