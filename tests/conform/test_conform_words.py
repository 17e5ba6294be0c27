"""Words that no vendor has are told as such: codes, stages, parameters, columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conform_tables import (
    COLUMNS,
    STRIDED,
    csv_table,
    failed,
    json_table,
    one,
    pad_case,
    row,
    slice_case,
    tensor,
)

from restride.conform import TableError, run
from restride.conform.tables import read_table

REFUSED = STRIDED | {"InDType": "int8"}
"""Refused at infer_shape with ERROR_INVALID_TENSOR_INI_MATCH, which is 13."""


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("ERROR_INVALID_PARAN", "is no code of ATB; near: ERROR_INVALID_PARAM"),
        ("I:ERROR_FOO", "'ERROR_FOO' is no code of ATB; "),
        ("I:", "'' is no code of ATB; it has NO_ERROR, "),
        ("30", "'30' is no code of ATB"),
        ("ACLNN_SUCCESS", "is no code of ATB"),
        ("no_error", "is no code of ATB"),
    ],
)
def test_codes_of_a_row(tmp_path: Path, cell: str, said: str) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED | {"ExpectedError": cell})
    failed(run(table), "cannot be read: ", said)


@pytest.mark.parametrize("cell", ["I:13", "13", "I:ERROR_INVALID_TENSOR_INI_MATCH"])
def test_numbers_of_codes_in_a_row(tmp_path: Path, cell: str) -> None:
    assert run(csv_table(tmp_path / "t.csv", REFUSED | {"ExpectedError": cell})).ok
    table = csv_table(tmp_path / "t.csv", STRIDED | {"ExpectedError": "0"})
    assert one(run(table)).expected == "ok:NO_ERROR"


def null_pad(expect: dict[str, Any]) -> dict[str, Any]:
    """An aclnn function with a null pointer."""
    return {
        "op": "aclnnReplicationPad1d",
        "params": {"padding": None},
        "inputs": [tensor("float", [1, 3])],
        "outputs": [tensor("float", [1, 5])],
        "expect": expect,
    }


@pytest.mark.parametrize(
    "expect",
    [
        {"stage": "get_workspace_size", "code": 161001},
        {"stage": "get_workspace_size", "code": "161001"},
        {"stage": "get_workspace_size", "value": 161001},
        {"code": "ACLNN_ERR_PARAM_NULLPTR", "value": 161001},
        {"code": "ACLNN_ERR_PARAM_NULLPTR"},
    ],
)
def test_codes_of_a_json_case(tmp_path: Path, expect: dict[str, Any]) -> None:
    assert run(json_table(tmp_path / "t.json", null_pad(expect))).ok


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"code": "ACLNN_ERR_PARAM_NULPTR"}, "near: ACLNN_ERR_PARAM_NULLPTR"),
        ({"code": 161003}, "161003 is no code of aclnn"),
        ({"code": True}, "True is no code of aclnn"),
        ({"code": 2**3000}, "... is no code of aclnn"),
        ({"code": []}, "[] is no code of aclnn"),
        ({"stage": "tiling"}, "'tiling' is no stage of aclnn"),
        ({"stage": "get_workspace"}, "of aclnn; near: get_workspace_size"),
        ({"stage": 7}, "7 is no stage of aclnn"),
        ({"code": "ACLNN_ERR_PARAM_NULLPTR", "value": 161002}, "and the value of "),
    ],
)
def test_words_that_aclnn_has_not(
    tmp_path: Path, expect: dict[str, Any], said: str
) -> None:
    table = json_table(tmp_path / "t.json", null_pad(expect))
    failed(run(table), "cannot be read: ", said)


def test_stages_of_graphs_and_kinds_of_tensorflow(tmp_path: Path) -> None:
    graph = pad_case(expect={"stage": "tilling", "code": "GRAPH_FAILED"})
    failed(run(json_table(tmp_path / "t.json", graph)), "near: tiling")
    kind = slice_case(strides=[0], error="zero_strid")
    failed(
        run(json_table(tmp_path / "t.json", kind)),
        "'zero_strid' is no kind of TensorFlow's refusals; near: zero_stride",
    )


@pytest.mark.parametrize(
    ("changed", "passes"),
    [
        ({"expect": {"code": "GRAPH_SUCCESS"}}, True),
        ({"expect": {"code": 0}}, True),
        ({"expect": {"stage": None, "code": "GRAPH_FAILED"}}, False),
        ({"expect": {"code": "GRAPH_FAILED"}, "params": {"mode": "none"}}, True),
        ({"expect": {"code": "GRAPH_SUCCESS"}, "params": {"mode": "none"}}, False),
        ({"expect": {"stage": "ok"}}, True),
        ({"expect": {"stage": "infer_shape"}}, False),
    ],
)
def test_any_stage_means_any_stage(
    tmp_path: Path, changed: dict[str, Any], passes: bool
) -> None:
    assert run(json_table(tmp_path / "t.json", pad_case(**changed))).ok == passes


def test_a_row_that_takes_any_stage(tmp_path: Path) -> None:
    case = {
        "op": "AsStridedOperation",
        "params": {"size": [2], "stride": [1], "offset": [0]},
        "inputs": [tensor("float16", [3])],
        "outputs": [tensor("float16", [2])],
        "expect": {"code": "NO_ERROR"},
    }
    result = one(run(json_table(tmp_path / "t.json", case)))
    assert (result.got, result.checked) == ("ok:NO_ERROR", "definition")


@pytest.mark.parametrize(
    ("case", "known"),
    [
        (pad_case(params={"strde": 1}), "mode, paddings_contiguous"),
        (
            pad_case(op="AsStridedOperation", params={"strde": [1]}),
            "size, stride, offset, rsv",
        ),
        (pad_case(op="aclnnReplicationPad1d", params={"strde": [1]}), "padding"),
        (slice_case(strde=[1]), "shape, begin, end, strides, begin_mask"),
        (slice_case(op="StridedSliceGrad", strde=1), "shape, begin, end, strides"),
    ],
)
def test_a_parameter_that_is_not_there_has_one_answer(
    tmp_path: Path, case: dict[str, Any], known: str
) -> None:
    said = f"cannot be read: {case['op']} has no parameter 'strde'; known are {known}"
    failed(run(json_table(tmp_path / "t.json", case)), said)


def test_a_parameter_of_a_row_that_is_not_there(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED | {"OpParam": '{"sizes":[2]}'})
    failed(run(table), "AsStridedOperation has no parameter 'sizes'; known are size")


def test_a_case_without_an_operator_fails(tmp_path: Path) -> None:
    lost = pad_case()
    del lost["op"]
    report = run(json_table(tmp_path / "t.json", lost, pad_case(), {"op": "Relu"}))
    assert [r.verdict for r in report.results] == ["failed", "passed", "skipped"]
    failed(report, "it names no operator; give 'op'")
    blank = csv_table(tmp_path / "t.csv", STRIDED | {"OpName": " "})
    failed(run(blank), "its OpName is blank")


def test_a_case_is_read_in_the_form_of_its_operator(tmp_path: Path) -> None:
    """PadV3 is no operator of TensorFlow's, whatever the case lacks."""
    bare = {"op": "PadV3", "params": {"mode": "edge"}}
    failed(run(json_table(tmp_path / "t.json", bare)), "names nothing to expect")
    mixed = {"op": "Pad", "inputs": [], "expect": {}}
    failed(run(json_table(tmp_path / "t.json", mixed)), "shape = None is not a list")


