"""Asking a dialect whether it takes a call, on descriptions of tensors without data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from restride.dialects import cann
from restride.dialects.atb import TensorDesc, run_to
from restride.targets import Product
from restride.translate.running import aclnn_given
from restride.translate.spec import Call

__all__ = ["OPERATORS", "accept", "operator_of"]

Shape = tuple[int, ...]

NAMES = {
    "pad_v3": "PadV3",
    "strided_slice": "StridedSlice",
    "AsStridedParam": "AsStridedOperation",
    "SetValueParam": "SetValueOperation",
    "aclnn_strided_slice": "aclnnStridedSlice",
    "aclnn_constant_pad_nd": "aclnnConstantPadNd",
}
"""The support tables' names of calls; pads of one kind differ in a number."""

OPERATORS: Mapping[str, Mapping[str, str]] = {
    "cann": {"slice": "StridedSlice", "pad": "PadV3", "write": "StridedSlice"},
    "aclnn": {
        "slice": "aclnnStridedSlice",
        "pad": "aclnnConstantPadNd",
        "write": "aclnnStridedSlice",
    },
    "atb": dict.fromkeys(("slice", "pad"), "AsStridedOperation")
    | {"write": "SetValueOperation"},
}
"""Per door, the operator whose table speaks of a kind of node."""


def operator_of(call: Call) -> str:
    """The name of a call in the support tables.

    Examples
    --------
    >>> operator_of(Call("aclnn", "aclnn_reflection_pad2d"))
    'aclnnReflectionPad2d'
    """
    if call.op in NAMES:
        return NAMES[call.op]
    first, *rest = call.op.split("_")
    return first + "".join(part.capitalize() for part in rest)


def accept(call: Call, shape: Shape, dtype: str, product: Product) -> Shape:
    """The shape of a call's result, where its dialect takes it on that product.

    Raises
    ------
    RestrideError
        It does not; the dialect's own error.
    """
    params = dict(call.params)
    if call.op.startswith("aclnn"):
        return _aclnn(call, params, shape, dtype, product)
    if call.dialect == "atb":
        return _atb(call, params, shape, dtype, product)
    x = cann.AclTensor(shape, dtype)
    made = getattr(cann, call.op)(x, **params, product=product)
    return tuple(made.shape)


def _aclnn(
    call: Call, params: dict[str, Any], shape: Shape, dtype: str, product: Product
) -> Shape:
    given, result = aclnn_given(call, params, shape)
    x, out = cann.AclTensor(shape, dtype), cann.AclTensor(result, dtype)
    ask = getattr(cann, f"{call.op}_get_workspace_size")
    ask(x, *given, out, product=product)
    return result


def _atb(
    call: Call, params: dict[str, Any], shape: Shape, dtype: str, product: Product
) -> Shape:
    descs = [TensorDesc(dtype, "nd", shape)]
    if call.op == "SetValueParam":
        pairs = zip(params["starts"], params["ends"], strict=True)
        source = tuple([end - start for start, end in pairs])
        descs.append(TensorDesc(dtype, "nd", source))
    told = run_to(
        "setup",
        NAMES[call.op],
        {name: list(value) for name, value in params.items()},
        descs,
        product=product,
    )
    if told.error is not None:
        raise told.error
    return tuple(params["size"]) if call.op == "AsStridedParam" else shape
