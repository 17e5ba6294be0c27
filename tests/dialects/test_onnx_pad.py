"""ONNX's Pad against its text, executed index by index."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx_oracle import pad_of
from oracle import Tensor, Wrong, numbered

from restride.dialects import onnx

MODES = ("constant", "reflect", "edge", "wrap")
RUNTIMES = (None, "onnxruntime")
SMALL = (
    *("int4", "uint4", "int2", "uint2", "float4_e2m1fn", "bfloat16"),
    *("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
)


def told(call: Any) -> Any:
    """Shape and cells, or that it is refused."""
    try:
        found: Tensor | np.ndarray[Any, Any] = call()
    except (Wrong, onnx.OnnxError):
        return "refused"
    if isinstance(found, np.ndarray):
        return found.shape, found.ravel().tolist()
    return found.shape, found.cells


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", range(5))
def test_every_pad_of_short_axes(n: int, mode: str, runtime: str | None) -> None:
    x = np.arange(n)
    for pads in product(range(-6, 8), repeat=2):
        ours = told(lambda p=pads: onnx.pad(x, p, -1, mode=mode, runtime=runtime))
        text = told(lambda p=pads: pad_of(numbered((n,)), p, mode, -1, None, runtime))
        assert ours == text, (n, pads)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_axes_and_what_is_left_out(runtime: str | None) -> None:
    for number in range(400):
        rng = random.Random(number)
        shape = tuple(
            rng.randint(rng.random() > 0.1, 4) for _ in range(rng.randint(0, 4))
        )
        rank, mode = len(shape), rng.choice(MODES)
        axes = rng.choice((None, rng.sample(range(rank), rng.randint(0, rank))))
        if axes and rng.random() < 0.5:
            axes[0] -= rank
        count = rank if axes is None else len(axes)
        pads = [rng.randint(-2, 3) for _ in range(2 * count)]
        x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        given = (pads, mode, -1, axes, runtime)
        ours = told(
            lambda x=x, g=given: onnx.pad(x, g[0], g[2], g[3], mode=g[1], runtime=g[4])
        )
        t = numbered(shape)
        text = told(lambda t=t, g=given: pad_of(t, *g))
        assert ours == text, (number, shape, given)


def test_the_examples_of_the_text() -> None:
    data = np.array([[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], np.float32)
    pads = [0, 2, 0, 0]
    first = {
        "constant": [0.0, 0.0, 1.0, 1.2],
        "reflect": [1.0, 1.2, 1.0, 1.2],
        "edge": [1.0, 1.0, 1.0, 1.2],
    }
    for mode, row in first.items():
        for opset in (11, 13, 18, 25):
            found = onnx.pad(data, pads, mode=mode, opset=opset)
            assert found[0].tolist() == np.array(row, np.float32).tolist()
    wrapped = onnx.pad(data, [2, 1, 1, 1], mode="wrap", opset=19)
    torus = [[3.4, 2.3, 3.4, 2.3], [5.7, 4.5, 5.7, 4.5], [1.2, 1.0, 1.2, 1.0]] * 2
    assert wrapped.tolist() == np.array(torus, np.float32).tolist()


def test_where_the_order_of_crop_and_mirror_shows() -> None:
    x = np.arange(5)
    assert onnx.pad(x, [-3, 3], mode="reflect").tolist() == [3, 4, 3, 2, 1]
    assert onnx.pad(x, [2, -3], mode="wrap").tolist() == [3, 4, 0, 1]
    theirs = onnx.pad(x, [2, -3], mode="wrap", runtime="onnxruntime")
    assert theirs.tolist() == [0, 1, 0, 1]
    with pytest.raises(onnx.OnnxError, match="reflects at most 1, and 3 are asked"):
        onnx.pad(x, [-3, 3], mode="reflect", runtime="onnxruntime")


# ------------------------------------------------------------------------ the constant


def bits(array: Any) -> bytes:
    return bytes(np.asarray(array).tobytes())


def test_old_values_pass_through_32_bits() -> None:
    for opset in (1, 2, 10):
        found = onnx.pad(np.zeros(0), [1, 0], 0.1, opset=opset)
        assert found.tolist() == [float(np.float32(0.1))]
    assert onnx.pad(np.zeros(0), [1, 0], 0.1, opset=11).tolist() == [0.1]
    half = onnx.pad(np.zeros(0, np.float16), [1, 0], 1e10, opset=2)
    assert half.tolist() == [np.inf]
    with pytest.raises(onnx.OnnxError, match="Pad-2: constant 1e"):
        onnx.pad(np.zeros(0), [1, 0], 1e39, opset=2)


def test_the_constant_keeps_its_bits() -> None:
    odd = np.array([0x7FA12345], np.uint32).view(np.float32)
    assert bits(onnx.pad(odd, [1, 1], odd.reshape(()))) == bits(odd) * 3
    assert bits(onnx.pad(odd, [1, 1], odd.reshape(1, 1))) == bits(odd) * 3
    assert bits(onnx.pad(np.ones(0), [1, 0], np.array(-0.0))) == bits(-0.0)
    large = np.array(2**63 - 1)
    assert onnx.pad(large.reshape(1), [1, 0], large).tolist() == [2**63 - 1] * 2
    assert onnx.pad(np.array([1], ">i2"), [1, 0], np.int16(258)).tolist() == [258, 1]


def test_left_out_it_is_zero() -> None:
    for dtype in (np.bool, np.complex64, np.uint8, ml_dtypes.bfloat16):
        assert bits(onnx.pad(np.ones(0, dtype), [0, 1])) == bytes(
            np.dtype(dtype).itemsize
        )
    assert bits(onnx.pad(np.zeros(0), [0, 1], opset=2)) == bytes(8)


@pytest.mark.parametrize("name", SMALL)
def test_small_types_are_moved(name: str) -> None:
    dtype = getattr(ml_dtypes, name, None)
    if dtype is None:
        pytest.skip(f"this ml_dtypes has no {name}")
    x = np.array([1, 1], dtype)
    one = x[0]
    found = onnx.pad(x[:1], [1, 1], np.asarray(one))
    assert found.dtype == x.dtype
    assert bits(found) == bits(one) * 3
    assert bits(onnx.pad(x[:1], [1, 1], 1)) == bits(one) * 3
    assert bits(onnx.pad(x[:1], [0, 2], mode="edge")) == bits(one) * 3


def test_float8e8m0_has_no_zero() -> None:
    x = np.array([1], ml_dtypes.float8_e8m0fnu)
    with pytest.raises(onnx.OnnxError, match="no 0 to pad with") as caught:
        onnx.pad(x, [0, 1])
    assert caught.value.kind == "value"
    assert bits(onnx.pad(x, [0, 1], mode="edge")) == bits(x) * 2
    assert onnx.pad(x, [0, -1]).shape == (0,)


@pytest.mark.parametrize("dtype", [object, "U1", "T"])
def test_strings_are_padded(dtype: Any) -> None:
    words = np.array(["a", "b"], dtype)
    assert onnx.pad(words, [1, 1]).tolist() == ["", "a", "b", ""]
    long = onnx.pad(words, [1, 0], np.array("long", object))
    assert long.tolist() == ["long", "a", "b"]
    assert onnx.pad(words, [2, 0], mode="reflect").tolist() == ["a", "b", "a", "b"]
    alone = onnx.pad(words[0:1].reshape(()), [])
    assert (type(alone), alone.shape, alone.tolist()) == (np.ndarray, (), "a")
