"""NumPy's `pad` in the dialect: NumPy's bits, forms and refusals."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from restride.dialects import numpy as rnp

DTYPES = ["i8", "u1", "f4", "f2", "c8", "?", ">i4", "U3", "S2", "M8[s]", "i4,f8", "V3"]
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
CONSTANTS: list[Any] = [
    *(0, 1, -1, 300, 1.5, -0.0, float("nan"), float("inf"), 2**40, 2**63, 2**70, True),
    *("ab", b"x", None, 1j, np.float32(2.5), np.datetime64(5, "D")),
]
SETS = 1500


def outcome(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The result, or the error."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def same(ours: Any, numpys: Any) -> bool:
    """Equal bits, dtype and order; or an error that NumPy's handlers catch."""
    if isinstance(numpys, Exception):
        return isinstance(ours, rnp.NumpyError) and isinstance(ours, type(numpys))
    return (
        (ours.dtype, ours.shape, ours.tobytes())
        == (numpys.dtype, numpys.shape, numpys.tobytes())
        and ours.flags.c_contiguous == numpys.flags.c_contiguous
        and ours.flags.f_contiguous == numpys.flags.f_contiguous
    )


def draw(rng: random.Random) -> tuple[np.ndarray, Any, str, dict[str, Any]]:
    """An array, a width in one of its forms, a mode and its keyword."""
    rank = rng.randint(0, 3)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 4) for _ in range(rank)]
    x = an_array(rng, shape, np.dtype(rng.choice([*DTYPES, ml_dtypes.bfloat16])))

    def side() -> int:
        return rng.randint(0, 7) if rng.random() < 0.6 else 0

    def constant() -> Any:
        return rng.choice(CONSTANTS)

    table = [(side(), side()) for _ in range(rank)] or 0
    column = [(side(),) for _ in range(rank)] or 1
    width = rng.choice([side(), (side(), side()), table, column])
    mode, given = rng.choice([*MODES, "constant"]), {}
    if mode == "constant" and rng.random() < 0.7:
        each = [(constant(), constant()) for _ in range(rank)]
        values = [constant(), (constant(), constant()), each]
        given["constant_values"] = rng.choice(values)
    return x, width, mode, given


def an_array(rng: random.Random, shape: list[int], dtype: np.dtype[Any]) -> np.ndarray:
    size = int(np.prod(shape))
    raw = np.frombuffer(rng.randbytes(size * dtype.itemsize), np.uint8).copy()
    if dtype.kind == "b":
        raw &= 1
    if dtype.kind == "U":
        raw.view(np.uint32)[:] = 97
    x = raw.view(dtype).reshape(shape)
    if rng.random() < 0.3:
        x = np.asfortranarray(x)
    return x[::-1] if rng.random() < 0.3 and shape else x


def test_random_calls_are_numpys() -> None:
    refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # casts of NaN and the like warn on both sides
        for number in range(SETS):
            x, width, mode, given = draw(random.Random(f"numpy pad {number}"))
            numpys = outcome(np.pad, x, width, mode, **given)
            ours = outcome(rnp.pad, x, width, mode, **given)
            assert same(ours, numpys), (number, x, width, mode, given, ours, numpys)
            refused += isinstance(numpys, Exception)
    assert SETS // 20 < refused < SETS // 2


@pytest.mark.parametrize(
    ("width", "kind", "like"),
    [
        (-1, "pad_width", ValueError),
        (1.0, "pad_width", TypeError),
        (True, "pad_width", TypeError),
        (2**70, "pad_width", TypeError),
        (np.uint8(1), "pad_width", TypeError),
        (None, "pad_width", TypeError),
        ("3", "pad_width", TypeError),
        ([[1, 2], [3]], "pad_width", ValueError),
        ([[1, 2, 3]], "pad_width", ValueError),
        (np.zeros((1, 1, 1), int), "pad_width", ValueError),
        (np.broadcast_to(np.int8(-1), 2**40), "pad_width", ValueError),
        ({5: 1}, "pad_width", IndexError),
        ({"a": 1}, "pad_width", TypeError),
        ({0: [1, 2]}, "pad_width", TypeError),
        (2**62, "too_large", ValueError),
    ],
)
def test_widths_refused(width: Any, kind: str, like: type[Exception]) -> None:
    with pytest.raises(rnp.NumpyError) as caught:
        rnp.pad(np.zeros((2, 2)), width)
    assert caught.value.kind == kind
    assert isinstance(caught.value, like)


@pytest.mark.parametrize(
    ("mode", "given", "kind"),
    [
        ("EDGE", {}, "mode"),
        (None, {}, "mode"),
        ([], {}, "mode"),
        ("edge", {"constant_values": 0}, "keyword"),
        ("constant", {"reflect_type": "even"}, "keyword"),
        ("constant", {"constant_values": [1, 2, 3]}, "constant_values"),
        ("constant", {"constant_values": object()}, "constant_values"),
        ("constant", {"constant_values": "a"}, "constant_values"),
    ],
)
def test_modes_refused(mode: Any, given: dict[str, Any], kind: str) -> None:
    with pytest.raises(rnp.NumpyError) as caught:
        rnp.pad(np.zeros((2, 2)), 1, mode, **given)
    assert caught.value.kind == kind


def test_what_it_refuses_and_numpy_does_not() -> None:
    with pytest.raises(rnp.NumpyError, match="mask") as caught:
        rnp.pad(np.ma.array([1, 2], mask=[0, 1]), 1)
    assert caught.value.kind == "array"
    with pytest.raises(rnp.NumpyError, match="1000000 times") as caught:
        rnp.pad([1, 2], 10**8, "wrap")
    assert caught.value.kind == "turns"


def test_what_is_no_array_is_refused_by_kind() -> None:
    class Broken:
        def __array__(self, dtype: Any = None, copy: Any = None) -> None:
            raise RuntimeError("no memory here")

    for given in (Broken(), [[1], [2, 3]]):
        with pytest.raises(rnp.NumpyError) as caught:
            rnp.pad(given, 1)
        assert caught.value.kind == "array"


def test_an_empty_axis_has_nothing_to_repeat() -> None:
    with pytest.raises(rnp.NumpyError, match="can't extend empty axis 1") as caught:
        rnp.pad(np.zeros((2, 0)), [(0, 0), (1, 0)], "edge")
    assert caught.value.kind == "empty_axis"
    assert rnp.pad(np.zeros((2, 0)), [(1, 0), (0, 0)], "edge").shape == (3, 0)


def test_mode_empty_leaves_zero_bytes() -> None:
    assert rnp.pad(np.ones(2), 1, "empty").tolist() == [0, 1, 1, 0]


def test_modes_that_compute_are_numpys() -> None:
    x = np.arange(5.0)
    for given in (
        {"mode": "mean", "stat_length": 2},
        {"mode": "linear_ramp", "end_values": 9},
        {"mode": "reflect", "reflect_type": "odd"},
        {"mode": lambda line, width, axis, kwargs: None},
    ):
        assert rnp.pad(x, 2, **given).tolist() == np.pad(x, 2, **given).tolist()


def test_objects_and_classes_with_a_pad_of_their_own_go_to_numpy() -> None:
    class Mine:
        def __array_function__(self, func: Any, types: Any, args: Any, kw: Any) -> str:
            return str(func.__name__)

    assert rnp.pad(Mine(), 1) == "pad"
    assert rnp.pad(np.array([None, "a"]), 1, "edge").tolist() == [None, None, "a", "a"]


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(rnp.NumpyTypeError("mode", "text")))
    assert (type(error), error.kind, str(error)) == (rnp.NumpyTypeError, "mode", "text")
