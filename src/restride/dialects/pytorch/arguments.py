"""Arguments as plain ints, refused where PyTorch's own argument parser refuses them."""

from __future__ import annotations

from typing import Any

from restride.checks import as_index
from restride.dialects.pytorch.errors import TorchIndexError, TorchTypeError
from restride.errors import RestrideError

__all__ = ["as_dim", "as_int", "as_int_list"]

LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""What PyTorch's int64_t holds."""


def as_int(value: Any, argument: str) -> int:
    """An int of 64 bits; NumPy's integers and integral tensors without axes are too.

    Examples
    --------
    >>> as_int(True, "dim")
    Traceback (most recent call last):
    restride.dialects.pytorch.errors.TorchTypeError: argument 'dim' must be int, and of 64 bits with its sign, not bool.
    """  # noqa: E501
    kind = type(value).__name__
    is_bool = str(getattr(value, "dtype", kind)).endswith("bool")
    has_axes = getattr(value, "ndim", None) not in (None, 0)
    try:
        number = None if is_bool or has_axes else as_index(value, argument, True)
    except RestrideError:
        number = None
    if number is None or not LOWEST <= number <= HIGHEST:
        found = kind if number is None else f"int of {number.bit_length()} bits"
        raise TorchTypeError(
            "argument",
            f"argument '{argument}' must be int, and of 64 bits with its sign, not "
            f"{found}.",
        )
    return number


def as_int_list(values: Any, argument: str) -> tuple[int, ...]:
    """A list or tuple of ints; nothing else, as PyTorch asks."""
    if not isinstance(values, (list, tuple)):
        raise TorchTypeError(
            "argument",
            f"argument '{argument}' must be tuple of ints, not "
            f"{type(values).__name__}.",
        )
    return tuple([as_int(v, f"{argument}[{k}]") for k, v in enumerate(values)])


def as_dim(dim: int, rank: int) -> int:
    """An axis counted from the front; a tensor without axes has one to speak of."""
    most = max(rank, 1)
    if not -most <= dim < most:
        raise TorchIndexError(
            "dim",
            f"Dimension out of range (expected to be in range of [{-most}, {most - 1}],"
            f" but got {dim}).",
        )
    return dim % most
