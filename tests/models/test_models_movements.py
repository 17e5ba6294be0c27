"""What a node moves, held against ONNX's own node tests and their recorded results."""

from __future__ import annotations

import importlib
import warnings
from functools import cache

import numpy as np
import pytest
from models_made import onnx_model

import restride as rs
from restride.layout import Chain
from restride.lazy import View
from restride.models.files.reading import read_model
from restride.models.movements.of_node import movement_of
from restride.models.onnx.walk import walk
from restride.translate.meaning import Gather, Write, applied

onnx = pytest.importorskip("onnx")

FILES = (
    "slice pad transpose expand tile split depthtospace spacetodepth center_crop_pad "
    "gather gathernd scatternd reshape flatten squeeze unsqueeze"
)
"""The onnx package's files of node tests, by operator."""

NOT_FOLLOWED = {
    "test_gather_2d_indices": "a table of more than one axis",
    "test_gathernd_example_int32": "more than one place",
    "test_gathernd_example_float32": "more than one place",
    "test_gathernd_example_int32_batch_dim1": "more than one place",
    **dict.fromkeys(
        (
            "test_scatternd_add",
            "test_scatternd_multiply",
            "test_scatternd_max",
            "test_scatternd_min",
            "test_scatternd_max_with_element_indices",
            "test_scatternd_min_with_element_indices",
        ),
        "adds to what is there",
    ),
}
"""Cases that are told to be no movement by slices and strides, and why."""


@cache
def cases():
    """ONNX's node tests of one node; the package makes them when it is loaded."""
    node = importlib.import_module("onnx.backend.test.case.node")
    before = len(node._NodeTestCases)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in FILES.split():
            importlib.import_module(f"onnx.backend.test.case.node.{name}")
    found = node._NodeTestCases[before:] or node._NodeTestCases
    return {c.name: c for c in found if len(c.model.graph.node) == 1}


def bound(case):
    """The model with all inputs but the data, and a write's source, as constants."""
    inputs, outputs = case.data_sets[0]
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    free = {0, 2} if case.model.graph.node[0].op_type == "ScatterND" else {0}
    for k in reversed(range(len(inputs))):
        name = model.graph.input[k].name
        if k not in free:
            array = onnx.numpy_helper.from_array(np.asarray(inputs[k]), name)
            model.graph.initializer.append(array)
            del model.graph.input[k]
    return model, inputs, outputs


def moved(movement, x, src=None):
    """The results of a movement's steps, by restride's engine."""
    for steps in movement.outputs:
        if isinstance(steps[0], Write):
            yield rs.assign(x.copy(), steps[0].entries, src)
            continue
        chain = Chain.identity(x.shape)
        for step in steps:
            chain = applied(step, chain)
        yield View(x, chain).copy()


def run(model, x, src=None):
    (node,) = [n for n in walk(read_model(model)) if n.op != "Constant"]
    movement = movement_of(node)
    assert not movement.wrong, movement.wrong
    assert movement.outputs is not None, movement.open
    return list(moved(movement, x, src))


def same(found, wanted):
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


def test_every_case_of_the_onnx_package_is_moved_as_recorded():
    told = {}
    for name, case in cases().items():
        model, inputs, outputs = bound(case)
        (node,) = walk(read_model(model), infer=False)
        movement = movement_of(node)
        assert not movement.wrong, (name, movement.wrong)
        if movement.outputs is None:
            told[name] = movement.open
            continue
        if isinstance(movement.outputs[0][0], Gather):
            continue
        made = list(moved(movement, np.asarray(inputs[0]), inputs[-1]))
        assert len(made) == len(outputs), name
        for found, wanted in zip(made, outputs, strict=True):
            same(found, np.asarray(wanted))
    assert set(told) == set(NOT_FOLLOWED)
    for name, why in NOT_FOLLOWED.items():
        assert why in told[name], (name, told[name])
    assert len(cases()) >= 85


X = np.arange(2 * 3 * 4 * 4, dtype=np.float32).reshape(2, 3, 4, 4)


