"""Cases that say little or odd things: no SoC, null attributes, impossible outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conform_tables import failed, json_table, pad_case, tensor

from restride.conform import run

INVALID = "ACLNN_ERR_PARAM_INVALID"

SLICED = {
    "op": "aclnnStridedSlice",
    "params": {"begin": [1], "end": [3], "strides": [1], "beginMask": None},
    "inputs": [tensor("float", [3])],
    "outputs": [tensor("float", [2])],
    "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
}


def test_a_function_of_one_product_where_no_soc_is_named(tmp_path: Path) -> None:
    """The 950 has it; the vendor's tests that name nothing run as A2, and refuse."""
    refused = SLICED | {"expect": {"stage": "get_workspace_size", "code": INVALID}}
    table = json_table(tmp_path / "t.json", SLICED, refused)
    report = run(table)
    assert [r.product for r in report.results] == ["", "A2"]
    assert report.ok
    failed(run(table, product="950"), "the dialect accepts it")
    wrong = SLICED | {
        "expect": {"stage": "get_workspace_size", "code": "ACLNN_ERR_INNER"}
    }
    failed(run(json_table(tmp_path / "t.json", wrong)), "got ")


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("complex64", {"dtype": "complex64", "value": [2.5, -1]}),
        ("float", {"dtype": "float", "value": "nan"}),
        ("float16", {"dtype": "double", "value": "-inf"}),
        ("int8", 3),
        ("bool", True),
    ],
)
def test_scalars_of_any_form(tmp_path: Path, dtype: str, value: Any) -> None:
    case = {
        "op": "aclnnConstantPadNd",
        "params": {"pad": [1, 1], "value": value},
        "inputs": [tensor(dtype, [2])],
        "outputs": [tensor(dtype, [4])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    assert run(json_table(tmp_path / "t.json", case)).checked == {"definition": 1}
    case["params"] = {"pad": [1, 1], "value": {"dtype": "float", "value": [1]}}
    failed(run(json_table(tmp_path / "t.json", case)), "is not a number")


def test_attributes_that_are_null_are_at_their_defaults(tmp_path: Path) -> None:
    case = pad_case()
    case["params"] = dict.fromkeys(("mode", "paddings_contiguous"))
    case["outputs"] = [tensor("int32", [1, 5])]
    index = [tensor("int64", [1], [k]) for k in (1, 3, 1)]
    sliced = {
        "op": "StridedSlice",
        "params": {"begin_mask": None},
        "inputs": [tensor("int8", [3]), *index],
        "outputs": [tensor("int8", [2])],
        "expect": {"stage": "ok", "code": "GRAPH_SUCCESS"},
    }
    table = json_table(tmp_path / "t.json", case, sliced)
    assert run(table).checked == {"definition": 2}


def test_outputs_that_cannot_be_are_told_and_not_made(tmp_path: Path) -> None:
    shapes: list[list[int]] = [[1, 2**70], [0, 2**62, 4], [2**40]]
    for shape in shapes:
        case = pad_case(outputs=[tensor("int32", shape)])
        failed(run(json_table(tmp_path / "t.json", case)), "has shape")
        sliced = SLICED | {"outputs": [tensor("float", shape)]}
        failed(run(json_table(tmp_path / "t.json", sliced)), "out has shape")
    named = pad_case(outputs=[tensor("nd", [1, 5])], tags=["shape_only"])
    failed(run(json_table(tmp_path / "t.json", named)), "dtype 'nd' is not known")
