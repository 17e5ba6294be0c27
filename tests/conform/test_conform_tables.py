"""Reading tables: what is taken, and what a damaged file is told."""

from __future__ import annotations

import codecs
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conform_tables import (
    COLUMNS,
    STRIDED,
    WRITTEN,
    csv_table,
    json_table,
    pad_case,
    row,
    slice_case,
    tensor,
)
from hypothesis import given
from hypothesis import strategies as st

from restride.conform import TableError
from restride.conform.case import Case, Expect, Fill
from restride.conform.tables import Unreadable, read_table


def only(path: Path) -> Case:
    (found,) = read_table(path)
    assert isinstance(found, Case), found
    return found


def wrong(path: Path) -> str:
    (found,) = read_table(path)
    assert isinstance(found, Unreadable), found
    return found.why


def test_a_row_is_read_cell_by_cell(tmp_path: Path) -> None:
    case = only(csv_table(tmp_path / "t.csv", WRITTEN | {"SocVersion": "Ascend310P"}))
    assert (case.name, case.op, case.dialect) == ("written", "SetValueOperation", "atb")
    lists = {"starts": [0, 1], "ends": [2, 3], "strides": [1, 1], "rsv": []}
    assert case.params == lists
    assert [(t.dtype, t.shape) for t in case.inputs if t] == [
        ("int32", (3, 4)),
        ("int32", (2, 2)),
    ]
    assert case.inputs[0] is not None
    assert case.inputs[0].fill == Fill("random", -20, 20)
    assert (case.outputs, case.socs) == ((), ("Ascend310P",))
    assert case.expect == Expect("ok", "NO_ERROR")
    assert case.where == "line 2"


def test_columns_stand_in_any_order_and_may_be_missing(tmp_path: Path) -> None:
    columns = "|".join(reversed(COLUMNS.split("|")))
    turned = only(csv_table(tmp_path / "a.csv", STRIDED, columns=columns))
    plain = only(csv_table(tmp_path / "a.csv", STRIDED))
    assert turned == plain
    few = "OpName|OpParam|InDType|InShape"
    case = only(csv_table(tmp_path / "b.csv", STRIDED, columns=few))
    assert case.inputs == plain.inputs
    assert (case.outputs, case.expect) == (None, Expect("ok", "NO_ERROR"))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("NO_ERROR  ", Expect("ok", "NO_ERROR")),
        ("", Expect("ok", "NO_ERROR")),
        ("C:ERROR_INVALID_PARAM", Expect("create", "ERROR_INVALID_PARAM")),
        ("I:NO_ERROR", Expect("infer_shape", "NO_ERROR")),
        ("S: ERROR_INVALID_TENSOR_DIM", Expect("setup", "ERROR_INVALID_TENSOR_DIM")),
        ("E:ERROR_RT_FAIL", Expect("execute", "ERROR_RT_FAIL")),
        ("ERROR_INVALID_PARAM", Expect(None, "ERROR_INVALID_PARAM")),
    ],
)
def test_expected_errors(tmp_path: Path, cell: str, expected: Expect) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED | {"ExpectedError": cell})
    assert only(table).expect == expected


def test_cells_as_vendors_write_them(tmp_path: Path) -> None:
    loose = STRIDED | {
        "CaseName": "  strided ",
        "OpName": "AsStridedOperation_0_1",
        "OpParam": ' {"size": [2, 2], "stride": [3, 1], "offset": [1]} ',
        "InNum": "1.0",
        "InDType": "ACL_FLOAT16;",
        "InFormat": "ACL_FORMAT_NCHW",
        "InShape": "2, 3;",
        "DataGenRange": "0,1;",
    }
    case = only(csv_table(tmp_path / "t.csv", loose))
    assert case.op == "AsStridedOperation"
    assert case.params["size"] == [2, 2]
    (x,) = case.inputs
    assert x is not None
    assert (x.dtype, x.format, x.shape) == ("float16", "nd", (2, 3))
    assert (x.fill.low, x.fill.high) == (0, 1)


def test_a_quoted_cell_of_a_spreadsheet(tmp_path: Path) -> None:
    param = STRIDED["OpParam"].replace('"', '""')
    table = csv_table(tmp_path / "t.csv", STRIDED | {"OpParam": f'"{param}"'})
    assert only(table).params["offset"] == [1]


@pytest.mark.parametrize(
    "cells",
    [{"TestType": "Generalization"}, {"OutNum": "reserved", "OutDType": "reserved"}],
)
def test_outputs_left_to_infer_shape(tmp_path: Path, cells: dict[str, str]) -> None:
    assert only(csv_table(tmp_path / "t.csv", STRIDED | cells)).outputs is None


