"""The table of a strided slice says what the slice does, bit by bit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import restride as rs
from restride.explain.masks import mask_lines, mask_scene

bits = st.integers(0, 15)
numbers = st.lists(st.integers(-4, 6), min_size=4, max_size=4)
steps = st.lists(st.sampled_from([-2, -1, 1, 2]), min_size=4, max_size=4)


def taken_by(entries: list[dict], x: np.ndarray) -> np.ndarray:
    """What the table says is taken, picked by NumPy from lists of positions."""
    for entry in reversed(entries):
        for axis in reversed(entry["axes"]):
            if entry["kind"] == "range":
                begin, step, count = entry["takes"]
                x = x.take([begin + k * step for k in range(count)], axis)
            elif entry["kind"] == "index":
                x = x.take([entry["takes"]], axis)
    lost = [e["axes"][0] for e in entries if e["kind"] == "index"]
    shape, axis = [], 0
    for entry in entries:
        if entry["kind"] == "new axis":
            shape.append(1)
        for _ in entry["axes"]:
            if axis not in lost:
                shape.append(x.shape[axis])
            axis += 1
    return x.reshape(shape + list(x.shape[axis:]))


@given(
    numbers, numbers, steps, bits, bits, st.sampled_from([0, 1, 2, 4, 8]), bits, bits
)
def test_the_table_is_the_slice(begin, end, stride, b, e, dots, new, shrink) -> None:
    x = np.arange(3 * 4 * 2 * 5).reshape(3, 4, 2, 5)
    spec = rs.StridedSlice(begin, end, stride, b, e, dots, new, shrink)
    try:
        want = rs.strided_slice(
            x,
            begin,
            end,
            stride,
            begin_mask=b,
            end_mask=e,
            ellipsis_mask=dots,
            new_axis_mask=new,
            shrink_axis_mask=shrink,
        )
    except rs.RestrideError as error:
        with pytest.raises(type(error)):
            mask_scene(spec, x.shape)
        return
    told = mask_scene(spec, x.shape)
    json.dumps(told)
    assert np.array_equal(taken_by(told["entries"], x), want)
    assert all(line.isascii() for line in mask_lines(told))


def test_the_documented_example() -> None:
    spec = rs.StridedSlice(
        [1, 2, 0, 0, 0, 0],
        [2, 4, 0, 0, -3, 0],
        [1, 1, 1, 1, -1, 1],
        begin_mask=48,
        end_mask=32,
        ellipsis_mask=8,
        new_axis_mask=4,
        shrink_axis_mask=1,
    )
    told = mask_lines(mask_scene(spec, (5,) * 6))
    assert [line.split("  ")[-1].strip() for line in told[1:7]] == [
        "axis 0 of 5: position 1; the axis goes",
        "axis 1 of 5: positions 2, 3",
        "a new axis of extent 1",
        "axes 2, 3 whole",
        "axis 4 of 5: positions 4, 3",
        "axis 5 of 5: all of it",
    ]
    assert [entry["means"] for entry in mask_scene(spec, (5,) * 6)["entries"]] == [
        "1",
        "2:4",
        "None",
        "...",
        ":-3:-1",
        ":",
    ]


def test_bits_that_mean_nothing_are_said_to() -> None:
    spec = rs.StridedSlice([0], [1], [1], 3, 0, 0, 1, 1)
    told = "\n".join(mask_lines(mask_scene(spec, (4,))))
    assert "entry 0 is new axis, so shrink_axis_mask, begin_mask means nothing" in told
    assert "begin_mask has bits beyond the last entry" in told


def test_a_long_range_is_counted() -> None:
    told = mask_lines(mask_scene(rs.encode("::3"), (1000,)))
    assert "positions 0, 3, 6, ... 999 (334)" in told[1]
    assert "nothing" in mask_lines(mask_scene(rs.encode("3:1"), (5,)))[1]
