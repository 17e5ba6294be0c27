"""Running tables: what passes and how it was checked, and that a lie is caught."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conform_tables import (
    STRIDED,
    WRITTEN,
    changed_once,
    csv_table,
    failed,
    json_table,
    one,
    pad_case,
    tensor,
)

from restride.conform import TableError, run
from restride.dialects import atb, cann
from restride.errors import RestrideError, ShapeError
from restride.targets import UnknownNameError

REFUSED_ROW = STRIDED | {
    "CaseName": "refused",
    "InDType": "int8",
    "ExpectedError": "I:ERROR_INVALID_TENSOR_INI_MATCH",
}
"""A row that expects a refusal, and gets it."""

REFUSED_CASE = pad_case(
    params={"mode": "reflect"},
    inputs=[tensor("int8", [2]), tensor("int64", [1, 2], [2, 0]), None],
    outputs=[],
    expect={"stage": "tiling", "code": "GRAPH_FAILED"},
)


# ------------------------------------------------------------------------- checks


@pytest.mark.parametrize("cells", [STRIDED, WRITTEN])
def test_a_row_is_checked_against_the_definition(
    tmp_path: Path, cells: dict[str, str]
) -> None:
    result = one(run(csv_table(tmp_path / "t.csv", cells)))
    assert (result.verdict, result.checked) == ("passed", "definition")
    assert (result.got, result.product) == ("ok:NO_ERROR", "A2")


def test_a_case_with_data_is_checked_by_it(tmp_path: Path) -> None:
    table = json_table(tmp_path / "t.json", pad_case())
    assert run(table).checked == {"data": 1}
    other = pad_case(outputs=[tensor("int32", [1, 5], [0, 0, 1, 2, 9])])
    report = run(json_table(tmp_path / "t.json", other))
    failed(report, "ok:GRAPH_SUCCESS as expected, but output 0: element (0, 4) is 2")


def test_shapes_alone_where_the_data_is_too_large(tmp_path: Path) -> None:
    large = pad_case(
        inputs=[
            tensor("int8", [2**20, 2**14]),
            tensor("int32", [4], [0, 0, 1, 1]),
            None,
        ],
        outputs=[tensor("int8", [2**20, 2**14 + 2])],
    )
    tagged = pad_case(
        inputs=[tensor("int32", [1, 3]), *pad_case()["inputs"][1:]],
        tags=["shape_only"],
        outputs=[tensor("int32", [1, 5])],
    )
    assert run(json_table(tmp_path / "t.json", large, tagged)).checked == {"shape": 2}
    large["outputs"] = [tensor("int8", [2**20, 2**14])]
    report = run(json_table(tmp_path / "t.json", large))
    failed(report, f"output 0 has shape (1048576, {2**14 + 2}), not")


def test_refusals_are_checked_by_status(tmp_path: Path) -> None:
    rows = csv_table(tmp_path / "t.csv", REFUSED_ROW)
    cases = json_table(tmp_path / "t.json", REFUSED_CASE)
    report = run([rows, cases])
    assert report.summary() == "2 passed, 0 failed, 0 skipped"
    assert report.checks() == "checked 2 by status alone"


def test_a_stage_letter_stops_there(tmp_path: Path) -> None:
    """Its output would be refused by Setup, which is not reached."""
    stopped = STRIDED | {"OutShape": "9,9", "ExpectedError": "I:NO_ERROR"}
    result = one(run(csv_table(tmp_path / "t.csv", stopped)))
    assert (result.verdict, result.got) == ("passed", "infer_shape:NO_ERROR")
    setup = stopped | {"ExpectedError": "S:ERROR_INVALID_TENSOR_DIM"}
    assert run(csv_table(tmp_path / "t.csv", setup)).ok


def test_cann_stops_at_the_stage_of_the_table(tmp_path: Path) -> None:
    """Each would be refused by the stage after the one it stops at."""
    inferred = pad_case(params={"mode": "none"})
    inferred["expect"] = {"stage": "infer_shape", "code": "GRAPH_SUCCESS"}
    outside = [tensor("int8", [2]), tensor("int64", [2], [-3, 0]), None]
    tiled = pad_case(params={}, inputs=[*outside[:1], *pad_case()["inputs"][1:2]])
    tiled["inputs"][1] = tensor("int64", [1, 2], [1, 1])
    tiled |= {"expect": {"stage": "tiling", "code": "GRAPH_SUCCESS"}}
    report = run(json_table(tmp_path / "t.json", inferred, tiled))
    assert [r.got for r in report.results] == [
        "infer_shape:GRAPH_SUCCESS",
        "tiling:GRAPH_SUCCESS",
    ]
    assert report.ok
    tiled["inputs"] = outside
    assert not run(json_table(tmp_path / "t.json", tiled)).ok


def test_a_code_alone_may_come_at_any_stage(tmp_path: Path) -> None:
    bare = REFUSED_ROW | {"ExpectedError": "ERROR_INVALID_TENSOR_INI_MATCH"}
    assert run(csv_table(tmp_path / "t.csv", bare)).ok
    accepted = STRIDED | {"ExpectedError": "ERROR_INVALID_TENSOR_INI_MATCH"}
    report = run(csv_table(tmp_path / "t.csv", accepted))
    failed(report, "expected any stage:ERROR_INVALID_TENSOR_INI_MATCH, got ok:NO_ERROR")


def test_generalization_rows_take_what_infer_shape_gives(tmp_path: Path) -> None:
    row = STRIDED | {"OutShape": "reserved", "TestType": "Generalization"}
    result = one(run(csv_table(tmp_path / "t.csv", row)))
    assert (result.verdict, result.checked) == ("passed", "definition")


def test_inferred_outputs_too_large_to_make(tmp_path: Path) -> None:
    param = '{"size":[32768,32768],"stride":[0,0],"offset":[0]}'
    row = STRIDED | {"OpParam": param, "TestType": "Generalization"}
    result = one(run(csv_table(tmp_path / "t.csv", row)))
    assert (result.verdict, result.checked) == ("passed", "shape")


def test_what_vendors_test_wrappers_do_to_parameters(tmp_path: Path) -> None:
    loose = STRIDED | {"OpParam": '{"size":[2],"stride":3,"offset":1}'}
    loose |= {"OutShape": "2", "InFormat": "nchw"}
    assert one(run(csv_table(tmp_path / "t.csv", loose))).checked == "definition"
    reserved = STRIDED | {"OpParam": '{"rsv":[1]}', "InNum": "0", "OutNum": "0"}
    reserved |= {"ExpectedError": "C:ERROR_INVALID_PARAM"}
    assert run(csv_table(tmp_path / "t.csv", reserved)).ok


def test_one_element_shapes_are_alike_to_aclnn(tmp_path: Path) -> None:
    masks = dict.fromkeys(("beginMask", "endMask", "shrinkAxisMask"), 0)
    case = {
        "op": "aclnnStridedSlice",
        "params": {"begin": [1], "end": [2], "strides": [1], **masks},
        "inputs": [tensor("float", [3])],
        "outputs": [tensor("float", [1, 1, 1])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
        "soc": "Ascend950",
    }
    result = one(run(json_table(tmp_path / "t.json", case)))
    assert (result.verdict, result.checked, result.product) == (
        "passed",
        "definition",
        "950",
    )


@pytest.mark.parametrize("dtype", ["float16", "float", "double"])
@pytest.mark.parametrize("value", [0.1, {"dtype": "float", "value": 0.1}, True])
def test_a_scalar_is_held_in_its_own_dtype_first(
    tmp_path: Path, dtype: str, value: Any
) -> None:
    case = {
        "op": "aclnnConstantPadNd",
        "params": {"pad": [1, 0], "value": value},
        "inputs": [tensor(dtype, [2], [1, 2])],
        "outputs": [tensor(dtype, [3])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    assert run(json_table(tmp_path / "t.json", case)).checked == {"definition": 1}


def test_a_mask_of_null_is_zero(tmp_path: Path) -> None:
    case = pad_case(
        op="StridedSlice",
        params={"begin_mask": None},
        inputs=[tensor("int8", [3])] + [tensor("int32", [1], [k]) for k in (1, 3, 1)],
        outputs=[tensor("int8", [2])],
    )
    assert run(json_table(tmp_path / "t.json", case)).checked == {"definition": 1}


def test_a_storage_or_output_too_large_is_not_made(tmp_path: Path) -> None:
    case = {
        "op": "aclnnConstantPadNd",
        "params": {"pad": [0, 0], "value": 0},
        "inputs": [tensor("int8", [1], [0])],
        "outputs": [tensor("int8", [1], strides=[1], storage_shape=[2**40])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    assert run(json_table(tmp_path / "t.json", case)).checked == {"shape": 1}
    case["inputs"], case["outputs"] = (
        [case["outputs"][0] | {"data": [0]}],
        [tensor("int8", [1])],
    )
    assert run(json_table(tmp_path / "t.json", case)).checked == {"shape": 1}
    case["outputs"] = [tensor("int8", [2**40])]
    failed(run(json_table(tmp_path / "t.json", case)), "got get_workspace_size:")


def test_strides_over_storage(tmp_path: Path) -> None:
    turned = {"strides": [1, 2], "offset": 1, "storage_shape": [7]}
    case = {
        "op": "aclnnConstantPadNd",
        "params": {"pad": [0, 0, 1, 0], "value": {"dtype": "int8", "value": -1}},
        "inputs": [tensor("int32", [2, 3], **turned)],
        "outputs": [tensor("int32", [3, 3], strides=[1, 3], storage_shape=[9])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    assert run(json_table(tmp_path / "t.json", case)).checked == {"definition": 1}
    case["inputs"] = [tensor("int32", [2, 3], **turned | {"storage_shape": [6]})]
    failed(run(json_table(tmp_path / "t.json", case)), "got create:", "storage of 6")


# ------------------------------------------------------------------------ products


def test_rows_without_a_soc_run_but_on_two_groups(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED)
    for name in ("A2", "A3", "inference", "Ascend310P3"):
        assert run(table, product=name).count("passed") == 1
    for name in ("training", "200I/500 A2"):
        (reason,) = run(table, product=name).reasons
        assert reason.startswith("names no SoC, which leaves out Atlas")


def test_rows_for_chips(tmp_path: Path) -> None:
    def ran(socs: str, product: str | None = None) -> str:
        row = STRIDED | {"SocVersion": socs}
        result = one(run(csv_table(tmp_path / "t.csv", row), product=product))
        return result.product or result.why

    assert ran("Ascend910B") == "A2"
    assert ran("Ascend310P,Ascend910B") == "A2"
    assert ran("Ascend310P;Ascend310B") == "inference"
    assert ran("Ascend910A", "training") == "training"
    assert ran("Ascend310P,Ascend910B", "A3") == "A3"
    assert ran("Ascend310P", "A2").startswith("not for Atlas A2")
    assert ran("Ascend1") == "SoC 'Ascend1' is not known"


def test_chips_may_be_asked_for_as_tables_write_them(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED)
    assert one(run(table, product="Ascend910B")).product == "A2"


def test_what_document_and_source_see_differently_is_no_fault(tmp_path: Path) -> None:
    """The dialect warns of it; warnings are errors in this suite."""
    row = WRITTEN | {"InDType": "bf16;bf16", "SocVersion": "Ascend910A"}
    assert one(run(csv_table(tmp_path / "t.csv", row))).product == "training"


def test_a_product_decides_what_is_refused(tmp_path: Path) -> None:
    row = WRITTEN | {"InDType": "bf16;bf16"}
    table = csv_table(tmp_path / "t.csv", row)
    assert run(table).ok
    failed(
        run(table, product="inference"), "got infer_shape:ERROR_INVALID_TENSOR_DTYPE"
    )


def test_circular_is_for_the_950(tmp_path: Path) -> None:
    case = pad_case(params={"mode": "circular"}, soc="Ascend950")
    case["outputs"] = [tensor("int32", [1, 5])]
    assert one(run(json_table(tmp_path / "t.json", case))).checked == "definition"
    assert not run(json_table(tmp_path / "t.json", case | {"soc": None})).ok


# --------------------------------------------------------------- skipped and unread


def test_skipped_cases_give_their_reasons_with_counts(tmp_path: Path) -> None:
    others = [pad_case(op="Relu")] * 2 + [pad_case(op="Gelu"), pad_case()]
    report = run(json_table(tmp_path / "t.json", *others))
    assert report.summary() == (
        "1 passed, 0 failed, 3 skipped (2 operator 'Relu' is in no dialect; "
        "1 operator 'Gelu' is in no dialect)"
    )
    assert report.ok
    nothing = pad_case(inputs=[tensor("int8", [2]), tensor("int32", [2, 1]), None])
    nothing |= {"outputs": [], "tags": ["shape_only"]}
    assert run(json_table(tmp_path / "t.json", nothing)).summary() == (
        "0 passed, 0 failed, 1 skipped (input 1 of PadV3 decides the shape, and has no "
        "data)"
    )


def test_a_case_that_does_not_read_fails(tmp_path: Path) -> None:
    report = run(json_table(tmp_path / "t.json", pad_case(), 7))
    failed(report, "case 2: case 2: cannot be read: 7 is no case")
    unknown = pad_case(inputs=[tensor("int7", [1])])
    failed(run(json_table(tmp_path / "t.json", unknown)), "dtype 'int7' is not known")
    ragged = pad_case(outputs=[tensor("int32", [1, 5], [1, 2])])
    failed(run(json_table(tmp_path / "t.json", ragged)), "data has length 2")


def test_refused_arguments(tmp_path: Path) -> None:
    table = json_table(tmp_path / "t.json", pad_case())
    with pytest.raises(UnknownNameError, match="product 'A9' is not known"):
        run(table, product="A9")
    with pytest.raises(ShapeError, match="seed = -1 is negative"):
        run(table, seed=-1)
    with pytest.raises(RestrideError, match="is not an integer"):
        run(table, seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="No such file"):
        run([table, tmp_path / "no.json"])


HOSTILE: list[dict[str, Any]] = [
    {"params": {"mode": 7}},
    {"params": {"mode": None, "paddings_contiguous": "yes"}},
    {"params": {"strange": 1}},
    {"inputs": []},
    {"inputs": [None, None, None]},
    {"inputs": [tensor("int8", [-1]), tensor("int32", [2], [0, 0]), None]},
    {"inputs": [tensor("int8", [2**70]), tensor("int32", [2], [0, 0]), None]},
    {"inputs": [tensor("int8", [1]), tensor("int64", [2], [2**62, 2**62]), None]},
    {"inputs": [tensor("int8", [1]), tensor("int64", [2], [2**40, 0]), None]},
    {"inputs": [tensor("int8", [1]), tensor("int64", [2], [2**34, 0]), None]},
    {"inputs": [tensor("int8", [1] * 70), tensor("int32", [2], [0, 0]), None]},
    {"inputs": [tensor("int8", [1], format="odd"), tensor("int32", [2], [0, 0])]},
    {"inputs": [tensor("int8", [1])] * 9},
    {"outputs": [tensor("int7", [1])]},
    {"op": "aclnnConstantPadNd", "params": {"pad": [2**70, 0], "value": 1}},
    {"op": "aclnnConstantPadNd", "params": {"pad": "ab", "value": {"dtype": 3}}},
    {"op": "aclnnReplicationPad1d", "params": {"padding": [float("nan"), 1]}},
    {"op": "aclnnStridedSlice", "params": {"begin": {}, "beginMask": "x"}},
    {"op": "StridedSlice", "params": {"begin_mask": float("inf")}},
    {"outputs": [tensor("int7", [1, 5])]},
    {"inputs": [tensor("int8", [0, 2**64]), tensor("int32", [4], [0] * 4), None]},
    {
        "op": "aclnnConstantPadNd",
        "params": {"pad": [1, 0], "value": {"dtype": "float"}},
        "inputs": [tensor("float", [1])],
        "outputs": [tensor("float", [2])],
    },
    {"op": "AsStridedOperation", "params": {"size": [float("nan")], "stride": {}}},
    {"op": "AsStridedOperation", "params": {"size": [[1]], "rsv": [2**70]}},
    {"op": "AsStridedOperation", "inputs": [tensor("int8", [1], format="odd")]},
    {"op": "SetValueOperation", "params": {"starts": [None]}, "inputs": [None]},
]


@pytest.mark.parametrize("changed", HOSTILE)
def test_hostile_cases_are_reported_and_nothing_more(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    result = one(run(json_table(tmp_path / "t.json", pad_case(**changed))))
    assert result.verdict in ("failed", "skipped")
    assert result.why
    assert "a fault in restride" not in result.why
    assert not result.got.startswith("outside")


# ---------------------------------------------------------- a dialect that lies


def test_cann_lies_in_one_element(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the table's data, and without it."""
    without = pad_case(outputs=[tensor("int32", [1, 5])])
    table = json_table(tmp_path / "t.json", pad_case(), without)
    true = cann.pad_v3
    monkeypatch.setattr(cann, "pad_v3", lambda *a, **w: changed_once(true(*a, **w)))
    assert run(table).count("failed") == 2


