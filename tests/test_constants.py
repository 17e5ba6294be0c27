"""A constant as bytes: exact, rounded once to nearest, or refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import restride as rs

BETWEEN = 2**60 + 2**36 + 1
"""Just above the middle of two float32: rounded by way of float64 it goes down."""


def padded(dtype, value):
    return rs.pad(np.zeros(1, dtype), (1, 0), constant_values=value)[0]


@pytest.mark.parametrize("kind", [int, np.int64, np.uint64, Fraction, np.longdouble])
def test_rounded_once(kind):
    assert int(padded("f4", kind(BETWEEN))) == 2**60 + 2**37
    assert int(padded("c8", kind(BETWEEN)).real) == 2**60 + 2**37
    assert int(padded("f4", kind(-BETWEEN) if kind is not np.uint64 else 0)) <= 0


def test_signs_and_bits_of_zero_and_nan_stay():
    for dtype in ("f2", "f4", "f8", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2):
        assert np.signbit(padded(dtype, -0.0))
        assert not np.signbit(padded(dtype, 0.0))
        assert np.isnan(padded(dtype, float("nan")))
    assert padded("f4", -float("inf")) == -np.inf


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("u1", 1.5),
        ("u1", float("nan")),
        ("u1", 300),
        ("?", 2),
        ("f4", 1e39),
        ("f8", Decimal("1e400")),
        ("f8", 10**400),
        ("f4", 1j),
        ("f4", "1"),
        ("G", "1+2j"),
        (ml_dtypes.float8_e4m3fn, float("inf")),
        ("M8[ns]", np.datetime64("9999-01-01", "D")),
        ("m8[ns]", np.timedelta64(2**62, "D")),
        ("S2", b"abc"),
    ],
)
def test_refused(dtype, value):
    with pytest.raises(rs.DTypeError, match="cannot be held"):
        padded(dtype, value)


def test_dates_and_strings():
    day = np.datetime64("2021-01-02", "D")
    assert padded("M8[ns]", day) == day
    assert padded("S3", b"abc") == b"abc"
    assert padded("U3", None) == ""
    assert padded("U3", np.str_("abc")) == "abc"
    assert padded("S3", np.bytes_(b"abc")) == b"abc"


def test_a_constant_changed_later_changes_nothing():
    value, x = np.array(1), np.zeros((1, 1), int)
    v = rs.view(x).pad(1, constant_values=[[value, 2], [3, 4]])
    spec = rs.Pad(1, "constant", value)
    value[...] = 9
    assert v.copy().tolist() == [[3, 1, 4], [3, 0, 4], [3, 2, 4]]
    assert rs.plan(spec, (1,), int)(np.zeros(1, int)).tolist() == [1, 0, 1]
    assert rs.pad(x, 1, constant_values=[[np.array(1), 2], [3, 4]])[0, 1] == 1


def test_an_iterator_is_read_once():
    plan = rs.plan(rs.Pad(1, "constant", iter([5, 6])), (1,), int)
    assert plan(np.zeros(1, int)).tolist() == [5, 0, 6]


def test_gradients_of_short_floats_are_rounded_once():
    v = rs.view(np.zeros(4, np.float16)).pad(2, "reflect").windows(3)
    v = v.broadcast_to((600, 6, 3))
    g = np.zeros(v.shape, np.float16)
    g[:, 0, 0], g[:, 4, 0] = 200, -200
    assert v.prepared().adjoint()(g).tolist() == [0, 0, 0, 0]


def test_what_is_refused_at_the_door():
    g = np.zeros(4, [("a", "i4"), ("b", "f8"), ("c", "i2")])
    with pytest.raises(rs.UnsupportedError, match="field by field"):
        rs.assign(g[["a", "c"]], "::2", np.ones(2, g.dtype)[["a", "c"]])
    with pytest.raises(rs.BoundsError, match="no array is so large"):
        rs.as_strided(np.zeros(3), (2,), (1,), 10**5000)
    with pytest.raises(rs.ShapeError, match="a dict was given"):
        rs.pad(np.zeros(3), {0: 1})
    with pytest.raises(rs.DTypeError, match="not an integer"):
        rs.Pad(1).infer_shape((1.5,))
    with pytest.raises(rs.ShapeError, match="would have"):
        rs.as_strided(np.zeros(3), (0, 2**62), (1, 1))
