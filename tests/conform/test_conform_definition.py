"""The definitions agree with the tests' own oracle, which shares nothing with them."""

from __future__ import annotations

from itertools import product

import numpy as np
import oracle
import pytest

from restride.conform import definition

MODES = {
    "edge": "edge",
    "reflect": "reflect",
    "symmetric": "symmetric",
    "circular": "wrap",
}


def numbers(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.arange(oracle.size_of(shape)).reshape(shape)


def cells(t: oracle.Tensor) -> list[object]:
    return list(t.cells)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("mode", [*MODES, "constant"])
def test_pad(mode: str, n: int) -> None:
    most = {"reflect": n - 1, "symmetric": n, "circular": n}.get(mode, n + 3)
    count = 0
    for before, after in product(range(-n, most + 1), repeat=2):
        if before + n + after < 0:
            continue
        pads = [(0, 1 if mode == "constant" else 0), (before, after)]
        made = definition.pad(numbers(2, n), pads, mode, -7)
        told = oracle.pad(
            oracle.numbered((2, n)), pads, MODES.get(mode, "constant"), -7
        )
        assert made.shape == told.shape
        assert made.reshape(-1).tolist() == cells(told), (before, after)
        count += 1
    assert count > n


def test_pad_of_no_axes_and_of_no_elements() -> None:
    assert definition.pad(np.int8(3) * np.ones((), np.int8), [], "constant", 0) == 3
    assert definition.pad(numbers(0, 2), [(1, 1), (0, 0)], "constant", 5).tolist() == [
        [5, 5],
        [5, 5],
    ]
    assert definition.pad(numbers(0, 2), [(0, 0), (1, 1)], "edge", 0).shape == (0, 4)


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [((2, 3), (4, 1), 1), ((3,), (0,), 11), ((2, 2, 2), (1, 3, 2), 0), ((), (), 5)],
)
def test_as_strided(
    size: tuple[int, ...], stride: tuple[int, ...], offset: int
) -> None:
    made = definition.as_strided(numbers(3, 4), size, stride, offset)
    told = oracle.as_strided(oracle.numbered((3, 4)), size, stride, offset)
    assert (made.shape, made.reshape(-1).tolist()) == (told.shape, cells(told))


def test_set_value() -> None:
    dst, src = numbers(3, 4), -numbers(2, 2) - 1
    told = oracle.set_value(
        oracle.numbered((3, 4)),
        oracle.Tensor((2, 2), [-1, -2, -3, -4]),
        (1, 1),
        (3, 3),
        (1, 1),
    )
    made = definition.set_value(dst, src, (1, 1), (3, 3))
    assert made.reshape(-1).tolist() == cells(told)
    assert dst.tolist() == numbers(3, 4).tolist()


MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")


def test_strided_slice_over_every_mask_of_two_entries() -> None:
    count = 0
    ranges = [(-5, 9, 2), (2, -9, -1), (1, 3, 1)]
    for masks, first, second in product(
        product(range(4), repeat=5), ranges, ranges[::2]
    ):
        if masks[2] == 3:
            continue
        lists = list(zip(first, second, strict=True))
        named = dict(zip(MASKS, masks, strict=True))
        words = {f"{name}_mask": bits for name, bits in named.items()}
        try:
            told = oracle.strided_slice(oracle.numbered((3, 4)), *lists, **words)
        except oracle.Wrong:
            continue
        made = definition.strided_slice(numbers(3, 4), lists, named)
        assert (made.shape, made.reshape(-1).tolist()) == (told.shape, cells(told))
        count += 1
    assert count > 1000
