"""Random operators: indices, lists and masks, pads, strides, each on a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
from hypothesis import strategies as st

from restride.translate import Call

FAR = [2**31 - 1, 2**63 - 1, -(2**31), -(2**63), 2**31, 2**70, -(2**70)]
"""What models write for "to the end", and what lies beyond every axis."""

OPSETS = st.sampled_from([1, 6, 9, 10, 11, 12, 13, 15, 18, 19, 25])
BOUNDS = st.one_of(st.none(), st.integers(-8, 8), st.sampled_from(FAR))
STEPS = st.sampled_from([None, 1, 2, 3, -1, -2, -3, 2**31, -(2**63), 2**70])
RANGES = st.builds(slice, BOUNDS, BOUNDS, STEPS)
SHAPES = st.lists(st.integers(0, 5), min_size=0, max_size=4).map(tuple)
FULL_SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


@st.composite
def indices(draw: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """A shape, and an index of it: ranges, positions, new axes, an ellipsis."""
    shape = draw(SHAPES)
    used = draw(st.integers(0, len(shape)))
    from_last = draw(st.booleans()) and used < len(shape)
    entries: list[Any] = []
    for k in range(used):
        n = shape[len(shape) - used + k] if from_last else shape[k]
        single = st.integers(-n, n - 1) if n else RANGES
        entries.append(draw(st.one_of(RANGES, RANGES, single)))
    if from_last:
        entries.insert(0, Ellipsis)
    for _ in range(draw(st.integers(0, 2))):
        entries.insert(draw(st.integers(0, len(entries))), None)
    return shape, tuple(entries)


@st.composite
def masked(draw: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    """A shape, and lists and masks, whether they mean something there or not."""
    shape = draw(SHAPES)
    count = draw(st.integers(0, len(shape) + 1))
    bounds = st.one_of(st.integers(-6, 6), st.sampled_from(FAR[:4]))
    steps = st.sampled_from([1, 1, 2, -1, -2, 3, 0])
    words: dict[str, Any] = {
        name: draw(st.lists(of, min_size=count, max_size=count))
        for name, of in (("begin", bounds), ("end", bounds), ("strides", steps))
    }
    for name in ("begin", "end", "new_axis", "shrink_axis"):
        words[f"{name}_mask"] = draw(st.integers(0, 2**count - 1))
    bits = [0, *(1 << k for k in range(count))]
    words["ellipsis_mask"] = draw(st.sampled_from(bits))
    return shape, words


@st.composite
def onnx_slices(draw: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    """A shape, and the four lists of ONNX's Slice."""
    shape = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3).map(tuple))
    axes = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
    of = st.one_of(st.integers(-7, 7), st.sampled_from(FAR[:4]))
    return shape, {
        "starts": [draw(of) for _ in axes],
        "ends": [draw(of) for _ in axes],
        "axes": [a - len(shape) if draw(st.booleans()) else a for a in axes],
        "steps": [draw(st.sampled_from([1, 2, -1, -2, 3])) for _ in axes],
    }


@st.composite
def pads(draw: Any) -> tuple[tuple[int, ...], Call, list[tuple[int, int]], str, Any]:
    """A pad of restride's, which has every mode, width, sign and constant."""
    shape, mode = draw(FULL_SHAPES), draw(st.sampled_from(MODES))
    pairs = []
    for n in shape:
        before = draw(st.integers(-n - 2, 9))
        pairs.append((before, draw(st.integers(max(-n - 2, -n - before), 9))))
    of, one = st.integers(-3, -1), draw(st.booleans())
    fills = [(-7, -7) if one else (draw(of), draw(of)) for _ in shape]
    words: dict[str, Any] = {"paddings": pairs, "mode": mode}
    if mode == "constant":
        words["constant_values"] = -7 if one else fills
    return shape, Call("restride", "pad", words), pairs, mode, fills


@st.composite
def strided(draw: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    """A shape, and strides that stay inside it, many of them a transpose's."""
    shape = draw(FULL_SHAPES)[:3]
    total = oracle.size_of(shape)
    steps = [*np.cumprod([1, *shape[::-1]]).tolist(), 0, 1, 2, 3]
    size: list[int] = []
    stride: list[int] = []
    offset = low = high = draw(st.integers(0, total - 1))
    for _ in range(draw(st.integers(0, 3))):
        step = draw(st.sampled_from(steps)) * draw(st.sampled_from([1, 1, -1]))
        room = total - 1 - high if step > 0 else low
        most = min(4, 4 if step == 0 else 1 + room // abs(step))
        count = draw(st.integers(0 if draw(st.booleans()) else 1, most))
        high += max(count - 1, 0) * max(step, 0)
        low += max(count - 1, 0) * min(step, 0)
        size.append(count)
        stride.append(step)
    return shape, {"size": size, "stride": stride, "offset": offset}
