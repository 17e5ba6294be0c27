"""Calls answered from memory: equal calls are, and nothing else is."""

from __future__ import annotations

import inspect
import pickle
import threading
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import restride as rs
from restride.calls import reads
from restride.engines import run
from restride.engines.known import Known, remembered_calls

pytestmark = pytest.mark.skipif(run.name() != "native", reason="needs the extension")


def answered(call: Callable[[], Any]) -> int:
    """Calls answered from memory while `call` runs."""
    before = remembered_calls()
    call()
    return remembered_calls() - before


def second_time(call: Callable[[], Any]) -> int:
    call()
    return answered(call)


X = np.arange(12.0).reshape(3, 4)
"""Never written."""
BETWEEN = (slice(None, None, -1), slice(1, None))


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.pad(X, 1),
        lambda: rs.pad(X, [[1, 2], [0, 1]], mode="reflect"),
        lambda: rs.pad(X, np.array([[1, 2], [0, 1]]), constant_values=np.float32(2)),
        lambda: rs.pad(X, 1, "constant", -0.0, out=np.empty((5, 6))),
        lambda: rs.slice(X, BETWEEN),
        lambda: rs.slice(X, (..., None, 1)),
        lambda: rs.slice(X, "::2"),
        lambda: rs.strided_slice(X, [1], [3], end_mask=1),
        lambda: rs.as_strided(X, (2, 2), (5, 1), np.int64(1)),
        lambda: rs.windows(X, (2, 2)),
        lambda: rs.assign(np.zeros(4), "::2", X[0, ::2]),
        lambda: rs.set_value(np.zeros((3, 4)), X, (0, 0), (3, 4)),
    ],
)
def test_an_equal_call_is_answered_from_memory(call: Callable[[], Any]) -> None:
    first = call()
    assert answered(lambda: None) == 0
    assert second_time(call) == 1
    np.testing.assert_array_equal(call(), first)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.pad([1, 2], 1),
        lambda: rs.pad(rs.view(X), 1),
        lambda: rs.pad(X + 0j, 1, constant_values=2j),
        lambda: rs.slice(X, "0:0"),
        lambda: rs.as_strided(X, (2,), (1,), copy=False),
        lambda: rs.pad(np.zeros(2, "i4,f8"), 1),
        lambda: rs.assign(np.zeros(4), "::2", 1.0),
    ],
)
def test_what_has_no_words_or_no_single_pass_is_not(call: Callable[[], Any]) -> None:
    assert second_time(call) == 0


def test_another_type_value_or_layout_is_another_call() -> None:
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    same = [
        (x, 1, 0),
        (x.astype(np.uint16), 1, 0),
        (x.astype(ml_dtypes.bfloat16), 1, 0),
        (x.byteswap().view(x.dtype.newbyteorder()), 1, 0),
        (np.asfortranarray(x), 1, 0),
        (x[:, ::-1], 1, 0),
        (x[:1], 1, 0),
        (x, (1, 1), 0),
        (x, [1, 1], 0),
        (x, [1, 2], 0),
        (x, 1, 1),
        (x, 1, 1.0),
        (x, 1, True),
        (x, 1, np.int16(2)),
        (x, 1, np.uint16(3)),
    ]
    for _ in range(3):
        for array, widths, value in same:
            made = rs.pad(array, widths, "constant", value)
            wanted = np.pad(array, widths, "constant", constant_values=int(value))
            assert made.dtype == array.dtype
            assert made.tobytes() == wanted.tobytes()


def test_words_of_one_shape_are_not_words_of_another() -> None:
    """Numbers next to each other never read as one value of another type."""
    x = np.arange(8.0)
    for index in [(266,), (3,), (slice(266, None),), (slice(1, 2),), (1,)]:
        try:
            expected = x[index]
        except IndexError:
            with pytest.raises(rs.BoundsError):
                rs.slice(x, index)
            continue
        for _ in range(2):
            np.testing.assert_array_equal(rs.slice(x, index), expected)


def test_a_list_changed_between_calls() -> None:
    widths = [1, 1]
    shapes = []
    for k in range(4):
        widths[1] = k
        shapes.append(rs.pad(np.zeros(2), widths).shape)
    assert shapes == [(3,), (4,), (5,), (6,)]


class Changing(np.ndarray):
    """A subclass, which is never taken for a plain array."""


def test_subclasses_go_through_python() -> None:
    assert second_time(lambda: rs.pad(X.view(Changing), 1)) == 0


