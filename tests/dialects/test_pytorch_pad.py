"""PyTorch's pad over arrays: order of widths, ranks, bounds and values."""

from __future__ import annotations

import itertools
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from restride.dialects import pytorch as rt

NUMPYS = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def refused(*args: Any, **kwargs: Any) -> rt.TorchError:
    """The refusal of a pad."""
    with pytest.raises(rt.TorchError) as caught:
        rt.pad(*args, **kwargs)
    return caught.value


@pytest.mark.parametrize("shape", [(2, 3), (1, 2, 3), (2, 1, 3, 2), (1, 2, 1, 2, 3)])
def test_the_last_axis_comes_first(shape: tuple[int, ...]) -> None:
    x = np.arange(math.prod(shape)).reshape(shape)
    for count in range(len(shape) + 1):
        pairs = [(k + 1, 2 * k) for k in range(count)]
        flat = [side for pair in pairs for side in pair]
        numpys = [(0, 0)] * (len(shape) - count) + pairs[::-1]
        made = rt.pad(x, flat, value=9)
        assert made.tolist() == np.pad(x, numpys, constant_values=9).tolist()


@pytest.mark.parametrize("mode", NUMPYS)
def test_every_small_width_is_numpys_or_refused(mode: str) -> None:
    most = {"reflect": 3, "replicate": 9, "circular": 4}[mode]
    for n, before, after in itertools.product(range(1, 5), range(6), range(6)):
        x = np.arange(2 * n).reshape(2, n)
        least = {"reflect": n - 1, "replicate": most, "circular": n}[mode]
        if max(before, after) > least:
            assert refused(x, (before, after), mode).kind == "pad"
        else:
            made = rt.pad(x, (before, after), mode)
            numpys = np.pad(x, ((0, 0), (before, after)), NUMPYS[mode])
            assert made.tolist() == numpys.tolist()


@pytest.mark.parametrize(
    ("mode", "widths", "result"),
    [
        ("constant", (-1, 2), [1, 2, 0, 0]),
        ("constant", (-3, 1), [0]),
        ("constant", (-2, -1), []),
        ("reflect", (-1, 2), [1, 2, 1, 0]),
        ("reflect", (-3, 2), [1, 0]),
        ("replicate", (-5, 10), [2] * 8),
        ("replicate", (10, -5), [0] * 8),
        ("circular", (-1, 2), [1, 2, 1, 2]),
        ("circular", (2, -1), [0, 1, 0, 1]),
        ("circular", (-3, 0), []),
    ],
)
def test_negative_widths_crop(mode: str, widths: Any, result: list[int]) -> None:
    assert rt.pad(np.array([[0, 1, 2]]), widths, mode).tolist() == [result]


@pytest.mark.parametrize(
    ("mode", "widths"),
    [
        ("constant", (-4, 2)),
        ("constant", (10, -5)),
        ("constant", (-2, -2)),
        ("reflect", (-3, 0)),
        ("reflect", (3, 0)),
        ("replicate", (-2, -1)),
        ("circular", (-2, 2)),
        ("circular", (-3, 3)),
        ("circular", (-4, 3)),
        ("circular", (4, 0)),
    ],
)
def test_widths_refused(mode: str, widths: Any) -> None:
    assert refused(np.array([[0, 1, 2]]), widths, mode).kind == "pad"


@pytest.mark.parametrize("mode", NUMPYS)
def test_ranks(mode: str) -> None:
    for rank, count in itertools.product(range(6), range(6)):
        x = np.zeros((2,) * rank)
        if count > rank:
            assert refused(x, (1, 1) * count, mode).kind == "pad"
        elif count in (1, 2, 3) and rank in (count + 1, count + 2):
            made = rt.pad(x, (1, 1) * count, mode)
            assert made.shape == (2,) * (rank - count) + (4,) * count
        else:
            error = refused(x, (1, 1) * count, mode)
            assert error.kind == "rank"
            assert isinstance(error, NotImplementedError)


