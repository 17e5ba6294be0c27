"""A translated slice reads the elements that it read before, wherever it goes.

NumPy's own indexing, the oracle, or ONNX's text says which those are; the translated
text is pasted and run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import pytest
from drawn import OPSETS, indices, masked, onnx_slices
from hypothesis import given
from running import FULL, attempt, numbered, run

from restride.translate import Call, RefusedError, translate

Array = np.ndarray[Any, Any]


def same(made: Any, wanted: Array, x: Array, *src: Array) -> None:
    np.testing.assert_array_equal(run(made, x, *src), wanted, str(made.calls))


@given(indices(), OPSETS)
def test_an_index_of_a_known_shape(drawn: Any, opset: int) -> None:
    shape, entries = drawn
    x = numbered(shape)
    for to in FULL:
        same(translate(entries, to, shape, opset=opset), x[entries], x)


@given(indices(), OPSETS)
def test_an_index_of_a_known_rank(drawn: Any, opset: int) -> None:
    shape, entries = drawn
    x = numbered(shape)
    ranges = [e for e in entries if isinstance(e, slice)]
    for to in FULL:
        if to == "onnx":
            if opset < 10 and any(e.step not in (None, 1) for e in ranges):
                with pytest.raises(RefusedError, match="needs the input's shape"):
                    translate(entries, to, rank=len(shape), opset=opset)
                continue
            if any((e.step or 1) < 0 and (e.start or 0) < -1 for e in ranges):
                continue  # a note says where ONNX starts at element 0
        made = translate(entries, to, rank=len(shape), opset=opset)
        assert made.any_shape
        same(made, x[entries], x)


@given(indices())
def test_ascend_reads_the_same_or_says_why(drawn: Any) -> None:
    shape, entries = drawn
    x = numbered(shape)
    wanted = x[entries]
    same(translate(entries, "cann", shape), wanted, x)
    if 0 not in shape:  # of an empty input, aclnn leaves its output as it was
        same(translate(entries, "aclnn", shape), wanted, x)
    backward = any(isinstance(e, slice) and (e.step or 1) < 0 for e in entries)
    made, _ = attempt(entries, "atb", shape=shape)
    if made is None:
        assert backward or 0 in (*shape, *wanted.shape) or not (shape and wanted.shape)
    else:
        same(made, wanted, x)


@given(masked())
def test_lists_and_masks_are_read(drawn: Any) -> None:
    shape, words = drawn
    x = numbered(shape)
    try:
        made = oracle.strided_slice(oracle.numbered(shape), **words)
    except oracle.Wrong:
        made = None
    for dialect in ("tensorflow", "cann", "aclnn", "restride"):
        op = "aclnn_strided_slice" if dialect == "aclnn" else "strided_slice"
        call = Call(dialect, op, words)
        if made is None:
            with pytest.raises(ValueError, match=r"\w"):
                translate(call, "numpy", shape)
            continue
        for to in FULL if dialect == "tensorflow" else ("numpy",):
            wanted = np.array(made.cells, np.int64).reshape(made.shape)
            same(translate(call, to, shape), wanted, x)


def by_onnx_text(x: Array, words: dict[str, Any]) -> Array:
    """Slice-13 by its text, element by element."""
    index = [np.arange(n) for n in x.shape]
    columns = zip(*(words[k] for k in ("axes", "starts", "ends", "steps")), strict=True)
    for axis, start, end, step in columns:
        n = x.shape[axis]
        low, high = (0, n) if step > 0 else (-1, n - 1)
        start = min(max(start + n * (start < 0), 0), high)
        end = min(max(end + n * (end < 0), low), high)
        index[axis] = np.array(range(start, end, step), np.int64)
    return x[np.ix_(*index)]


@given(onnx_slices())
def test_onnx_slices_are_read(drawn: Any) -> None:
    shape, words = drawn
    x = numbered(shape)
    for to in FULL:
        made = translate(Call("onnx", "Slice", words), to, shape)
        same(made, by_onnx_text(x, words), x)


@given(onnx_slices())
def test_onnx_slices_of_an_unknown_shape(drawn: Any) -> None:
    """Exact on every shape, or a note says on which they are not."""
    shape, words = drawn
    x = numbered(shape)
    for to in FULL:
        made, why = attempt(Call("onnx", "Slice", words), to, rank=len(shape))
        if made is None:
            assert why
        elif made.any_shape:
            same(made, by_onnx_text(x, words), x)
        else:
            assert any("shorter than" in note for note in made.notes)


@pytest.mark.parametrize(
    ("spec", "to"),
    [
        ("x[-8::-1]", "onnx"),
        (Call("onnx", "Slice", {"starts": [-8], "ends": [-9], "steps": [-1]}), "numpy"),
    ],
)
def test_what_differs_on_short_axes_is_not_for_any_shape(spec: Any, to: str) -> None:
    made = translate(spec, to)
    assert not made.any_shape
    assert [note for note in made.notes if "shorter than 8" in note]
    assert translate(spec, to, (4,)).calls != made.calls


@given(indices())
def test_there_and_back_again(drawn: Any) -> None:
    """Through every dialect in a row, each read from the words of the one before."""
    shape, entries = drawn
    x = numbered(shape)
    spec: Any = entries
    for to in ("tensorflow", "onnx", "cann", "numpy", "restride", "pytorch", "numpy"):
        spec = translate(spec, to, shape)
    same(spec, x[entries], x)


@given(indices())
def test_a_write_fills_the_same_cells(drawn: Any) -> None:
    shape, entries = drawn
    x = numbered(shape)
    src = -1 - numbered(x[entries].shape)
    wanted = x.copy()
    wanted[entries] = src
    spec = Call("numpy", "setitem", {"index": entries})
    for to in FULL:
        if to == "onnx" and not shape:
            with pytest.raises(RefusedError, match="no tensor without axes"):
                translate(spec, to, shape)
            continue
        same(translate(spec, to, shape), wanted, x, src)
    made, why = attempt(spec, "atb", shape=shape)
    if made is None:
        assert "exactly one axis" in why or "1 to 8 axes" in why
    else:
        words = made.calls[0].params
        region = [e - s for s, e in zip(words["starts"], words["ends"], strict=True)]
        same(made, wanted, x, src.reshape(region))
