"""The walk: every node, wherever it lies, with what is known of it there."""

from __future__ import annotations

import numpy as np
import pytest
from models_made import field, in_wheel, onnx_model

from restride.models.errors import ModelError
from restride.models.files.reading import read_model
from restride.models.known import numbers_of
from restride.models.onnx.walk import Walk, walk

onnx = pytest.importorskip("onnx")


def nodes_of(model, **given):
    return list(walk(read_model(model), **given))


def told(model, **given):
    return [(n.where, n.op) for n in nodes_of(model, **given)]


def only(model, op):
    (found,) = [n for n in nodes_of(model) if n.op == op]
    return found


NESTED = """g (float[2, 3] x, bool c) => (float[N, M] y) {
    y = If (c) <
        then_branch = t () => (float[A, B] z) {
            k = Abs(x)
            z = If (c) <
                then_branch = tt () => (float[A, B] p) {
                    p = Transpose <perm = [1, 0]> (k) },
                else_branch = te () => (float[A, B] q) { q = Identity(k) }>
        },
        else_branch = e () => (float[A, B] w) { w = Neg(x) }>
}"""


def test_branches_inside_branches():
    model = onnx_model(NESTED)
    assert told(model) == [
        ("y", "If"),
        ("If y (then_branch) / k", "Abs"),
        ("If y (then_branch) / z", "If"),
        ("If y (then_branch) / If z (then_branch) / p", "Transpose"),
        ("If y (then_branch) / If z (else_branch) / q", "Identity"),
        ("If y (else_branch) / w", "Neg"),
    ]
    turned = only(model, "Transpose")
    assert turned.inputs[0].shape == (2, 3)
    assert turned.outputs[0].shape == (3, 2)


def test_a_loop_sees_what_is_around_it():
    model = onnx_model("""g (int64 n, float[4] x) => (float[L, 2] y) {
        s = Constant <value = int64[1] {1}> ()
        e = Constant <value = int64[1] {3}> ()
        c = Constant <value = bool {1}> ()
        y = Loop (n, c) <body = b (int64 i, bool ci) => (bool co, float[2] p) {
            co = Identity(ci)
            p = Slice(x, s, e) }>
    }""")
    found = only(model, "Slice")
    assert found.scope == ("Loop y (body)",)
    assert found.inputs[0].shape == (4,)
    assert found.inputs[1].constant.array().tolist() == [1]


FUNCTION = """<domain: "mine", opset_import: ["" : 13]>
head <axis> (v, from) => (r) {
    to = Constant <value = int64[1] {2}> ()
    a = Constant <value_ints: ints = @axis> ()
    r = Slice(v, from, to, a)
}"""


def test_a_function_is_walked_where_it_is_called():
    model = onnx_model(
        """g (float[5, 6] x) => (float[N, M] y) {
            z = Constant <value = int64[1] {0}> ()
            u = mine.head <axis = [1]> (x, z)
            y = mine.head <axis = [0]> (u, z)
        }""",
        more=FUNCTION,
    )
    first, second = [n for n in nodes_of(model) if n.op == "Slice"]
    assert first.scope == ("head u (function)",)
    assert (first.opset, second.opset) == (13, 13)
    assert first.inputs[0].shape == (5, 6)
    assert first.outputs[0].shape == (5, 2)
    assert second.inputs[0].shape == (5, 2)
    assert [numbers_of(n.inputs[3]).items for n in (first, second)] == [(1,), (0,)]


def test_an_attribute_that_a_call_leaves_out_is_no_attribute():
    model = onnx_model(
        "g (float[5, 6] x) => (float[N, M] y) { y = mine.turn (x) }",
        more="""<domain: "mine", opset_import: ["" : 13]>
            turn <perm> (v) => (r) { r = Transpose <perm: ints = @perm> (v) }""",
    )
    found = only(model, "Transpose")
    assert "perm" not in found.attributes
    assert found.outputs[0].shape == (6, 5)


def circle(length):
    model = onnx_model("g (float[5] x) => (float[5] y) { y = mine.f0 (x) }")
    for k in range(length):
        f = model.functions.add(name=f"f{k}", domain="mine", input=["v"], output=["r"])
        f.opset_import.add(domain="mine", version=1)
        other = f"f{(k + 1) % length}"
        f.node.add(op_type=other, domain="mine", input=["v"], output=["r"])
    return model


@pytest.mark.parametrize("length", [1, 2, 500])
def test_functions_in_a_circle_are_refused(length):
    with pytest.raises(ModelError, match="circle"):
        nodes_of(circle(length))


def test_functions_that_double_are_refused():
    model = circle(60)
    for f in model.functions:
        f.node.append(f.node[0])
    del model.functions[-1].node[:]
    with pytest.raises(ModelError, match="1000000 nodes"):
        nodes_of(model)


def test_functions_in_a_long_row_are_refused():
    model = circle(200)
    del model.functions[-1].node[:]
    with pytest.raises(ModelError, match="64 deep"):
        nodes_of(model)


def deep(levels):
    """If inside If, as bytes: the onnx package makes no such graph."""
    inner = onnx.GraphProto()
    inner.node.add(op_type="Abs", input=["x"], output=["y"])
    branch = onnx.AttributeProto(name="then_branch", type=5).SerializeToString()
    named = onnx.NodeProto(op_type="If", input=["c"], output=["y"]).SerializeToString()
    graph = inner.SerializeToString()
    for _ in range(levels):
        graph = field(1, named + field(5, branch + field(6, graph)))
    opsets = onnx.ModelProto(ir_version=8)
    opsets.opset_import.add(domain="", version=18)
    return opsets.SerializeToString() + field(7, graph)


