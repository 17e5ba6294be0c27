"""Running calls through this package's dialects: what agreement is told from.

Calls of a dialect's own operators go to its functions, with its checks; what only
stands between them (a transpose, a table of positions) is NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from math import prod
from typing import Any

import numpy as np

from restride import api
from restride.checks import as_sequence
from restride.layout.notation import as_entries, shown
from restride.ops.strided_slice import MASKS
from restride.translate.errors import RefusedError
from restride.translate.readers.indices import on_axis
from restride.translate.readers.table import operator_named
from restride.translate.spec import Call
from restride.translate.values import Cells, Grid, PerItem, Runs

__all__ = ["MOST_ELEMENTS", "aclnn_given", "own_call", "run_calls"]

Array = np.ndarray[Any, Any]
Params = dict[str, Any]
MOST_ELEMENTS = 1 << 22
"""Most elements compared, of the input and of a result: 32 MB of numbers."""

Runner = Callable[[Call, Params, list[Array]], Array]


def run_calls(calls: tuple[Call, ...], x: Array, src: Array | None) -> Array:
    """What calls in a row leave in their last output; `x` and `src` stay as they are.

    Raises
    ------
    RestrideError
        A dialect refuses its call.
    """
    known = {"x": x} if src is None else {"x": x, "src": src}
    for call in calls:
        params = {name: _plain(v) for name, v in call.params.items()}
        inputs = [known[name] for name in call.inputs]
        known[call.output] = _runner(call)(call, params, inputs)
    return known[calls[-1].output]


def own_call(call: Call, writes: bool) -> Call:
    """A call as it was given, by the name its dialect's function has."""
    inputs = ("x", "src") if writes else ("x",)
    return replace(call, op=operator_named(call), inputs=inputs)


def _plain(value: Any) -> Any:
    if not isinstance(value, (Runs, Grid, Cells)):
        return value
    return np.array(value.values(), np.int64).reshape(value.shape)


def _runner(call: Call) -> Runner:
    if call.op.startswith("aclnn"):
        return _aclnn
    return OWN.get(call.dialect, {}).get(call.op) or SHARED.get(call.op) or _function


def _function(call: Call, params: Params, inputs: list[Array]) -> Array:
    """The dialect's function of that name, its parameters by name."""
    home = "cann" if call.dialect == "aclnn" else call.dialect
    module = import_module(f"restride.dialects.{home}")
    made: Array = getattr(module, call.op)(*inputs, **params)
    return made


# ------------------------------------------------------------------ restride, NumPy


def _restride(call: Call, params: Params, inputs: list[Array]) -> Array:
    if call.op in ("assign", "set_value"):
        dst, src = inputs[0].copy(), inputs[1]
        if call.op == "assign":
            return api.assign(dst, params["index"], src)
        return api.set_value(dst, src, **params)
    made: Array = getattr(api, call.op)(*inputs, **params)
    return made


def _getitem(call: Call, params: Params, inputs: list[Array]) -> Array:
    _refuse_backward(call, params)
    return api.slice(inputs[0], params["index"])


def _setitem(call: Call, params: Params, inputs: list[Array]) -> Array:
    _refuse_backward(call, params)
    return api.assign(inputs[0].copy(), params["index"], inputs[1])


def _refuse_backward(call: Call, params: Params) -> None:
    """PyTorch's ``x[...]``: "step must be greater than zero"."""
    entries = as_entries(params["index"]) if call.dialect == "pytorch" else ()
    for k, entry in enumerate(entries):
        if isinstance(entry, slice) and entry.step is not None and entry.step < 0:
            told = f"index[{k}] has step {shown(entry.step)}; it takes steps above 0."
            raise RefusedError("pytorch", told, "Use flip, then a slice.")


