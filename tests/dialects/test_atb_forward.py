"""The vendor's Python surface: parameters, operations, and forward on arrays."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from restride.dialects.atb import (
    AsStridedParam,
    AtbError,
    ErrorType,
    Operation,
    Outcome,
    SetValueParam,
    Tensor,
    TensorDesc,
    run_to,
)
from restride.dialects.atb.stages import PARAMS

Array = np.ndarray[Any, Any]


# ------------------------------------------------------------------------- parameters


def test_parameters_are_lists_read_fresh_and_written_whole() -> None:
    param = AsStridedParam()
    assert (param.size, param.stride, param.offset) == ([], [], [])
    param.size.append(1)
    assert param.size == []
    param.size = (2, np.int32(3))
    param.stride, param.offset = [3, 1], np.array([4])
    assert (param.size, param.stride, param.offset) == ([2, 3], [3, 1], [4])
    assert [type(n) for n in param.size] == [int, int]
    assert repr(param) == 'AsStridedParam: {"offset":[4],"size":[2,3],"stride":[3,1]}'


def test_parameters_of_set_value() -> None:
    param = SetValueParam([1, 2], ends=[4, 4], strides=[1, 1])
    assert (param.starts, param.ends, param.strides) == ([1, 2], [4, 4], [1, 1])
    assert repr(param) == 'SetValueParam: {"ends":[4,4],"starts":[1,2],"strides":[1,1]}'
    param.starts, param.ends, param.strides = [], [], []
    assert repr(param) == 'SetValueParam: {"ends":[],"starts":[],"strides":[]}'


def test_reserved_bytes() -> None:
    param = AsStridedParam(rsv=[1])
    assert param.rsv == [1, 0, 0, 0, 0, 0, 0, 0]
    param.rsv = []
    assert param.rsv == [0] * 8
    assert "rsv" not in repr(param)
    for bad in ([0] * 9, [256], [-1], ["0"], None, 1):
        with pytest.raises(AtbError):
            param.rsv = bad


def test_256_entries_and_no_more() -> None:
    assert len(AsStridedParam([1] * 256).size) == 256
    with pytest.raises(AtbError, match="256"):
        AsStridedParam([1] * 257)
    with pytest.raises(AtbError, match="256"):
        AsStridedParam(itertools.count())


@pytest.mark.parametrize(
    "bad",
    [
        2**63,
        [2**63],
        [-(2**63) - 1],
        [2**70],
        [2**5000],
        [1.0],
        [float("nan")],
        [True],
        [None],
        ["1"],
        "12",
        b"12",
        None,
        1,
        1.5,
        [[1, 2]],
        np.zeros((2, 2), int),
        np.zeros(()),
        np.zeros(3, "M8[s]"),
        object(),
    ],
)
def test_what_no_structure_can_hold(bad: Any) -> None:
    for make in (
        lambda: AsStridedParam(bad),
        lambda: AsStridedParam([1], bad),
        lambda: SetValueParam([1], [1], bad),
        lambda: setattr(AsStridedParam(), "offset", bad),
    ):
        with pytest.raises(AtbError) as told:
            make()
        assert (told.value.stage, told.value.code) == ("create", 1)
        assert len(str(told.value)) < 400
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TensorDesc("float17"),
        lambda: TensorDesc(float),
        lambda: TensorDesc("float16", "nx"),
        lambda: TensorDesc("float16", None),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", [1.5]),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", "33"),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", itertools.count()),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", 3),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", np.zeros(())),  # type: ignore[arg-type]
        lambda: TensorDesc("float16", "nd", range(2**62)),  # type: ignore[arg-type]
        lambda: Tensor("x"),  # type: ignore[arg-type]
        lambda: Tensor(TensorDesc(), None, "9"),  # type: ignore[arg-type]
        lambda: Tensor.of(np.zeros(3, object)),
    ],
)
def test_what_is_no_description(make: Any) -> None:
    with pytest.raises(AtbError) as told:
        make()
    assert told.value.stage == "create"


# -------------------------------------------------------------------------- operation


def test_operations_have_the_names_and_numbers_of_the_binding() -> None:
    op = Operation(AsStridedParam())
    assert (op.name, op.input_num, op.output_num) == ("AsStridedOperation", 1, 1)
    assert repr(op) == "op name: AsStridedOperation, input_num: 1, output_num: 1"
    op = Operation(SetValueParam())
    assert (op.name, op.input_num, op.output_num) == ("SetValueOperation", 2, 0)
    assert repr(op) == "op name: SetValueOperation, input_num: 2, output_num: 0"
    for name in ("name", "input_num", "output_num"):
        with pytest.raises(AttributeError):
            setattr(op, name, 1)


# ---------------------------------------------------------------------------- forward


def test_the_documents_examples_of_as_strided() -> None:
    for dtype in (np.float16, np.int64):
        x = np.arange(1, 10).astype(dtype).reshape(3, 3)
        for offset, wanted in (([0], [[1, 4], [3, 6]]), ([2], [[3, 6], [5, 8]])):
            (y,) = Operation(AsStridedParam([2, 2], [2, 3], offset)).forward([x])
            assert y.tolist() == wanted
            assert y.dtype == dtype


DST = [
    [14, -2, 2, -10, -12],
    [-11, 3, 2, -18, 6],
    [1, -18, -12, 9, -6],
    [16, -11, 6, -6, 3],
    [12, 18, 14, 10, 9],
]
SRC = [[1, 0], [-4, 7], [9, -18]]
AFTER = [
    [14, -2, 2, -10, -12],
    [-11, 3, 1, 0, 6],
    [1, -18, -4, 7, -6],
    [16, -11, 9, -18, 3],
    [12, 18, 14, 10, 9],
]


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.int32, np.int64, ml_dtypes.bfloat16]
)
def test_the_documents_example_of_set_value(dtype: Any) -> None:
    dst, src = np.array(DST, dtype), np.array(SRC, dtype)
    op = Operation(SetValueParam([1, 2], [4, 4], [1, 1]))
    assert op.forward([dst, src]) == []
    assert dst.tolist() == AFTER


def test_inputs_are_read_row_major_wherever_they_lie() -> None:
    x = np.arange(9).reshape(3, 3).T
    (y,) = Operation(AsStridedParam([9], [1], [0])).forward([x])
    assert y.tolist() == [0, 3, 6, 1, 4, 7, 2, 5, 8]


def test_the_result_is_a_copy() -> None:
    x = np.arange(4)
    (y,) = Operation(AsStridedParam([4], [1], [0])).forward([x])
    y[0] = 9
    assert x[0] == 0
    assert y.flags.writeable


def test_set_value_writes_through_to_scattered_memory() -> None:
    base = np.zeros((4, 3), np.int32)
    dst = base.T[:, ::2]
    op = Operation(SetValueParam([0, 1], [3, 2], [1, 1]))
    op.forward([dst, np.array([[1], [2], [3]], np.int32)])
    assert base.tolist() == [[0, 0, 0], [0, 0, 0], [1, 2, 3], [0, 0, 0]]


def test_set_value_where_src_lies_in_dst() -> None:
    dst = np.arange(12, dtype=np.int64).reshape(3, 4)
    before = dst.copy()
    op = Operation(SetValueParam([0, 1], [3, 4], [1, 1]))
    op.forward([dst, dst[:, :3]])
    assert dst[:, 1:].tolist() == before[:, :3].tolist()


@pytest.mark.parametrize(
    ("tensors", "code"),
    [
        ([], 5),
        ([np.zeros(9, np.int64)] * 2, 5),
        ([np.zeros((), np.int64)], 8),
        ([np.zeros((1,) * 9, np.int64)], 8),
        ([np.zeros((3, 0), np.int64)], 9),
        ([np.zeros(9, np.float32)], 13),
        ([np.zeros(9, np.uint16)], 13),
        ([np.zeros(9, np.complex64)], 13),
        ([np.zeros(9, "U3")], 13),
        ([np.zeros(9, "M8[s]")], 13),
        ([np.zeros(9, [("a", "i8")])], 13),
        ([np.zeros(9, ml_dtypes.float8_e5m2)], 13),
        ([np.zeros(9, ml_dtypes.int4)], 13),
        ([np.zeros(9, ">i8")], 1),
        ([np.zeros(9, object)], 1),
        ([np.ma.zeros(9, np.int64)], 1),
        ([list(range(9))], 1),
        ([None], 1),
        (None, 1),
        (np.zeros(9, np.int64), 1),
        ("x", 1),
    ],
)
def test_what_forward_refuses(tensors: Any, code: int) -> None:
    op = Operation(AsStridedParam([3], [1], [0]))
    with pytest.raises(AtbError) as told:
        op.forward(tensors)
    assert (told.value.stage, told.value.code) == ("infer_shape", code)


def test_a_dtype_that_the_binding_lacks_is_explained() -> None:
    with pytest.raises(AtbError, match=r"undefined.*binding lacks") as told:
        Operation(AsStridedParam([1], [0], [0])).forward([np.zeros(3, np.float64)])
    assert told.value.code == ErrorType.ERROR_INVALID_TENSOR_INI_MATCH


def test_more_than_8_dims_are_told_before_the_count() -> None:
    op = Operation(AsStridedParam([3], [1], [0]))
    with pytest.raises(AtbError) as told:
        op.forward([np.zeros(9, np.int64), np.zeros((1,) * 9, np.int64)])
    assert told.value.code == ErrorType.ERROR_INVALID_TENSOR_DIM


def test_a_result_larger_than_the_machine_is_refused_by_name() -> None:
    op = Operation(AsStridedParam([2**35], [0], [0]))
    with pytest.raises(AtbError) as told:
        op.forward([np.zeros(1, np.int64)])
    assert (told.value.stage, told.value.code) == ("execute", 4)
    assert str(2**38) in str(told.value)


def test_a_read_only_dst_stays() -> None:
    dst = np.zeros((2, 3), np.int64)
    dst.flags.writeable = False
    op = Operation(SetValueParam([0, 1], [2, 3], [1, 1]))
    with pytest.raises(AtbError, match="read-only"):
        op.forward([dst, np.ones((2, 2), np.int64)])
    assert not dst.any()


# ------------------------------------------------------------- against the definition

extent = st.integers(1, 4)


@given(
    shape=st.lists(extent, min_size=1, max_size=4),
    size=st.lists(st.integers(-1, 4), max_size=4),
    data=st.data(),
)
def test_as_strided_is_its_definition_or_a_refusal(
    shape: list[int], size: list[int], data: st.DataObject
) -> None:
    axis = st.integers(-1, 9)
    stride = data.draw(st.lists(axis, min_size=len(size), max_size=len(size)))
    offset = data.draw(st.integers(-1, 20))
    x = np.arange(oracle.size_of(shape)).reshape(shape)
    op = Operation(AsStridedParam(size, stride, [offset]))
    legal = min(size, default=1) > 0 and min(stride, default=0) >= 0 and offset >= 0
    try:
        cells = oracle.as_strided(oracle.numbered(shape), size, stride, offset)
    except oracle.Wrong:
        legal = False
    if legal and size:
        assert op.forward([x])[0].reshape(-1).tolist() == cells.cells
    else:
        with pytest.raises(AtbError) as told:
            op.forward([x])
        # A scalar is inferred, and refused as an output.
        assert told.value.stage == ("setup" if legal else "infer_shape")


@given(
    dst=st.lists(extent, min_size=1, max_size=3),
    src=st.lists(extent, min_size=1, max_size=3),
    data=st.data(),
)
def test_set_value_is_its_definition_or_a_refusal(
    dst: list[int], src: list[int], data: st.DataObject
) -> None:
    rank = len(dst)
    some = st.lists(st.integers(-1, 4), min_size=rank, max_size=rank)
    starts = data.draw(some)
    grown = [a + n for a, n in zip(starts, src, strict=False)]
    ends = data.draw(st.one_of(some, st.just(grown)))
    x = np.arange(oracle.size_of(dst)).reshape(dst)
    y = -1 - np.arange(oracle.size_of(src)).reshape(src)
    op = Operation(SetValueParam(starts, ends, [1] * rank))
    before = x.copy()
    if documented(dst, src, starts, ends):
        assert op.forward([x, y]) == []
        cells = zip(starts, ends, strict=True)
        before[tuple(slice(a, b) for a, b in cells)] = y
    else:
        with pytest.raises(AtbError) as told:
            op.forward([x, y])
        assert told.value.stage == "infer_shape"
    assert x.tolist() == before.tolist()


def documented(
    dst: list[int], src: list[int], starts: list[int], ends: list[int]
) -> bool:
    """The document's constraints, in its own words."""
    if not len(dst) == len(src) == len(starts) == len(ends):
        return False
    differ = {axis for axis in range(len(dst)) if dst[axis] != src[axis]}
    if (
        len(differ) not in (1, 2)
        or differ == {0}
        or (len(differ) == 2 > 0 not in differ)
    ):
        return False
    if any(m > n for n, m in zip(dst, src, strict=True)):
        return False
    return all(
        0 <= a < b <= n and b - a == m
        for a, b, n, m in zip(starts, ends, dst, src, strict=True)
    )


