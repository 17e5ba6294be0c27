"""The forms of pad's constants and widths, and what is said of others."""

from __future__ import annotations

import numpy as np
import pytest

import restride as rs
from restride.ops.pad import COMPUTED

X = np.arange(6).reshape(1, 2, 3)


def by_hand(x, axis, before, after):
    """One of `before` and one of `after` around one axis, by NumPy's concatenate."""
    side = np.take(x, [0], axis)
    sides = [np.full_like(side, before), x, np.full_like(side, after)]
    return np.concatenate(sides, axis)


def test_a_value_per_axis_is_for_three_axes_or_more():
    wanted = by_hand(by_hand(by_hand(X, 0, 7, 7), 1, 8, 8), 2, 9, 9)
    assert (rs.pad(X, 1, constant_values=[7, 8, 9]) == wanted).all()
    wanted = by_hand(by_hand(X[0], 0, 7, 8), 1, 7, 8)
    assert (rs.pad(X[0], 1, constant_values=[7, 8]) == wanted).all()


@pytest.mark.parametrize("axes", [(2, 0), [-1, -3]])
@pytest.mark.parametrize("constants", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]])])
def test_constants_speak_of_the_axes_named(axes, constants):
    wanted = by_hand(by_hand(X, 0, 3, 4), 2, 1, 2)
    seen = rs.view(X).pad(1, "constant", constants, axes=axes)
    assert (seen.copy() == wanted).all()
    words = {"constant_values": constants, "axes": axes}
    assert (rs.pad(X, 1, **words, strict=True) == wanted).all()
    (step,) = seen.steps
    assert step.chain() == seen.chain


def test_constants_of_other_axes_are_refused():
    with pytest.raises(rs.ShapeError, match=r"for 1 axis give .*or \[1, 2\] values"):
        rs.pad(X, 1, constant_values=[7, 8, 9], axes=0)
    with pytest.raises(rs.ShapeError, match=r"for 2 axes give .*or \[2, 2\] values"):
        rs.pad(X, 1, constant_values=[[1, 2]] * 3, axes=(0, 1))
    with pytest.raises(rs.ShapeError, match="a dict was given"):
        rs.pad(X, 1, constant_values={0: 1}, axes=0)
    with pytest.raises(rs.ShapeError, match="3 values, one per axis, or"):
        rs.pad(X, 1, constant_values=[1, 2, 3, 4])


def test_constants_have_no_effect_in_other_modes():
    wanted = np.pad(X[0], 1, "edge")
    assert (rs.pad(X[0], 1, "edge", [1, 2, 3], axes=(0, 1)) == wanted).all()


def test_translations_read_the_axes_of_constants():
    params = {"paddings": 1, "constant_values": [[7, 8]], "axes": [1]}
    call = rs.translate.Call("restride", "pad", params)
    (made,) = rs.translate.translate(call, "numpy", (2, 3)).calls
    padded = np.pad(X[0], **made.params)
    assert (padded == by_hand(X[0], 1, 7, 8)).all()


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("reflect_101", "Here that is 'reflect'."),
        ("BORDER_REFLECT_101", "Here that is 'reflect'."),
        ("BORDER_REFLECT", "Here that is 'symmetric'."),
        ("BORDER_REPLICATE", "Here that is 'edge'."),
        ("replicate", "Here that is 'edge'."),
        ("grid-wrap", "Here that is 'wrap'."),
        ("Constant", "Here that is 'constant'."),
        ("median", "restride.dialects.numpy.pad has it."),
        ("other", "symmetric, wrap, REFLECT, SYMMETRIC."),
    ],
)
def test_modes_by_the_names_of_others(word, hint):
    with pytest.raises(rs.ShapeError) as error:
        rs.pad(X, 1, word)
    assert str(error.value).endswith(hint)


@pytest.mark.parametrize("mode", COMPUTED)
def test_the_dialect_has_what_the_hint_says(mode):
    assert rs.dialects.numpy.pad(X[0], 1, mode).shape == (4, 5)


def test_constants_of_some_dimensions_by_name():
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("restride.xarray")
    named, words = xarray.DataArray(X, dims=("a", "b", "c")), {"a": 5, "c": (1, 2)}
    made = named.restride.pad({"a": 1, "c": 1}, constant_values=words)
    assert (made.values == by_hand(by_hand(X, 0, 5, 5), 2, 1, 2)).all()