def test_blank_lines_and_short_rows(tmp_path: Path) -> None:
    """One cell short, and the last one, ExpectedError, would read as success."""
    path = tmp_path / "t.csv"
    short = row(STRIDED | {"ExpectedError": "I:ERROR_INVALID_PARAM"}).rpartition("|")[0]
    rows = "\n".join([row(STRIDED), short, "7|short|AsStridedOperation"])
    path.write_text(f"\n{COLUMNS}\n\n  \n{rows}\n")
    first, second, third = read_table(path)
    assert isinstance(first, Case)
    for cut, cells in (second, 20), (third, 3):
        assert isinstance(cut, Unreadable)
        assert cut.why.startswith(f"it has {cells} cells; the table has 21 columns")


def test_a_bar_at_the_end_of_a_row_begins_no_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for bars in ("|", ""), ("", "||"), ("|", "|"):
        path.write_text(f"{COLUMNS}{bars[0]}\n{row(STRIDED)}{bars[1]}\n")
        assert only(path).name == "strided"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"OpParam": '{"size":'}, "OpParam '{\"size\":' is not JSON"),
        ({"OpParam": "[1]"}, "OpParam = [1] is not an object"),
        ({"InShape": "2,x"}, "shape '2,x' is not integers"),
        ({"InShape": ""}, "InShape has length 0; InNum is 1."),
        ({"InNum": "2"}, "InDType has length 1; InNum is 2."),
        ({"InNum": "many"}, "InNum 'many' is no number of tensors"),
        ({"InNum": "1e400"}, "InNum '1e400' is no number"),
        ({"InNum": "nan"}, "InNum 'nan' is no number"),
        ({"DataGenType": "magic"}, "DataGenType 'magic' is none of"),
        ({"DataGenRange": "one,two"}, "DataGenRange 'one,two' is not two numbers"),
        ({"ExpectedError": "X:ERROR"}, "begins with 'X'; the stages are C (create)"),
        ({"ExpectedError": "NO_ERROR|more"}, "it has 22 cells; the table has 21"),
    ],
)
def test_a_row_that_does_not_read(
    tmp_path: Path, cells: dict[str, str], said: str
) -> None:
    assert said in wrong(csv_table(tmp_path / "t.csv", STRIDED | cells))


def test_rows_of_other_operators_are_not_read_further(tmp_path: Path) -> None:
    case = only(
        csv_table(tmp_path / "t.csv", {"OpName": "RopeOperation", "InNum": "?"})
    )
    assert (case.op, case.dialect) == ("RopeOperation", "")


@pytest.mark.parametrize("changed", [{}, {"outputs": None, "tags": ["shape_only"]}])
def test_a_json_case(tmp_path: Path, changed: dict[str, Any]) -> None:
    case = only(json_table(tmp_path / "t.json", pad_case(**changed)))
    assert (case.op, case.dialect, case.name) == ("PadV3", "cann", "edge")
    assert case.inputs[2] is None
    assert case.inputs[1] is not None
    assert case.inputs[1].data == (0, 0, 1, 1)
    assert case.tags == frozenset(changed.get("tags", ()))


def test_a_tensorflow_case_says_its_inputs(tmp_path: Path) -> None:
    update = slice_case(op="TensorStridedSliceUpdate", out=[0, -1, -2, 3])
    update["shape_out"] = [4]
    case = only(json_table(tmp_path / "t.json", update))
    fills = [(t.shape, t.fill.kind) for t in case.inputs if t]
    assert fills == [((4,), "arange"), ((2,), "negative")]
    assert case.outputs is not None
    assert case.outputs[0] is not None
    assert case.outputs[0].shape == (4,)


@pytest.mark.parametrize("field", ["begin", "end", "strides"])
def test_a_tensorflow_case_without_an_argument(tmp_path: Path, field: str) -> None:
    case = slice_case()
    del case[field]
    path = json_table(tmp_path / "t.json", case)
    assert wrong(path) == f"it has no {field}, which StridedSlice needs."