def test_aclnn_leaves_one_element_unwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = {
        "op": "aclnnReplicationPad1d",
        "params": {"padding": [1, 1]},
        "inputs": [tensor("float16", [1, 3])],
        "outputs": [tensor("float16", [1, 5])],
        "expect": {"stage": "ok", "code": "ACLNN_SUCCESS"},
    }
    table = json_table(tmp_path / "t.json", case)
    assert run(table).checked == {"definition": 1}
    monkeypatch.setattr(cann.Executor, "run", lambda self: None)
    failed(run(table), "5 of 5 differ")


def test_cann_lies_about_the_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lie(*_: Any, **__: Any) -> Any:
        raise cann.GraphError("PadV3", "infer_shape", "a lie.")

    monkeypatch.setattr(cann, "tiling_pad_v3", lie)
    report = run(json_table(tmp_path / "t.json", REFUSED_CASE))
    failed(report, "expected tiling:GRAPH_FAILED, got infer_shape:GRAPH_FAILED")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"code": atb.ErrorType.ERROR_INVALID_PARAM},
            "infer_shape:ERROR_INVALID_PARAM",
        ),
        ({"stage": "setup"}, "got setup:ERROR_INVALID_TENSOR_INI_MATCH"),
        ({"code": atb.ErrorType.NO_ERROR, "error": None}, "got infer_shape:NO_ERROR"),
    ],
)
def test_atb_lies_about_stage_or_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], said: str
) -> None:
    true = atb.run_to
    lie: Callable[..., Any] = lambda *a, **w: replace(true(*a, **w), **changes)  # noqa: E731
    monkeypatch.setattr(atb, "run_to", lie)
    failed(run(csv_table(tmp_path / "t.csv", REFUSED_ROW)), said)


