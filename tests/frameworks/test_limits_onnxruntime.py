"""The table of ONNX Runtime against a session: each operator, type and opset."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sets

from restride.models.answers import ANSWERS
from restride.models.files.tensors import DTYPES
from restride.models.limits.rules import limits_of

onnx = sets.framework("onnx")
ort = sets.framework("onnxruntime")
ort.set_default_logger_severity(4)

TYPES = dict(enumerate(DTYPES[1:], 1))
"""ONNX's numbers of element types, and NumPy's names."""

TABLE = limits_of("onnxruntime")
SHAPE = (2, 4, 2, 2)
INT64 = onnx.TensorProto.INT64
OPSETS = (7, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21, 23)


@dataclass(frozen=True)
class Case:
    """One operator: its lists as inputs, or as attributes of older opsets."""

    op: str
    lists: Mapping[str, list[int]] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    shape: tuple[int, ...] = SHAPE
    first: int = 7
    """Opset that has the operator in this form."""
    listed: int = 0
    """Opset from which its lists are inputs and no attributes."""
    outputs: int = 1


CASES = [
    Case("Slice", {"starts": [0], "ends": [1]}, listed=10),
    *(
        Case("Pad", {"pads": [0, 1, 0, 0, 0, 0, 0, 0]}, {"mode": m}, listed=11)
        for m in ("constant", "reflect", "edge")
    ),
    Case("Pad", {"pads": [0, 1, 0, 0, 0, 0, 0, 0]}, {"mode": "wrap"}, first=19),
    Case("Transpose", {}, {"perm": [1, 0, 2, 3]}),
    Case("Expand", {"shape": [2, 2, 4, 2, 2]}, first=8),
    Case("Tile", {"repeats": [1, 2, 1, 1]}),
    Case("Split", {"split": [1, 1]}, listed=13, outputs=2),
    Case("DepthToSpace", {}, {"blocksize": 2}),
    Case("SpaceToDepth", {}, {"blocksize": 2}),
    Case("Gather", {"indices": [0]}),
    Case("GatherND", {"indices": [0]}, first=11),
    Case("Reshape", {"shape": [-1]}),
    Case("Squeeze", {"axes": [0]}, shape=(1, 4, 2, 2), listed=13),
    Case("Unsqueeze", {"axes": [0]}, listed=13),
    Case("Flatten"),
]


def model(case: Case, number: int, opset: int) -> Any:
    """A model of the one node."""
    helper = onnx.helper
    late = opset >= case.listed
    constants = [
        helper.make_tensor(name, INT64, [len(values)], values)
        for name, values in case.lists.items()
        if late
    ]
    attributes = dict(case.attributes) if late else {**case.attributes, **case.lists}
    names = [f"y{k}" for k in range(case.outputs)]
    node = helper.make_node(
        case.op, ["x", *[c.name for c in constants]], names, **attributes
    )
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", number, case.shape)],
        [helper.make_tensor_value_info(name, number, None) for name in names],
        constants,
    )
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def theirs(made: Any, folder: Path) -> str:
    """What a session does: fast, slow path where it adds Casts, or refused."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(folder / "written.onnx")
    try:
        ort.InferenceSession(
            made.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception:  # each status of its own class; all are refusals
        return "refused"
    written = onnx.load(folder / "written.onnx")
    cast = any(node.op_type == "Cast" for node in written.graph.node)
    return "slow path" if cast else "fast"


def ours(case: Case, number: int, opset: int) -> str:
    """The hardest of the table's rules that hold."""
    facts = {
        "dtype": TYPES[number],
        "opset": opset,
        "mode": case.attributes.get("mode"),
        "rank": len(case.shape),
    }
    held = [found.rule.answer for found in TABLE.apply(case.op, facts) if found.holds]
    return max(held, key=ANSWERS.index, default="cannot tell")


def cells() -> list[tuple[Case, int, int]]:
    """Every operator, type and opset, in an order that mixes them."""
    every = [
        (case, number, opset)
        for case in CASES
        for number in TYPES
        for opset in OPSETS
        if opset >= case.first
    ]
    random.Random(3).shuffle(every)
    return every


def test_every_cell_of_the_table(tmp_path: Path) -> None:
    asked = cells()[: sets.sets("onnxruntime")]
    wrong = []
    for case, number, opset in asked:
        done = theirs(model(case, number, opset), tmp_path)
        told = ours(case, number, opset)
        if told != done:
            at = f"{case.op} {case.attributes} {TYPES[number]} opset {opset}"
            wrong.append(f"{at}: {told}, and the session: {done}")
    sets.COMPARED["onnxruntime limits"] = len(asked)
    assert not wrong, "\n".join([f"{len(wrong)} of {len(asked)}", *wrong[:20]])


def test_the_table_is_of_the_version_that_is_installed() -> None:
    assert ort.__version__ == TABLE.version
