"""Runs of movement nodes replaced by fewer: what becomes of models, and what stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models_made import in_wheel

import restride as rs

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from restride.models.optimize.optimize import optimize_model  # noqa: E402
from restride.models.running.arrays import same  # noqa: E402
from restride.models.running.runtime import Runner  # noqa: E402

HEAD = '<ir_version: 8, opset_import: ["" : 18]> '
RUNNER = Runner()


def parsed(text: str, head: str = HEAD) -> Any:
    model = onnx.parser.parse_model(head + text)
    onnx.checker.check_model(model, full_check=True)
    return model


def ops(graph: Any) -> list[str]:
    return [node.op_type for node in graph.node]


def optimized(model: Any, *arrays: np.ndarray) -> Any:
    """The optimised model, checked, and run on arrays beside the first one."""
    before = model.SerializeToString()
    told = optimize_model(model)
    assert model.SerializeToString() == before
    assert not told.refused
    onnx.checker.check_model(told.model, full_check=True)
    if arrays:
        names = [info.name for info in model.graph.input]
        feeds = dict(zip(names, arrays, strict=True))
        a, b = RUNNER.run(model, feeds), RUNNER.run(told.model, feeds)
        assert all(map(same, a, b))
    assert optimize_model(told.model).fused == ()
    return told


X = np.arange(12.0, dtype="f4").reshape(3, 4)

FUSED: list[tuple[str, str, list[str]]] = [
    (
        "turns that undo each other",
        """g (float[3, 4] x) => (float[3, 4] y) {
            a = Relu(x)
            b = Transpose <perm = [1, 0]> (a)
            y = Transpose <perm = [1, 0]> (b) }""",
        ["Relu"],
    ),
    (
        "slices in a row",
        """g (float[3, 4] x) => (float[1, 2] y)
            <int64[1] s = {1}, int64[1] e = {3}, int64[1] a0 = {0}, int64[1] a1 = {1},
             int64[1] one = {1}, int64[1] two = {2}> {
            a = Slice(x, s, e, a0)
            b = Slice(a, s, e, a1)
            y = Slice(b, one, two, a0) }""",
        ["Slice"],
    ),
    (
        "reshapes in a row",
        """g (float[3, 4] x) => (float[6, 2] y)
            <int64[1] flat = {-1}, int64[3] cube = {3, 2, 2}, int64[2] out = {6, 2}> {
            a = Reshape(x, flat)
            b = Reshape(a, cube)
            y = Reshape(b, out) }""",
        ["Reshape"],
    ),
    (
        "pads in a row",
        """g (float[3, 4] x) => (float[7, 8] y)
            <int64[4] p = {1, 1, 1, 1}, float c = {2.0}> {
            a = Pad(x, p, c)
            y = Pad(a, p, c) }""",
        ["Pad"],
    ),
    (
        "a split of which one part is read",
        """g (float[3, 4] x) => (float[2, 3] y) {
            a, b = Split <axis = 1, num_outputs = 2> (x)
            y = Transpose <perm = [1, 0]> (b) }""",
        ["Slice", "Transpose"],
    ),
    (
        "names that stand for the same",
        """g (float[3, 4] x) => (float[3, 4] y) {
            a = Identity(x)
            b = Identity(a)
            y = Relu(b) }""",
        ["Relu"],
    ),
    (
        "an identity from input to output stays one node",
        """g (float[3, 4] x) => (float[3, 4] y) {
            b = Transpose <perm = [1, 0]> (x)
            y = Transpose <perm = [1, 0]> (b) }""",
        ["Identity"],
    ),
    (
        "a shape computed for nothing goes too",
        """g (float[3, 4] x) => (float[4, 3] y)
            <int64[1] minus = {-1}, int64[1] at = {0}, int64[1] four = {4}> {
            s = Shape(x)
            n = Gather(s, at)
            t = Concat <axis = 0> (four, n)
            a = Reshape(x, minus)
            y = Reshape(a, t) }""",
        ["Reshape"],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [f[1:] for f in FUSED], ids=[f[0] for f in FUSED]
)
def test_fused(text: str, expected: list[str]) -> None:
    told = optimized(parsed(text), X)
    assert ops(told.model.graph) == expected
    assert told.nodes_saved + told.bytes_saved > 0
    assert told.bytes_saved >= 0
    assert told.whole.equal


LEFT: list[tuple[str, str]] = [
    (
        "nothing to save",
        """g (float[3, 4] x) => (float[4, 3] y) {
            y = Transpose <perm = [1, 0]> (x) }""",
    ),
    (
        "a value that the graph gives",
        """g (float[3, 4] x) => (float[4, 3] a, float[4, 3] y) {
            a = Transpose <perm = [1, 0]> (x)
            b = Relu(a)
            y = Neg(b) }""",
    ),
    (
        "parts that are all read",
        """g (float[3, 4] x) => (float[3, 2] y) {
            a, b = Split <axis = 1, num_outputs = 2> (x)
            y = Add(a, b) }""",
    ),
    (
        "a turn of blocks, of which one table would move more",
        """g (float[1, 64, 32, 32] x) => (float[1, 16, 64, 64] y)
            <int64[6] s = {1, 2, 2, 16, 32, 32}, int64[4] t = {1, 16, 64, 64}> {
            a = Reshape(x, s)
            b = Transpose <perm = [0, 3, 4, 1, 5, 2]> (a)
            y = Reshape(b, t) }""",
    ),
    (
        "pads computed at run time",
        """g (float[3, 4] x, int64[4] p) => (float[N, M] y) {
            a = Pad(x, p)
            y = Pad(a, p) }""",
    ),
    (
        "operators of another domain",
        """g (float[3, 4] x) => (float[3, 4] y) {
            a = other.Transpose <perm = [1, 0]> (x)
            y = other.Transpose <perm = [1, 0]> (a) }""",
    ),
]


@pytest.mark.parametrize("text", [f[1] for f in LEFT], ids=[f[0] for f in LEFT])
def test_left_alone(text: str) -> None:
    head = HEAD.replace("18]", '18, "other" : 1]')
    model = onnx.parser.parse_model(head + text)
    told = optimize_model(model)
    assert told.fused == ()
    assert told.model == model
    assert "no movement nodes to save" in told.text()


def test_a_value_read_elsewhere_stays_and_the_way_past_it_is_found() -> None:
    model = parsed(
        """g (float[3, 4] x) => (float[4, 3] n, float[3, 4] y) {
            a = Transpose <perm = [1, 0]> (x)
            n = Neg(a)
            b = Transpose <perm = [1, 0]> (a)
            y = Relu(b) }"""
    )
    told = optimized(model, X)
    assert ops(told.model.graph) == ["Transpose", "Neg", "Relu"]


@pytest.mark.parametrize("sizes", [(1, 5), (3, 2), (7, 1)])
def test_a_batch_without_a_number(sizes: tuple[int, int]) -> None:
    model = parsed(
        """g (float[N, 3, 4] x) => (float[N, 2, 3] y)
            <int64[1] s = {2}, int64[1] e = {9223372036854775807}, int64[1] a = {2},
             int64[3] r = {-1, 4, 3}, int64[3] q = {0, 3, 4}> {
            b = Transpose <perm = [0, 2, 1]> (x)
            c = Transpose <perm = [0, 2, 1]> (b)
            d = Slice(c, s, e, a)
            f = Transpose <perm = [0, 2, 1]> (d)
            y = Relu(f) }"""
    )
    x = np.random.default_rng(1).standard_normal((sizes[0], 3, 4)).astype("f4")
    told = optimized(model, x)
    assert ops(told.model.graph) == ["Slice", "Transpose", "Relu"]


def test_a_batch_through_reshapes() -> None:
    model = parsed(
        """g (float[N, 12] x) => (float[N, 2, 6] y)
            <int64[3] r = {-1, 4, 3}, int64[2] q = {0, 12}, int64[3] t = {-1, 2, 6}> {
            b = Reshape(x, r)
            c = Reshape(b, q)
            y = Reshape(c, t) }"""
    )
    told = optimized(model, np.arange(60.0, dtype="f4").reshape(5, 12))
    assert ops(told.model.graph) == ["Reshape"]


@pytest.mark.parametrize(
    "step",
    [
        "b = Slice(x, s, e, a)",
        "b = Slice(x, m, big, a)",
        "b = Pad(x, p)",
        "b = Reshape(x, r)",
        "b = Gather <axis = 0> (x, s)",
    ],
)
def test_a_batch_that_is_touched_is_left(step: str) -> None:
    model = onnx.parser.parse_model(
        HEAD
        + """g (float[N, 4] x) => (float[K, L] y)
            <int64[1] s = {0}, int64[1] e = {5000}, int64[1] a = {0},
             int64[1] m = {-100}, int64[1] big = {9223372036854775807},
             int64[4] p = {1, 0, 0, 0}, int64[2] r = {2, -1}> {
            """
        + step
        + """
            c = Transpose <perm = [1, 0]> (b)
            y = Identity(c) }"""
    )
    told = optimize_model(model)
    assert [f.before for f in told.fused] in (
        [],
        [("Identity",)],
        [("Transpose", "Identity")],
    )


def test_inside_the_branches_of_an_if() -> None:
    model = parsed(
        """g (bool c, float[3, 4] x) => (float[N, M] y) {
            y = If (c) <
                then_branch = t () => (float[3, 4] ty) {
                    a = Transpose <perm = [1, 0]> (x)
                    b = Transpose <perm = [1, 0]> (a)
                    ty = Relu(b) },
                else_branch = e () => (float[4, 3] ey) {
                    f = Identity(x)
                    ey = Transpose <perm = [1, 0]> (f) }
            > }"""
    )
    told = optimized(model, np.array(True), X)
    branches = {a.name: ops(a.g) for a in told.model.graph.node[0].attribute}
    assert branches == {"then_branch": ["Relu"], "else_branch": ["Transpose"]}
    again = RUNNER.run(told.model, {"c": np.array(False), "x": X})
    assert again[0].tolist() == X.T.tolist()


def test_a_name_read_inside_a_branch_is_read() -> None:
    model = parsed(
        """g (bool c, float[3, 4] x) => (float[N, M] y) {
            a = Identity(x)
            b = Transpose <perm = [1, 0]> (a)
            y = If (c) <
                then_branch = t () => (float[4, 3] ty) { ty = Relu(b) },
                else_branch = e () => (float[3, 4] ey) { ey = Neg(a) }
            > }"""
    )
    told = optimized(model, np.array(False), X)
    assert ops(told.model.graph) == ["Transpose", "If"]


def test_what_else_is_in_a_model_stays() -> None:
    text = """g (float[3, 4] x) => (float[3, 4] y) {
            a = Identity(x)
            b = local.twice(a)
            y = Identity(b) }
        <domain: "local", opset_import: ["" : 18]> twice (x) => (y) {
            t = Identity(x)
            y = Add(t, t) }"""
    head = '<ir_version: 8, opset_import: ["" : 18, "local" : 1]> '
    model = onnx.parser.parse_model(head + text)
    model.producer_name, model.doc_string = "somebody", "about"
    entry = model.metadata_props.add()
    entry.key, entry.value = "k", "v"
    told = optimized(model, X)
    made = told.model
    assert ops(made.graph) == ["twice"]
    assert made.functions == model.functions
    assert made.metadata_props == model.metadata_props
    assert (made.producer_name, made.doc_string) == ("somebody", "about")
    assert made.graph.input == model.graph.input
    assert made.graph.output == model.graph.output
    assert made.opset_import == model.opset_import


@pytest.mark.parametrize("opset", [9, 11, 13, 18, 21, 25])
def test_every_opset_and_the_oldest_format(opset: int) -> None:
    helper = onnx.helper
    nodes = [
        helper.make_node("Transpose", ["x"], ["a"], perm=[1, 0]),
        helper.make_node("Transpose", ["a"], ["b"], perm=[1, 0]),
        helper.make_node("Flatten", ["b"], ["c"], axis=0),
        helper.make_node("Flatten", ["c"], ["d"], axis=2),
        helper.make_node("Relu", ["d"], ["y"]),
    ]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [info("x", 1, [3, 4])], [info("y", 1, [12, 1])]
    )
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = helper.find_min_ir_version_for(opsets)
    told = optimized(model, X)
    assert [o for o in ops(told.model.graph) if o != "Constant"] == ["Reshape", "Relu"]
    assert told.nodes_saved == 3


def test_written_beside_and_renamed(tmp_path: Path) -> None:
    source, target = tmp_path / "a.onnx", tmp_path / "b.onnx"
    onnx.save(parsed(FUSED[0][1]), source)
    before = source.read_bytes()
    told = rs.optimize_model(source, target)
    assert source.read_bytes() == before
    assert onnx.load(target) == told.model
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.onnx", "b.onnx"]
    json.dumps(told.to_dict(), allow_nan=False)


def test_external_data_comes_along(tmp_path: Path) -> None:
    model = parsed(
        """g (float[3, 4] x) => (float[3, 4] y) <float[3, 4] w = {1, 2, 3, 4, 5, 6, 7,
            8, 9, 10, 11, 12}> {
            a = Transpose <perm = [1, 0]> (x)
            b = Transpose <perm = [1, 0]> (a)
            y = Add(b, w) }"""
    )
    model.graph.initializer[0].raw_data = X.tobytes()
    model.graph.initializer[0].ClearField("float_data")
    (tmp_path / "to").mkdir()
    source, target = tmp_path / "a.onnx", tmp_path / "to" / "b.onnx"
    onnx.save(
        model,
        source,
        save_as_external_data=True,
        location="weights.bin",
        size_threshold=0,
        convert_attribute=False,
    )
    told = rs.optimize_model(source, target)
    assert ops(told.model.graph) == ["Add"]
    assert "files" in told.whole.text
    made = onnx.load(target)
    assert RUNNER.run(made, {"x": X})[0].tolist() == (X + X).tolist()
    (target.parent / "weights.bin").write_bytes(b"other")
    with pytest.raises(rs.RestrideError, match="exists"):
        rs.optimize_model(source, target)


@pytest.mark.parametrize("given", [b"", b"\x08\x08", 3, None, "/nowhere.onnx"])
def test_no_model(given: Any) -> None:
    with pytest.raises(rs.RestrideError):
        rs.optimize_model(given)


def test_a_place_that_cannot_be_written() -> None:
    place = Path("/nowhere/at/all.onnx")
    with pytest.raises(rs.RestrideError, match="cannot") as caught:
        rs.optimize_model(parsed(FUSED[0][1]), place)
    assert str(caught.value) == (
        f"{place}: it cannot be written (No such file or directory)."
    )


def test_names_that_are_no_text_are_refused() -> None:
    data = parsed(FUSED[0][1]).SerializeToString().replace(b"\x01b", b"\x01\xff")
    with pytest.raises(rs.RestrideError):
        rs.optimize_model(data)


def test_what_is_too_large_to_prove_stays() -> None:
    model = parsed(
        """g (float[1, 1] x) => (float[N, M] y)
            <int64[2] p = {1000000, 1}, int64[2] q = {1, 1000000}> {
            a = Expand(x, p)
            b = Expand(a, q)
            y = Transpose <perm = [1, 0]> (b) }"""
    )
    told = optimize_model(model)
    assert told.fused == ()
    assert "proof could not be run" in told.refused[0]


def test_nodes_without_ends_and_cycles_of_names() -> None:
    helper = onnx.helper
    info = helper.make_tensor_value_info
    for nodes in (
        [helper.make_node("Transpose", [], ["y"])],
        [helper.make_node("Transpose", ["x"], [])],
        [helper.make_node("Transpose", ["y"], ["y"])],
        [
            helper.make_node("Transpose", ["b"], ["a"], perm=[1, 0]),
            helper.make_node("Transpose", ["a"], ["b"], perm=[1, 0]),
        ],
    ):
        graph = helper.make_graph(
            nodes, "g", [info("x", 1, [3, 4])], [info("y", 1, [4, 3])]
        )
        graph.value_info.extend([info("a", 1, [4, 3]), info("b", 1, [3, 4])])
        opsets = [helper.make_opsetid("", 18)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        optimize_model(model)


def test_the_whole_model_runs_where_two_is_too_short_and_inputs_have_no_axes() -> None:
    told = rs.optimize_model(
        parsed(
            """g (float[N, T] x, int64 n) => (float[N, U] y)
                <int64[4] p = {0, 9, 0, 9}> {
                a = Transpose <perm = [1, 0]> (x)
                b = Transpose <perm = [1, 0]> (a)
                c = Pad <mode = "reflect"> (b, p)
                d = Cast <to = 1> (n)
                y = Add(c, d) }"""
        )
    )
    assert told.nodes_saved == 2
    assert told.whole.equal, told.whole.text


def test_a_model_from_a_wheel() -> None:
    path = in_wheel("silero_vad", "data", "silero_vad_16k_sequence.onnx")
    told = rs.optimize_model(path)
    assert told.nodes_saved >= 3
    assert told.bytes_saved >= 0
    assert told.whole.equal
    assert not told.refused


def test_outputs_that_an_operator_has_not() -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 18]> g (float[2, 2] x)
            => (float[2, 2] y) {
            a, b = Transpose <perm = [1, 0]> (x)
            y = Transpose <perm = [1, 0]> (b) }"""
    )
    assert optimize_model(model).fused == ()


def test_no_position_per_element_stands_for_a_slice_and_a_pad() -> None:
    v = rs.view(np.zeros((1, 3, 64, 64), "f4"))[:, :, 16:-16, 16:-16].flip(3)
    v = v.pad(((0, 0), (0, 0), (16, 16), (16, 16)), "reflect").transpose(0, 2, 3, 1)
    told = rs.optimize_model(v.to_onnx())
    ops = [node.op_type for node in told.model.graph.node]
    assert ops == ["Slice", "Pad", "Transpose"]