def test_atb_lies_in_one_element(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = atb.run_to

    def lie(*arguments: Any, **words: Any) -> Any:
        told = true(*arguments, **words)
        if not told.outputs:
            words["data"][0].reshape(-1)[0] += 1
        return replace(told, outputs=tuple(map(changed_once, told.outputs)))

    monkeypatch.setattr(atb, "run_to", lie)
    report = run(csv_table(tmp_path / "t.csv", STRIDED, WRITTEN))
    first, second = report.lines()
    assert first.endswith("1 of 4 differ")
    assert second.endswith("1 of 12 differ")


def test_atb_lies_about_a_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = atb.run_to
    wrong = (atb.TensorDesc("float16", "nd", (2, 1)),)
    lie: Callable[..., Any] = lambda *a, **w: replace(true(*a, **w), out_descs=wrong)  # noqa: E731
    monkeypatch.setattr(atb, "run_to", lie)
    failed(
        run(csv_table(tmp_path / "t.csv", STRIDED)),
        "output 0 has shape (2, 1), not (2, 2)",
    )


def test_a_fault_in_a_dialect_is_one_failed_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: Any, **__: Any) -> Any:
        raise KeyError("gone")

    monkeypatch.setattr(cann, "pad_v3", crash)
    refused = pad_case(**REFUSED_CASE)
    report = run(json_table(tmp_path / "t.json", pad_case(), refused))
    failed(report, "a fault in restride: KeyError: 'gone'")
    assert report.count("passed") == 1


# ------------------------------------------------------------------------- reports


def test_a_report_for_machines(tmp_path: Path) -> None:
    table = json_table(tmp_path / "t.json", pad_case(), pad_case(op="Relu"), 3)
    told = json.loads(json.dumps(run(table).to_json()))
    assert [told[v] for v in ("passed", "failed", "skipped")] == [1, 1, 1]
    assert told["skip_reasons"] == {"operator 'Relu' is in no dialect": 1}
    assert told["checked"] == {"data": 1}
    first, second, third = told["cases"]
    assert (first["checked"], first["got"]) == ("data", "ok:GRAPH_SUCCESS")
    assert (second["verdict"], second["checked"]) == ("skipped", "")
    assert (third["verdict"], third["where"]) == ("failed", "case 3")


def test_progress_counts_the_cases(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    table = json_table(tmp_path / "t.json", *[pad_case()] * 3)
    run(table, progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(0, 3), (1, 3), (2, 3)]