def _numpy_strided(call: Call, params: Params, inputs: list[Array]) -> Array:
    """Strides in bytes, those of the elements spoken of, as those of `inputs`."""
    x, strides = inputs[0], params.get("strides")
    if isinstance(strides, PerItem):
        strides = [s * x.itemsize for s in strides.strides]
    elif strides is not None:
        given = params.get("itemsize") or np.dtype(params["dtype"]).itemsize
        strides = [s // given * x.itemsize for s in strides]
    module = import_module("restride.dialects.numpy")
    made: Array = module.as_strided(x, params.get("shape"), strides)
    return made.copy()


def _flat(call: Call, params: Params, inputs: list[Array]) -> Array:
    return inputs[0].reshape(-1)[params["offset"] :]


# --------------------------------------------------------- PyTorch, TensorFlow, ONNX


def _select(call: Call, params: Params, inputs: list[Array]) -> Array:
    return api.slice(inputs[0], on_axis(params["dim"], params["index"]))


def _torch_take(call: Call, params: Params, inputs: list[Array]) -> Array:
    made: Array = inputs[0].reshape(-1)[params["index"]]
    return made


def _tf_pad(call: Call, params: Params, inputs: list[Array]) -> Array:
    """tf.pad: one of the three raw operators, by its mode."""
    tensorflow = import_module("restride.dialects.tensorflow")
    mode = str(params.pop("mode", "CONSTANT")).upper()
    if mode != "CONSTANT":
        params.pop("constant_values", None)
        return np.asarray(tensorflow.mirror_pad(*inputs, **params, mode=mode))
    fill = np.array(params.pop("constant_values", 0), inputs[0].dtype)
    return np.asarray(tensorflow.pad_v2(*inputs, **params, constant_values=fill))


def _tf_update(call: Call, params: Params, inputs: list[Array]) -> Array:
    return _function(call, params | {"value": inputs[1]}, inputs[:1])


def _onnx(call: Call, params: Params, inputs: list[Array]) -> Array:
    onnx = import_module("restride.dialects.onnx")
    if call.dialect == "onnxruntime":
        params["runtime"] = "onnxruntime"
    if call.op.lower() == "slice":
        return np.asarray(onnx.slice(*inputs, **params))
    for old, name in (("paddings", "pads"), ("value", "constant_value")):
        if old in params:
            params[name] = params.pop(old)
    if "constant_value" in params and params.get("opset", onnx.NEWEST_OPSET) >= 11:
        params["constant_value"] = np.array(params["constant_value"], inputs[0].dtype)
    return np.asarray(onnx.pad(*inputs, **params))


def _squeeze(call: Call, params: Params, inputs: list[Array]) -> Array:
    axes = tuple(as_sequence(params["axes"]))
    if any(inputs[0].shape[axis] != 1 for axis in axes):
        told = f"Squeeze takes axes of extent 1, and {inputs[0].shape} has others."
        raise RefusedError(call.dialect, told, "A single index is never cut to fit.")
    return np.squeeze(inputs[0], axes)


def _unsqueeze(call: Call, params: Params, inputs: list[Array]) -> Array:
    return np.expand_dims(inputs[0], tuple(as_sequence(params["axes"])))


def _scatter(call: Call, params: Params, inputs: list[Array]) -> Array:
    made, at = inputs[0].copy(), params["indices"]
    wanted = at.shape[:-1] + made.shape[at.shape[-1] :]
    if inputs[1].shape != wanted:
        told = f"ScatterND takes updates of shape {wanted}, not {inputs[1].shape}."
        raise RefusedError(call.dialect, told, "Broadcast src first.")
    made[tuple(np.moveaxis(at, -1, 0))] = inputs[1]
    return made


# ---------------------------------------------------------------------------- Ascend


def _pad_v3(call: Call, params: Params, inputs: list[Array]) -> Array:
    if "constant_values" in params:
        fill = np.array(params["constant_values"], inputs[0].dtype)
        params["constant_values"] = fill
    return _function(call, params, inputs)


def _aclnn(call: Call, params: Params, inputs: list[Array]) -> Array:
    """A door, with an `out` of the shape its result has."""
    cann = import_module("restride.dialects.cann")
    x, words = inputs[0], {"product": params.pop("product", None)}
    given, shape = aclnn_given(call, params, x.shape)
    if prod(shape) > MOST_ELEMENTS:
        told = f"out has shape {shape}, and {MOST_ELEMENTS} elements are the most."
        raise RefusedError("aclnn", told, "Compare with less.")
    out = np.empty(shape, x.dtype)
    getattr(cann, call.op)(x, *given, out, **words)
    return out


def aclnn_given(
    call: Call, params: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[list[Any], tuple[int, ...]]:
    """What a door is given between `self` and `out`, and the shape of `out`."""
    if call.op == "aclnn_strided_slice":
        cann = import_module("restride.dialects.cann")
        lists = [params[name] for name in ("begin", "end", "strides")]
        masks = {name: params.get(name, 0) for name in MASKS}
        result = cann.infer_shape_strided_slice(shape, *lists, **masks)
        return [*lists, *masks.values()], tuple(result)
    pads = tuple(as_sequence(params.get("pad", params.get("padding", ()))))
    given = [pads, params.get("value", 0)] if "pad" in params else [pads]
    sums = [a + b for a, b in zip(pads[::2], pads[1::2], strict=False)][::-1]
    covered = [0] * (len(shape) - len(sums)) + sums
    extents = [max(n + s, 0) for n, s in zip(shape, covered, strict=False)]
    return given, tuple(extents)


def _as_strided_operation(call: Call, params: Params, inputs: list[Array]) -> Array:
    atb = import_module("restride.dialects.atb")
    made: Array = atb.Operation(atb.AsStridedParam(**params)).forward(inputs)[0]
    return made


def _set_value_operation(call: Call, params: Params, inputs: list[Array]) -> Array:
    atb = import_module("restride.dialects.atb")
    dst = inputs[0].copy()
    atb.Operation(atb.SetValueParam(**params)).forward([dst, inputs[1]])
    return dst


# ---------------------------------------------------------- what is NumPy's anywhere


def _copy(call: Call, params: Params, inputs: list[Array]) -> Array:
    return inputs[0].copy()


def _take(call: Call, params: Params, inputs: list[Array]) -> Array:
    table: Any = params.get("indices", params.get("index"))
    axis: Any = params.get("axis", params.get("dim", 0))
    return np.asarray(np.take(inputs[0], table, axis=axis))


def _transpose(call: Call, params: Params, inputs: list[Array]) -> Array:
    (order,) = params.values()
    return inputs[0].transpose(order)


def _broadcast(call: Call, params: Params, inputs: list[Array]) -> Array:
    (shape,) = params.values()
    return np.broadcast_to(inputs[0], shape)


def _reshape(call: Call, params: Params, inputs: list[Array]) -> Array:
    return inputs[0].reshape(params["shape"])


SHARED: Mapping[str, Runner] = {
    "getitem": _getitem,
    "setitem": _setitem,
    **dict.fromkeys(("copy", "clone", "contiguous", "ascontiguousarray"), _copy),
    **dict.fromkeys(("Identity", "identity"), _copy),
    **dict.fromkeys(("take", "index_select", "gather", "Gather"), _take),
    **dict.fromkeys(("transpose", "permute", "Transpose"), _transpose),
    **dict.fromkeys(("broadcast_to", "expand", "Expand"), _broadcast),
    **dict.fromkeys(("reshape", "Reshape"), _reshape),
}
"""Calls that mean the same wherever they occur."""

ONNX: Mapping[str, Runner] = {
    **dict.fromkeys(("Slice", "slice", "Pad", "pad"), _onnx),
    **dict.fromkeys(("Squeeze", "squeeze"), _squeeze),
    **dict.fromkeys(("Unsqueeze", "unsqueeze"), _unsqueeze),
    "ScatterND": _scatter,
}

STRIDED = ("as_strided", "AsStridedParam", "AsStridedOperation")
VALUE = ("set_value", "SetValueParam", "SetValueOperation")
RESTRIDE = "slice strided_slice pad as_strided assign set_value windows"

OWN: Mapping[str, Mapping[str, Runner]] = {
    "restride": dict.fromkeys(RESTRIDE.split(), _restride),
    "numpy": {"as_strided": _numpy_strided, "flat": _flat},
    "pytorch": {"select": _select, "take": _torch_take},
    "tensorflow": {
        "pad": _tf_pad,
        "pad_v2": _tf_pad,
        "tensor_strided_slice_update": _tf_update,
    },
    "onnx": ONNX,
    "onnxruntime": ONNX,
    "cann": {"pad_v3": _pad_v3},
    "aclnn": {"pad_v3": _pad_v3},
    "atb": {
        **dict.fromkeys(STRIDED, _as_strided_operation),
        **dict.fromkeys(VALUE, _set_value_operation),
    },
}
"""Calls that need more than their dialect's function of the same name."""
