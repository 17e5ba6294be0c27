"""Lists of Python numbers that are written: held as constants are, one by one."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import restride as rs


@pytest.mark.parametrize(
    "dtype", ["u1", "i2", ">i4", "f2", "f4", ">f8", "c8", ml_dtypes.bfloat16, "?"]
)
def test_lists_take_the_dtype_of_the_destination(dtype):
    listed, x = [[1, 0], [True, 0.0]], np.zeros((2, 3), dtype)
    assert rs.assign(x, ":, ::2", listed).tolist() == [[1, 0, 0], [1, 0, 0]]
    assert rs.set_value(x, (1, 0), (0, 1), (2, 3)).tolist() == [[1, 1, 0], [1, 1, 0]]


def test_lists_have_the_shape_that_numpy_gives_them():
    assert rs.assign(np.zeros((2, 0), "f4"), "...", [[], []]).shape == (2, 0)
    assert rs.assign(np.zeros((2, 3), "f4"), ":", [[[1], [2]]]).tolist() == [
        [1, 1, 1],
        [2, 2, 2],
    ]
    assert rs.assign(np.zeros((), "f4"), "...", [[2]]).tolist() == 2


def test_each_number_is_rounded_once():
    between = 2**60 + 2**36 + 1  # by way of float64 it goes down
    made = rs.assign(np.zeros(2, "f4"), "...", [between, -0.0])
    assert int(made[0]) == 2**60 + 2**37
    assert np.signbit(made[1])


@pytest.mark.parametrize("dtype", ["i1", ">u8", "f2", "f4", ">f8"])
def test_many_are_held_as_one_by_one(dtype):
    rng = np.random.default_rng(0)
    floats = (rng.standard_normal(200) * 10.0 ** rng.integers(-9, 5, 200)).tolist()
    whole = rng.integers(0, 127, 200).tolist()
    odd = [-0.0, 0.0, 5e-324, float("inf"), float("-inf"), float("nan")]
    given = [whole, [*whole, 2.0]]
    if np.dtype(dtype).kind == "f":
        given.append(floats + whole + odd)
    for numbers in given:
        made = rs.assign(np.zeros(len(numbers), dtype), ":", numbers)
        alone = [rs.assign(np.zeros(1, dtype), ":", v).tobytes() for v in numbers]
        assert made.tobytes() == b"".join(alone)


@pytest.mark.parametrize(
    ("dtype", "listed", "part"),
    [
        ("u1", [1, 300], "constant 300 cannot be held by dtype uint8 exactly"),
        ("u1", [[0.5], [1]], "constant 0.5 cannot be held"),
        ("f4", [1.0, 1e39], r"constant 1e\+39 .* float32 within its range"),
        ("f8", [10**400, 1], "cannot be held by dtype float64"),
        ("f4", [1j, 0], "constant 1j"),
        ("f4", ["1", 2], "assign: src has dtype <U21 and dst float32"),
        ("f4", [np.float64(1), 2], "assign: src has dtype float64 and dst float32"),
        ("f4", np.ones(2), "assign: src has dtype float64 and dst float32"),
    ],
)
def test_what_the_destination_does_not_hold(dtype, listed, part):
    x = np.zeros(2, dtype)
    with pytest.raises(rs.DTypeError, match=part):
        rs.assign(x, "...", listed)
    assert not x.any()


def test_lists_that_are_no_array_or_fit_nowhere():
    x = np.zeros(2, "f4")
    with pytest.raises(rs.ShapeError, match="src is not an array"):
        rs.assign(x, "...", [[1, 2], [3]])
    with pytest.raises(rs.ShapeError, match=r"src of shape \(3,\) does not broadcast"):
        rs.assign(x, "...", [1, 2, 3])
    itself: list = []
    itself.append(itself)
    with pytest.raises(rs.ShapeError, match="src holds lists more than 64 deep"):
        rs.assign(x, "...", itself)
    with pytest.raises(rs.DTypeError, match="set_value: src has dtype int64"):
        rs.set_value(x, np.ones(2, int), [0], [2])
    assert not x.any()


def test_lists_over_dask_arrays():
    da = pytest.importorskip("dask.array")
    dst = da.zeros((2, 3), chunks=2, dtype="f4")
    made = rs.dask.assign(dst, ":, ::2", [[1, 2.5], [3, 4]]).compute()
    assert made.tolist() == [[1, 0, 2.5], [3, 0, 4]]
    with pytest.raises(rs.DTypeError, match="constant 1e"):
        rs.dask.assign(dst, ":, ::2", [1.0, 1e39])
    with pytest.raises(rs.DTypeError, match="set_value: src has dtype float64"):
        rs.dask.set_value(dst, np.ones(2), (0, 0), (2, 2))