def test_forms_of_json(tmp_path: Path) -> None:
    path, case = tmp_path / "t.txt", slice_case()
    for text in (
        json.dumps([case, case]),
        json.dumps({"meta": {}, "cases": [case, case]}),
        "\n".join([json.dumps(case)] * 2),
    ):
        path.write_text(text)
        assert len(read_table(path)) == 2
    path.write_text(json.dumps(case))
    assert len(read_table(path)) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"expect": None}, "it names nothing to expect"),
        ({"expect": {}}, "'expect' has neither a stage nor a code"),
        ({"expect": 3}, "expect = 3 is not an object"),
        ({"inputs": {}}, "inputs = {} is not a list"),
        ({"inputs": [{"shape": [1]}]}, "inputs[0] has no dtype"),
        ({"inputs": [{"dtype": "int8"}]}, "inputs[0] has no shape"),
        (
            {"inputs": [tensor("int8", [1.5])]},
            "inputs[0].shape = [1.5] is not a list of",
        ),  # type: ignore[list-item]
        ({"inputs": [tensor("int8", [True])]}, "inputs[0].shape = [True]"),
        ({"inputs": [tensor("int8", [1], offset="a")]}, "inputs[0].offset = 'a'"),
        ({"params": [1]}, "params = [1] is not an object"),
        ({"op": 7}, "op = 7 is not a text"),
        ({"op": " "}, "it names no operator"),
        ({"op": None}, "it names no operator"),
        ({"soc": 7}, "soc = 7 is not a text"),
        ({"tags": [None]}, "tags = None is not a text"),
    ],
)
def test_a_json_case_that_does_not_read(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    assert said in wrong(json_table(tmp_path / "t.json", pad_case(**changed)))


def test_nested_data_deeper_than_any_tensor(tmp_path: Path) -> None:
    data: Any = 1
    for _ in range(70):
        data = [data]
    case = pad_case(inputs=[tensor("int8", [1], data)])
    assert "lists more than 64 deep" in wrong(json_table(tmp_path / "t.json", case))


@pytest.mark.parametrize("entry", [1, None, "case", [], [{}]])
def test_what_is_no_case(tmp_path: Path, entry: Any) -> None:
    good, bad = read_table(json_table(tmp_path / "t.json", pad_case(), entry))
    assert isinstance(good, Case)
    assert isinstance(bad, Unreadable)
    assert "is no case" in bad.why


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (b"", "gb18030"),
    ],
)
def test_encodings(tmp_path: Path, mark: bytes, encoding: str) -> None:
    path = tmp_path / "t.csv"
    text = f"{COLUMNS}\r\n{row(STRIDED | {'CaseName': '步长'})}\r\n"
    path.write_bytes(mark + text.encode(encoding))
    assert only(path).name == "步长"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (b"[]", "holds no case"),
        (b"[1, 2]", "holds no case: nothing in it has an 'op'"),
        (b'[{"id": "x"}]', "holds no case: nothing in it has an 'op'"),
        (b"true", "has no column OpName; its first row is 'true'"),
        (f"{COLUMNS}\n".encode(), "holds no case"),
        (b"[{", "is not JSON that can be read: Expecting property name"),
        (b'[{"op": "PadV3"}, {"op"', "is not JSON that can be read"),
        (b"{}", "without a list named 'cases'"),
        (b'{"cases": 3}', "without a list named 'cases'"),
        (b"[" * 100_000, "is not JSON that can be read: it is nested too deep"),
        (b"[" + b"9" * 5000 + b"]", "is not JSON that can be read"),
        (b"a,b,c\n1,2,3\n", "has no column OpName; its first row is 'a,b,c'"),
        (b"OpName|OpParam|OpName\n", "names the column 'opname' twice"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is not text"),
        (b"\xff\xfe\x00", "is not text"),
        (b"\xff\xfe\x00\xd8", "is not text"),
        (b'OpName|x\n"' + b"y" * 200_000, "field larger than field limit"),
    ],
)
def test_a_file_that_is_no_table(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(content)
    with pytest.raises(TableError) as refused:
        read_table(path)
    assert str(path) in str(refused.value)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="No such file"):
        read_table(tmp_path / "no.json")
    with pytest.raises(TableError, match="is a directory"):
        read_table(tmp_path)
    with pytest.raises(TableError, match="is no name of a file"):
        read_table("a\0b")


def test_a_file_too_large_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("restride.conform.text.MOST_BYTES", 10)
    path = tmp_path / "t.json"
    path.write_bytes(b"[" + b" " * 20)
    with pytest.raises(TableError, match="is larger than"):
        read_table(path)


def test_more_cases_than_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("restride.conform.tables.MOST_CASES", 2)
    case = pad_case()
    assert len(read_table(json_table(tmp_path / "t.json", case, case))) == 2
    with pytest.raises(TableError, match="holds more than 2 cases"):
        read_table(json_table(tmp_path / "t.json", case, 2, 3))


def test_a_header_of_very_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    bars = "|" * 200_000
    path.write_text(f"OpName|{'|'.join(map(str, range(200_000)))}\nRelu{bars}\n")
    assert only(path).op == "Relu"


_FOLDER = tempfile.TemporaryDirectory()
"""Where generated tables lie; one file, written over and over."""

WORDS = ["OpName", "AsStridedOperation", "cases", '"op"', "PadV3", "InNum", "null"]
ODDITIES = ["1e999", "NaN", "\x00", "\ud800", "é", "9" * 30]
FRAGMENTS = st.lists(
    st.sampled_from([*'[]{}",:|;\n\\ ', *WORDS, *ODDITIES]), max_size=40
)


def is_cases_or_refused(content: bytes) -> bool:
    path = Path(_FOLDER.name, "t")
    path.write_bytes(content)
    try:
        return bool(read_table(path))
    except TableError as error:
        return bool(str(error))


@given(FRAGMENTS)
def test_any_text_is_cases_or_one_sentence(parts: list[str]) -> None:
    assert is_cases_or_refused("".join(parts).encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=60))
def test_any_bytes_are_cases_or_one_sentence(content: bytes) -> None:
    assert is_cases_or_refused(content)
