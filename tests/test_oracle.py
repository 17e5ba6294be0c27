"""The oracle agrees with NumPy wherever NumPy has the same semantics."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from samples import Array

SHAPES = [(), (0,), (1,), (4,), (2, 3), (3, 0), (2, 1, 3), (2, 3, 2)]


def numbers(shape: tuple[int, ...]) -> Array:
    return np.arange(oracle.size_of(shape)).reshape(shape)


def same(t: oracle.Tensor, expected: Any) -> bool:
    expected = np.asarray(expected)
    return bool(t.shape == expected.shape and t.cells == expected.ravel().tolist())


def test_ranges() -> None:
    ends = (None, *range(-6, 7))
    for n, begin, end, step in product(range(5), ends, ends, (-3, -2, -1, 1, 2, 3)):
        entry = slice(begin, end, step)
        assert same(oracle.index(oracle.numbered((n,)), (entry,)), np.arange(n)[entry])


INDICES: list[tuple[Any, ...]] = [
    (),
    (...,),
    (None,),
    (0,),
    (-1, ...),
    (..., -1),
    (slice(None, None, -1), ..., None),
    (None, slice(1, None), ..., slice(None, -1)),
    (..., 0, slice(None)),
    (1, 0, 1),
    (1, 0, 1, 0),
    (..., None, ...),
    (5,),
    (-3,),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("entries", INDICES, ids=str)
def test_indices(shape: tuple[int, ...], entries: tuple[Any, ...]) -> None:
    x, t = numbers(shape), oracle.numbered(shape)
    try:
        expected = x[entries]
    except IndexError:
        with pytest.raises(oracle.Wrong):
            oracle.index(t, entries)
    else:
        assert same(oracle.index(t, entries), expected)


def test_the_documented_masks() -> None:
    """``foo[1, 2:4, None, ..., :-3:-1, :]`` and the five masks it is encoded by."""
    t, x = oracle.numbered((5,) * 6), numbers((5,) * 6)
    entries = (1, slice(2, 4), None, ..., slice(None, -3, -1), slice(None))
    lists = [[1, 2, 0, 0, 0, 0], [2, 4, 0, 0, -3, 0], [1, 1, 1, 1, -1, 1]]
    made = oracle.strided_slice(
        t,
        *lists,
        begin_mask=48,
        end_mask=32,
        ellipsis_mask=8,
        new_axis_mask=4,
        shrink_axis_mask=1,
    )
    assert made.shape == (2, 1, 5, 5, 2, 5)
    assert same(made, x[entries])
    assert made == oracle.index(t, entries)


@pytest.mark.parametrize("mode", oracle.MODES)
@pytest.mark.parametrize("shape", [s for s in SHAPES if 0 not in s and s])
def test_pads(mode: str, shape: tuple[int, ...]) -> None:
    x, t = numbers(shape), oracle.numbered(shape)
    for before, after in product(range(8), repeat=2):
        pads = [(before, after), (after, 0), (1, before)][: len(shape)]
        options: dict[str, Any] = {"constant_values": -1} if mode == "constant" else {}
        expected = np.pad(x, pads, mode, **options)  # type: ignore[call-overload]
        assert same(oracle.pad(t, pads, mode, -1), expected)


def test_the_later_axis_decides_between_constants() -> None:
    constants = [(-1, -2), (-3, -4)]
    made = oracle.pad(oracle.numbered((2, 2)), [(1, 2), (2, 1)], "constant", constants)
    expected = np.pad(numbers((2, 2)), [(1, 2), (2, 1)], constant_values=constants)
    assert same(made, expected)
    assert made.cells[0] == -3


@pytest.mark.parametrize("mode", oracle.MODES)
def test_a_negative_side_crops_the_extension(mode: str) -> None:
    """Extend both sides widely, then take the window: the definition of design.md."""
    for n, before, after in product(range(1, 5), range(-7, 4), range(-7, 8)):
        t = oracle.numbered((n,))
        if before + n + after < 0:
            with pytest.raises(oracle.Wrong):
                oracle.pad(t, [(before, after)], mode, -1)
            continue
        wide = oracle.pad(t, [(8, 8)], mode, -1)
        window = wide.cells[8 - before : 8 + n + after]
        assert oracle.pad(t, [(before, after)], mode, -1).cells == window


def test_the_reflected_example() -> None:
    t = oracle.numbered((3,))
    assert oracle.pad(t, [(-1, 2)], "reflect").cells == [1, 2, 1, 0]


@given(
    shape=st.sampled_from(SHAPES),
    walks=st.lists(st.tuples(st.integers(0, 4), st.integers(-4, 5)), max_size=3),
    offset=st.integers(0, 14),
)
def test_as_strided(
    shape: tuple[int, ...], walks: list[tuple[int, int]], offset: int
) -> None:
    """NumPy's as_strided, over memory wide enough for what lies outside too."""
    memory = np.arange(-40, 60)
    size, stride = tuple(n for n, _ in walks), tuple(s for _, s in walks)
    strides = [s * memory.itemsize for s in stride]
    expected = as_strided(memory[40 + offset :], size, strides)
    try:
        made = oracle.as_strided(oracle.numbered(shape), size, stride, offset)
    except oracle.Wrong:
        cells = oracle.size_of(shape)
        outside = (expected < 0) | (expected >= cells)
        assert outside.any() or (expected.size == 0 and offset > cells)
    else:
        assert same(made, expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_transpose_flip_reshape_broadcast(shape: tuple[int, ...]) -> None:
    x, t = numbers(shape), oracle.numbered(shape)
    assert same(oracle.transpose(t), x.T)
    order = [*range(1, len(shape)), 0][: len(shape)]
    assert same(oracle.transpose(t, order), x.transpose(order))
    assert same(oracle.flip(t), np.flip(x))
    for axis in range(-len(shape), len(shape)):
        assert same(oracle.flip(t, [axis]), np.flip(x, axis))
    assert same(oracle.reshape(t, (1, x.size, 1)), x.reshape(1, x.size, 1))
    for target in [(2, 2, 1, 3), (2, 3, 3), (4,), (0,), (3, 2, 1, 3), ()]:
        try:
            expected = np.broadcast_to(x, target)
        except ValueError:
            with pytest.raises(oracle.Wrong):
                oracle.broadcast_to(t, target)
        else:
            assert same(oracle.broadcast_to(t, target), expected)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_windows(step: int) -> None:
    x, t = numbers((5, 4)), oracle.numbered((5, 4))
    for wide, high in product(range(1, 5), repeat=2):
        expected = sliding_window_view(x, (high, wide))[::step, ::2]
        made = oracle.windows(t, [high, wide], [step, 2], [1, 1], [0, 1])
        assert same(made, expected)
        turned = oracle.windows(t, [wide, high], [2, step], [1, 1], [1, 0])
        assert same(turned, expected.swapaxes(2, 3))
    spread = sliding_window_view(x, 5, axis=0)[:, :, ::2]
    assert same(oracle.windows(t, [3], [1], [2], [0]), spread)
    with pytest.raises(oracle.Wrong):
        oracle.windows(t, [6], [1], [1], [0])


def test_writes() -> None:
    src = oracle.Tensor((2, 1), [-1, -2])
    x = numbers((5, 5))
    x[1:4:2, 3:0:-1] = [[-1], [-2]]
    t = oracle.numbered((5, 5))
    assert same(oracle.set_value(t, src, [1, 3], [4, 0], [2, -1]), x)
    entries = (slice(1, 4, 2), slice(3, 0, -1))
    assert same(oracle.assign(t, entries, src), x)
    with pytest.raises(oracle.Wrong):
        oracle.set_value(t, src, [1, 3], [4, -3], [2, -1])


def test_the_documented_write() -> None:
    dst = [14, -2, 2, -10, -12, -11, 3, 2, -18, 6, 1, -18, -12, 9, -6]
    dst += [16, -11, 6, -6, 3, 12, 18, 14, 10, 9]
    src = oracle.Tensor((3, 2), [1, 0, -4, 7, 9, -18])
    made = oracle.set_value(oracle.Tensor((5, 5), dst), src, [1, 2], [4, 4], [1, 1])
    expected = [14, -2, 2, -10, -12, -11, 3, 1, 0, 6, 1, -18, -4, 7, -6]
    expected += [16, -11, 9, -18, 3, 12, 18, 14, 10, 9]
    assert made.cells == expected
