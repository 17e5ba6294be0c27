"""Small tables of cases, in the forms the tests need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from restride.conform import Report, Result

COLUMNS = (
    "CaseNum|CaseName|OpName|OpParam|InNum|InDType|InFormat|InShape|OutNum|OutDType|"
    "OutFormat|OutShape|DataGenType|DataGenRange|InTensorFile|OutTensorFile|TestType|"
    "TestLevel|FromModel|SocVersion|ExpectedError"
)
"""The columns of ATB's tables in their usual order."""

STRIDED = {
    "CaseName": "strided",
    "OpName": "AsStridedOperation",
    "OpParam": '{"size":[2,2],"stride":[3,1],"offset":[1]}',
    "InNum": "1",
    "InDType": "float16",
    "InFormat": "nd",
    "InShape": "2,3",
    "OutNum": "1",
    "OutDType": "float16",
    "OutFormat": "nd",
    "OutShape": "2,2",
    "ExpectedError": "NO_ERROR",
}
"""A row that passes."""

WRITTEN = {
    "CaseName": "written",
    "OpName": "SetValueOperation",
    "OpParam": '{"starts":[0,1],"ends":[2,3],"strides":[1,1]}',
    "InNum": "2",
    "InDType": "int32;int32",
    "InFormat": "nd;nd",
    "InShape": "3,4;2,2",
    "OutNum": "0",
    "DataGenType": "random;random",
    "DataGenRange": "-20,20;-20,20",
    "ExpectedError": "NO_ERROR",
}
"""Another, which changes its first input."""


def row(cells: dict[str, str], columns: str = COLUMNS) -> str:
    return "|".join(cells.get(name, "") for name in columns.split("|"))


def csv_table(path: Path, *rows: dict[str, str], columns: str = COLUMNS) -> Path:
    path.write_text("\n".join([columns, *(row(r, columns) for r in rows)]) + "\n")
    return path


def tensor(
    dtype: str, shape: list[Any], data: list[Any] | None = None, **more: Any
) -> dict[str, Any]:
    told = {"dtype": dtype, "format": "nd", "shape": shape, **more}
    return told if data is None else told | {"data": data}


def pad_case(**changed: Any) -> dict[str, Any]:
    """A PadV3 case that passes, with some fields changed."""
    case = {
        "op": "PadV3",
        "name": "edge",
        "params": {"mode": "edge"},
        "inputs": [
            tensor("int32", [1, 3], [0, 1, 2]),
            tensor("int32", [2, 2], [0, 0, 1, 1]),
            None,
        ],
        "outputs": [tensor("int32", [1, 5], [0, 0, 1, 2, 2])],
        "expect": {"stage": "ok", "code": "GRAPH_SUCCESS", "value": 0},
        "soc": None,
    }
    return case | changed


def slice_case(**changed: Any) -> dict[str, Any]:
    """A case of TensorFlow's StridedSlice that passes, with some fields changed."""
    masks = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    case: dict[str, Any] = {"op": "StridedSlice", "shape": [4]}
    case |= {"begin": [1], "end": [3], "strides": [1]}
    case |= {f"{name}_mask": 0 for name in masks}
    return case | {"shape_out": [2], "out": [1, 2]} | changed


def json_table(path: Path, *cases: Any) -> Path:
    path.write_text(json.dumps(list(cases)))
    return path


def one(report: Report) -> Result:
    (result,) = report.results
    return result


def failed(report: Report, *parts: str) -> None:
    assert (report.ok, report.count("failed")) == (False, 1)
    (line,) = report.lines()
    for part in parts:
        assert part in line
    assert "\n" not in line


def changed_once(result: Any) -> Any:
    """The same array with its last element changed by one bit."""
    lie = np.array(result)
    lie.reshape(-1)[-1:].view(np.uint8)[0] ^= 1
    return lie