@pytest.mark.parametrize(
    ("opset", "node", "wanted"),
    [
        (
            1,
            "Slice <starts = [1, 0], ends = [9, -1], axes = [0, 3]> (x)",
            X[1:, ..., :-1],
        ),
        (1, "Slice <starts = [0, 1], ends = [1, 2]> (x)", X[:1, 1:2]),
        (9, "Slice <starts = [-2], ends = [100], axes = [-1]> (x)", X[..., -2:]),
        (
            1,
            "Pad <paddings = [0, 0, 1, 0, 0, 0, 0, 2], value = 7.0> (x)",
            np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 2)], constant_values=7),
        ),
        (
            2,
            "Pad <pads = [0, 0, 1, 0, 0, 0, 0, 2], mode = 'reflect'> (x)",
            np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 2)], "reflect"),
        ),
        (
            10,
            "Pad <pads = [0, 0, -1, 0, 0, 0, 0, 2]> (x)",
            np.pad(X, [(0, 0), (0, 0), (0, 0), (0, 2)])[:, :, 1:],
        ),
        (1, "Reshape <shape = [6, -1]> (x)", X.reshape(6, 16)),
        (1, "Transpose (x)", X.transpose()),
        (1, "Flatten <axis = 2> (x)", X.reshape(6, 16)),
        (1, "Unsqueeze <axes = [0, 5]> (x)", X[None, ..., None]),
        (11, "Unsqueeze <axes = [-1]> (x)", X[..., None]),
        (1, "DepthToSpace <blocksize = 1> (x)", X),
        (1, "Gather <axis = -1> (x, at)", X[..., [1, 3]]),
    ],
)
def test_the_forms_of_old_opsets(opset, node, wanted):
    text = node.replace("'", '"')
    model = onnx_model(
        f"""g (float[2, 3, 4, 4] x) => (float[] y) {{
            at = Constant <value = int64[2] {{1, 3}}> ()
            y = {text} }}""",
        opset=opset,
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    (found,) = run(model, X)
    same(found, np.asarray(wanted))


def test_tile_of_opset_1_repeats_one_axis():
    model = onnx_model(
        """g (float[2, 3, 4, 4] x) => (float[A, B, C, D] y) {
            t = Constant <value = float {2.0}> ()
            a = Constant <value = float {1.0}> ()
            y = Tile (x, t, a) }""",
        opset=1,
    )
    same(run(model, X)[0], np.tile(X, (1, 2, 1, 1)))


@pytest.mark.parametrize("opset", [1, 2])
def test_split_of_old_opsets(opset):
    model = onnx_model(
        """g (float[2, 3, 4, 4] x) => (float[] y, float[] z) {
            y, z = Split <axis = 1, split = [1, 2]> (x) }""",
        opset=opset,
    )
    first, second = run(model, X)
    same(first, X[:, :1])
    same(second, X[:, 1:])


SCATTER = """g (float[2, 3, 4, 4] x, float[{updates}] u) => (float[A, B, C, D] y) {{
    at = Constant <value = int64[{shape}] {{{indices}}}> ()
    y = ScatterND (x, at, u) }}"""


@pytest.mark.parametrize(
    ("index", "box"),
    [
        ((slice(1, 2),), [(1, 2, 1)]),
        ((slice(0, 2), slice(1, 3)), [(0, 2, 1), (1, 3, 1)]),
        ((slice(1, 2), slice(0, 3, 2)), [(1, 2, 1), (0, 3, 2)]),
        ((slice(0, 2), slice(1, 2), slice(1, 4, 2)), [(0, 2, 1), (1, 2, 1), (1, 4, 2)]),
    ],
)
def test_a_scatter_of_the_cells_of_a_box_is_a_region_write(index, box):
    ranges = [np.arange(*r) for r in box]
    at = np.stack(np.meshgrid(*ranges, indexing="ij"), -1)
    wanted = X.copy()
    u = -1 - np.arange(X[index].size, dtype=np.float32).reshape(X[index].shape)
    wanted[index] = u
    model = onnx_model(
        SCATTER.format(
            updates=", ".join(map(str, u.shape)),
            shape=", ".join(map(str, at.shape)),
            indices=", ".join(map(str, at.ravel())),
        )
    )
    same(run(model, X, u)[0], wanted)


@pytest.mark.parametrize(
    "at", [[[1, 0], [0, 1]], [[0, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 1]]]
)
def test_a_scatter_of_other_cells_is_told_to_be_none(at):
    flat = ", ".join(str(v) for row in at for v in row)
    model = onnx_model(SCATTER.format(updates="2, 4, 4", shape="2, 2", indices=flat))
    node = list(walk(read_model(model)))[-1]
    assert "no region write" in movement_of(node).open


TABLES = ([1, 1], [0, 3, 1])


@pytest.mark.parametrize(
    "at",
    [[0], [3], [-1], [0, 2], [3, 2, 1, 0], [-1, -2], [3, 1], [-2, -1], *TABLES],
    ids=str,
)
def test_a_gather_of_evenly_spaced_positions_is_a_slice(at):
    model = onnx_model(
        f"""g (float[2, 3, 4, 4] x) => (float[A, B, C, D] y) {{
            at = Constant <value = int64[{len(at)}] {{{str(at)[1:-1]}}}> ()
            y = Gather <axis = 2> (x, at) }}"""
    )
    movement = movement_of(list(walk(read_model(model)))[-1])
    assert isinstance(movement.outputs[0][0], Gather) is (at in TABLES)
    if at not in TABLES:
        same(next(moved(movement, X)), X[:, :, at])


@pytest.mark.parametrize(
    ("op", "wrong"),
    [
        ("y = Gather <axis = 7> (x, s)", "axis 7"),
        ("y = Gather <axis = 0> (x, big)", "extent 2"),
        ("y = Transpose <perm = [0, 0, 1, 2]> (x)", "perm"),
        ("y = Slice (x, s, s, big)", "axis 9"),
        ("y = Slice (x, s, s, s, s)", "steps"),
        ("y = Pad <mode = 'symmetric'> (x, big)", "mode"),
        ("y = Pad (x, big)", "pads"),
        ("y = Pad <value = 1.0> (x, big)", "attribute 'value'"),
        ("y = DepthToSpace <blocksize = 2> (x)", "channels"),
        ("y = SpaceToDepth <blocksize = 3> (x)", "multiple"),
        ("y = Squeeze (x, s)", "extent 1"),
        ("y = Tile (x, s)", "repeats"),
        ("y = Slice (x)", "starts"),
        ("y = Unsqueeze (x)", "axes"),
        ("y = Split <axis = 9> (x)", "axis 9"),
        ("y = Split <num_outputs = 99999999999> (x)", "parts"),
        ("y = CenterCropPad (x, s)", "one each"),
    ],
)
def test_what_is_not_defined_is_told(op, wrong):
    model = onnx_model(
        f"""g (float[2, 3, 4, 4] x) => (float[] y) {{
            s = Constant <value = int64[1] {{0}}> ()
            big = Constant <value = int64[1] {{9}}> ()
            {op.replace("'", '"')} }}"""
    )
    node = list(walk(read_model(model)))[-1]
    assert wrong in movement_of(node).wrong
