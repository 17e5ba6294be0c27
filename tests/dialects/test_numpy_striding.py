"""NumPy's stride tricks in the dialect: NumPy's views, and nothing outside memory."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from restride.dialects import numpy as rnp

TRICKS = np.lib.stride_tricks
X = np.arange(12, dtype=np.int16).reshape(3, 4)


def test_every_small_call_is_numpys_or_leaves_the_memory() -> None:
    base = np.arange(8, dtype=np.uint8)
    x = base[3:6]
    inside = outside = 0
    for n, s, m, t in itertools.product(range(4), range(-4, 5), range(1, 3), (-1, 2)):
        reach = [(n - 1) * s, (m - 1) * t]
        low, high = (sum(f(r, 0) for r in reach) + 3 for f in (min, max))
        if n == 0 or (low >= 0 and high < 8):
            ours = rnp.as_strided(x, (n, m), (s, t))
            numpys = TRICKS.as_strided(x, (n, m), (s, t))
            assert ours.tolist() == numpys.tolist()
            assert ours.__array_interface__ == numpys.__array_interface__
            inside += 1
        else:
            with pytest.raises(rnp.NumpyError, match="its memory is") as caught:
                rnp.as_strided(x, (n, m), (s, t))
            assert caught.value.kind == "outside"
            outside += 1
    assert min(inside, outside) > 20


@pytest.mark.parametrize(
    ("shape", "strides", "kind"),
    [
        ((2,), (1, 1), "strides"),
        (None, (1,), "strides"),
        ((-1,), (1,), "shape"),
        ((1,) * 65, (0,) * 65, "shape"),
        ((2**62, 2**62), (0, 0), "too_large"),
        ((0,), (2**70,), "too_large"),
        ((2**2000,), (1,), "too_large"),
        ((2.0,), (1,), "shape"),
        (3, (1,), "shape"),
        ("ab", (1, 1), "shape"),
        ((2,), None, "strides"),
        ((2,), (np.nan,), "strides"),
        (itertools.count(), itertools.count(), "shape"),
    ],
)
def test_refused(shape: Any, strides: Any, kind: str) -> None:
    with pytest.raises(rnp.NumpyError) as caught:
        rnp.as_strided(X, shape, strides)
    assert caught.value.kind == kind


def test_the_view_is_as_writeable_as_numpys() -> None:
    seen = rnp.as_strided(X.copy(), (3, 3), (2, 2))
    assert seen.flags.writeable
    assert not rnp.as_strided(X, (3, 3), (2, 2), writeable=False).flags.writeable
    frozen = X.copy()
    frozen.flags.writeable = False
    assert not rnp.as_strided(frozen, (3,), (2,)).flags.writeable


def test_subclasses_are_kept_when_asked() -> None:
    class Mine(np.ndarray):
        pass

    x = X.view(Mine)
    assert type(rnp.as_strided(x, (2,), (2,), subok=True)) is Mine
    assert type(rnp.as_strided(x, (2,), (2,))) is np.ndarray
    assert type(rnp.sliding_window_view(x, (2, 2), subok=True)) is Mine
    with pytest.raises(rnp.NumpyError, match="mask"):
        rnp.as_strided(np.ma.array([1]), (1,), (0,), subok=True)


def test_objects_are_met_on_their_own_axes_only() -> None:
    x = np.array([object(), "b", 3], dtype=object)
    assert rnp.as_strided(x, (2, 2), (8, 8)).tolist() == [[x[0], "b"], ["b", 3]]
    assert rnp.sliding_window_view(x[::-1], 2).tolist() == [[3, "b"], ["b", x[0]]]
    for shape, strides in [((2,), (4,)), ((2,), (1,))]:
        with pytest.raises(rnp.NumpyError) as caught:
            rnp.as_strided(x, shape, strides)
        assert caught.value.kind == "objects"
    record = np.zeros(3, dtype=[("a", "i8"), ("b", "O")])["b"]
    assert rnp.as_strided(record, (2,), (16,)).tolist() == [0, 0]
    with pytest.raises(rnp.NumpyError):
        rnp.as_strided(record, (2,), (8,))


@pytest.mark.parametrize(
    ("window", "axis"),
    [
        ((2, 2), None),
        (2, 0),
        (3, -1),
        ((2, 3), (1, 1)),
        (0, 0),
        ((1, 4), (0, 1)),
        ((3, 1, 2), (0, 1, 1)),
    ],
)
def test_sliding_windows_are_numpys(window: Any, axis: Any) -> None:
    for x in (X, X.T, X[::-1, ::2], np.asfortranarray(X)):
        try:
            numpys = TRICKS.sliding_window_view(x, window, axis)
        except ValueError as error:
            with pytest.raises(rnp.NumpyError, match=str(error)):
                rnp.sliding_window_view(x, window, axis)
            continue
        ours = rnp.sliding_window_view(x, window, axis)
        assert ours.__array_interface__ == numpys.__array_interface__


@pytest.mark.parametrize(
    ("window", "axis", "kind"),
    [
        (2, None, "window_shape"),
        ((2, 2), 0, "window_shape"),
        (-1, 0, "window_shape"),
        (4, 0, "window_shape"),
        (2**70, 0, "window_shape"),
        (2.5, 0, "window_shape"),
        ("2", 0, "window_shape"),
        (2, 2, "axis"),
        (2, -3, "axis"),
        (2, "x", "axis"),
    ],
)
def test_windows_refused(window: Any, axis: Any, kind: str) -> None:
    with pytest.raises(rnp.NumpyError) as caught:
        rnp.sliding_window_view(X, window, axis)
    assert caught.value.kind == kind
    expected = outcome(window, axis)
    assert isinstance(expected, Exception)
    if kind == "axis" and isinstance(axis, int):
        assert isinstance(caught.value, IndexError)


def outcome(window: Any, axis: Any) -> Any:
    try:
        return TRICKS.sliding_window_view(X, window, axis)
    except Exception as error:
        return error


def test_windows_are_read_only_unless_asked() -> None:
    assert not rnp.sliding_window_view(X.copy(), (1, 2)).flags.writeable
    assert rnp.sliding_window_view(X.copy(), (1, 2), writeable=True).flags.writeable
