"""CANN's gradients as cases, and cases that lack the values which decide them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conform_tables import changed_once, failed, json_table, one, pad_case, tensor

from restride.conform import run
from restride.dialects import cann


def backward(**changed: Any) -> dict[str, Any]:
    """aclnnReflectionPad1dBackward's documented example, with some fields changed."""
    case = {
        "op": "aclnnReflectionPad1dBackward",
        "params": {"padding": [1, 1]},
        "inputs": [tensor("float", [1, 5], [1] * 5), tensor("float", [1, 3])],
        "outputs": [tensor("float", [1, 3], [1, 3, 1])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    return case | changed


def graph(op: str, params: dict[str, Any], y: list[int], *inputs: Any) -> Any:
    return {
        "op": op,
        "params": params,
        "inputs": list(inputs),
        "outputs": [tensor("float", y)],
        "expect": {"stage": "ok", "code": "GRAPH_SUCCESS"},
    }


def index(*values: int) -> dict[str, Any]:
    return tensor("int64", [len(values)], list(values))


def test_the_documents_examples(tmp_path: Path) -> None:
    """CANN ops-math, documents of the two functions."""
    edge = backward(op="aclnnReplicationPad1dBackward")
    edge["outputs"] = [tensor("float", [1, 3], [2, 1, 2])]
    table = json_table(tmp_path / "t.json", backward(), edge)
    assert run(table).checked == {"data": 2}
    wrong = backward(outputs=[tensor("float", [1, 3], [1, 3, 2])])
    failed(run(json_table(tmp_path / "t.json", wrong)), "element (0, 2) is 1.0, not 2")


@pytest.mark.parametrize("kind", ["Replication", "Reflection"])
@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float16", "float", "double", "bf16"])
def test_made_gradients(tmp_path: Path, kind: str, dims: int, dtype: str) -> None:
    case = backward(
        op=f"aclnn{kind}Pad{dims}dBackward",
        params={"padding": [3, 2] * dims},
        inputs=[
            tensor(dtype, [2, 3] + [9] * dims),
            tensor(dtype, [2, 3] + [4] * dims),
        ],
        outputs=[tensor(dtype, [2, 3] + [4] * dims)],
    )
    result = one(run(json_table(tmp_path / "t.json", case)))
    assert (result.why, result.checked) == ("", "definition")


MODES = ("reflect", "edge", "constant", "symmetric", "circular", None)
GRADIENT = tensor("float", [3, 7])
TWOS = [0, 0, 2, 2]


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_graphs(tmp_path: Path, mode: str | None) -> None:
    params = {"mode": mode, "paddings_contiguous": False}
    columns = tensor("int32", [2, 2], [0, 2, 0, 2])
    padded = graph("PadV3Grad", params, [3, 3], GRADIENT, columns)
    lists = [index(*values) for values in ([4, 5], [0, 3], [9, 0], [2, -1])]
    masks = {"shrink_axis_mask": 0, "begin_mask": None}
    cut = graph("StridedSliceGrad", masks, [4, 5], *lists, tensor("float", [2, 3]))
    table = json_table(tmp_path / "t.json", padded, cut)
    assert run(table).checked == {"definition": 2}


def test_a_gradient_lies_in_one_element(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pads = tensor("int32", [2, 2], TWOS)
    padded = graph("PadV3Grad", {}, [3, 3], GRADIENT, pads)
    lists = [index(*values) for values in ([4], [3], [0], [-2])]
    cut = graph("StridedSliceGrad", {}, [4], *lists, tensor("float", [2]))
    for name in "pad_v3_grad", "strided_slice_grad":
        true: Any = getattr(cann, name)
        lie = lambda *a, f=true, **w: changed_once(f(*a, **w))  # noqa: E731
        monkeypatch.setattr(cann, name, lie)
    report = run(json_table(tmp_path / "t.json", padded, cut))
    assert report.count("failed") == 2


def test_sums_that_have_an_order_are_not_judged(tmp_path: Path) -> None:
    thirds = np.linspace(0, 1, 5).tolist()
    case = backward(outputs=[tensor("float", [1, 3])])
    case["inputs"] = [tensor("float", [1, 5], thirds), tensor("float", [1, 3])]
    assert run(json_table(tmp_path / "t.json", case)).checked == {"shape": 1}


def test_gradients_that_are_refused(tmp_path: Path) -> None:
    null = backward(inputs=[None, tensor("float", [1, 3])])
    null["expect"] = {"stage": "get_workspace_size", "code": 161001}
    wide = graph("PadV3Grad", {}, [3, 3], GRADIENT, tensor("int32", [4], [0, 0, 2, 6]))
    wide |= {"outputs": None, "expect": {"stage": "infer_shape", "code": -1}}
    assert run(json_table(tmp_path / "t.json", null, wide)).ok
    few = backward(inputs=[tensor("float", [1, 5])])
    said = "takes the inputs gradOutput, self and one output"
    failed(run(json_table(tmp_path / "t.json", few)), said)


# ------------------------------------------------------- values that decide the case

UNTOLD = tensor("int64", [1, 2])
X = tensor("int32", [3])


def skipped(tmp_path: Path, case: dict[str, Any], which: str) -> None:
    result = one(run(json_table(tmp_path / "t.json", case)))
    reason = f"{which} decides the shape, and has no data"
    assert (result.verdict, result.why) == ("skipped", reason)


@pytest.mark.parametrize("outputs", [[], [tensor("int32", [5])]])
@pytest.mark.parametrize(
    "expect",
    [
        {"code": "GRAPH_SUCCESS"},
        {"stage": "infer_shape", "code": "GRAPH_SUCCESS"},
        {"stage": "tiling", "code": "GRAPH_SUCCESS"},
        {"stage": "infer_shape", "code": "GRAPH_FAILED"},
        {"stage": "tiling", "code": "GRAPH_FAILED"},
    ],
)
def test_paddings_without_data_are_not_made_up(
    tmp_path: Path, outputs: list[Any], expect: dict[str, Any]
) -> None:
    case = pad_case(inputs=[X, UNTOLD], outputs=outputs, expect=expect)
    skipped(tmp_path, case, "input 1 of PadV3")
    case |= {"op": "PadV3Grad", "params": {}}
    skipped(tmp_path, case, "input 1 of PadV3Grad")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_slices_without_data_are_not_made_up(tmp_path: Path, place: int) -> None:
    lists = [index(0), index(2), index(1)]
    lists[place] = tensor("int64", [1])
    case = graph("StridedSlice", {}, [2], tensor("float", [4]), *lists)
    skipped(tmp_path, case, f"input {1 + place} of StridedSlice")
    inputs = [index(4), *lists, tensor("float", [2])]
    case = graph("StridedSliceGrad", {}, [4], *inputs)
    skipped(tmp_path, case, f"input {1 + place} of StridedSliceGrad")


def test_empty_lists_have_all_their_values(tmp_path: Path) -> None:
    lists = [tensor("int64", [0])] * 3
    case = graph("StridedSlice", {}, [4], tensor("float", [4]), *lists)
    assert run(json_table(tmp_path / "t.json", case)).checked == {"definition": 1}


@pytest.mark.parametrize(
    ("changed", "stage"),
    [
        ({"params": {"mode": "none"}}, "tiling"),
        ({"params": {"mode": "none"}}, None),
        ({"inputs": [X, tensor("float", [1, 2])]}, "tiling"),
        ({"inputs": [tensor("int32", [1] * 9), UNTOLD]}, "tiling"),
        ({"inputs": [None, UNTOLD]}, "infer_shape"),
        ({"params": {"paddings_contiguous": 3}}, "infer_shape"),
    ],
)
def test_refusals_that_need_no_data_still_run(
    tmp_path: Path, changed: dict[str, Any], stage: str | None
) -> None:
    case = pad_case(inputs=[X, UNTOLD], outputs=[]) | changed
    case["expect"] = {"stage": stage, "code": "GRAPH_FAILED"}
    result = one(run(json_table(tmp_path / "t.json", case)))
    assert (result.verdict, result.why, result.checked) == ("passed", "", "status")


def test_a_slice_of_other_dtypes_is_refused_without_data(tmp_path: Path) -> None:
    lists = [tensor("float", [1])] * 3
    case = graph("StridedSlice", {}, [2], tensor("float", [4]), *lists)
    case["expect"] = {"stage": "infer_shape", "code": "GRAPH_FAILED"}
    assert run(json_table(tmp_path / "t.json", case)).ok
