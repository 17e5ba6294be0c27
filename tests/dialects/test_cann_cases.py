"""All cases of the vendor's table: stage, status, and bits where they run."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from cann_cases import (
    CASES,
    UNWRITTEN,
    expected,
    inputs_of,
    is_description,
    run,
)

pytestmark = pytest.mark.filterwarnings("error")


def test_the_table_is_whole():
    assert len({c["name"] for c in CASES}) == len(CASES) == 188
    assert Counter(c["op"] for c in CASES) == {
        "PadV3": 45,
        "StridedSlice": 31,
        "aclnnConstantPadNd": 30,
        "aclnnReplicationPad1d": 20,
        "aclnnReplicationPad2d": 22,
        "aclnnReplicationPad3d": 18,
        "aclnnStridedSlice": 22,
    }


def test_only_what_is_too_large_compares_shapes_alone():
    """Types that NumPy has not run too, as raw bytes."""
    assert sum(is_description(c) for c in CASES) == 5
    assert sum("exotic_dtype" in c.get("tags", ()) for c in CASES) == 7


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_case(case):
    inputs = inputs_of(case, seed=len(case["name"]))
    told, wanted = run(case, inputs), case["expect"]
    assert told[:3] == (wanted["stage"], wanted["code"], wanted["value"])
    if wanted["stage"] != "ok":
        return
    (declared,) = case["outputs"]
    assert told.shape == tuple(declared["shape"])
    if is_description(case):
        assert told.data is None
        return
    answer = expected(case, inputs)
    assert told.data.dtype == answer.dtype
    assert told.data.tobytes() == answer.tobytes()
    if "data" in declared:
        shown = np.array(declared["data"]).astype(answer.dtype)
        assert told.data.tobytes() == shown.tobytes()


def test_storage_outside_the_view_stays():
    """Case norm_strided_zeros with a wider storage than the view reaches."""
    (case,) = [c for c in CASES if c["name"].endswith("case_norm_strided_zeros")]
    wide = {**case["outputs"][0], "storage_shape": [4, 3], "strides": [1, 3]}
    case = {**case, "outputs": [wide]}
    inputs = inputs_of(case, seed=1)
    told = run(case, inputs)
    assert told.data.tobytes() == inputs[0].tobytes()
    assert set(told.storage[:, 2].tobytes()) == {UNWRITTEN}
