"""ONNX itself: its schemas, its node tests, its checker and its reference evaluator."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sets
from onnx_nodes import Drawn, draw_pad, draw_slice, node_of

from restride.dialects import onnx as ours
from restride.dialects.onnx.forms import FORMS, form_of

onnx = sets.framework("onnx")
helper, numpy_helper = onnx.helper, onnx.numpy_helper
reference = importlib.import_module("onnx.reference")

Array = np.ndarray[Any, Any]

# ------------------------------------------------------------------------- the schemas

KINDS = {"INTS": "ints", "FLOAT": "float", "STRING": "string"}


def test_the_newest_opset_is_known() -> None:
    assert onnx.defs.onnx_opset_version() == ours.NEWEST_OPSET


@pytest.mark.parametrize("operator", ["Slice", "Pad"])
def test_every_version_is_that_of_the_schema(operator: str) -> None:
    seen = set()
    for opset in range(1, ours.NEWEST_OPSET + 1):
        schema, form = onnx.defs.get_schema(operator, opset), form_of(operator, opset)
        seen.add(form.version)
        assert form.version == schema.since_version
        assert form.inputs == tuple(i.name for i in schema.inputs)
        kinds = {a.name: KINDS[a.type.name] for a in schema.attributes.values()}
        assert form.attributes == kinds
        needed = {i.name for i in schema.inputs if i.option.name == "Single"}
        needed |= {a.name for a in schema.attributes.values() if a.required}
        assert form.required == needed
        held = next(c for c in schema.type_constraints if c.type_param_str == "T")
        assert {f"tensor({t})" for t in form.types} == set(held.allowed_type_strs)
        told = schema.attributes["mode"].description if form.modes else ""
        assert all((mode in told) == (mode in form.modes) for mode in PADS)
    assert sorted(seen) == [form.version for form in FORMS[operator]]


PADS = ("reflect", "edge", "wrap")


# ---------------------------------------------------------------------- the node tests


def node_cases() -> list[Any]:
    """ONNX's backend node tests of both operators, made by its own generators."""
    cases = importlib.import_module("onnx.backend.test.case.node")
    for name in ("slice", "pad"):
        importlib.import_module(f"onnx.backend.test.case.node.{name}")
    made = cases._NodeTestCases  # what its public collector returns, without the rest
    return [c for c in made if c.model.graph.node[0].op_type in ("Slice", "Pad")]


CASES = node_cases()
CONVERTED = (
    *("pytorch-converted/test_ConstantPad2d", "pytorch-converted/test_ZeroPad2d"),
    *(
        "pytorch-converted/test_ReflectionPad2d",
        "pytorch-converted/test_ReplicationPad2d",
    ),
    "pytorch-operator/test_operator_pad",
)
"""Its stored models of one Pad; there is none of one Slice."""


def test_none_of_the_node_tests_is_missed() -> None:
    kinds = [case.model.graph.node[0].op_type for case in CASES]
    assert (kinds.count("Slice"), kinds.count("Pad")) == (8, 6)
    assert all(len(case.model.graph.node) == 1 for case in CASES)
    assert all(len(case.data_sets) == 1 for case in CASES)


