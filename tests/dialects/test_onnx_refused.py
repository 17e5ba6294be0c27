"""What the ONNX dialect refuses, with its kind, its version and a way to mend it."""

from __future__ import annotations

import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import restride as rs
from restride.dialects import onnx

X = np.arange(6.0).reshape(2, 3)
HUGE = 2**70


def refused(call: Any, kind: str) -> onnx.OnnxError:
    """The error, which must be the dialect's own and of that kind."""
    with pytest.raises(onnx.OnnxError) as caught:
        call()
    assert caught.value.kind == kind, caught.value
    assert isinstance(caught.value, rs.RestrideError)
    assert "\n" not in str(caught.value)
    return caught.value


SLICES: list[tuple[str, dict[str, Any]]] = [
    ("step", {"starts": [0], "ends": [1], "axes": [0], "steps": [0]}),
    ("axis", {"starts": [0, 0], "ends": [1, 1], "axes": [0, 0]}),
    ("axis", {"starts": [0, 0], "ends": [1, 1], "axes": [1, -1]}),
    ("axis", {"starts": [0], "ends": [1], "axes": [2]}),
    ("axis", {"starts": [0], "ends": [1], "axes": [-3]}),
    ("shape", {"starts": [0], "ends": [1, 2]}),
    ("shape", {"starts": [0, 0], "ends": [1, 1], "axes": [0]}),
    ("shape", {"starts": [0], "ends": [1], "steps": [1, 1]}),
    ("shape", {"starts": [0] * 3, "ends": [1] * 3}),
    ("shape", {"starts": 0, "ends": 1}),
    ("shape", {"starts": None, "ends": [1]}),
    ("shape", {"starts": "0", "ends": [1]}),
    ("shape", {"starts": np.zeros((1, 1), int), "ends": [1]}),
    ("shape", {"starts": np.int64(0), "ends": [1]}),
    ("dtype", {"starts": [0.5], "ends": [1]}),
    ("dtype", {"starts": [True], "ends": [1]}),
    ("dtype", {"starts": [float("nan")], "ends": [1]}),
    ("dtype", {"starts": np.array([0.0]), "ends": [1]}),
    ("dtype", {"starts": np.array([0], np.uint8), "ends": [1]}),
    ("dtype", {"starts": np.array([0], np.int32), "ends": np.array([1])}),
    ("value", {"starts": [0], "ends": [HUGE]}),
    ("value", {"starts": [0], "ends": [10**5000]}),
    ("value", {"starts": [-HUGE], "ends": [1]}),
    ("opset", {"starts": [0], "ends": [1], "opset": 0}),
    ("opset", {"starts": [0], "ends": [1], "opset": onnx.NEWEST_OPSET + 1}),
    ("opset", {"starts": [0], "ends": [1], "opset": "13"}),
    ("opset", {"starts": [0], "ends": [1], "opset": None}),
    ("opset", {"starts": [0], "ends": [1], "opset": np.zeros((2, 2), int)}),
    ("opset", {"starts": [0], "ends": [1], "steps": [1], "opset": 9}),
    ("node", {"starts": [0], "ends": [1], "runtime": "tensorrt"}),
    ("node", {"starts": [0], "ends": [1], "runtime": []}),
]


@pytest.mark.parametrize(("kind", "given"), SLICES)
def test_slices(kind: str, given: dict[str, Any]) -> None:
    error = refused(lambda: onnx.slice(X, **given), kind)
    assert error.operator == "Slice"
    assert str(error).startswith("Slice")


PADS: list[tuple[str, dict[str, Any]]] = [
    ("shape", {"pads": [1]}),
    ("shape", {"pads": [1, 1], "axes": [0, 1]}),
    ("shape", {"pads": 1}),
    (
        "shape",
        {"pads": [[1, 1], [1, 1]], "axes": None} | {"pads": np.ones((2, 2), int)},
    ),
    ("dtype", {"pads": [[1, 1], [1, 1]]}),
    ("dtype", {"pads": np.ones(4, np.int32)}),
    ("dtype", {"pads": [0, 0, 0, 1.0]}),
    ("value", {"pads": [0, 0, 0, HUGE]}),
    ("size", {"pads": [0, 0, 0, 2**63 - 1]}),
    ("size", {"pads": [2**62] * 4, "mode": "edge"}),
    ("size", {"pads": [0, 0, 0, 2**40], "mode": "reflect"}),
    ("size", {"pads": [0, 0, 0, 2**40], "mode": "wrap"}),
    ("pads", {"pads": [0, -4, 0, 0]}),
    ("pads", {"pads": [0, -2, 0, -2]}),
    ("pads", {"pads": [0, -(2**63), 0, 0]}),
    ("pads", {"pads": [0, -1, 0, 0], "opset": 1}),
    ("axis", {"pads": [1, 1], "axes": [2]}),
    ("axis", {"pads": [1, 1, 1, 1], "axes": [0, -2]}),
    ("opset", {"pads": [1, 1], "axes": [0], "opset": 17}),
    ("opset", {"pads": [1, 1, 1, 1], "opset": HUGE}),
    ("mode", {"pads": [1] * 4, "mode": "symmetric"}),
    ("mode", {"pads": [1] * 4, "mode": "CONSTANT"}),
    ("mode", {"pads": [1] * 4, "mode": "wrap", "opset": 18}),
    ("mode", {"pads": [1] * 4, "mode": None}),
    ("mode", {"pads": [1] * 4, "mode": np.array([1, 1])}),
    ("mode", {"pads": [1] * 4, "mode": ["edge"]}),
    ("shape", {"pads": [1] * 4, "constant_value": [1.0]}),
    ("shape", {"pads": [1] * 4, "constant_value": np.ones(2)}),
    ("shape", {"pads": [1] * 4, "constant_value": np.ones(0)}),
    ("shape", {"pads": [1] * 4, "constant_value": "1"}),
    ("dtype", {"pads": [1] * 4, "constant_value": np.float32(1)}),
    ("dtype", {"pads": [1] * 4, "constant_value": np.int64(1), "mode": "edge"}),
    ("dtype", {"pads": [1] * 4, "constant_value": "1", "opset": 2}),
    ("value", {"pads": [1] * 4, "constant_value": 1j}),
    ("value", {"pads": [1] * 4, "constant_value": 10**400}),
    ("value", {"pads": [1] * 4, "constant_value": 10**400, "opset": 2}),
]


