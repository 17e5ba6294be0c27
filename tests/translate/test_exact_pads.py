"""A translated pad, or a translated view, holds the same elements, wherever it goes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import oracle
import pytest
from drawn import OPSETS, pads, strided
from hypothesis import given
from running import FULL, attempt, numbered, run

from restride.errors import ShapeError
from restride.translate import Call, RefusedError, translate

Array = np.ndarray[Any, Any]

NARROW = {"reflect": -1, "symmetric": 0, "wrap": 0}
"""Past the extent, the widest pad that every target takes whose words have the mode."""


def same(made: Any, wanted: oracle.Tensor, x: Array) -> None:
    got = run(made, x)
    assert got.shape == wanted.shape, made.calls
    assert got.ravel().tolist() == wanted.cells, made.calls


@given(pads(), OPSETS)
def test_a_pad_of_a_known_shape(drawn: Any, opset: int) -> None:
    shape, call, pairs, mode, fills = drawn
    wanted = oracle.pad(oracle.numbered(shape), pairs, mode, fills)
    x = numbered(shape)
    for to in FULL:
        same(translate(call, to, shape, opset=opset, dtype="int64"), wanted, x)


@given(pads())
def test_a_pad_in_ascends_words(drawn: Any) -> None:
    """PadV3 has no width beyond the axis, so some pads become several."""
    shape, call, pairs, mode, fills = drawn
    wanted = oracle.pad(oracle.numbered(shape), pairs, mode, fills)
    same(translate(call, "cann", shape), wanted, numbered(shape))
    made, why = attempt(call, "aclnn", shape=shape)
    if made is None:
        assert mode != "constant"
        assert "dialect cann" in why
    elif 0 not in wanted.shape:  # an empty axis beside a pad is refused there
        same(made, wanted, numbered(shape))


@given(pads())
def test_a_pad_of_a_known_rank(drawn: Any) -> None:
    """Such calls hold for every shape, or a note tells the least that they need."""
    shape, call, pairs, mode, fills = drawn
    wanted = oracle.pad(oracle.numbered(shape), pairs, mode, fills)
    narrow = all(
        max(p) <= n + NARROW.get(mode, 99) for n, p in zip(shape, pairs, strict=True)
    )
    crops = any(min(pair) < -n for n, pair in zip(shape, pairs, strict=True))
    for to in (*FULL, "cann"):
        made, why = attempt(call, to, rank=len(shape))
        if made is None:
            assert "needs the input's shape" in why
            continue
        assert made.any_shape
        if narrow and not crops:
            same(made, wanted, numbered(shape))
        elif not narrow and to in ("tensorflow", "cann"):
            assert "at least" in made.notes[0]


@given(strided())
def test_strides_are_kept(drawn: Any) -> None:
    shape, words = drawn
    wanted = oracle.as_strided(oracle.numbered(shape), **words)
    call, x = Call("restride", "as_strided", words), numbered(shape)
    for to in FULL:
        same(translate(call, to, shape), wanted, x)
        made = translate(call, to)
        assert made.any_shape
        same(made, wanted, x)


@given(strided())
def test_strides_in_ascends_words(drawn: Any) -> None:
    shape, words = drawn
    wanted = oracle.as_strided(oracle.numbered(shape), **words)
    call = Call("restride", "as_strided", words)
    for to in ("atb", "cann"):
        made, _ = attempt(call, to, shape=shape)
        if made is None:
            odd = 0 in words["size"] or not words["size"] or min(words["stride"]) < 0
            assert to == "cann" or odd
        else:
            same(made, wanted, numbered(shape))


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
@pytest.mark.parametrize("pads", [(2, 0, -2, 0), (1, -1, -1, 2)])
def test_an_empty_axis_has_nothing_to_repeat(mode: str, pads: Any) -> None:
    """A pad that is cropped to nothing again has no stages."""
    call = Call("onnx", "Pad", {"pads": pads, "mode": mode})
    for to in FULL:
        with suppress(ShapeError, RefusedError):
            assert translate(call, to, (0, 4)).calls
    with pytest.raises(ShapeError, match="no element to repeat"):
        translate(call, "cann", (0, 4))
