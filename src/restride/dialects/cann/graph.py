"""Inputs of graph operators: tensors, and small index tensors whose values count."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from restride.arrays import as_source
from restride.checks import MOST_ENTRIES, as_index, as_shape
from restride.dialects.cann.errors import (
    GraphError,
    GraphStage,
    NoDataError,
    graph_errors,
)
from restride.dialects.cann.tensor import INT64, AclTensor
from restride.targets import Product, product, support

__all__ = ["Indices", "check_product", "flag", "indices", "masks", "shape_of", "tensor"]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

TENSORS = (AclTensor, np.ndarray, np.generic)
INDEX_DTYPES = ("int32", "int64")


class Indices(NamedTuple):
    """The values of an int32 or int64 tensor, row-major, and its shape."""

    values: Ints
    shape: Ints


def tensor(given: Any, name: str, operator: str) -> AclTensor:
    """`given` as a tensor; an array is its own storage."""
    if isinstance(given, AclTensor):
        return given
    if not isinstance(given, (np.ndarray, np.generic)):
        raise GraphError(
            operator,
            "infer_shape",
            f"{name} is a {type(given).__name__}; give a NumPy array or an AclTensor.",
        )
    with graph_errors(operator, "infer_shape"):
        array = as_source(given, name)
        return AclTensor(array.shape, array.dtype, data=array)


def shape_of(given: Any, name: str, operator: str) -> Ints:
    """The shape of a tensor, or a shape itself; all of it known."""
    with graph_errors(operator, "infer_shape"):
        return as_shape(given.shape if isinstance(given, TENSORS) else given, name)


def indices(
    given: Any, name: str, operator: str, stage: GraphStage = "infer_shape"
) -> Indices:
    """The values of an index tensor: an array, an AclTensor with data, or ints.

    Raises
    ------
    GraphError
        Another dtype than int32 and int64, a ragged list, or no integers.
    """
    if isinstance(given, TENSORS):
        held = tensor(given, name, operator)
        if held.dtype.name not in INDEX_DTYPES:
            raise GraphError(
                operator,
                stage,
                f"{name} has dtype {held.dtype}; allowed are int32 and int64.",
            )
        if held.array is None:
            raise NoDataError(operator, stage, name)
        if held.array.size > MOST_ENTRIES:  # a broadcast array holds less than it says
            raise GraphError(
                operator,
                stage,
                f"{name} has shape {held.shape}; give one value per dim or entry.",
            )
        return Indices(tuple(held.array.ravel().tolist()), held.shape)
    with graph_errors(operator, stage):
        return _listed(given, name, operator, stage)


def _listed(given: Any, name: str, operator: str, stage: GraphStage) -> Indices:
    """One list of ints, or one list of rows of them."""
    if not isinstance(given, (list, tuple)):
        raise GraphError(
            operator,
            stage,
            f"{name} is a {type(given).__name__}; give ints, an int32 or int64 array, "
            "or an AclTensor.",
        )
    if given and all(isinstance(row, (list, tuple)) for row in given):
        inner = [v for row in given for v in row]
        if len({len(row) for row in given}) > 1 or any(
            isinstance(v, (list, tuple)) for v in inner
        ):
            raise GraphError(
                operator, stage, f"{name} is no table; give rows of as many ints."
            )
        rows = [
            _listed(row, f"{name}[{k}]", operator, stage) for k, row in enumerate(given)
        ]
        values = tuple([v for row in rows for v in row.values])
        return Indices(values, (len(rows), *rows[0].shape))
    values = tuple([as_index(v, f"{name}[{k}]") for k, v in enumerate(given)])
    for k, value in enumerate(values):
        if value not in INT64:
            raise GraphError(
                operator, stage, f"{name}[{k}] = {value} is no int64; it has 64 bits."
            )
    return Indices(values, (len(values),))


def masks(operator: str, **given: Any) -> dict[str, int]:
    """Bit masks, as int attributes."""
    with graph_errors(operator, "infer_shape"):
        return {name: as_index(value, name) for name, value in given.items()}


def flag(
    given: Any, name: str, operator: str, stage: GraphStage = "infer_shape"
) -> bool:
    """A bool attribute."""
    if isinstance(given, (bool, np.bool_)):
        return bool(given)
    raise GraphError(
        operator, stage, f"{name} is a {type(given).__name__}; give True or False."
    )


def check_product(operator: str, dtype: Any, on: str | Product | None) -> None:
    """Refuse what the product, where one is named, does not take."""
    if on is None:
        return
    with graph_errors(operator, "tiling"):
        told = support(operator, dtype, product(on))
    if not told.ok:
        why = f"{told.reason} {told.instead or ''}".rstrip()
        raise GraphError(operator, "tiling", why)
