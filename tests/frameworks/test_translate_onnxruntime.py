"""Translations into ONNX's nodes and text and out of them, run by ONNX Runtime."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sets
from translated import FAMILIES, by_numpy, compared

from restride.translate import Call, RefusedError, Translation, translate

ort = sets.framework("onnxruntime")
onnx = sets.framework("onnx")
ort.set_default_logger_severity(4)
STATE = ort.capi.onnxruntime_pybind11_state
REFUSALS = (STATE.Fail, STATE.InvalidArgument, STATE.RuntimeException)

Array = np.ndarray[Any, Any]

OPSETS = (9, 10, 11, 12, 13, 15, 18, 19, 21, 23)
"""Those that both a model's checker and ONNX Runtime 1.32 know."""


def ran(nodes: list[Any], opset: int, **inputs: Array) -> Array:
    """``y`` of a model of these nodes."""
    infos = [_info(name, value.dtype, value.shape) for name, value in inputs.items()]
    out = _info("y", inputs["x"].dtype, None)
    graph = onnx.helper.make_graph(nodes, "one", infos, [out])
    opsets = [onnx.helper.make_opsetid("", opset)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    session = ort.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found: Array = session.run(None, inputs)[0]
    return found


def _info(name: str, dtype: Any, shape: Any) -> Any:
    kind = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    return onnx.helper.make_tensor_value_info(name, kind, shape)


def parsed(text: str) -> list[Any]:
    """The nodes of a text, as onnx's own parser reads it."""
    graph = onnx.parser.parse_graph(
        f"g (float x, float src) => (float y) {{\n{text}\n}}"
    )
    return list(graph.node)


def is_of_no_type(made: Translation, x: Array) -> bool:
    """Pad takes floats only before opset 11, and ONNX Runtime 1.32 never int16."""
    narrow = x.dtype.kind == "i" and (made.opset < 11 or x.itemsize == 2)
    return narrow and any(call.op == "Pad" for call in made.calls)


@pytest.mark.parametrize("family", FAMILIES)
def test_into_onnx(family: str) -> None:
    def one(rng: random.Random) -> str | None:
        drawn = FAMILIES[family](rng)
        opset = rng.choice(OPSETS)
        dtype = None if opset >= 15 and rng.random() < 0.5 else drawn.x.dtype.name
        words = {"opset": opset, "dtype": dtype}
        if drawn.src is not None and (opset < 11 or not drawn.x.ndim):
            with pytest.raises(RefusedError, match="ScatterND"):
                translate(drawn.spec, "onnx", drawn.x.shape, **words)
            return None
        made = translate(drawn.spec, "onnx", drawn.x.shape, **words)
        inputs = {"x": drawn.x} | ({} if drawn.src is None else {"src": drawn.src})
        nodes = made.nodes() if rng.random() < 0.5 else parsed(made.text())
        if is_of_no_type(made, drawn.x):
            return None
        said = sets.different(ran(nodes, opset, **inputs), drawn.wanted)
        return (
            said and f"{drawn.spec} of {drawn.x.shape}, {words}: {made.calls}: {said}"
        )

    sets.compare("onnxruntime", family, one)


def theirs(call: Call, x: Array) -> Array | str:
    """What ONNX Runtime makes of a Slice or Pad, its lists as Constant nodes."""
    nodes, names = [], ["x"]
    params = dict(call.params)
    attributes = {"mode": params.pop("mode")} if "mode" in params else {}
    for name, values in params.items():
        tensor = onnx.numpy_helper.from_array(np.array(values, np.int64), name)
        nodes.append(onnx.helper.make_node("Constant", [], [name], value=tensor))
        names.append(name)
    nodes.append(onnx.helper.make_node(call.op, names, ["y"], **attributes))
    try:
        return ran(nodes, 19, x=x)
    except REFUSALS as error:
        return str(error)


def test_slices_out_of_onnx() -> None:
    def one(rng: random.Random) -> str | None:
        x = sets.array(rng, sets.shape(rng, (1, 4)), "int64")
        axes = rng.sample(range(x.ndim), rng.randint(0, x.ndim))
        far = (2**31 - 1, 2**63 - 1, -(2**31), -(2**63))

        def bound(axis: int) -> int:
            n = x.shape[axis]
            return rng.choice((rng.randint(-n - 2, n + 2), rng.choice(far)))

        words = {
            "starts": [bound(a) for a in axes],
            "ends": [bound(a) for a in axes],
            "axes": [a - x.ndim if rng.random() < 0.3 else a for a in axes],
            "steps": [rng.choice((1, 1, 2, -1, -2, 3)) for _ in axes],
        }
        call = Call("onnxruntime", "Slice", words)
        return compared(call, by_numpy(call, x), theirs(call, x))

    sets.compare("onnxruntime", "slices in NumPy's words", one)


def leaves_an_edge_of_nothing(call: Call, x: Array) -> bool:
    """Edge and wrap of an axis that crops leave empty, which only one side refuses."""
    pads, rank = call.params["pads"], x.ndim
    left = [n + min(pads[k], 0) + min(pads[rank + k], 0) for k, n in enumerate(x.shape)]
    return call.params["mode"] != "constant" and min(left) < 1


def test_pads_out_of_onnx() -> None:
    def one(rng: random.Random) -> str | None:
        x = sets.array(rng, sets.shape(rng, (1, 4), (1, 4)), "int64")
        pairs = sets.pads(rng, x.shape, rng.choice((0, -2)), 4)
        mode = rng.choice(("constant", "reflect", "edge", "wrap"))
        words = {"pads": [b for b, _ in pairs] + [a for _, a in pairs], "mode": mode}
        call = Call("onnxruntime", "Pad", words)
        if leaves_an_edge_of_nothing(call, x):
            return None
        return compared(call, by_numpy(call, x), theirs(call, x))

    sets.compare("onnxruntime", "pads in NumPy's words", one)