@pytest.mark.parametrize("field", ["param", "input", "output", "exepct", "socs"])
def test_fields_that_look_misspelt(tmp_path: Path, field: str) -> None:
    names = {"param": "params", "exepct": "expect", "socs": "soc"}
    true = names.get(field, f"{field}s")
    case = pad_case()
    case[field] = case.pop(true)
    said = f"it has a field '{field}'; is '{true}' meant?"
    failed(run(json_table(tmp_path / "t.json", case)), said)


def test_other_fields_are_notes(tmp_path: Path) -> None:
    noted = pad_case(notes="x", seed_mode="EDGE", vendor_declared_out=[1], inputs2=3)
    assert run(json_table(tmp_path / "t.json", noted)).ok


@pytest.mark.parametrize(
    ("column", "written"),
    [
        ("OpParam", "OpParams"),
        ("ExpectedError", "ExpectError"),
        ("InDType", "In_DType"),
        ("SocVersion", "SocVersions"),
        ("OpName", "Op Name"),
    ],
)
def test_columns_that_look_misspelt(tmp_path: Path, column: str, written: str) -> None:
    path = tmp_path / "t.csv"
    header = "|".join(written if c == column else c for c in COLUMNS.split("|"))
    path.write_text(f"{header}\n{row(STRIDED)}\n")
    with pytest.raises(TableError) as refused:
        read_table(path)
    assert f"has a column '{written}', which is not read, and no {column};" in str(
        refused.value
    )


def test_columns_of_ones_own(tmp_path: Path) -> None:
    """Also one that looks like another which is there."""
    own = f"{COLUMNS}|Author|OpParam2|Remarks"
    assert run(csv_table(tmp_path / "t.csv", STRIDED, columns=own)).ok