# ------------------------------------------------------------------------ up to a stage


def test_run_to_tells_where_a_case_ended() -> None:
    x = TensorDesc("int64", "nd", (3, 3))
    params = {"size": [2, 2], "stride": [2, 3], "offset": [0]}
    for stage in ("create", "infer_shape", "setup"):
        told = run_to(stage, "AsStridedOperation", params, [x])
        assert (told.stage, told.code, told.error) == (stage, 0, None)
        inferred = () if stage == "create" else (TensorDesc("int64", "nd", (2, 2)),)
        assert told.out_descs == inferred
    data = [np.arange(1, 10).reshape(3, 3)]
    done = run_to("execute", "AsStridedOperation", params, [x], data=data)
    assert done.outputs[0].tolist() == [[1, 4], [3, 6]]
    wrong = [TensorDesc("int64", "nd", (2, 3))]
    told = run_to("execute", "AsStridedOperation", params, [x], wrong, data=data)
    assert (told.stage, told.code) == ("setup", ErrorType.ERROR_INVALID_TENSOR_DIM)


@pytest.mark.parametrize(
    "params", [{"sizes": [1]}, {"size": None}, {"size": [1], "rsv": [9]}, {1: 2}, None]
)
def test_run_to_never_raises_for_parameters(params: Any) -> None:
    told: Outcome = run_to("setup", "AsStridedOperation", params, [])
    assert (told.stage, told.code) == ("create", 1)


def test_run_to_without_data_fails_at_execute() -> None:
    x = TensorDesc("int64", "nd", (3,))
    params = {"size": [3], "stride": [1], "offset": [0]}
    told = run_to("execute", "AsStridedOperation", params, [x])
    assert (told.stage, told.code) == ("execute", ErrorType.ERROR_RT_FAIL)


@pytest.mark.parametrize("stage", ["", "C", None, np.zeros(2), [], {}])
def test_run_to_an_unknown_stage(stage: Any) -> None:
    with pytest.raises(AtbError, match="stages are"):
        run_to(stage, "AsStridedOperation", {}, [])
    with pytest.raises(AtbError, match="operations"):
        run_to("setup", stage, {}, [])


def test_names_of_parameters_are_those_of_the_tables() -> None:
    path = Path(__file__).parent.parent / "cases" / "atb.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    assert cases
    for case in cases:
        assert set(case["params"]) <= {*PARAMS[case["op"]].lists, "rsv"}