@pytest.mark.parametrize("runtime", [None, "onnxruntime"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_node_test(case: Any, runtime: str | None) -> None:
    (node,), opset = case.model.graph.node, case.model.opset_import[0].version
    inputs, (expected,) = case.data_sets[0]
    found = ours.run_node(node, list(inputs), opset=opset, runtime=runtime)
    assert sets.different(found, expected) is None


@pytest.mark.parametrize("name", CONVERTED)
def test_stored_model(name: str) -> None:
    folder = Path(onnx.__file__).parent / "backend" / "test" / "data" / name
    model = onnx.load(folder / "model.onnx")
    (node,) = model.graph.node
    one = folder / "test_data_set_0"
    given, expected = (
        numpy_helper.to_array(onnx.load_tensor(one / f"{side}_0.pb"))
        for side in ("input", "output")
    )
    found = ours.run_node(node, [given], opset=model.opset_import[0].version)
    assert sets.different(found, expected) is None


# ------------------------------------------------------------------------- the checker

DATA = np.arange(4.0, dtype=np.float32)


def fed(**lists: list[int]) -> dict[str, Array]:
    return {"data": DATA} | {name: np.array(v, "i8") for name, v in lists.items()}


MALFORMED = [
    (node_of("Slice", ["data"]), fed(), 13),
    (node_of("Slice", ["data", "s", "e"]), fed(s=[0], e=[1]), 9),
    (node_of("Slice", ["data"], starts=[0]), fed(), 1),
    (node_of("Slice", ["data"], starts=0, ends=1), fed(), 1),
    (node_of("Pad", ["data"], pads=[0, 1]), fed(), 1),
    (node_of("Pad", ["data"], paddings=[0, 1]), fed(), 2),
    (node_of("Pad", ["data"], pads=[0, 1]), fed(), 11),
    (node_of("Pad", ["data", "p"], mode=1), fed(p=[0, 1]), 11),
    (node_of("Pad", ["data", "p", "", "a"]), fed(p=[0, 1], a=[0]), 17),
    (node_of("Pad", ["data", "p"], mode="edge", value=1.0), fed(p=[0, 1]), 13),
]


@pytest.mark.parametrize("given", MALFORMED)
def test_what_the_checker_refuses(given: Any) -> None:
    node, inputs, opset = given
    drawn = Drawn(node, inputs, opset, DATA.shape, None, None)
    with pytest.raises(onnx.checker.ValidationError):
        onnx.checker.check_model(drawn.model())
    with pytest.raises(ours.OnnxError) as caught:
        ours.run_node(node, inputs, opset=opset)
    assert caught.value.kind == "node"


# -------------------------------------------------------- the reference evaluator

REFUSALS = (ValueError, IndexError, RuntimeError, TypeError)


def opinions(drawn: Drawn) -> str | None:
    """None where both give the same bits, or both refuse."""
    try:
        found = reference.ReferenceEvaluator(drawn.model()).run(None, drawn.inputs)[0]
    except REFUSALS as error:
        found = str(error)
    try:
        own = ours.run_node(drawn.node, drawn.inputs, opset=drawn.opset)
    except ours.OnnxError as error:
        own = str(error)
    if isinstance(own, str) or isinstance(found, str):
        same = isinstance(own, str) and isinstance(found, str)
        return None if same else f"{drawn}: ours {own!r}, theirs {found!r}"
    if own.dtype.kind == "O":
        same = own.shape == found.shape and own.tolist() == found.tolist()
        return None if same else f"{drawn}: ours {own}, theirs {found}"
    said = sets.different(own, found)
    return said and f"{drawn}: {said}"


def test_slice() -> None:
    sets.compare("onnx", "slice", lambda rng: slice_opinions(rng))


def slice_opinions(rng: random.Random) -> str | None:
    drawn = draw_slice(rng)
    return None if slices_apart(drawn) else opinions(drawn)


def slices_apart(drawn: Drawn) -> bool:
    """It hands the lists to NumPy: what that cuts, drops or takes, it does as well."""
    starts, ends, steps = drawn.given
    rank = len(drawn.shape)
    named = range(len(starts)) if drawn.axes is None else drawn.axes
    extents = [drawn.shape[a] if -rank <= a < rank else 0 for a in named]
    backward = zip(starts, extents, steps or [1] * len(starts), strict=False)
    return (
        len(starts) != len(ends)  # the longer list is cut
        or (drawn.opset < 10 and not starts)  # fails on attributes that are empty
        or drawn.repeats_an_axis  # the last one stands
        or any(s < 0 and start < -n for start, n, s in backward)  # NumPy's clamping
    )


def test_pad() -> None:
    sets.compare("onnx", "pad", lambda rng: pad_opinions(rng))


def pad_opinions(rng: random.Random) -> str | None:
    drawn = draw_pad(rng)
    return None if pads_apart(drawn) else opinions(drawn)


def pads_apart(drawn: Drawn) -> bool:
    """It hands them to NumPy, which removes nothing and pads no scalar."""
    _, begins, ends = drawn.given
    return (
        min(begins + ends, default=0) < 0
        or not drawn.shape
        or drawn.repeats_an_axis  # the last one stands
        or min(drawn.axes or [0]) < -len(drawn.shape)  # counted from the end twice
    )


def test_most_sets_are_compared() -> None:
    for draw, apart in ((draw_slice, slices_apart), (draw_pad, pads_apart)):
        drawn = [draw(sets.generator("onnx", "kinds", k)) for k in range(200)]
        assert sum(not apart(d) for d in drawn) > 80
