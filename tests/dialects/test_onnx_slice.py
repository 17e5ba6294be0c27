"""ONNX's Slice against its text, executed index by index."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx_oracle import slice_of, visited
from oracle import Wrong, numbered

from restride.dialects import onnx
from restride.dialects.onnx.slicing import effective_range

BOUNDS = (*range(-6, 7), -(2**63), -(2**31), 2**31 - 2, 2**31 - 1, 2**63 - 1)
STEPS = (1, 2, 3, -1, -2, -3, 2**63 - 1, -(2**63))
RUNTIMES = (None, "onnxruntime")


def told(call: Any) -> Any:
    """Shape and positions, or that it is refused."""
    try:
        found = call()
    except (Wrong, onnx.OnnxError):
        return "refused"
    if isinstance(found, np.ndarray):
        return found.shape, found.ravel().tolist()
    return found.shape, found.cells


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("n", range(5))
def test_every_range_of_short_axes(n: int, runtime: str | None) -> None:
    for start, end, step in product(BOUNDS, BOUNDS, STEPS):
        begin, by, count = effective_range(start, end, step, n, runtime)
        read = [begin + k * by for k in range(count)]
        assert read == visited(n, start, end, step, bool(runtime)), (start, end, step)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_axes_steps_and_what_is_left_out(runtime: str | None) -> None:
    for number in range(400):
        rng = random.Random(number)
        shape = tuple(rng.randint(0, 4) for _ in range(rng.randint(0, 4)))
        count = rng.randint(0, len(shape) + (rng.random() < 0.1))
        bounds = [[rng.choice(BOUNDS) for _ in range(count)] for _ in range(2)]
        axes = rng.choice((None, rng.sample(range(len(shape)), min(count, len(shape)))))
        if axes is not None and len(axes) < count:
            axes = None
        if axes and rng.random() < 0.5:
            axes[0] -= len(shape)
        steps = rng.choice((None, [rng.choice(STEPS) for _ in range(count)]))
        given = (*bounds, axes, steps)
        x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        ours = told(lambda x=x, given=given: onnx.slice(x, *given, runtime=runtime))
        t = numbered(shape)
        text = told(lambda t=t, given=given: slice_of(t, *given, runtime))
        assert ours == text, (number, shape, given)


def test_the_examples_of_the_text() -> None:
    data = [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert onnx.slice(data, [1, 0], [2, 3], [0, 1], [1, 2]).tolist() == [[5, 7]]
    assert onnx.slice(data, [0, 1], [-1, 1000]).tolist() == [[2, 3, 4]]
    old = onnx.slice(data, [1, 0], [2, 3], [0, 1], opset=1)
    assert old.tolist() == [[5, 6, 7]]


def test_what_is_recommended_for_the_end_of_an_axis() -> None:
    x = np.arange(5)
    for top, bottom in ((2**31 - 1, -(2**31)), (2**63 - 1, -(2**63))):
        assert onnx.slice(x, [2], [top]).tolist() == [2, 3, 4]
        assert onnx.slice(x, [2], [bottom], [0], [-1]).tolist() == [2, 1, 0]
        assert onnx.slice(x, [-1], [top], [0], [-1]).tolist() == []
        theirs = onnx.slice(x, [-1], [top], [0], [-1], runtime="onnxruntime")
        assert theirs.tolist() == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_lists_may_be_tensors(dtype: Any) -> None:
    lists = [np.array(values, dtype) for values in ([-1], [-9], [-1], [-1])]
    assert onnx.slice(np.arange(3), *lists).tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    "dtype", [np.int8, ">i4", np.float16, np.complex128, np.bool, ml_dtypes.bfloat16]
)
def test_bits_are_moved_as_they_are(dtype: Any) -> None:
    raw = np.random.default_rng(1).bytes(16 * 6)
    x = np.frombuffer(raw, np.uint8)
    x = (x & 1).view(dtype) if dtype is np.bool else x.view(dtype)
    found = onnx.slice(x, [-1], [0], [0], [-2])
    assert found.dtype == x.dtype
    assert found.tobytes() == x[:0:-2].tobytes()


@pytest.mark.parametrize("dtype", [object, "U2", "T"])
def test_strings_are_moved(dtype: Any) -> None:
    words = np.array([["a", "bb"], ["", "é"]], dtype)
    found = onnx.slice(words, [-1], [-9], [0], [-1])
    assert found.dtype == words.dtype
    assert found.tolist() == [["", "é"], ["a", "bb"]]


def test_the_result_is_fresh() -> None:
    x = np.arange(3)
    onnx.slice(x, [0], [3])[:] = 7
    assert x.tolist() == [0, 1, 2]
