"""The check: every node told, with the answer, its rule and its source."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from models_made import in_wheel, onnx_model

import restride as rs
from restride.cli import main
from restride.models.check.targets import target_named
from restride.models.errors import ModelError
from restride.models.files.reading import read_model
from restride.models.movements.of_node import movement_of
from restride.models.movements.onnx import READERS
from restride.models.onnx.walk import walk

onnx = pytest.importorskip("onnx")

PADDED = """g (float["N", 3, 8] x) => (float[A, B, C] y) {
    p = Constant <value = int64[6] {0, 0, 2, 0, 0, 2}> ()
    y = Pad <mode = "reflect"> (x, p)
}"""


def answers(model, target):
    told = rs.check_model(model, target)
    return [(c.node.op, c.answer.answer, c.answer.by) for c in told.nodes]


def test_a_pad_that_a_product_takes():
    assert answers(onnx_model(PADDED), "A2") == [("Pad", "fast", "CANN")]


def test_each_door_is_asked():
    told = rs.check_model(onnx_model(PADDED), "A2").nodes[0].answer
    assert [(o.by, o.answer) for o in told.others] == [
        ("aclnn", "fast"),
        ("ATB", "refused"),
    ]
    for door, answer in (("cann", "fast"), ("aclnn", "fast"), ("atb", "refused")):
        assert answers(onnx_model(PADDED), f"{door}:A2")[0][1] == answer


def test_a_type_that_a_product_refuses_comes_with_what_to_do():
    text = PADDED.replace("float", "bfloat16")
    told = rs.check_model(onnx_model(text), "cann:inference")
    (found,) = told.nodes
    assert found.answer.answer == "refused"
    assert "bf16" in found.answer.rule
    assert "float16" in found.answer.rewrite
    assert "pad_v3" in found.answer.source
    assert not told.ok


def test_what_the_ai_cpu_alone_runs_is_a_slow_path():
    text = """g (float[9] x) => (float[4] y) {
        s = Constant <value = int64[1] {0}> ()
        e = Constant <value = int64[1] {8}> ()
        k = Constant <value = int64[1] {2}> ()
        y = Slice (x, s, e, s, k)
    }"""
    assert answers(onnx_model(text), "cann:A2") == [("Slice", "fast", "CANN")]
    doubles = onnx_model(text.replace("float", "double"))
    assert answers(doubles, "cann:A2") == [("Slice", "slow path", "CANN")]


def test_a_threshold_is_told_where_an_extent_is_open():
    text = PADDED.replace('"N", 3, 8', '3, 3, "T"').replace("2, 0, 0, 2", "64, 0, 0, 9")
    (found,) = rs.check_model(onnx_model(text), "A2").nodes
    assert found.answer.answer == "cannot tell"
    assert "axis 2 has at least 65" in found.answer.rule


def test_parameters_of_the_run_are_named_with_where_they_come_from():
    model = onnx_model("""g (float[9] x, int64[1] s, int64[1] e) => (float[N] y) {
        t = Abs(s)
        y = Slice(x, t, e)
    }""")
    (found,) = rs.check_model(model, "A2").nodes
    assert found.movement.dynamic == ("starts", "ends")
    assert found.answer.answer == "cannot tell"
    assert "starts comes from Abs t" in found.answer.rule


def test_all_nodes_are_told_and_not_the_first_failure_only():
    model = onnx_model("""g (bfloat16[4, 4] x) => (bfloat16[A, B] y) {
        p = Constant <value = int64[4] {1, 1, 1, 1}> ()
        a = Pad (x, p)
        b = Pad <mode = "edge"> (a, p)
        s = Constant <value = int64[1] {1}> ()
        e = Constant <value = int64[1] {3}> ()
        y = Slice (b, s, e)
    }""")
    told = rs.check_model(model, "inference")
    assert [c.answer.answer for c in told.nodes] == ["refused"] * 3
    assert told.counts == {"fast": 0, "slow path": 0, "cannot tell": 0, "refused": 3}


def test_a_node_that_is_not_defined_is_refused_by_every_target():
    model = onnx_model("""g (float[4] x) => (float[N] y) {
        s = Constant <value = int64[1] {0}> ()
        y = Slice (x, s, s, s, s)
    }""")
    for target in ("A2", "onnxruntime"):
        (found,) = rs.check_model(model, target).nodes
        assert found.answer.answer == "refused"
        assert "steps[0] = 0" in found.answer.rule


def test_real_models_are_checked_whole():
    told = rs.check_model(in_wheel("silero_vad", "data", "silero_vad.onnx"), "A2")
    assert told.total == 689
    scopes = {c.node.scope for c in told.nodes if c.node.op == "Pad"}
    assert scopes == {("If If_0 (then_branch)",), ("If If_0 (else_branch)",)}
    assert all(c.answer.source for c in told.nodes)


def test_a_report_is_plain_data():
    told = rs.check_model(onnx_model(PADDED), "A2")
    document = json.loads(json.dumps(told.to_dict(), allow_nan=False))
    (node,) = document["nodes"]
    assert node["params"] == {"pads": [0, 0, 2, 0, 0, 2], "mode": "reflect"}
    assert node["inputs"][0]["shape"] == ["N", 3, 8]
    assert node["answer"] == "fast"


def test_names_in_a_page_are_no_markup():
    model = onnx_model(PADDED)
    model.graph.node[1].name = "<script>alert(1)</script>"
    page = rs.check_model(model, "A2").html()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("name", "short"),
    [("Ascend310P3", "inference"), ("aclnn:A2", "A2"), ("ORT", "onnxruntime")],
)
def test_targets_by_their_other_names(name, short):
    assert target_named(name).name == short


@pytest.mark.parametrize("name", ["", "abacus", "atb:", "x:A2", None, 7, "A2:atb"])
def test_a_target_that_is_not_known_is_told_with_those_that_are(name):
    with pytest.raises(ModelError, match=r"onnxruntime.*A2"):
        target_named(name)


def test_attributes_of_another_kind_are_told_and_never_raised():
    """A float, a text, a tensor or nothing, wherever a number is expected."""
    helper = onnx.helper
    values = (0.5, "text", [0.5], ["a"], onnx.numpy_helper.from_array(np.zeros(2)), 2)
    names = "axes axis perm starts ends steps pads paddings value mode shape split "
    names += "num_outputs blocksize batch_dims reduction repeats"
    for op in READERS:
        for opset in (1, 13, 18):
            model = onnx_model("g (float[2, 3] x) => (float[A, B] y) {}", opset=opset)
            for name in names.split():
                for value in values:
                    node = helper.make_node(op, ["x"], ["y"])
                    node.attribute.append(helper.make_attribute(name, value))
                    model.graph.node.append(node)
            found = [movement_of(n) for n in walk(read_model(model), infer=False)]
            assert len(found) == len(values) * len(names.split())
            told = [m.wrong or m.open or m.outputs for m in found]
            assert all(told), op


def test_numbers_that_are_none_are_followed_no_further():
    """Text, complex numbers and what int64 cannot hold, on their way to a parameter."""
    for dtype in (np.complex64, np.float64, np.uint64, np.bool_, np.object_):
        value = np.array([b"a"] if dtype is np.object_ else [2**63], dtype)
        model = onnx_model("g (float[9] x) => (float[N] y) { y = Slice (x, t, t) }")
        tensor = onnx.numpy_helper.from_array(value, "c")
        model.graph.initializer.append(tensor)
        model.graph.node.insert(0, onnx.helper.make_node("Identity", ["c"], ["i"]))
        concat = onnx.helper.make_node("Concat", ["i", "i"], ["t"], axis=0)
        model.graph.node.insert(1, concat)
        (found,) = rs.check_model(model, "A2").nodes
        assert found.answer.answer in ("cannot tell", "refused")


def test_a_turn_of_a_type_that_is_not_taken_comes_with_a_call_that_is():
    """Run through the dialect, the call of the rewrite gives the same bytes."""
    model = onnx_model("""g (float[2, 3, 5] x) => (float[A, B, C] y) {
        y = Transpose <perm = [2, 0, 1]> (x) }""")
    (found,) = rs.check_model(model, "A2").nodes
    assert (found.answer.answer, found.answer.by) == ("cannot tell", "ATB")
    assert "two of float16" in found.answer.rewrite
    x = np.arange(30, dtype=np.float32).reshape(2, 3, 5)
    names = {"x": x.view(np.float16)}
    exec(found.answer.words, names)
    made = np.ascontiguousarray(names["y"]).view(np.float32).reshape(5, 2, 3)
    assert made.tobytes() == np.ascontiguousarray(x.transpose(2, 0, 1)).tobytes()


def test_a_hostile_model_costs_little(tmp_path):
    """Extents of 2**40 and more are told, in one gigabyte of address space."""
    text = f"""g (float[1] x, float[{2**40}] z) => (float[A] y, float[B] u) {{
        n = Constant <value = int64[1] {{{2**40}}}> ()
        y = Expand (x, n)
        p = Constant <value = int64[2] {{{2**62}, {2**62}}}> ()
        u = Pad (z, p)
        t = Tile (z, n)
        s = Slice (z, n, p)
    }}"""
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx_model(text).SerializeToString())
    code = (
        "import sys, resource, onnx, restride as rs\n"
        "onnx.ModelProto\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "for target in sys.argv[2:]:\n"
        "    print(rs.check_model(sys.argv[1], target).counts)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    targets = ["A2", "950", "onnxruntime", "tensorrt", "tflite", "coreml"]
    words = [sys.executable, "-c", code, str(path), *targets]
    told = subprocess.run(words, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert int(told.stdout.split()[-1]) < 300_000


def run_tool(capsys, *words):
    code = main(["check", *map(str, words)])
    return code, *capsys.readouterr()


def test_the_tool_ends_with_1_where_a_node_is_refused(tmp_path, capsys):
    path, page = tmp_path / "m.onnx", tmp_path / "page.html"
    text = PADDED.replace("float", "bfloat16")
    path.write_bytes(onnx_model(text).SerializeToString())
    code, out, _ = run_tool(
        capsys, path, "--target", "inference", "--json", "--html", page
    )
    assert code == 1
    assert json.loads(out)["counts"]["refused"] == 1
    assert "<table>" in page.read_text()
    code, out, _ = run_tool(capsys, path, "--target", "A2")
    assert code == 0
    assert "fast         Pad  y" in out


def test_a_saved_models_folder_names_its_file(tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(rs.RestrideError, match=r"directory; give .*saved_model\.pb"):
        rs.check_model(tmp_path, "A2")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("absent.onnx", "--target", "A2"), "No such file"),
        (("/", "--target", "A2"), "directory"),
        ((__file__, "--target", "A2"), "text"),
        ((__file__, "--target", "abacus"), "not known"),
        ((__file__,), "--target"),
    ],
)
def test_the_tool_ends_with_2_and_one_line_where_nothing_is_checked(
    words, told, capsys
):
    code, out, error = run_tool(capsys, *words)
    assert (code, out) == (2, "")
    assert error.startswith("restride: error: ")
    assert error.count("\n") == 1
    assert told in error


@pytest.mark.parametrize("shape", ['"N", 3, 1024, 1024', '"N", "C", "H", "W"'])
def test_an_open_extent_beside_large_ones_hides_nothing(shape):
    model = onnx_model(f"""g (float[{shape}] x) => (float[A, B, C, D] y) {{
        p = Constant <value = int64[8] {{0, 0, 1, 1, 0, 0, 1, 1}}> ()
        y = Pad (x, p) }}""")
    assert answers(model, "A2") == [("Pad", "fast", "CANN")]


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ("a, b = Split <axis = 0> (x, p)", "Split: parts (1, 4) of an axis of extent"),
        ("a = Split <axis = 0> (x, p)", "for 1 outputs"),
        ("a, b, c = Split <axis = 0> (x)", "Split-13: extent 4 is no multiple of 3"),
        ("a = Expand (x, p)", "Expand: shape (1, 4) does not go with (4, 2)"),
        ("a = GatherND (x, q)", "GatherND: indices 0 to 99 of an axis of extent 4"),
        ("a = GatherND <batch_dims = 2> (x, q)", "batch_dims 2"),
    ],
)
def test_what_is_not_defined_is_refused(nodes, why):
    model = onnx_model(
        f"""g (float[4, 2] x) => (float a)
        <int64[2] p = {{1, 4}}, int64[2, 2] q = {{99, 0, 0, 1}}> {{ {nodes} }}""",
        opset=13,
    )
    (found,) = rs.check_model(model, "onnxruntime").nodes
    assert found.answer.answer == "refused"
    assert why in found.answer.rule


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('g (float x) => (float y) { y = Pad <mode = "edge"> (x, p) }', "without axes"),
        ("g (int16[4, 4] x) => (int16[3] y) { y = CenterCropPad (x, s) }", "no kernel"),
    ],
)
def test_what_onnx_runtime_does_not_run_is_refused(text, why):
    runtime = pytest.importorskip("onnxruntime")
    held = "<int64[0] p = {}, int64[2] s = {3, 3}> {"
    model = onnx_model(text.replace("{", held, 1))
    (found,) = rs.check_model(model, "onnxruntime").nodes
    assert found.answer.answer == "refused"
    assert why in found.answer.rule
    with pytest.raises(Exception, match=r"no dimensions|Could not find"):
        runtime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"]
        ).run(None, {"x": np.zeros((), np.float32)})


@pytest.mark.parametrize(("axis", "answer"), [(0, "refused"), (1, "fast")])
def test_a_gather_of_slices_of_strings(axis, answer):
    """ONNX Runtime copies the first string of each slice, and no other."""
    runtime = pytest.importorskip("onnxruntime")
    model = onnx_model(
        f"""g (string[3, 2] x) => (string[N, M] y) <int64[2] p = {{0, 1}}> {{
            y = Gather <axis = {axis}> (x, p) }}"""
    )
    (found,) = rs.check_model(model, "onnxruntime").nodes
    assert found.answer.answer == answer
    x = np.array([["a", "b"], ["c", "d"], ["e", "f"]], object)
    (made,) = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    ).run(None, {"x": x})
    right = made.tolist() == np.take(x, [0, 1], axis).tolist()
    assert right == (answer == "fast")


def test_long_tables_are_counted_whole() -> None:
    at = np.arange(1000) % 50
    told = rs.check_model(gather_model(at), "onnxruntime")
    assert "... (1000 in all)" in told.text()
    assert told.to_dict()["nodes"][0]["params"]["indices_count"] == 1000


def test_a_table_of_another_format_says_so() -> None:
    told = rs.check_model(gather_model(np.arange(3)), "tflite")
    assert told.note.startswith("the table of tflite speaks of TFLite models only")
    assert not rs.check_model(gather_model(np.arange(3)), "onnxruntime").note


def gather_model(at):
    """Rows of a (50, 3) matrix."""
    from onnx import helper, numpy_helper

    x = helper.make_tensor_value_info("x", 1, [50, 3])
    y = helper.make_tensor_value_info("y", 1, [len(at), 3])
    node = helper.make_node("Gather", ["x", "at"], ["y"])
    graph = helper.make_graph(
        [node], "g", [x], [y], [numpy_helper.from_array(at, "at")]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
