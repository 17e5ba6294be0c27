"""The vendor's Python surface: `Operation(param).forward([...])` on arrays.

Ascend ATB 8.5.0, src/torch_atb: operation_wrapper.cpp, resource/utils.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.arrays import as_source
from restride.dialects.atb.context import Context
from restride.dialects.atb.errors import AtbError, ErrorType, answering
from restride.dialects.atb.framework import MAX_DIM
from restride.dialects.atb.operation import OperationBase
from restride.dialects.atb.params import Param
from restride.dialects.atb.tensors import UNDEFINED, Tensor, TensorDesc, VariantPack
from restride.dialects.atb.torch_tensors import from_torch, is_torch, to_torch
from restride.targets import Product, UnknownNameError, dtype_named

__all__ = ["Operation", "create_operation"]

Array = np.ndarray[Any, Any]

MAPPED = frozenset(
    ("bool", "uint8", "int8", "float16", "float", "int32", "int64", "bf16", "int16")
)
"""Dtypes the binding maps; any other becomes "undefined" (resource/utils.cpp)."""


class Operation(OperationBase):
    """An operation with the methods of the vendor's Python binding besides its stages.

    Parameters
    ----------
    param : AsStridedParam or SetValueParam
        Copied: later changes to it do not reach the operation.
    product : str or Product, optional
        What InferShape and `forward` ask; None asks no product.

    Raises
    ------
    AtbError
        A reserved byte is not 0 (1), or this is no parameter structure (1).

    Examples
    --------
    >>> from restride.dialects.atb import AsStridedParam
    >>> x = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> op = Operation(AsStridedParam([2, 2], [2, 3], [0]))
    >>> op
    op name: AsStridedOperation, input_num: 1, output_num: 1
    >>> op.forward([x])[0].tolist()
    [[1, 4], [3, 6]]
    """

    def __init__(self, param: Param, *, product: str | Product | None = None) -> None:
        super().__init__(param, product)

    def forward(self, tensors: list[Any]) -> list[Any]:
        """Run InferShape, Setup and Execute; returns the outputs as fresh tensors.

        Parameters
        ----------
        tensors : list of ndarray or torch.Tensor
            One per input.  Elements count row-major, wherever they lie in memory.
            SetValueOperation changes the first in place.

        Returns
        -------
        list
            Tensors of the first input's kind; empty for SetValueOperation.

        Raises
        ------
        AtbError
            As the stage that refuses; more than 8 dims and what is no tensor before
            any stage.
        """
        given = list(tensors) if isinstance(tensors, (list, tuple)) else None
        if given is None:
            raise _refused("tensors", "give a list of tensors.")
        arrays = [_array(tensor, k) for k, tensor in enumerate(given)]
        inputs = [_described(array) for array in arrays]
        outputs = [Tensor(desc) for desc in self.infer_shape([t.desc for t in inputs])]
        made = self.run(VariantPack(inputs, outputs), Context(self._product))
        return [to_torch(y) if is_torch(given[0]) else y for y in made]


def _array(tensor: Any, k: int) -> Array:
    """The tensor as a NumPy array in the same memory."""
    with answering("infer_shape", ErrorType.ERROR_INVALID_PARAM, "tensors"):
        if is_torch(tensor):
            array = from_torch(tensor)
        elif isinstance(tensor, np.ndarray):
            array = as_source(tensor, f"tensors[{k}]")
        else:
            raise _refused(
                "tensors",
                f"tensors[{k}] is a {type(tensor).__name__}; give a NumPy array or a "
                "torch tensor.",
            )
    if array.ndim > MAX_DIM:
        raise AtbError(
            ErrorType.ERROR_INVALID_TENSOR_DIM,
            "infer_shape",
            "1 to 8 dims",
            f"tensors[{k}] has {array.ndim} dims; ATB takes 1 to {MAX_DIM}.",
        )
    if not array.dtype.isnative:
        raise _refused(
            "byte order",
            f"tensors[{k}] has dtype {array.dtype.str}, not in the machine's byte "
            "order; convert it with astype.",
        )
    return array


def _described(array: Array) -> Tensor:
    return Tensor(TensorDesc(_mapped(array.dtype), "nd", array.shape), array)


def _mapped(dtype: np.dtype[Any]) -> str:
    try:
        name = dtype_named(dtype).name
    except UnknownNameError:
        return UNDEFINED
    return name if name in MAPPED else UNDEFINED


def _refused(rule: str, message: str) -> AtbError:
    return AtbError(ErrorType.ERROR_INVALID_PARAM, "infer_shape", rule, message)


def create_operation(
    param: Param, *, product: str | Product | None = None
) -> Operation:
    """Make an operation of a copy of its parameters.

    Parameters
    ----------
    param : AsStridedParam or SetValueParam
    product : str or Product, optional
        What InferShape asks about bf16; Setup asks its context.

    Raises
    ------
    AtbError
        A reserved byte is not 0 (1).  Nothing else is checked here: parameters
        without hope fail at InferShape.

    Notes
    -----
    Ascend ATB 8.5.0, CreateOperation.

    Examples
    --------
    >>> from restride.dialects.atb import SetValueParam
    >>> create_operation(SetValueParam()).output_num
    0
    """
    return Operation(param, product=product)
