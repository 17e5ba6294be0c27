"""Two arrays compared bit for bit, and where they first differ."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["first_difference"]

Array = np.ndarray[Any, Any]


def first_difference(expected: Array, got: Array) -> str:
    """What differs first; empty where every bit agrees.

    NaN equals NaN of the same bits, and 0.0 is not -0.0.

    Examples
    --------
    >>> first_difference(np.array([1, 2, 3]), np.array([1, 2, 4]))
    'element (2,) is 4, not 3; 1 of 3 differ'
    >>> first_difference(np.zeros(2), -np.zeros(2))
    'element (0,) is -0.0, not 0.0; 2 of 2 differ'
    """
    if expected.shape != got.shape:
        return f"shape is {got.shape}, not {expected.shape}"
    if expected.dtype != got.dtype:
        return f"dtype is {got.dtype}, not {expected.dtype}"
    wrong = (_bytes(expected) != _bytes(got)).any(axis=1)
    if not wrong.any():
        return ""
    place = np.unravel_index(int(wrong.argmax()), expected.shape)
    index = tuple(int(k) for k in place)
    return (
        f"element {index} is {got[index]}, not {expected[index]}; "
        f"{int(wrong.sum())} of {wrong.size} differ"
    )


def _bytes(x: Array) -> Array:
    """One row of bytes per element."""
    flat: Array = np.ascontiguousarray(x).reshape(-1)
    return flat.view(np.uint8).reshape(flat.size, x.dtype.itemsize)
