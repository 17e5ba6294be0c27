"""What a call counts, and that nothing remembered shows in another call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from samples import constant

import restride as rs
from restride.engines import run

# ---------------------------------------------------------------------------- counter


def moves(call: Any) -> int:
    before = run.counter()
    call()
    return run.counter() - before


def test_each_public_call_makes_cuts_and_one_moves(engine: str) -> None:
    x, dst = np.arange(12.0).reshape(3, 4), np.zeros((3, 4))
    out = np.zeros((4, 3))
    padded = rs.view(x).pad(2, "reflect")
    calls: list[tuple[Any, int]] = [
        (lambda: rs.slice(x, "::-1, 1:"), 1),
        (lambda: rs.assign(dst, "0, ::2", [1.0, 2.0]), 1),
        (lambda: rs.assign(dst, ..., rs.view(x).flip()), 1),
        (lambda: rs.strided_slice(x, [1], [3]), 1),
        (lambda: rs.as_strided(x, (2, 2), (5, 1), 1), 1),
        (lambda: rs.as_strided(x, (2, 2), (5, 1), 1, copy=False), 0),
        (lambda: rs.pad(x, 3, "symmetric"), 1),
        (lambda: rs.set_value(dst, x, (0, 0), (3, 4)), 1),
        (lambda: rs.windows(x, (2, 2)), 1),
        (lambda: rs.view(x).transpose().copy(out=out), 1),
        (lambda: rs.view(x).transpose().as_numpy(), 0),
        (lambda: rs.view(x).transpose().reshape(-1).copy(), 1),
        (lambda: np.asarray(rs.view(x).flip(0)), 1),
        (lambda: padded.windows((3, 3)).copy(), padded.windows((3, 3)).cuts + 1),
        (lambda: rs.slice(x, "0:0"), 1),
    ]
    for number, (call, expected) in enumerate(calls):
        assert moves(call) == expected, number


# ----------------------------------------------------------------------------- caches


def test_minus_zero_after_zero(engine: str) -> None:
    x = np.ones(1)
    for value in (0.0, -0.0, 0.0):
        made = rs.pad(x, 1, "constant", value)
        assert np.signbit(made[0]) == np.signbit(value)
        plan = rs.plan(rs.Pad(1, "constant", value), (1,), "f8")
        assert np.signbit(plan(x)[0]) == np.signbit(value)
    both = rs.plan(rs.Pad(1, "constant", 0.0), (1,), "f8")
    assert both != rs.plan(rs.Pad(1, "constant", -0.0), (1,), "f8")


def test_true_after_one(engine: str) -> None:
    """Where the type decides, an equal value of another type does not slip through."""
    x = np.zeros(4, "i4")
    assert rs.slice(x, 1).shape == ()
    with pytest.raises(rs.RestrideError):
        rs.slice(x, True)
    with pytest.raises(rs.RestrideError):
        rs.slice(x, (slice(0, True),))
    assert rs.pad(x, 1).shape == (6,)
    with pytest.raises(rs.RestrideError):
        rs.pad(x, True)
    assert rs.as_strided(x, (1,), (1,), 1).shape == (1,)
    with pytest.raises(rs.RestrideError):
        rs.as_strided(x, (True,), (1,), 1)
    with pytest.raises(rs.RestrideError):
        rs.as_strided(x, (1,), (1,), True)
    with pytest.raises(rs.RestrideError):
        rs.set_value(x, np.int32(1), [True], [2])
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(x, [True], [2])
    with pytest.raises(rs.RestrideError):
        rs.slice(x, 1.0)


def test_one_and_true_as_constants(engine: str) -> None:
    assert rs.pad(np.zeros(1, bool), 1, "constant", 1).tolist() == [True, False, True]
    assert rs.pad(np.zeros(1, bool), 1, "constant", True).tolist() == [
        True,
        False,
        True,
    ]
    assert rs.pad(np.zeros(1, "i4"), 1, "constant", True).tolist() == [1, 0, 1]
    with pytest.raises(rs.DTypeError):
        rs.pad(np.zeros(1, bool), 1, "constant", 2)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("u1", 300),
        ("u1", -1),
        ("u1", 1.5),
        ("i4", float("nan")),
        ("i8", float("inf")),
        ("i8", 2**63),
        ("f8", 1j),
        ("f4", 1e39),
        ("f2", 70_000.0),
        ("c8", 1e39),
        ("?", 0.5),
    ],
)
def test_constants_that_do_not_fit(engine: str, dtype: str, value: Any) -> None:
    with pytest.raises(rs.DTypeError):
        rs.pad(np.zeros(2, dtype), 1, "constant", value)
    assert rs.pad(np.zeros(2, dtype), 1, "edge", value).shape == (4,)


def test_a_fitting_integer_after_one_that_does_not(engine: str) -> None:
    for _ in range(2):
        assert rs.pad(np.zeros(1, "i4"), 1, "constant", 2.0).tolist() == [2, 0, 2]
        assert rs.pad(np.zeros(1, "u1"), 1, "constant", 255).tolist() == [255, 0, 255]
        assert rs.pad(np.zeros(1, "f4"), 1, "constant", 0.1)[0] == np.float32(0.1)
        inf = rs.pad(np.zeros(1, "f4"), 1, "constant", float("inf"))
        assert np.isinf(inf[0])


def test_nan_twice(engine: str) -> None:
    x = np.zeros(1)
    nans = [float("nan"), float("nan"), np.float64("nan")]
    made = [rs.pad(x, 1, "constant", n) for n in nans]
    assert all(np.isnan(m[0]) and m[1] == 0 for m in made)
    plans = [rs.plan(rs.Pad(1, "constant", n), (1,), "f8") for n in nans]
    assert plans[0] == plans[1] == plans[2]
    payload = np.frombuffer(bytes.fromhex("0102030405 06f87f".replace(" ", "")), "f8")
    quiet = rs.pad(x, 1, "constant", payload[0])
    assert quiet[:1].tobytes() == payload.tobytes()
    assert rs.pad(x, 1, "constant", nans[0])[:1].tobytes() != payload.tobytes()


def test_a_list_changed_after_the_call(engine: str) -> None:
    pads = [[1, 1], [0, 2]]
    spec = rs.Pad(pads, "edge")
    x = np.arange(6).reshape(2, 3)
    first = rs.pad(x, pads, "edge")
    pads[0][0] = 5
    assert spec.infer_shape((2, 3)) == (4, 5)
    assert np.array_equal(rs.plan(spec, (2, 3), x.dtype)(x), first)
    assert rs.pad(x, pads, "edge").shape == (8, 5)
    size: Any = [2, 2]
    stride: Any = [1, 1]
    strided = rs.AsStrided(size, stride)
    size[0], stride[0] = 3, 0
    assert strided.infer_shape((6,)) == (2, 2)
    begin = [0, 1]
    sliced = rs.StridedSlice(begin, [2, 3], [1, 1])
    begin[0] = 1
    assert sliced.infer_shape((2, 3)) == (2, 2)
    starts: Any = [0, 0]
    ends: Any = [2, 2]
    written = rs.SetValue(starts, ends)
    starts[0] = 1
    assert written.infer_shape((2, 3)) == (2, 2)


def test_an_array_of_parameters_changed_after_the_call(engine: str) -> None:
    pads = np.array([[1, 1]])
    spec = rs.Pad(pads, "wrap", np.array(3))
    view = rs.view(np.arange(3)).pad(pads, "wrap")
    pads[0] = 2
    assert spec.infer_shape((3,)) == (5,)
    assert view.copy().tolist() == [2, 0, 1, 2, 0]


def test_a_plan_notices_what_it_was_not_made_for(engine: str) -> None:
    plan = rs.plan(rs.Pad(1), (3,), "i4")
    assert plan(np.zeros(3, "i4")).shape == (5,)
    with pytest.raises(rs.ShapeError):
        plan(np.zeros(4, "i4"))
    for dtype in ("u4", ">i4", "f4", "i8"):
        with pytest.raises(rs.DTypeError):
            plan(np.zeros(3, dtype))
    locked = np.zeros(5, "i4")
    plan(np.zeros(3, "i4"), out=locked)
    locked.flags.writeable = False
    with pytest.raises(rs.RestrideError):
        plan(np.zeros(3, "i4"), out=locked)
    assert plan(np.arange(6, dtype="i4")[::-2]).tolist() == [0, 5, 3, 1, 0]


def test_the_same_call_over_other_memory(engine: str) -> None:
    """A cached proof is looked at again when strides or writability change."""
    x = np.arange(24).reshape(4, 6)
    for y in (x[:2, :3], x[::2, ::2], x[::-2, 2::-1], x.T[:2, :3], x[1:3, 3:]):
        assert np.array_equal(rs.slice(y, "::-1, 1:"), y[::-1, 1:])


def test_constants_keep_the_order_of_their_steps() -> None:
    x = np.zeros((1, 1), "i4")
    first = rs.view(x).pad([[1, 0], [0, 0]], "constant", 1)
    second = first.pad([[0, 0], [1, 0]], "constant", 2).copy()
    assert second.tolist() == [[2, 1], [2, 0]]
    turned = first.transpose().pad([[0, 0], [1, 0]], "constant", 2).copy()
    assert turned.tolist() == [[2, 1, 0]]
    value, _ = constant(np.dtype("i4"))
    assert value == 7
