"""The outputs of a case by the operators' definitions, where a table gives none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from restride.conform import definition
from restride.conform.case import Case, TensorSpec
from restride.conform.values import element_type, number_of

__all__ = ["outputs_of"]

Array = np.ndarray[Any, Any]
Arrays = Sequence[Array | None]
Find = Callable[[dict[str, Any], Arrays], Array | None]

MOST_ADDED = 1 << 24
"""Whole numbers up to this add without rounding in 32-bit floats."""

ACLNN_MASKS = {
    "begin": "beginMask",
    "end": "endMask",
    "ellipsis": "ellipsisMask",
    "new_axis": "newAxisMask",
    "shrink_axis": "shrinkAxisMask",
}


def outputs_of(case: Case, inputs: Arrays) -> tuple[Array, ...] | None:
    """What a case that succeeds must give; None where nothing here says it.

    SetValueOperation's is the written `dst`.
    """
    find = DEFINITIONS.get(case.op)
    if find is None or not inputs or inputs[0] is None:
        return None
    found = find(case.params, inputs)
    if found is None:
        return None
    declared = case.outputs[0] if case.outputs else None
    if case.op.startswith("aclnn") and declared is not None and found.size == 1:
        # To aclnn all shapes of one element are alike.
        found = found.reshape(declared.shape if prod(declared.shape) == 1 else -1)
    return (found,)


def _as_strided(params: dict[str, Any], inputs: Arrays) -> Array:
    (offset,) = params["offset"]
    return definition.as_strided(
        _needed(inputs, 0), params["size"], params["stride"], offset
    )


def _set_value(params: dict[str, Any], inputs: Arrays) -> Array:
    dst, src = _needed(inputs, 0), _needed(inputs, 1)
    return definition.set_value(dst, src, params["starts"], params["ends"])


def _pad_v3(params: dict[str, Any], inputs: Arrays) -> Array:
    x, pads = _needed(inputs, 0), _pads(params, _needed(inputs, 1))
    value = inputs[2] if len(inputs) > 2 else None
    fill = np.zeros((), x.dtype) if value is None else value.reshape(-1)[0]
    return definition.pad(x, pads, _given(params, "mode", "constant"), fill)


def _pads(params: dict[str, Any], paddings: Array) -> list[tuple[int, int]]:
    flat = [int(p) for p in paddings.reshape(-1)]
    if _given(params, "paddings_contiguous", True):
        return list(zip(flat[::2], flat[1::2], strict=True))
    rank = len(flat) // 2
    return list(zip(flat[:rank], flat[rank:], strict=True))


def _pad_v3_grad(params: dict[str, Any], inputs: Arrays) -> Array | None:
    dy, pads = _needed(inputs, 0), _pads(params, _needed(inputs, 1))
    shape = [n - sum(pair) for n, pair in zip(dy.shape, pads, strict=True)]
    return _gradient(dy, shape, pads, _given(params, "mode", "reflect"))


def _gradient(
    dy: Array, shape: Sequence[int], pads: list[tuple[int, int]], mode: str
) -> Array | None:
    """None where the order of the sums would show, which nothing documents."""
    wide = dy.astype(np.complex128 if dy.dtype.kind == "c" else np.float64)
    parts = np.stack([wide.real, wide.imag])
    whole = np.isfinite(parts).all() and (parts == np.rint(parts)).all()
    if not whole or np.abs(parts).sum() > MOST_ADDED:
        return None
    return definition.pad_grad(dy, shape, pads, mode)


def _constant_pad_nd(params: dict[str, Any], inputs: Arrays) -> Array:
    x = _needed(inputs, 0)
    value = _scalar(params["value"])
    with np.errstate(all="ignore"):
        fill = value != 0 if x.dtype.kind == "b" else value.astype(x.dtype)
    return definition.pad(x, _last_first(params["pad"], x.ndim), "constant", fill)


def _scalar(given: Any) -> Array:
    """A number, held in the scalar's own dtype where the table names one.

    That comes before any conversion: 0.1 of a float is not 0.1 of a double.
    """
    number = np.asarray(number_of(given))
    named = given.get("dtype") if isinstance(given, dict) else None
    if named is None:
        return number
    return number.astype(element_type(TensorSpec(named, ())) or number.dtype)


def _last_dims(mode: str) -> Find:
    def find(params: dict[str, Any], inputs: Arrays) -> Array:
        x = _needed(inputs, 0)
        return definition.pad(x, _last_first(params["padding"], x.ndim), mode, 0)

    return find


def _last_dims_back(mode: str) -> Find:
    def find(params: dict[str, Any], inputs: Arrays) -> Array | None:
        shape = _needed(inputs, 1).shape
        pads = _last_first(params["padding"], len(shape))
        return _gradient(_needed(inputs, 0), shape, pads, mode)

    return find


def _last_first(flat: Sequence[int], rank: int) -> list[tuple[int, int]]:
    """A pair per axis from aclnn's list, which begins at the last axis."""
    pairs = list(zip(flat[::2], flat[1::2], strict=True))[::-1]
    return [(0, 0)] * (rank - len(pairs)) + pairs


def _strided_slice(params: dict[str, Any], inputs: Arrays) -> Array:
    lists, masks = _lists(inputs), _masks(params)
    return definition.strided_slice(_needed(inputs, 0), lists, masks)


def _strided_slice_grad(params: dict[str, Any], inputs: Arrays) -> Array:
    shape, lists = [int(n) for n in _needed(inputs, 0)], _lists(inputs)
    dy = _needed(inputs, 4)
    return definition.strided_slice_grad(dy, shape, lists, _masks(params))


def _lists(inputs: Arrays) -> list[list[int]]:
    return [[int(k) for k in _needed(inputs, i)] for i in (1, 2, 3)]


def _masks(params: dict[str, Any]) -> dict[str, int]:
    return {name: _given(params, f"{name}_mask", 0) for name in ACLNN_MASKS}


def _aclnn_strided_slice(params: dict[str, Any], inputs: Arrays) -> Array:
    lists = [params[name] for name in ("begin", "end", "strides")]
    masks = {k: _given(params, theirs, 0) for k, theirs in ACLNN_MASKS.items()}
    return definition.strided_slice(_needed(inputs, 0), lists, masks)


def _given(params: dict[str, Any], name: str, default: Any) -> Any:
    """The parameter; null leaves it at its default."""
    value = params.get(name)
    return default if value is None else value


def _needed(inputs: Arrays, k: int) -> Array:
    found = inputs[k]
    assert found is not None, "a case that ran had it"
    return found


DEFINITIONS: dict[str, Find] = {
    "AsStridedOperation": _as_strided,
    "SetValueOperation": _set_value,
    "PadV3": _pad_v3,
    "PadV3Grad": _pad_v3_grad,
    "StridedSlice": _strided_slice,
    "StridedSliceGrad": _strided_slice_grad,
    "aclnnConstantPadNd": _constant_pad_nd,
    **{f"aclnnReplicationPad{n}d": _last_dims("edge") for n in (1, 2, 3)},
    **{f"aclnnReflectionPad{n}d": _last_dims("reflect") for n in (1, 2, 3)},
    **{f"aclnnReplicationPad{n}dBackward": _last_dims_back("edge") for n in (1, 2, 3)},
    **{
        f"aclnnReflectionPad{n}dBackward": _last_dims_back("reflect") for n in (1, 2, 3)
    },
    "aclnnStridedSlice": _aclnn_strided_slice,
}
