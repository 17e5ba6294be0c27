"""What TensorFlow 2.21 answered: `cases/tensorflow.json`, through its dialect."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from restride.dialects import tensorflow as tf

Array = np.ndarray[Any, Any]
Case = dict[str, Any]

TABLE = Path(__file__).parents[1] / "cases" / "tensorflow.json"
CASES: list[Case] = json.loads(TABLE.read_text(encoding="utf-8"))["cases"]
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def numbered(shape: list[int], start: int = 0, step: int = 1) -> Array:
    count = math.prod(shape)
    return np.arange(start, start + step * count, step, dtype=np.int64).reshape(shape)


def sliced(case: Case) -> dict[str, Any]:
    return {name: case[name] for name in ("begin", "end", "strides", *MASKS)}


def key(case: Case) -> str:
    """The slice of a case, whatever is done with it."""
    return json.dumps([case["shape"], sliced(case)])


SLICES = {
    key(case): case["shape_out"]
    for case in CASES
    if case["op"] == "StridedSlice" and "out" in case
}
"""Shapes of slices: each that is differentiated or updated is also taken."""


def answer(case: Case) -> Array:
    """The call that the case describes; its form is in PROVENANCE.md."""
    shape, op = case["shape"], case["op"]
    if op == "StridedSlice":
        return tf.strided_slice(numbered(shape), **sliced(case))
    if op == "StridedSliceGrad":
        dy = numbered(SLICES[key(case)], start=1)
        return tf.strided_slice_grad(shape, dy=dy, **sliced(case))
    if op == "TensorStridedSliceUpdate":
        value = numbered(SLICES[key(case)], start=-1, step=-1)
        return tf.tensor_strided_slice_update(
            numbered(shape), value=value, **sliced(case)
        )
    if op == "MirrorPad":
        return tf.mirror_pad(numbered(shape), case["paddings"], case["mode"])
    assert op == "PadV2"
    return tf.pad_v2(numbered(shape), case["paddings"], case["constant"])


def test_the_table_is_whole() -> None:
    assert len(CASES) == 2500
    assert Counter(case["op"] for case in CASES) == {
        "StridedSlice": 1596,
        "MirrorPad": 390,
        "PadV2": 202,
        "StridedSliceGrad": 156,
        "TensorStridedSliceUpdate": 156,
    }
    assert all(("error" in case) != ("out" in case) for case in CASES)
    assert sum("error" in case for case in CASES) == 861


@pytest.mark.parametrize("op", sorted({case["op"] for case in CASES}))
def test_answers(op: str) -> None:
    for number, case in enumerate(CASES):
        if case["op"] != op or "error" in case:
            continue
        result = answer(case)
        expected = np.array(case["out"], np.int64).reshape(case["shape_out"])
        np.testing.assert_array_equal(result, expected, f"{number}", strict=True)


@pytest.mark.parametrize(
    "kind", sorted({case["error"] for case in CASES if "error" in case})
)
def test_refusals(kind: str) -> None:
    for number, case in enumerate(CASES):
        if case.get("error") != kind:
            continue
        with pytest.raises(tf.TensorFlowError) as told:
            answer(case)
        assert told.value.kind == kind, number
