"""Every type that ONNX has, every opset, and what the tables say of both."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from exported import by_onnxruntime, by_reference, checked, onnx, operators

import restride as rs
from restride.export.types import DETOURS, KINDS, LACKS, SINCE, allowed

helper = onnx.helper
OPSETS = tuple(range(8, onnx.defs.onnx_opset_version() + 1))
LISTED = 28
"""The newest opset whose types were read."""


def dtype_of(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, name))


def data(dtype: np.dtype[Any], shape: tuple[int, ...] = (3, 4)) -> np.ndarray:
    """Every byte is another; the types below a byte take what they hold."""
    count = int(np.prod(shape))
    if "int4" in dtype.name or "int2" in dtype.name:
        low = 0 if dtype.name[0] == "u" else -(2 ** (int(dtype.name[-1]) - 1))
        few = 2 ** int(dtype.name[-1])
        return (
            np.array([low + k % few for k in range(count)]).astype(dtype).reshape(shape)
        )
    if dtype.name == "float4_e2m1fn":
        raw = np.arange(count, dtype="u1") % 16
        return raw.view(dtype).reshape(shape)
    if dtype.kind == "b":
        return (np.arange(count) % 3 == 0).reshape(shape)
    raw = np.arange(7, 7 + count * dtype.itemsize, dtype="u1")
    return raw.view(dtype).reshape(shape)


def steps(v: Any) -> Any:
    """A flip, a crop, a transpose, a mirror and constants."""
    return (
        v[:, ::-1]
        .transpose()[1:]
        .pad([[2, 0], [0, 1]], "reflect")
        .pad(1, "constant", 1)
    )


@pytest.mark.parametrize("name", KINDS)
def test_every_type_keeps_every_bit(name: str) -> None:
    x = data(dtype_of(name))
    expected = steps(rs.view(x)).copy()
    model = checked(steps(rs.view(x)).to_onnx())
    assert by_reference(model, x).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    "name", [n for n, k in KINDS.items() if k not in LACKS["Tile"]]
)
def test_onnxruntime_keeps_every_bit(name: str) -> None:
    pytest.importorskip("onnxruntime")
    x = data(dtype_of(name))
    model = checked(steps(rs.view(x)).to_onnx())
    assert by_onnxruntime(model, x).tobytes() == steps(rs.view(x)).copy().tobytes()


def test_strings() -> None:
    x = np.array([["a", "bc"], ["", "é"]])
    v = rs.view(x)[::-1].pad(1, "constant", "-")
    model = checked(v.to_onnx())
    expected = v.copy().tolist()
    assert by_reference(model, x.astype(object)).tolist() == expected
    assert by_onnxruntime(model, x.astype(object)).tolist() == expected


def test_byte_order_is_no_matter() -> None:
    x = np.arange(6, dtype=">i4")
    v = rs.view(x)[::-1].pad(1, "constant", 258)
    made = by_reference(checked(v.to_onnx()), x.astype("=i4"))
    assert made.tolist() == v.copy().tolist()


@pytest.mark.parametrize("name", ["M8[s]", "S3", "V7", "g"])
def test_types_that_onnx_lacks(name: str) -> None:
    with pytest.raises(rs.DTypeError, match="ONNX has no tensors of dtype"):
        rs.view(np.zeros(3, name))[::-1].to_onnx()


@pytest.mark.parametrize("opset", OPSETS)
def test_every_opset(opset: int) -> None:
    x = data(np.dtype("f4"))
    v = steps(rs.view(x)).pad(((1, 0), (2, 1)), "wrap").broadcast_to((2, 8, 9))
    model = checked(v.to_onnx(opset=opset))
    assert model.opset_import[0].version == opset
    assert by_onnxruntime(model, x).tobytes() == v.copy().tobytes()


def test_steps_before_slice_has_them() -> None:
    v = rs.view(np.arange(24.0, dtype="f4").reshape(4, 6))[::-2, 1:3]
    assert operators(v.to_onnx(opset=10)) == ["Slice"]
    model = checked(v.to_onnx(opset=9))
    assert all(len(node.attribute) < 4 for node in model.graph.node)
    assert by_onnxruntime(model, v.array).tolist() == v.copy().tolist()
    x = np.arange(40000.0, dtype="f4").reshape(2, 20000)
    v = rs.view(x)[:, ::-2].pad([[0, 0], [3, 3]], "symmetric")
    assert by_onnxruntime(v.to_onnx(opset=9), x).tobytes() == v.copy().tobytes()


@pytest.mark.parametrize("op", SINCE)
def test_the_types_are_those_of_the_schemas(op: str) -> None:
    for opset in OPSETS[: LISTED - 7]:
        if opset < SINCE[op][0][0]:
            continue
        schema = onnx.defs.get_schema(op, opset, "")
        taken = _taken(schema)
        told = {
            kind for kind in (*KINDS.values(), "STRING") if allowed(op, kind, opset)
        }
        known = {*KINDS.values(), "STRING"}
        assert told == taken & known, opset


def _taken(schema: Any) -> set[str]:
    """The types of the operator's data."""
    name = (schema.inputs or schema.outputs)[0].type_str
    for constraint in schema.type_constraints:
        if constraint.type_param_str == name:
            texts = constraint.allowed_type_strs
            return {t[7:-1].upper() for t in texts if t.startswith("tensor(")}
    raise AssertionError(name)


