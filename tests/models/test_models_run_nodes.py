"""Each movement node on the model's own values, by restride and by ONNX Runtime."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models_made import in_wheel, onnx_model

import restride as rs

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from restride.models.running import run_nodes as module  # noqa: E402
from restride.models.running.run_nodes import run_nodes  # noqa: E402

EVERY = """g (float[4, 6] x, int64[4] p, float[1, 4, 2, 2] d) => (float[N] y)
    <int64[1] one = {1}, int64[1] five = {5}, int64[1] zero = {0}, int64[1] two = {2},
     int64[2] flat = {-1, 2}, int64[3] wide = {2, 1, 1}, int64[2] times = {1, 2},
     int64[2] twice = {2, 0}, int64[2, 1] cells = {1, 2}, int64[3] odd = {0, 2, 1},
     float c = {7.5}> {
    a = Slice(x, one, five, one, two)
    b = Pad(x, p, c)
    e = Pad <mode = "edge"> (x, p)
    r = Reshape(x, flat)
    t = Transpose(x)
    u = Unsqueeze(x, zero)
    s = Squeeze(u, zero)
    w = Expand(u, wide)
    v = Tile(x, times)
    k1, k2 = Split <axis = 1, num_outputs = 2> (x)
    i = Gather(x, twice)
    o = Gather <axis = 1> (x, odd)
    h = DepthToSpace <blocksize = 2> (d)
    z = SpaceToDepth <blocksize = 2> (h)
    f = Flatten(z)
    n = ScatterND(x, cells, i)
    y = Flatten <axis = 0> (n) }"""


def outcomes(told: Any) -> list[tuple[str, str, str]]:
    return [(node.op, node.outcome, node.on) for node in told.nodes]


def given() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    return {
        "x": random.standard_normal((4, 6)).astype("f4"),
        "p": np.array([1, 0, 2, 3]),
        "d": random.standard_normal((1, 4, 2, 2)).astype("f4"),
    }


def test_every_movement_operator_on_the_models_own_values() -> None:
    told = run_nodes(onnx_model(EVERY), given())
    assert len(told.nodes) == 17
    assert {o[1:] for o in outcomes(told)} == {("equal", "the model's own values")}
    assert told.ok
    json.dumps(told.to_dict(), allow_nan=False)
    assert "17 equal, 0 differs, 0 not run" in told.text()


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    own = module.own_results

    def wrong(node: Any, arrays: Any, shapes: Any) -> list[np.ndarray]:
        made = own(node, arrays, shapes)
        if node.op == "Tile":
            made[0].reshape(-1)[-1] += 1
        return made

    monkeypatch.setattr(module, "own_results", wrong)
    told = run_nodes(onnx_model(EVERY), given())
    assert not told.ok
    differing = [node.op for node in told.nodes if node.outcome == "differs"]
    assert differing == ["Tile"]


def test_branches_and_loops() -> None:
    model = onnx_model(
        """g (bool c, float[3, 4] x) => (float[N, M] y) <int64 three = {3}> {
            z = If (c) <
                then_branch = t () => (float[4, 3] ty) {
                    ty = Transpose(x) },
                else_branch = e () => (float[4, 3] ey) <int64[2] r = {4, 3}> {
                    ey = Reshape(x, r) }
            >
            y = Loop (three, c, z) <
                body = b (int64 k, bool go, float[4, 3] at)
                    => (bool on, float[4, 3] next) {
                    on = Identity(go)
                    up = Transpose(at)
                    next = Transpose(up) }
            > }"""
    )
    x = np.arange(12, dtype="f4").reshape(3, 4)
    told = run_nodes(model, {"c": np.array(True), "x": x})
    own, alone = "the model's own values", "random elements"
    assert outcomes(told) == [
        ("Transpose", "equal", own),
        ("Reshape", "equal", alone),
        ("Transpose", "equal", alone),
        ("Transpose", "equal", alone),
    ]


def test_what_cannot_run_says_why() -> None:
    model = onnx_model(
        """g (float[A, B] x, int64[2] r) => (float[N, M] y) {
            z = Reshape(x, r)
            y = Transpose(z) }"""
    )
    told = run_nodes(model)
    assert told.note.startswith("the model does not run on random inputs")
    assert [o[1] for o in outcomes(told)] == ["not run", "equal"]
    assert "restride" not in told.nodes[0].why
    told = run_nodes(model, {"x": np.zeros((2, 6), "f4"), "r": np.array([3, 4])})
    assert [o[1] for o in outcomes(told)] == ["equal", "equal"]


def test_an_input_without_axes() -> None:
    told = run_nodes(
        onnx_model(
            """g (float[2, 3] x, int64 n) => (float[3, 2] y) <int64[1] one = {1}> {
                c = Cast <to = 1> (n)
                z = Add(x, c)
                y = Transpose(z) }"""
        )
    )
    assert told.note == ""
    assert outcomes(told) == [("Transpose", "equal", "the model's own values")]


def test_an_open_length_that_two_is_too_short_for() -> None:
    told = run_nodes(
        onnx_model(
            """g (float[N, T] x) => (float[N, U] y) <int64[4] p = {0, 64, 0, 64}> {
                y = Pad <mode = "reflect"> (x, p) }"""
        )
    )
    assert told.note == ""
    assert outcomes(told) == [("Pad", "equal", "the model's own values")]


@pytest.mark.parametrize("given", [{}, {"y": 1.0}, {"x": 1.0, "y": 1.0}])
def test_inputs_by_other_names(given: dict[str, Any]) -> None:
    model = onnx_model("g (float[2] x) => (float[2] y) { y = Transpose(x) }")
    with pytest.raises(rs.ShapeError, match="the model takes x, and given are"):
        run_nodes(model, given)


def test_functions() -> None:
    told = run_nodes(
        onnx_model(
            "g (float[3, 4] x) => (float[4, 3] y) { y = mine.turn(x) }",
            more="""<domain: "mine", opset_import: ["" : 18]> turn (a) => (b) {
                b = Transpose(a) }""",
        )
    )
    assert outcomes(told) == [("Transpose", "equal", "random elements")]


def test_external_data(tmp_path: Path) -> None:
    model = onnx_model(
        """g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
            z = Add(x, w)
            y = Transpose(z) }"""
    )
    tensor = model.graph.initializer[0]
    tensor.raw_data = np.array([1, 2], "<f4").tobytes()
    tensor.ClearField("float_data")
    path = tmp_path / "m.onnx"
    onnx.save(
        model,
        path,
        save_as_external_data=True,
        location="m.bin",
        size_threshold=0,
        convert_attribute=False,
    )
    told = run_nodes(path)
    assert outcomes(told) == [("Transpose", "equal", "the model's own values")], (
        told.text()
    )


def test_without_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(rs.UnsupportedError, match=r"restride\[onnxruntime\]"):
        run_nodes(onnx_model("g (float[2] x) => (float[2] y) { y = Relu(x) }"))


def test_magika() -> None:
    path = in_wheel("magika", "models", "standard_v3_3", "model.onnx")
    told = run_nodes(path)
    assert told.counts == {"equal": len(told.nodes), "differs": 0, "not run": 0}
    assert len(told.nodes) > 10


def test_silero_vad() -> None:
    path = in_wheel("silero_vad", "data", "silero_vad.onnx")
    random = np.random.default_rng(0)
    told = run_nodes(
        path,
        {
            "input": random.standard_normal((1, 512)).astype("f4"),
            "state": np.zeros((2, 1, 128), "f4"),
            "sr": np.array(16000),
        },
    )
    own = [node for node in told.nodes if node.on == "the model's own values"]
    assert {node.op for node in own} >= {"Pad", "Slice", "Gather", "Unsqueeze"}
    assert told.ok
    assert len(own) > 30