def test_empty_axes() -> None:
    assert rt.pad(np.zeros((0, 2, 3)), (1, 1), "reflect").shape == (0, 2, 5)
    assert rt.pad(np.zeros((2, 0)), (0, 0), "circular").shape == (2, 0)
    assert rt.pad(np.zeros((2, 0)), (1, 2)).shape == (2, 3)
    for shape in [(0, 3), (2, 0, 3), (1, 0)]:
        assert refused(np.zeros(shape), (1, 1), "replicate").kind == "size"


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (((1,),), "pad"),
        (((1, 1, 1, 1, 1, 1),), "pad"),
        ((2,), "argument"),
        ((None,), "argument"),
        (((1.0, 2),), "argument"),
        (((True, 1),), "argument"),
        (((2**63, 0),), "argument"),
        (((2**2000, 0),), "argument"),
        ((((1, 1), (1, 1)),), "argument"),
        (((2**62, 2**62),), "too_large"),
        (((2**62, 0), "replicate"), "too_large"),
        (((1, 1), "edge"), "mode"),
        (((1, 1), "REFLECT"), "mode"),
        (((1, 1), None), "argument"),
        (((1, 1), "reflect", 1), "value"),
        (((1, 1), "reflect", "1"), "value"),
    ],
)
def test_forms_refused(given: Any, kind: str) -> None:
    assert refused(np.zeros((2, 3)), *given).kind == kind


@pytest.mark.parametrize("name", ["bool", "uint16", "uint32", "uint64"])
def test_mirrors_lack_what_pytorch_lacks(name: str) -> None:
    x = np.zeros((1, 3), name)
    for mode in ("reflect", "replicate"):
        assert refused(x, (1, 1), mode).kind == "dtype"
    assert rt.pad(x, (1, 1), "circular").shape == (1, 5)


@pytest.mark.parametrize(
    ("dtype", "value", "held"),
    [
        ("int8", 1.9, 1),
        ("int8", -1.9, -1),
        ("int64", 2**53 + 1, 2**53),
        ("int64", -(2.0**63), -(2**63)),
        ("bool", -0.5, True),
        ("bool", math.nan, True),
        ("uint8", True, 1),
        ("uint8", -0.0, 0),
        ("float32", np.float16(0.5), 0.5),
        ("float16", 1 + 2**-11 + 2**-30, 1.0),
        ("complex64", 2.5, 2.5 + 0j),
    ],
)
def test_values_are_converted_through_a_double(
    dtype: str, value: Any, held: Any
) -> None:
    made = rt.pad(np.zeros(1, dtype), (1, 0), value=value)[0]
    assert (made.dtype, made) == (dtype, held)


def test_small_floats_pass_through_a_float() -> None:
    x = np.zeros(1, ml_dtypes.bfloat16)
    assert rt.pad(x, (1, 0), value=1.00390625 + 2**-30)[0] == 1.0
    for name, byte in [("float8_e5m2", 0x7F), ("float8_e4m3fn", 0x7F)]:
        x = np.zeros(1, getattr(ml_dtypes, name))
        assert rt.pad(x, (1, 0), value=math.nan).view("u1")[0] == byte
    x = np.zeros(1, ml_dtypes.float8_e5m2)
    assert rt.pad(x, (1, 0), value=-math.nan).view("u1")[0] == 0xFF


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("uint8", -1),
        ("uint8", 255.5),
        ("int8", -128.5),
        ("int32", math.nan),
        ("int64", 2**63),
        ("uint64", 2**64),
        ("float16", 65504.5),
        ("float32", 3.5e38),
        ("complex64", 1e300),
        ("float32", 10**400),
    ],
)
def test_values_that_do_not_fit_are_refused(dtype: str, value: Any) -> None:
    error = refused(np.zeros(1, dtype), (1, 0), value=value)
    assert error.kind == "value"
    assert isinstance(error, OverflowError) == (value == 10**400)
    assert rt.pad(np.zeros(1, dtype), (-1, 0), value=value).shape == (0,)


@pytest.mark.parametrize("value", [1j, "1", [1.0], np.array(1.5), object()])
def test_values_that_are_no_numbers(value: Any) -> None:
    assert isinstance(refused(np.zeros(1), (1, 0), value=value), TypeError)