NODES: dict[str, tuple[tuple[int, ...], tuple[Any, ...], dict[str, Any]]] = {
    "Slice": ((4, 3), ([3], [0], [0], [-2]), {}),
    "Gather": ((4, 3), ([1, 0],), {}),
    "Concat": ((4, 3), ("x",), {"axis": 0}),
    "Expand": ((4, 1), ([2, 4, 3],), {}),
    "Tile": ((4, 3), ([2, 1],), {}),
    "Pad": ((4, 3), ([1, 0, 1, 0],), {"mode": "edge"}),
    "Transpose": ((4, 3), (), {"perm": [1, 0]}),
    "Reshape": ((4, 3), ([-1],), {}),
    "Squeeze": ((4, 1), ([1],), {}),
    "Unsqueeze": ((4, 3), ([0],), {}),
    "Identity": ((4, 3), (), {}),
}


@pytest.mark.parametrize("op", NODES)
def test_what_onnxruntime_lacks(op: str) -> None:
    pytest.importorskip("onnxruntime")
    for kind in (*KINDS.values(), "STRING"):
        opset = next((o for o in (13, 21, 23, 24, 25) if allowed(op, kind, o)), None)
        if opset is not None:
            assert _runs(op, kind, opset) != (kind in LACKS[op]), kind


def _runs(op: str, kind: str, opset: int) -> bool:
    """True where ONNX Runtime makes a session of the operator alone."""
    import onnxruntime

    shape, given, attributes = NODES[op]
    elements = getattr(onnx.TensorProto, kind)
    tables = [
        helper.make_tensor(f"i{k}", onnx.TensorProto.INT64, [len(v)], v)
        for k, v in enumerate(given)
        if v != "x"
    ]
    inputs = ["x", *[v if v == "x" else f"i{k}" for k, v in enumerate(given)]]
    node = helper.make_node(op, inputs, ["y"], **attributes)
    source = helper.make_tensor_value_info("x", elements, shape)
    result = helper.make_tensor_value_info("y", elements, None)
    graph = helper.make_graph([node], "one", [source], [result], tables)
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = helper.find_min_ir_version_for(opsets)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options)
    except Exception:
        return False
    return True


def test_detours_are_taken_only_where_needed() -> None:
    x = data(np.dtype("i2"))
    assert operators(rs.view(x)[:, ::-1].to_onnx()) == ["Slice"]
    assert operators(rs.view(x).pad(40).to_onnx()) == ["Cast", "Pad", "Cast"]
    x = data(dtype_of("float8_e5m2"))
    assert operators(rs.view(x).transpose().to_onnx()) == ["Transpose"]
    with pytest.raises(rs.UnsupportedError, match="opset 25"):
        rs.view(x)[:, ::-1].to_onnx(opset=25)
    assert set(DETOURS) <= set(KINDS.values())


def test_strings_come_whole() -> None:
    """No Gather of slices, of which ONNX Runtime copies one string each."""
    x = np.array(list("abcdefghij")).reshape(5, 1, 2)
    v = rs.view(x).flip(0).pad([(1, 1), (4, 2), (0, 0)], "symmetric")
    model = checked(v.to_onnx())
    made = by_onnxruntime(model, x.astype(object))
    assert made.tolist() == v.copy().tolist()
