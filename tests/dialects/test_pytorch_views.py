"""PyTorch's as_strided, narrow and flip over arrays: storage, bounds and refusals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from restride.dialects import pytorch as rt

STORAGE = np.arange(10)
X = STORAGE[2:8].reshape(2, 3)


def refused(function: Any, *args: Any, **kwargs: Any) -> rt.TorchError:
    """The refusal of a call."""
    with pytest.raises(rt.TorchError) as caught:
        function(*args, **kwargs)
    assert isinstance(caught.value, RuntimeError)
    return caught.value


def test_every_small_view_reads_the_storage_or_is_refused() -> None:
    inside = outside = 0
    offsets = (None, *range(11))
    for n, s, m, t, offset in itertools.product(
        range(4), range(4), (1, 3), (0, 2), offsets
    ):
        at = 2 if offset is None else offset
        if n == 0 or at + (n - 1) * s + (m - 1) * t < 10:
            made = rt.as_strided(X, (n, m), (s, t), offset)
            by_index = [[at + i * s + j * t for j in range(m)] for i in range(n)]
            assert made.shape == (n, m)
            assert made.tolist() == by_index
            inside += 1
        else:
            assert refused(rt.as_strided, X, (n, m), (s, t), offset).kind == "outside"
            outside += 1
    assert min(inside, outside) > 50


def test_the_storage_is_that_of_the_base_whatever_the_view() -> None:
    for view in (X.T, X[::-1], X[1:, ::2], X.view("u8")):
        assert rt.as_strided(view, (10,), (1,), 0).tolist() == list(range(10))
    assert rt.as_strided(X[::-1], (2,), (1,)).tolist() == [5, 6]


def test_views_share_memory_and_keep_what_is_read_only() -> None:
    base = np.arange(6)
    rt.as_strided(base, (2,), (3,))[:] = -1
    rt.narrow(base, 0, 4, 2)[:] = 7
    assert base.tolist() == [-1, 1, 2, -1, 7, 7]
    base.flags.writeable = False
    assert not rt.as_strided(base, (2,), (3,)).flags.writeable
    assert not rt.narrow(base, 0, 0, 2).flags.writeable


def test_memory_outlives_the_array_it_came_from() -> None:
    view = rt.as_strided(np.full(1000, 3), (2, 2), (1, 500))
    assert view.tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (((2,), (1, 1)), "stride"),
        (((2,), (-1,)), "stride"),
        (((2,), (1,), -1), "storage_offset"),
        (((-1,), (1,)), "size"),
        (((0, -1), (1, 1)), "size"),
        (((2**62, 2**62), (0, 0)), "too_large"),
        (((0, 2**62, 2**62), (0, 0, 0)), "too_large"),
        (((1,) * 65, (0,) * 65), "too_large"),
        (((2**60, 4), (0, 0)), "too_large"),
        (((0, 2**61), (0, 0)), "too_large"),
        (((2,), (2**62,)), "outside"),
        (((3,), (2**63 - 1,)), "outside"),
        (((2**70,), (1,)), "argument"),
        (((2**2000,), (1,)), "argument"),
        (((2,), (1,), 2**63), "argument"),
        (((2.0,), (1,)), "argument"),
        (((True,), (1,)), "argument"),
        ((3, 1), "argument"),
        (("ab", (1,)), "argument"),
        (({2}, (1,)), "argument"),
        (((2,), (1,), 1.0), "argument"),
        (((2,), (np.True_,)), "argument"),
        (((np.array([2]),), (1,)), "argument"),
    ],
)
def test_as_strided_refuses(given: Any, kind: str) -> None:
    error = refused(rt.as_strided, X, *given)
    assert error.kind == kind
    assert isinstance(error, TypeError) == (kind == "argument")


def test_a_stride_that_nobody_walks_may_be_anything() -> None:
    assert rt.as_strided(X, (1, 2), (2**63 - 1, 1)).tolist() == [[2, 3]]
    assert rt.as_strided(X, (0,), (5,), 2**62).tolist() == []


def test_arrays_of_odd_spacing_have_no_storage() -> None:
    record = np.zeros(3, [("a", "i4"), ("b", "u1")])["a"]
    assert refused(rt.as_strided, record, (1,), (1,)).kind == "stride"
    assert rt.narrow(record, 0, 1, 2).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ((0, 0, 1), [[2, 3, 4]]),
        ((1, 1, 2), [[3, 4], [6, 7]]),
        ((-1, -2, 2), [[3, 4], [6, 7]]),
        ((0, 2, 0), []),
        ((1, np.int8(0), np.uint64(1)), [[2], [5]]),
    ],
)
def test_narrow(given: Any, result: list[Any]) -> None:
    assert rt.narrow(X, *given).tolist() == result


@pytest.mark.parametrize(
    ("given", "kind", "like"),
    [
        ((2, 0, 1), "dim", IndexError),
        ((-3, 0, 1), "dim", IndexError),
        ((0, 3, 0), "start", IndexError),
        ((0, -3, 1), "start", IndexError),
        ((0, 0, 3), "length", RuntimeError),
        ((0, -1, 2), "length", RuntimeError),
        ((0, 0, -1), "length", RuntimeError),
        ((0, 0, 2**63 - 1), "length", RuntimeError),
        ((0, 2**63, 0), "argument", TypeError),
        ((0, True, 0), "argument", TypeError),
        ((0, None, 0), "argument", TypeError),
        ((0.0, 0, 0), "argument", TypeError),
    ],
)
def test_narrow_refuses(given: Any, kind: str, like: type[Exception]) -> None:
    error = refused(rt.narrow, X, *given)
    assert error.kind == kind
    assert isinstance(error, like)


def test_flip_reverses_and_copies() -> None:
    for dims in ([], [0], [-1], (0, 1), [1, -2]):
        axes = tuple(d % 2 for d in dims)
        made = rt.flip(X, dims)
        assert made.tolist() == np.flip(X, axes).tolist()
        assert not np.shares_memory(made, X)
    scalar = np.array(5)
    assert rt.flip(scalar, (0,)).tolist() == rt.flip(scalar, ()).tolist() == 5


@pytest.mark.parametrize(
    ("dims", "kind"),
    [((0, 0), "dim"), ((0, -2), "dim"), ((2,), "dim"), (0, "argument")],
)
def test_flip_refuses(dims: Any, kind: str) -> None:
    assert refused(rt.flip, X, dims).kind == kind


def test_flip_lacks_what_pytorch_lacks() -> None:
    error = refused(rt.flip, X.astype("u4"), (0,))
    assert (error.kind, isinstance(error, NotImplementedError)) == ("dtype", True)
    assert rt.flip(X.astype("u4"), ()).tolist() == X.tolist()


def test_no_axes() -> None:
    scalar = np.array(5)
    assert refused(rt.narrow, scalar, 0, 0, 0).kind == "rank"
    assert rt.as_strided(scalar, (), ()).tolist() == 5
    assert rt.as_strided(scalar, (3,), (0,)).tolist() == [5, 5, 5]
