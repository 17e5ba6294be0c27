"""TensorFlow's cases: what passes, what is hostile, and that a lie is caught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conform_tables import changed_once, failed, json_table, one, slice_case

from restride.conform import run
from restride.dialects import tensorflow


def pad_v2(**changed: Any) -> dict[str, Any]:
    """A case of PadV2 that passes, with some fields changed."""
    case = {"op": "PadV2", "shape": [2], "paddings": [[1, 0]], "constant": 7}
    return case | {"shape_out": [3], "out": [7, 0, 1]} | changed


REFUSED_SLICE = slice_case(error="zero_stride", strides=[0])


@pytest.mark.parametrize("field", sorted(slice_case()))
@pytest.mark.parametrize("value", [None, "x", -1, 2**70, [2**70], [None], {}, [[1], 2]])
def test_hostile_tensorflow_cases(tmp_path: Path, field: str, value: Any) -> None:
    result = one(run(json_table(tmp_path / "t.json", slice_case(**{field: value}))))
    assert "a fault in restride" not in result.why


def test_a_case_keeps_its_name(tmp_path: Path) -> None:
    named = slice_case(name="mine")
    report = run(json_table(tmp_path / "t.json", named, slice_case()))
    assert [result.name for result in report.results] == ["mine", "StridedSlice.2"]


@pytest.mark.parametrize("name", ["strided_slice"])
def test_tensorflow_lies_in_one_element(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    true: Callable[..., Any] = getattr(tensorflow, name)
    monkeypatch.setattr(tensorflow, name, lambda **w: changed_once(true(**w)))
    report = run(json_table(tmp_path / "t.json", slice_case()))
    failed(report, "element (1,) is 3, not 2; 1 of 2 differ")


def test_tensorflow_lies_about_the_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = json_table(tmp_path / "t.json", REFUSED_SLICE)
    true = tensorflow.strided_slice

    def lie(**words: Any) -> Any:
        try:
            return true(**words)
        except tensorflow.TensorFlowError as error:
            error.kind = "rank"
            raise

    monkeypatch.setattr(tensorflow, "strided_slice", lie)
    failed(run(table), "expected error:zero_stride, got error:rank")
    monkeypatch.setattr(tensorflow, "strided_slice", lambda **_: np.zeros(2, np.int64))
    failed(run(table), "expected error:zero_stride, got ok:ok")


def test_an_input_too_large_is_not_made(tmp_path: Path) -> None:
    for case in (
        slice_case(shape=[2**40]),
        pad_v2(paddings=[[2**40, 0]], out=[]),
    ):
        result = one(run(json_table(tmp_path / "t.json", case)))
        assert (result.verdict, result.why) == (
            "skipped",
            "its tensors are too large to make here",
        )


def test_any_refusal_is_of_another_kind(tmp_path: Path) -> None:
    other = REFUSED_SLICE | {"error": "other"}
    assert run(json_table(tmp_path / "t.json", other)).ok
    report = run(json_table(tmp_path / "t.json", slice_case(error="other")))
    failed(report, "expected error:any error, got ok:ok (the dialect accepts it)")


def test_the_constant_under_either_name(tmp_path: Path) -> None:
    named = pad_v2(constant_values=7)
    del named["constant"]
    table = json_table(tmp_path / "t.json", pad_v2(), named)
    assert run(table).checked == {"data": 2}
    both = json_table(tmp_path / "t.json", pad_v2(constant_values=7))
    failed(run(both), "it has 'constant' and 'constant_values', which are one")
    del named["constant_values"]
    neither = json_table(tmp_path / "t.json", named)
    failed(run(neither), "it has no constant_values, which PadV2 needs")


def test_names_are_the_tables_or_numbers(tmp_path: Path) -> None:
    named = slice_case(name="middle", note="of our own")
    table = json_table(tmp_path / "t.json", named, slice_case(), pad_v2())
    report = run(table)
    assert [r.name for r in report.results] == ["middle", "StridedSlice.2", "PadV2.3"]
    assert report.ok