def test_out_by_place_by_name_and_refused() -> None:
    plan = rs.plan(rs.Pad(1, "edge"), (2,), "f8")
    x = np.array([1.0, 2.0])
    for _ in range(3):
        out, other = np.zeros(4), np.zeros(4)
        assert plan(x, out) is out
        assert plan(x, out=other) is other
        assert out.tolist() == other.tolist() == [1, 1, 2, 2]
        assert plan(x, None).tolist() == plan(x, out=None).tolist() == [1, 1, 2, 2]
    sealed = np.zeros(4)
    sealed.flags.writeable = False
    for wrong in (np.zeros(3), np.zeros(4, "f4"), sealed, [0] * 4):
        with pytest.raises(rs.RestrideError):
            plan(x, out=wrong)
    wide = np.zeros(8)
    assert plan(x, out=wide[::2]).tolist() == [1, 1, 2, 2]
    assert wide.tolist() == [1, 0, 1, 0, 2, 0, 2, 0]


def test_memory_that_is_shared_is_copied_apart() -> None:
    flip = rs.plan(rs.encode("::-1"), (4,), "f8")
    for _ in range(3):
        x = np.arange(4.0)
        assert flip(x, out=x) is x
        assert x.tolist() == [3, 2, 1, 0]
        y = np.arange(6.0)
        rs.set_value(y, y[:4], (1,), (5,))
        assert y.tolist() == [0, 0, 1, 2, 3, 5]


def test_a_read_only_target_is_refused_each_time() -> None:
    dst, src = np.zeros(4), np.ones(2)
    rs.set_value(dst, src, (0,), (2,))
    dst.flags.writeable = False
    for _ in range(2):
        with pytest.raises(rs.UnsupportedError):
            rs.set_value(dst, src, (0,), (2,))


def test_more_calls_than_are_kept() -> None:
    x = np.arange(5)
    for _ in range(2):
        for k in range(1500):
            assert rs.pad(x, (0, k))[-1] == (4 if k == 0 else 0)


def test_dtypes_made_anew_are_kept_apart() -> None:
    """A dtype is known by its address, so it must outlive what is remembered."""
    for k in range(1, 200):
        x = np.array(["a" * k], f"S{k}")
        assert rs.pad(x, 1, "edge").tolist() == [x[0]] * 3
        x = np.zeros(2, f"V{k}")
        assert rs.pad(x, 1).dtype.itemsize == k


def test_one_plan_from_many_threads() -> None:
    plan = rs.plan(rs.Pad(3, "wrap"), (300, 300), "f8")
    x = np.arange(90_000.0).reshape(300, 300)
    wanted = np.pad(x, 3, "wrap")
    wrong = []

    def work() -> None:
        for k in range(50):
            made = plan(x) if k % 2 else rs.pad(x, (3, 3), mode="wrap")
            if not np.array_equal(made, wanted):
                wrong.append(k)

    many = [threading.Thread(target=work) for _ in range(4)]
    for thread in many:
        thread.start()
    for thread in many:
        thread.join()
    assert not wrong


def test_the_plain_functions_are_functions_to_a_reader() -> None:
    names = "pad slice strided_slice as_strided windows assign set_value"
    for name in names.split():
        function = getattr(rs, name)
        assert inspect.isroutine(function)
        assert function.__name__ == name
        assert function.__doc__
        assert next(iter(inspect.signature(function).parameters)) in ("x", "dst")
        assert pickle.loads(pickle.dumps(function)) is function
    with pytest.raises(TypeError, match=r"pad\(\) missing"):
        rs.pad()


def test_a_plan_survives_pickling() -> None:
    write = rs.plan(rs.SetValue((1,), (3,)), (4,), "f8")
    again = pickle.loads(pickle.dumps(write))
    assert again == write
    for plan in (write, again):
        for _ in range(2):
            assert plan(np.zeros(4), np.array([1.0, 2.0])).tolist() == [0, 1, 2, 0]


def test_a_step_is_made_once_per_chain_and_arguments() -> None:
    x, y = np.arange(12.0).reshape(3, 4), np.arange(12, 24).reshape(3, 4)
    first = rs.view(x)[::2].pad(1, "edge").transpose()
    again = rs.view(y)[::2].pad(1, "edge").transpose()
    assert first.chain is again.chain
    np.testing.assert_array_equal(again.copy(), np.pad(y[::2], 1, "edge").T)
    other = rs.view(y)[::2].pad((1, 1), "edge").transpose(1, 0)
    assert other.chain == first.chain
    for value in (0.0, -0.0, 0, False):
        padded = rs.view(x).pad(1, constant_values=value).copy()
        assert np.signbit(padded[0, 0]) == np.signbit(value)


def test_a_function_that_moves_another_array_is_not_remembered() -> None:
    @reads
    def first_half(x: Any) -> rs.View:
        return rs.view(x[: len(x) // 2].astype("i8"))[::-1]

    for _ in range(3):
        made = first_half(np.arange(4.0))
        assert (made.dtype, made.tolist()) == (np.dtype("i8"), [1, 0])
    assert second_time(lambda: first_half(np.arange(4.0))) == 0


def test_a_call_of_its_own_goes_first() -> None:
    class Own(Known):
        def __call__(self, *args: Any, **words: Any) -> Any:
            return "own", args, words

    assert Own()(1, out=2) == ("own", (1,), {"out": 2})
