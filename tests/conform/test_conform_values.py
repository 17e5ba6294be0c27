"""Made data: repeatable, in range, of the dtype; and the table's own data, exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from restride.conform import CaseError
from restride.conform.case import Fill, TensorSpec
from restride.conform.values import can_hold, element_type, values_of
from restride.targets import dtypes

INF = float("inf")
NAMES = [d.name for d in dtypes() if can_hold(TensorSpec(d.name, (1,)))]


def made(dtype: str, low: float, high: float, count: int = 4000) -> Any:
    spec = TensorSpec(dtype, (count,), fill=Fill("random", low, high))
    return values_of(spec, 3, "case", 0)


@pytest.mark.parametrize("dtype", NAMES)
def test_the_same_seed_name_and_place_give_the_same_bytes(dtype: str) -> None:
    spec = TensorSpec(dtype, (64,), fill=Fill("random", -4, 4))
    first = values_of(spec, 1, "a", 0).tobytes()
    assert values_of(spec, 1, "a", 0).tobytes() == first
    for other in ((2, "a", 0), (1, "b", 0), (1, "a", 1)):
        assert values_of(spec, *other).tobytes() != first


@pytest.mark.parametrize(
    "dtype", ["int8", "int32", "int64", "uint8", "uint64", "float16", "bf16", "double"]
)
def test_values_fill_the_range_and_stay_in_it(dtype: str) -> None:
    low = 0 if dtype.startswith("u") else -20
    x = made(dtype, low, 20).astype(np.float64)
    assert low <= x.min() <= low + 1
    assert 19 <= x.max() <= 20


def test_a_range_wider_than_the_dtype_is_cut_to_it() -> None:
    x = made("int8", -1e9, 1e9)
    assert (x.min(), x.max()) == (-128, 127)
    assert made("uint16", -5, 5).min() == 0
    assert np.isfinite(made("float16", -1e30, 1e30).astype(np.float64)).all()


@pytest.mark.parametrize("dtype", ["float16", "float", "double", "bf16", "complex64"])
def test_infinite_ends_stand_among_finite_values(dtype: str) -> None:
    x = made(dtype, -INF, INF)
    x = x.real if dtype == "complex64" else x.astype(np.float64)
    assert {-INF, INF} <= set(x[np.isinf(x)].tolist())
    assert 0.5 < np.isfinite(x).mean() < 1
    assert not np.isnan(x).any()


def test_a_range_of_nan() -> None:
    nan = float("nan")
    assert np.isnan(made("float", nan, nan)).all()
    assert not made("int64", nan, nan).any()


def test_a_range_of_one_value_is_that_value() -> None:
    assert set(made("double", 0.1, 0.1).tolist()) == {0.1}
    assert set(made("int32", 4, 4).tolist()) == {4}


def test_zero_one_and_bool() -> None:
    spec = TensorSpec("bf16", (3,), fill=Fill("one"))
    assert values_of(spec, 0, "", 0).astype(float).tolist() == [1, 1, 1]
    spec = TensorSpec("bool", (3,), fill=Fill("zero"))
    assert values_of(spec, 0, "", 0).tolist() == [False] * 3
    assert set(made("bool", -5, 5).tolist()) == {True, False}


def test_a_type_that_numpy_has_not_is_any_bytes() -> None:
    assert element_type(TensorSpec("complex32", ())) == np.uint32
    assert len(np.unique(made("hifloat8", -1, 1))) > 200
    zero = TensorSpec("hifloat8", (1,), data=(0,))
    assert values_of(zero, 0, "", 0).tolist() == [0]
    assert not can_hold(TensorSpec("hifloat8", (1,), data=(2,)))
    with pytest.raises(CaseError, match="dtype 'int7' is not known"):
        can_hold(TensorSpec("int7", ()))


@pytest.mark.parametrize("shape", [(-1,), (2**40,), (1,) * 65, (2**20, 2**20, 0)])
def test_what_cannot_be_held(shape: tuple[int, ...]) -> None:
    assert can_hold(TensorSpec("int8", shape)) == (shape[-1] == 0)


@pytest.mark.parametrize(
    ("dtype", "data", "bits"),
    [
        ("int64", (2**63 - 1,), 2**63 - 1),
        ("uint64", (2**64 - 1,), 2**64 - 1),
        ("int8", (3.0,), 3),
        ("float16", (0.1,), 0x2E66),
        ("bf16", (285,), 0x438E),
        ("float", (-0.0,), 0x80000000),
        ("double", (float("inf"),), 0x7FF0000000000000),
        ("bool", (True,), 1),
        ("float", ("-Infinity",), 0xFF800000),
    ],
)
def test_the_tables_own_values_are_exact(dtype: str, data: Any, bits: int) -> None:
    x = values_of(TensorSpec(dtype, (1,), data=data), 0, "", 0)
    held = int.from_bytes(x.tobytes(), "little")
    assert held == bits % 2 ** (8 * x.itemsize)


def test_complex_data_may_be_pairs() -> None:
    x = values_of(TensorSpec("complex64", (2,), data=(1, 2, 3, 4)), 0, "", 0)
    assert x.tolist() == [1 + 2j, 3 + 4j]


@pytest.mark.parametrize(
    ("dtype", "data", "said"),
    [
        ("int8", (1, 2), "data has length 2; shape [1] has 1"),
        ("int8", (300,), "is not int8"),
        ("int8", (1.5,), "1.5 is not an integer"),
        ("int8", (float("nan"),), "is not int8"),
        ("int8", (float("inf"),), "is not int8"),
        ("float", ("x",), "is not float32"),
        ("float", (None,), "is not float32"),
        ("float", (10**400,), "is not float32"),
        ("float", ({},), "is not float32"),
    ],
)
def test_data_that_is_not_the_dtypes(dtype: str, data: Any, said: str) -> None:
    with pytest.raises(CaseError) as refused:
        values_of(TensorSpec(dtype, (1,), data=data), 0, "", 0)
    assert said in str(refused.value)