@pytest.mark.parametrize(("kind", "given"), PADS)
def test_pads(kind: str, given: dict[str, Any]) -> None:
    error = refused(lambda: onnx.pad(X, **given), kind)
    assert error.operator == "Pad"
    assert str(error).startswith("Pad")


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
def test_nothing_to_mirror(mode: str) -> None:
    empty = np.zeros((2, 0))
    refused(lambda: onnx.pad(empty, [0, 1, 0, 0], mode=mode), "pads")
    assert onnx.pad(empty, [1, 0, 0, 0], mode=mode).shape == (3, 0)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("data", None),
        ("dtype", np.array([None])),
        ("dtype", np.array(["a", 1], object)),
        ("dtype", np.array([b"a"])),
        ("dtype", np.array(["2020"], "M8[s]")),
        ("dtype", np.zeros(1, np.longdouble)),
        ("dtype", np.zeros(1, "V3")),
        ("dtype", object()),
        ("data", [[1], [1, 2]]),
        ("data", np.ma.masked_array([1])),
    ],
)
def test_what_is_no_tensor(kind: str, data: Any) -> None:
    refused(lambda: onnx.slice(data, [0], [1]), kind)
    refused(lambda: onnx.pad(data, [0, 1]), kind)


TYPES = [
    ("slice", np.float64, 1),
    ("slice", ml_dtypes.bfloat16, 13),
    ("slice", ml_dtypes.float8_e5m2, None),
    ("slice", ml_dtypes.int4, None),
    ("pad", np.float16, 1),
    ("pad", np.int16, 11),
    ("pad", np.bool, 13),
    ("pad", np.complex64, 13),
    ("pad", ml_dtypes.bfloat16, 13),
    ("pad", ml_dtypes.float8_e5m2, 21),
    ("pad", ml_dtypes.int4, 21),
    ("pad", ml_dtypes.float4_e2m1fn, 23),
    ("pad", ml_dtypes.float8_e8m0fnu, 24),
    ("pad", ml_dtypes.int2, 25),
    ("pad", ml_dtypes.float6_e2m3fn, None),
]


@pytest.mark.parametrize(("name", "dtype", "since"), TYPES, ids=str)
def test_each_type_since_its_opset(name: str, dtype: Any, since: int | None) -> None:
    x = np.ones(2, dtype)
    lists = ([0], [1]) if name == "slice" else ([0, 0],)
    for opset in range(1, onnx.NEWEST_OPSET + 1):
        if since is not None and opset >= since:
            assert getattr(onnx, name)(x, *lists, opset=opset).dtype == x.dtype
        else:
            refused(lambda o=opset: getattr(onnx, name)(x, *lists, opset=o), "dtype")


def test_strings_have_no_numbers_for_constants() -> None:
    words = np.array(["a"], object)
    refused(lambda: onnx.pad(words, [0, 1], 0), "dtype")
    refused(lambda: onnx.pad(words, [0, 1], np.array(["a", "b"])), "dtype")
    refused(lambda: onnx.pad(words, [0, 1], opset=11), "dtype")


def test_onnxruntime_takes_no_scalar_and_wraps_no_empty_tensor() -> None:
    scalar = np.array(1.0)
    assert onnx.slice(scalar, [], []).tolist() == 1.0
    assert onnx.pad(scalar, []).tolist() == 1.0
    given = {"runtime": "onnxruntime"}
    refused(lambda: onnx.slice(scalar, [], [], **given), "shape")
    refused(lambda: onnx.pad(scalar, [], **given), "shape")
    refused(lambda: onnx.pad(np.zeros(0), [0, 0], mode="wrap", **given), "pads")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: onnx.slice(X, [0], [1], [2]),
            "Slice-13: axes[0] = 2; data has 2 axes, allowed: -2 to 1.",
        ),
        (
            lambda: onnx.pad(X, [0, 0, -4, 0], opset=11),
            "Pad-11: pads of axis 0, 0 and -4, on an extent of 2 leave -2; remove at "
            "most 2 in all.",
        ),
        (
            lambda: onnx.pad(X, [1] * 4, mode="wrap", opset=18),
            "Pad-18: mode = 'wrap'; this version knows constant, reflect, edge; wrap "
            "exists since opset 19.",
        ),
        (
            lambda: onnx.pad(X, [0, 3, 0, 0], mode="reflect", runtime="onnxruntime"),
            "Pad-25: axis 1 has 3 elements once cropped; ONNX Runtime then reflects at "
            "most 2, and 3 are asked for.",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(onnx.OnnxError) as caught:
        call()
    assert str(caught.value) == message


def test_an_error_survives_pickling() -> None:
    error = refused(lambda: onnx.slice(X, [0], [1], [2]), "axis")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.version) == (str(error), "axis", 13)


def test_every_kind_is_told() -> None:
    told = {kind for kind, _ in (*SLICES, *PADS)} | {"data"}
    assert told == set(onnx.KINDS)
