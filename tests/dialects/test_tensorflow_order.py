"""TensorFlow's order of checks: of two faults the first one is told."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from restride.dialects import tensorflow as tf

Array = np.ndarray[Any, Any]
X = np.arange(6).reshape(2, 3)
DEEP = np.zeros((2,) * 9)
"""One axis more than the slicing kernels have."""


def refused(call: Callable[[], object]) -> tf.TensorFlowError:
    with pytest.raises(tf.TensorFlowError) as told:
        call()
    assert told.value.kind in tf.KINDS
    return told.value


def kind_of(call: Callable[[], object]) -> str:
    return refused(call).kind


# ------------------------------------------------------------------------------ slices

SLICES: list[tuple[str, tuple[list[Any], list[Any], list[Any]], dict[str, int]]] = [
    ("shape_mismatch", ([0, 0], [1], [0]), {"ellipsis_mask": 3}),
    ("shape_mismatch", ([[0]], [[1]], [[1]]), {}),
    ("shape_mismatch", ([0] * 32, [0] * 32, [1] * 32), {"new_axis_mask": -1}),
    ("multiple_ellipsis", ([0] * 5, [1] * 5, [0] * 5), {"ellipsis_mask": 3}),
    ("multiple_ellipsis", ([0], [1], [1]), {"ellipsis_mask": -1}),
    ("too_many_indices", ([9] * 3, [1] * 3, [0] * 3), {"shrink_axis_mask": 7}),
    ("zero_stride", ([9, 0], [1, 1], [0, 1]), {"shrink_axis_mask": 1}),
    ("shrink_stride", ([9, 0], [1, 1], [-1, 0]), {"shrink_axis_mask": 1}),
    ("index_out_of_bounds", ([9, 0], [1, 1], [1, 0]), {"shrink_axis_mask": 1}),
    ("zero_stride", ([1, 0], [1, 1], [1, 0]), {"shrink_axis_mask": 1}),
    ("other", ([2**63], [1, 2], [0]), {}),
    ("other", ([0], [1, 2], [0]), {"begin_mask": 2**31}),
]


@pytest.mark.parametrize(("kind", "lists", "masks"), SLICES)
def test_slices_check_in_order(
    kind: str, lists: tuple[list[Any], list[Any], list[Any]], masks: dict[str, int]
) -> None:
    assert kind_of(lambda: tf.strided_slice(X, *lists, **masks)) == kind
    update = partial(tf.tensor_strided_slice_update, X, *lists, np.zeros(7, int))
    assert kind_of(partial(update, **masks)) == kind
    grad = partial(tf.strided_slice_grad, X.shape, *lists, np.zeros(7))
    assert kind_of(partial(grad, **masks)) == kind


def test_a_scalar_has_no_axis_to_slice() -> None:
    assert kind_of(lambda: tf.strided_slice(3, [0], [1], [0])) == "scalar_input"
    only_new = tf.strided_slice(3, [0, 0], [0, 0], [0, 0], 0, 0, 1, 2)
    assert only_new.tolist() == [3]


def test_the_gradient_looks_at_shape_first() -> None:
    two = [0, 0], [1, 1], [1, 1]
    grad = partial(tf.strided_slice_grad, ellipsis_mask=3)
    assert kind_of(lambda: grad(3, *two, np.zeros(1))) == "shape_mismatch"
    assert kind_of(lambda: grad([-3], *two, np.zeros(1))) == "other"
    assert kind_of(lambda: grad([3], *two, np.zeros(1))) == "multiple_ellipsis"


def test_dy_has_exactly_the_shape_of_the_slice() -> None:
    grad = partial(tf.strided_slice_grad, [3], [1], [3], [1])
    assert grad([5, 6]).tolist() == [0, 5, 6]
    assert kind_of(lambda: grad([5])) == "shape_mismatch"


def test_value_broadcasts_and_an_empty_slice_asks_for_none() -> None:
    whole = partial(tf.tensor_strided_slice_update, X, [0, 0], [2, 3], [1, 1])
    for shape in [(), (1,), (3,), (2, 1), (1, 1, 2, 3)]:
        assert (whole(np.full(shape, 7)) == 7).all()
    for shape in [(2,), (0,), (2, 2, 3)]:
        assert kind_of(partial(whole, np.ones(shape, int))) == "shape_mismatch"
    empty = partial(tf.tensor_strided_slice_update, X, [1], [1], [1])
    assert empty(np.ones(77, int)).tolist() == X.tolist()
    assert X.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("shape", "begin", "end", "stride", "runs"),
    [
        ((2,) * 9, 0, 2, 1, True),  # all of it
        ((2,) * 9, 1, 1, -1, True),  # nothing
        ((2,) * 9, 1, 2, 1, True),  # a row of 2,048 bytes
        ((2, *(1,) * 8, 8), 1, 2, 1, True),  # one of 64
        ((2, *(1,) * 8, 4), 1, 2, 1, False),  # one of 32
        ((2,) * 9, 1, -3, -1, False),
        ((2, *(1,) * 31), 0, 2, 1, False),  # beyond TensorFlow's masks
    ],
)
def test_more_axes_run_where_no_kernel_does(
    shape: tuple[int, ...], begin: int, end: int, stride: int, runs: bool
) -> None:
    x = np.arange(np.prod(shape)).reshape(shape)
    call = partial(tf.strided_slice, x, [begin], [end], [stride])
    if not runs:
        assert kind_of(call) == "rank"
        return
    expected = x[begin : None if end < 0 else end : stride]
    np.testing.assert_array_equal(call(), expected, strict=True)


def test_writes_of_more_than_eight_axes_are_refused() -> None:
    all_of_it: tuple[list[int], ...] = ([], [], [])
    update = tf.tensor_strided_slice_update
    assert kind_of(lambda: update(DEEP, *all_of_it, DEEP)) == "rank"
    grad = tf.strided_slice_grad
    assert kind_of(lambda: grad(DEEP.shape, *all_of_it, DEEP)) == "rank"
    assert tf.strided_slice(DEEP, *all_of_it).shape == DEEP.shape


def test_index_tensors_have_tensorflows_dtypes() -> None:
    for dtype in (np.int16, np.int32, np.int64):
        one = np.ones(1, dtype)
        assert tf.strided_slice([1, 2, 3], one, one + one, one).tolist() == [2]
    small = np.ones(1, np.int16)
    grad = tf.strided_slice_grad
    assert kind_of(lambda: grad([3], small, small, small, [])) == "other"
    for dtype in (np.int8, np.uint32, np.float32, bool):
        one = np.ones(1, dtype)
        assert kind_of(partial(tf.strided_slice, [1, 2], one, one, one)) == "other"
        assert kind_of(partial(tf.pad, [1, 2], one.reshape(1, 1))) == "other"


# -------------------------------------------------------------------------------- pads


@pytest.mark.parametrize(
    ("kind", "shape", "paddings"),
    [
        ("rank", (1,) * 9, [0]),
        ("shape_mismatch", (2, 3), [1, 0, 0, 1]),
        ("shape_mismatch", (2, 3), 1),
        ("rank", (2, 3), [[-1, 0]]),
        ("other", (2, 3), [[-1, 0], [0, 0]]),
        ("other", (2, 3), [[2**62, 2**62], [0, 0]]),
        ("rank", (1,) * 7, [[0, 1]] * 7),
        ("rank", (1,) * 8, [[0, 1], [0, 0]] * 3 + [[0, 1]] * 2),
    ],
)
def test_pads_check_in_order(kind: str, shape: tuple[int, ...], paddings: Any) -> None:
    x = np.zeros(shape, np.int8)
    assert kind_of(lambda: tf.pad(x, paddings)) == kind
    assert kind_of(lambda: tf.pad_v2(x, paddings, 1)) == kind


def test_neighbours_without_padding_are_one_axis_of_the_kernel() -> None:
    x = np.zeros((1,) * 8, np.int8)
    assert tf.pad(x, [[0, 1]] * 4 + [[0, 0]] * 4).shape == (2,) * 4 + (1,) * 4
    assert tf.pad(x[:0], [[0, 0]] + [[0, 1]] * 7).shape == (0, *(2,) * 7)


def test_a_constant_is_one_number() -> None:
    bad = [[-1, 0], [0, 0]]
    assert kind_of(lambda: tf.pad_v2(X, bad, [7])) == "shape_mismatch"
    assert kind_of(lambda: tf.pad_v2(X, [[0]], [7])) == "shape_mismatch"
    for value in (1.5, 2**64, "a", None, 1j, np.float32(1)):
        assert kind_of(partial(tf.pad_v2, X, bad, value)) == "other"
    for value in (1, [True, 1], 0.0):
        assert kind_of(partial(tf.pad_v2, X > 1, [[1, 0]] * 2, value)) == "other"
    assert tf.pad_v2([True], [[1, 0]], False).tolist() == [False, True]
    told = tf.pad_v2(np.zeros(1, np.float32), [[1, 0]], np.float32("nan"))
    assert np.isnan(told[0])


@pytest.mark.parametrize(
    ("kind", "shape", "paddings", "mode"),
    [
        ("other", (1,) * 6, [0], "reflect"),
        ("other", (2, 3), [0], "CONSTANT"),
        ("rank", (1,) * 6, [0], "REFLECT"),
        ("shape_mismatch", (2, 3), [1, 0], "REFLECT"),
        ("rank", (2, 3), [[9, 9]], "REFLECT"),
        ("other", (2, 3), [[5, -1], [0, 0]], "REFLECT"),
        ("padding_too_large", (2, 3), [[5, 0], [0, -1]], "REFLECT"),
        ("padding_too_large", (2, 3), [[2, 0], [0, 0]], "REFLECT"),
        ("padding_too_large", (2, 3), [[3, 0], [0, 0]], "SYMMETRIC"),
        ("padding_too_large", (0, 3), [[0, 0], [0, 0]], "REFLECT"),
    ],
)
def test_mirrors_check_in_order(
    kind: str, shape: tuple[int, ...], paddings: Any, mode: str
) -> None:
    assert kind_of(lambda: tf.mirror_pad(np.zeros(shape), paddings, mode)) == kind


@pytest.mark.parametrize(
    ("kind", "paddings", "mode"),
    [
        ("other", [[4, -1], [0, 0]], "SYMMETRIC"),
        ("padding_too_large", [[3, 0], [0, -1]], "SYMMETRIC"),
        ("padding_too_large", [[2, 0], [0, 0]], "SYMMETRIC"),
        ("padding_too_large", [[0, 0], [2, 1]], "REFLECT"),
    ],
)
def test_the_mirrors_gradient_checks_in_order(
    kind: str, paddings: Any, mode: str
) -> None:
    assert kind_of(lambda: tf.mirror_pad_grad(np.zeros((3, 5)), paddings, mode)) == kind


def test_a_gradient_refuses_an_axis_without_elements() -> None:
    call = partial(tf.mirror_pad_grad, np.zeros((0, 2)), [[0, 0], [0, 0]], "SYMMETRIC")
    assert kind_of(call) == "padding_too_large"


# ------------------------------------------------------------------- dtypes and errors


def test_python_numbers_get_tensorflows_dtypes() -> None:
    whole: tuple[list[int], ...] = ([], [], [])
    for value, dtype in [
        (3, "int32"),
        ([2**40], "int64"),
        ([1, 2.5], "float32"),
        ([], "float32"),
        (1j, "complex128"),
        ([True], "bool"),
        (np.float64(2), "float64"),
        ([np.float64(2)], "float64"),
    ]:
        assert tf.strided_slice(value, *whole).dtype == dtype
    assert tf.pad(np.array([1, 258], ">i4"), [[0, 1]]).tolist() == [1, 258, 0]


@pytest.mark.parametrize(
    "value", ["text", None, [1, "a"], [[1], [2, 3]], [True, 1], 2**70, {}, [None]]
)
def test_what_is_no_tensor_is_told_so(value: Any) -> None:
    assert kind_of(lambda: tf.pad(value, [])) == "other"
    assert kind_of(lambda: tf.pad([1], value)) in ("other", "shape_mismatch", "rank")
    assert kind_of(lambda: tf.strided_slice([1], value, value, value)) in (
        *("other", "shape_mismatch"),
    )


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert kind_of(lambda: tf.pad(endless, [[0, 0]])) == "other"
    assert kind_of(lambda: tf.pad([1], endless)) == "other"
    assert kind_of(lambda: tf.strided_slice([1], endless, [1], [1])) == "other"


@pytest.mark.parametrize("value", [X, "a\nb" * 999, 10**400, [X], {"a": X}])
def test_errors_are_one_line_of_readable_length(value: Any) -> None:
    one = [0], [1], [1]
    for call in (
        partial(tf.strided_slice, [1], *one, begin_mask=value),
        partial(tf.strided_slice, [1], [value], [1], [1]),
        partial(tf.mirror_pad, [1], [[0, 0]], value),
        partial(tf.pad_v2, [1], [[0, 0]], value),
    ):
        said = str(refused(call))
        assert len(said) < 400
        assert "\n" not in said


def test_long_ranges_are_told_at_once() -> None:
    for far in (range(10**9), range(10**30), np.broadcast_to(np.int32(0), 2**40)):
        assert kind_of(partial(tf.pad, [1], far)) == "shape_mismatch"
        call = partial(tf.strided_slice, [1], far, far, far)
        assert kind_of(call) == "shape_mismatch"
    for far in (
        range(10**9),
        range(10**30),
        np.broadcast_to(np.array(0, ">i4"), 2**40),
    ):
        assert kind_of(partial(tf.pad, far, [[0, 1]])) == "other"
    assert tf.pad(range(3), [[0, 1]]).tolist() == [0, 1, 2, 0]


def test_dtypes_without_a_kernel_are_refused() -> None:
    for dtype in ("M8[s]", "S3", "V4", "g"):
        assert kind_of(partial(tf.pad, np.zeros(2, dtype), [[1, 0]])) == "other"
    grad = partial(tf.mirror_pad_grad, np.zeros(3, bool), [[1, 0]], "SYMMETRIC")
    assert kind_of(grad) == "other"


def test_results_larger_than_memory_are_refused_in_its_own_error() -> None:
    wide = [[0, 2**50]]
    assert kind_of(lambda: tf.pad([1], wide)) == "other"
    assert kind_of(lambda: tf.strided_slice_grad([2**50], [0], [0], [1], [])) == "other"


def test_an_error_says_what_was_given_and_what_is_allowed() -> None:
    error = refused(lambda: tf.mirror_pad([1, 2, 3], [[3, 0]], "REFLECT"))
    assert str(error) == (
        "mirror_pad: paddings[0] = (3, 0) on axis 0 of extent 3; REFLECT allows at "
        "most 2 on a side. SYMMETRIC allows 3."
    )
    again = pickle.loads(pickle.dumps(error))
    assert (again.op, again.kind, str(again)) == (error.op, error.kind, str(error))


def test_an_equal_call_is_answered_by_its_own_arguments() -> None:
    x, paddings = np.arange(3), np.array([[1, 0]])
    for value in (7, 8, 7):
        assert tf.pad_v2(x, paddings, value)[0] == value
    paddings[0, 0] = 2
    assert tf.pad_v2(x, paddings, 7).tolist() == [7, 7, 0, 1, 2]


@pytest.mark.parametrize("stop", [2**25, 2**40, 10**30])
def test_a_range_is_not_read_without_end(stop: int) -> None:
    for call in (
        lambda: tf.strided_slice([1], range(stop), [1], [1]),
        lambda: tf.pad(range(stop), [[0, 0]]),
        lambda: tf.strided_slice_grad(range(stop), [0], [1], [1], [1]),
        lambda: tf.tensor_strided_slice_update([1], [0], [1], [1], range(stop)),
    ):
        with pytest.raises(tf.TensorFlowError):
            call()
    assert tf.pad(range(3), [[1, 0]]).tolist() == [0, 0, 1, 2]


def test_every_operator_takes_a_name_as_tf_raw_ops_does() -> None:
    x, ends = np.arange(4), ([1], [3], [1])
    calls = [
        (tf.strided_slice, (x, *ends)),
        (tf.strided_slice_grad, ((4,), *ends, np.ones(2))),
        (tf.tensor_strided_slice_update, (x, *ends, np.zeros(2, int))),
        (tf.pad, (x, [[1, 0]])),
        (tf.pad_v2, (x, [[1, 0]], 7)),
        (tf.mirror_pad, (x, [[1, 0]], "REFLECT")),
        (tf.mirror_pad_grad, (x, [[1, 0]], "REFLECT")),
    ]
    for operator, given in calls:
        np.testing.assert_array_equal(operator(*given, name="y"), operator(*given))
