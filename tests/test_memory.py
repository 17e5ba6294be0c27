"""The memory that an array may see: its own, or that of what it is a view of."""

from __future__ import annotations

import numpy as np
import pytest

from restride.arrays import whole_memory

X = np.arange(24, dtype=np.int32).reshape(4, 6)


@pytest.mark.parametrize(
    ("view", "element"),
    [
        (X, 0),
        (X[1:, 2:], 8),
        (X[::-1, ::2], 18),
        (X.T[3], 3),
        (np.broadcast_to(X[1], (3, 6)), 6),
        (X[1:].view("u1")[:, 4:], 7),
    ],
)
def test_a_view_sees_the_memory_of_its_base(view: np.ndarray, element: int) -> None:
    line, at = whole_memory(view)
    assert np.shares_memory(line, X)
    assert (line.tobytes(), at) == (X.tobytes(), element * 4)


def test_what_has_no_array_below_it_sees_itself() -> None:
    view = np.frombuffer(bytes(range(10)), np.uint8, 4, 3)
    line, at = whole_memory(view)
    assert (line.tolist(), at, line.flags.writeable) == ([3, 4, 5, 6], 0, False)


def test_strides_set_without_a_check_are_believed_no_further() -> None:
    x = np.arange(4)
    wild = np.lib.stride_tricks.as_strided(x[2:], (2,), (8,))
    line, at = whole_memory(wild)
    assert (line.size, at) == (16, 0)


def test_the_bytes_keep_the_memory_alive() -> None:
    line, _ = whole_memory(np.full(1000, 7, np.uint8))
    assert line.sum() == 7000
