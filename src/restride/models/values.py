"""What a node's parameters need of its inputs: whole shapes, and constants as numbers.

>>> ints_of(held("p", np.array([1, 2])), "paddings")
[1, 2]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from restride.checks import MOST_ENTRIES, as_index
from restride.errors import DTypeError, ShapeError
from restride.layout.chain import Chain
from restride.models.known import Known
from restride.models.tensors import Constant

__all__ = ["Unknown", "array_of", "chain_of", "held", "ints_of", "number_of"]

Array = np.ndarray[Any, Any]


class Unknown(Exception):  # noqa: N818  # nothing is wrong
    """What decides a node's movement is only known when the model runs."""


def held(name: str, array: Array, dtype: str | None = None) -> Known:
    """A tensor whose elements are known."""
    kind, shape = dtype or str(array.dtype), array.shape
    return Known(name, kind, shape, Constant(shape, kind, lambda: array))


def array_of(known: Known) -> Array | None:
    """The elements of a constant, or None."""
    return None if known.constant is None else known.constant.array()


def chain_of(known: Known) -> Chain:
    """The chain of no steps over a tensor.

    Raises
    ------
    Unknown
        Its shape is not known whole.
    """
    if known.shape is None:
        raise Unknown(f"the shape of {known.name!r} is not in the model")
    if known.extents is None:
        axis = next(k for k, n in enumerate(known.shape) if not isinstance(n, int))
        raise Unknown(f"the extent of axis {axis} of {known.name!r} is left open")
    return Chain.identity(known.extents)


def ints_of(known: Known, what: str) -> list[int]:
    """The elements of a constant of integers, row-major.

    Raises
    ------
    Unknown
        It is no constant of the model.
    DTypeError, ShapeError
        It holds no integers, or more than any operator's parameters are.
    """
    array = array_of(known)
    if array is None:
        raise Unknown(f"{what} is not a constant of the model")
    if array.dtype.kind not in "iu":
        raise DTypeError(f"{what} holds {array.dtype}, not integers.")
    if array.size > MOST_ENTRIES:
        raise ShapeError(f"{what} has {array.size} entries; at most {MOST_ENTRIES}.")
    return [int(entry) for entry in array.ravel()]


def number_of(attributes: Mapping[str, Any], name: str, default: int) -> int:
    """An attribute that is one integer."""
    return as_index(attributes.get(name, default), name)