def test_deep_nesting_is_read_or_told():
    assert len(nodes_of(deep(25), infer=False)) == 26
    with pytest.raises(ModelError, match="nested deeper"):
        nodes_of(deep(60))


def test_names_that_are_missing_twice_or_strange():
    model = onnx_model("g (float[3] x) => (float[3] y) { y = Abs(x) }")
    model.graph.node.add(op_type="Abs", input=["nowhere"], output=["y"])
    model.graph.node.add(op_type="Pad", input=["x", "", ""], output=["", "y"])
    model.graph.node.add(op_type="", domain="com.microsoft", input=[], output=[])
    model.graph.node.add(op_type="Scaler", domain="ai.onnx.ml", input=["x"])
    found = nodes_of(model)
    assert [n.label for n in found] == ["y", "y", "y", "#3", "#4"]
    assert found[1].inputs[0].dtype is None
    assert found[2].inputs[1] is None
    assert [n.opset for n in found] == [18, 18, 18, 0, 0]


def test_values_that_are_no_tensors():
    model = onnx_model("""g (seq(float[3]) s, optional(float[2]) o) => (float[3] y) {
        i = Constant <value = int64 {0}> ()
        y = SequenceAt(s, i)
        z = OptionalGetElement(o)
    }""")
    at, get = nodes_of(model)[1:]
    assert (at.inputs[0].kind, get.inputs[0].kind) == ("sequence", "optional")
    assert get.outputs[0].shape == (2,)


def test_an_initialiser_that_callers_may_replace_is_no_constant():
    text = (
        "g (float[9] x, int64[1] s, int64[1] e) => (float[N] y) { y = Slice(x, s, e) }"
    )
    for ir, fixed in ((3, True), (8, False)):
        model = onnx_model(text, ir=ir)
        for name, value in (("s", 1), ("e", 3)):
            tensor = onnx.numpy_helper.from_array(np.array([value]), name)
            model.graph.initializer.append(tensor)
        (node,) = nodes_of(model)
        assert [k.constant is not None for k in node.inputs[1:]] == [fixed, fixed]


def test_pads_are_followed_through_what_exporters_write():
    """What PyTorch writes for pad(x, (1, 2)) of a tensor with two axes."""
    model = onnx_model("""g (float[N, 6] x) => (float[N, M] y) {
        given = Constant <value = int64[2] {1, 2}> ()
        four = Constant <value = int64[1] {2}> ()
        zeros = ConstantOfShape <value = int64[1] {0}> (four)
        all = Concat <axis = 0> (given, zeros)
        table = Constant <value = int64[2] {-1, 2}> ()
        rows = Reshape(all, table)
        a = Constant <value = int64[1] {0}> ()
        s = Constant <value = int64[1] {-1}> ()
        e = Constant <value = int64[1] {-9223372036854775807}> ()
        back = Slice(rows, s, e, a, s)
        turned = Transpose <perm = [1, 0]> (back)
        flat = Reshape(turned, s)
        pads = Cast <to = 7> (flat)
        y = Pad(x, pads)
    }""")
    pad = only(model, "Pad")
    assert pad.inputs[1].numbers.items == (0, 1, 0, 2)


def test_one_unknown_extent_leaves_the_others_known():
    model = onnx_model("""g (float["N", 6, 7] x) => (int64[3] s) {
        t = Shape(x)
        two = Constant <value = int64[1] {2}> ()
        s = Mul(t, two)
    }""")
    last = nodes_of(model)[-1]
    assert last.outputs[0].numbers.items == (None, 12, 14)


def test_hostile_shapes_are_never_made():
    huge = 2**40
    model = onnx_model(f"""g (float[1] x) => (float[N] y) {{
        n = Constant <value = int64[1] {{{huge}}}> ()
        zeros = ConstantOfShape (n)
        y = Expand(x, n)
        start = Constant <value = int64 {{0}}> ()
        limit = Constant <value = int64 {{{huge}}}> ()
        one = Constant <value = int64 {{1}}> ()
        r = Range(start, limit, one)
    }}""")
    found = nodes_of(model)
    assert all(n.outputs[0].numbers is None for n in found if n.op != "Constant")
    assert only(model, "Expand").outputs[0].shape == (huge,)


def test_inference_that_dies_leaves_a_note(monkeypatch):
    import restride.models.onnx.inferring as inferring

    def die(given):
        import os

        os.abort()

    monkeypatch.setattr(inferring, "_infer", die)
    w = Walk(read_model(onnx_model("g (float[3] x) => (float[3] y) { y = Abs(x) }")))
    assert [n.op for n in w] == ["Abs"]
    assert w.note == "shape inference failed"


def test_inference_that_hangs_is_ended(monkeypatch):
    import time

    import restride.models.onnx.inferring as inferring

    monkeypatch.setattr(inferring, "_infer", lambda given: time.sleep(60))
    model = onnx_model("g (float[3] x) => (float[3] y) { y = Abs(x) }")
    begun = time.monotonic()
    assert inferring.inferred(model, 0.2) == (model, "shape inference took too long")
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("name", ["silero_vad.onnx", "silero_vad_half.onnx"])
def test_real_models_are_walked_whole(name):
    path = in_wheel("silero_vad", "data", name)
    every = [n.op_type for g in graphs(onnx.load(path).graph) for n in g.node]
    assert sorted(every) == sorted(n.op for n in nodes_of(path))
    assert "Pad" in every


def graphs(graph):
    """A graph and all graphs inside it."""
    found = [graph]
    for node in graph.node:
        for a in node.attribute:
            for g in ([a.g] if a.HasField("g") else []) + list(a.graphs):
                found += graphs(g)
    return found
