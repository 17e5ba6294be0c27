"""PyTorch's scatters over arrays: the cells written, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from restride.dialects import pytorch as rt

X = np.arange(12).reshape(3, 4)


def refused(function: Any, *args: Any, **kwargs: Any) -> rt.TorchError:
    """The refusal of a call."""
    with pytest.raises(rt.TorchError) as caught:
        function(*args, **kwargs)
    return caught.value


def test_slice_scatter_writes_what_a_slice_reads() -> None:
    bounds = (None, -5, -1, 0, 1, 3, 9)
    for dim, start, end, step in itertools.product((0, -1), bounds, bounds, (1, 2)):
        index = (slice(start, end, step),)
        expected = X.copy()
        cells = expected[index] if dim == 0 else expected[:, index[0]]
        src = np.full(cells.shape, -1)
        cells[...] = -1
        made = rt.slice_scatter(X, src, dim, start, end, step)
        assert made.tolist() == expected.tolist()
    assert X.min() == 0


@pytest.mark.parametrize(("dim", "index"), [(0, 0), (0, -1), (1, 3), (-2, -3)])
def test_select_scatter_writes_what_an_index_reads(dim: int, index: int) -> None:
    expected = X.copy()
    cells = np.moveaxis(expected, dim, 0)[index]
    cells[...] = np.arange(cells.size) - 9
    made = rt.select_scatter(X, cells.copy(), dim, index)
    assert made.tolist() == expected.tolist()


def test_as_strided_scatter_writes_storage_and_shows_the_input() -> None:
    view = X[:, 1:3]
    made = rt.as_strided_scatter(view, np.array([-1, -2]), (2,), (1,), 2)
    assert made.tolist() == [[1, -1], [5, 6], [9, 10]]  # -2 lies beside the view
    made = rt.as_strided_scatter(view.T, np.array([[-1], [-2]]), (2, 1), (4, 7))
    assert made.tolist() == [[-1, -2, 9], [2, 6, 10]]
    assert X.tolist() == np.arange(12).reshape(3, 4).tolist()


@pytest.mark.parametrize(
    ("function", "src", "given", "kind"),
    [
        ("slice_scatter", np.zeros((1, 4), int), {}, "src"),
        ("slice_scatter", np.zeros((3, 4)), {}, "dtype"),
        ("slice_scatter", np.zeros((3, 4), int), {"step": 0}, "step"),
        ("slice_scatter", np.zeros((3, 4), int), {"step": None}, "argument"),
        ("slice_scatter", np.zeros((3, 4), int), {"dim": 2}, "dim"),
        ("slice_scatter", np.zeros((3, 4), int), {"start": 2**63}, "argument"),
        ("slice_scatter", np.zeros((3, 4), int), {"end": True}, "argument"),
        ("slice_scatter", [[1]], {}, "input"),
        ("select_scatter", np.zeros(4, int), {"dim": 0, "index": 3}, "index"),
        ("select_scatter", np.zeros(4, int), {"dim": 1, "index": 0}, "src"),
        ("select_scatter", np.zeros(4, int), {"dim": -3, "index": 0}, "dim"),
        ("as_strided_scatter", np.zeros(2, int), {"size": (2,), "stride": (12,)}, "x"),
        ("as_strided_scatter", np.zeros(2, int), {"size": (2,), "stride": (0,)}, "o"),
        ("as_strided_scatter", np.zeros(1, int), {"size": (2,), "stride": (1,)}, "src"),
    ],
)
def test_refused(function: str, src: Any, given: dict[str, Any], kind: str) -> None:
    kind = {"x": "outside", "o": "overlap"}.get(kind, kind)
    assert refused(getattr(rt, function), X, src, **given).kind == kind


def test_overlaps_are_refused() -> None:
    src = np.zeros((2, 2), int)
    assert refused(rt.as_strided_scatter, X, src, (2, 2), (1, 1)).kind == "overlap"
    repeated = np.broadcast_to(X[0], (3, 4))
    error = refused(rt.as_strided_scatter, repeated, src, (2, 2), (2, 1))
    assert error.kind == "overlap"


def test_no_axes() -> None:
    scalar = np.array(5)
    for function, given in [
        (rt.slice_scatter, (0,)),
        (rt.select_scatter, (0, 0)),
    ]:
        error = refused(function, scalar, scalar, *given)
        assert (error.kind, isinstance(error, IndexError)) == ("rank", True)
    made = rt.as_strided_scatter(scalar, np.array(6), (), ())
    assert made.tolist() == 6
