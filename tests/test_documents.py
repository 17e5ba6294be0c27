"""Every example of the operator documents, and every bound they state.

The documents: AsStridedOperation and SetValueOperation (Ascend Transformer Boost API
reference), PadV3 (CANN ops-math), StridedSlice (TensorFlow API reference).  Where a
document contradicts itself, ``docs/semantics.md`` says which reading is followed.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import restride as rs

Array = np.ndarray[Any, Any]

pytestmark = pytest.mark.usefixtures("engine")

# ------------------------------------------------------------------------ AsStrided

NINE = np.arange(1, 10).reshape(3, 3)


@pytest.mark.parametrize("dtype", [np.float16, np.int64])
@pytest.mark.parametrize(
    ("offset", "expected"), [(0, [[1, 4], [3, 6]]), (2, [[3, 6], [5, 8]])]
)
def test_as_strided(offset: int, expected: list[Any], dtype: Any) -> None:
    x = NINE.astype(dtype)
    y = rs.as_strided(x, [2, 2], [2, 3], offset, strict=True)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.array(expected, dtype), strict=True)


def test_as_strided_mapping() -> None:
    """``outTensor[i][j] -> v_inTensor[i * stride[0] + j * stride[1] + offset[0]]``."""
    y, flat = rs.as_strided(NINE, [2, 2], [2, 3], 1), NINE.ravel()
    for i in range(2):
        for j in range(2):
            assert y[i, j] == flat[i * 2 + j * 3 + 1]


def test_as_strided_reads_the_row_major_order_whatever_the_memory() -> None:
    seen = np.asfortranarray(NINE)
    assert rs.as_strided(seen, [2, 2], [2, 3]).tolist() == [[1, 4], [3, 6]]


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [
        ([1] * 9, [1] * 9, 0),
        ([2, 0], [1, 1], 0),
        ([2, 2], [1, -1], 4),
        ([2], [1, 1], 0),
        ([2, 2], [1, 1], -1),
    ],
    ids=["nine axes", "size 0", "stride -1", "lengths differ", "offset -1"],
)
def test_as_strided_restrictions(
    size: list[int], stride: list[int], offset: int
) -> None:
    with pytest.raises(rs.RestrideError):
        rs.as_strided(NINE, size, stride, offset, strict=True)


def test_as_strided_takes_all_that_the_document_allows() -> None:
    assert rs.as_strided(NINE, [1] * 8, [9] * 8, 8, strict=True).item() == 9
    assert rs.as_strided(NINE, [3], [0], 4, strict=True).tolist() == [5, 5, 5]
    assert rs.as_strided(NINE, [3], [4], 0, strict=True).tolist() == [1, 5, 9]
    with pytest.raises(rs.BoundsError):
        rs.as_strided(NINE, [3], [4], 1, strict=True)


def test_as_strided_beyond_the_document() -> None:
    """Not strict: negative strides, size 0 and more than eight axes are defined."""
    assert rs.as_strided(NINE, [3], [-4], 8).tolist() == [9, 5, 1]
    assert rs.as_strided(NINE, [0, 2], [1, 1], 9).shape == (0, 2)
    assert rs.as_strided(NINE, [], [], 3).item() == 4
    assert rs.as_strided(NINE, [1] * 64, [0] * 64).ndim == 64
    with pytest.raises(rs.BoundsError):
        rs.as_strided(NINE, [0], [1], 10)
    with pytest.raises(rs.ShapeError):
        rs.as_strided(NINE, [1] * 65, [0] * 65)


# ------------------------------------------------------------------------- SetValue

DST = [
    [14, -2, 2, -10, -12],
    [-11, 3, 2, -18, 6],
    [1, -18, -12, 9, -6],
    [16, -11, 6, -6, 3],
    [12, 18, 14, 10, 9],
]
SRC = [[1, 0], [-4, 7], [9, -18]]
WRITTEN = [
    [14, -2, 2, -10, -12],
    [-11, 3, 1, 0, 6],
    [1, -18, -4, 7, -6],
    [16, -11, 9, -18, 3],
    [12, 18, 14, 10, 9],
]
DOCUMENTED = [np.float16, np.float32, np.int32, np.int64, ml_dtypes.bfloat16]


@pytest.mark.parametrize("dtype", DOCUMENTED)
def test_set_value(dtype: Any) -> None:
    dst, src = np.array(DST, dtype), np.array(SRC, dtype)
    result = rs.set_value(dst, src, [1, 2], [4, 4], [1, 1], strict=True)
    assert result is dst
    np.testing.assert_array_equal(dst, np.array(WRITTEN, dtype), strict=True)


def test_set_value_is_an_assignment_to_a_slice() -> None:
    """``dst[starts[0]:ends[0], starts[1]:ends[1], starts[2]:ends[2]] = src``."""
    dst = np.arange(60).reshape(3, 4, 5)
    src = -np.arange(24).reshape(2, 4, 3)
    expected = dst.copy()
    expected[1:3, 0:4, 2:5] = src
    rs.set_value(dst, src, [1, 0, 2], [3, 4, 5], strict=True)
    np.testing.assert_array_equal(dst, expected)


@pytest.mark.parametrize(
    ("shape", "starts", "ends", "strides"),
    [
        ((2, 5), [1, 0], [3, 5], None),
        ((5, 5), [0, 0], [5, 5], None),
        ((3, 2), [1, 2], [4, 4], [1, 2]),
        ((3, 2), [1, 2], [4, 5], None),
        ((3, 2), [1, -3], [4, -1], None),
        ((3, 2), [3, 2], [6, 4], None),
        ((0, 2), [1, 2], [1, 4], None),
        ((3, 1), [1, 2], [4, 4], None),
        ((2,), [2], [4], None),
    ],
    ids=[
        "only axis 0 differs",
        "no axis differs",
        "stride 2",
        "src is narrower than its region",
        "negative start",
        "ends beyond dst",
        "empty region",
        "src would broadcast",
        "ranks differ",
    ],
)
def test_set_value_constraints(
    shape: tuple[int, ...], starts: list[int], ends: list[int], strides: Any
) -> None:
    dst = np.array(DST)
    with pytest.raises(rs.RestrideError):
        rs.set_value(dst, np.ones(shape, int), starts, ends, strides, strict=True)
    np.testing.assert_array_equal(dst, DST)


def test_set_value_rank_one_is_never_documented() -> None:
    """The one differing dimension may not be dimension 0, so rank 1 has no case."""
    with pytest.raises(rs.RestrideError):
        rs.set_value(np.zeros(5), np.ones(2), [1], [3], strict=True)
    assert rs.set_value(np.zeros(5), np.ones(2), [1], [3]).tolist() == [0, 1, 1, 0, 0]


def test_set_value_one_or_two_differing_dimensions() -> None:
    dst = np.zeros((3, 4, 5))
    rs.set_value(dst, np.ones((3, 4, 2)), [0, 0, 1], [3, 4, 3], strict=True)
    rs.set_value(dst, np.ones((2, 4, 2)), [0, 0, 1], [2, 4, 3], strict=True)
    with pytest.raises(rs.RestrideError):
        rs.set_value(dst, np.ones((3, 3, 2)), [0, 0, 1], [3, 3, 3], strict=True)


# ---------------------------------------------------------------------------- PadV3

PADDED = {
    "REFLECT": [[2, 1, 0, 1, 2, 1, 0]],
    "SYMMETRIC": [[1, 0, 0, 1, 2, 2, 1]],
    "constant": [[0, 0, 0, 1, 2, 0, 0]],
    "edge": [[0, 0, 0, 1, 2, 2, 2]],
}
PAD_DTYPES = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
PAD_DTYPES += ["float16", "float32", "float64"]
ROWS = {
    "row-major": ([[0, 0], [2, 2]], True),
    "column-major": ([[0, 2], [0, 2]], False),
    "flat": ([0, 0, 2, 2], True),
    "flat column-major": ([0, 2, 0, 2], False),
    "int32 array": (np.array([[0, 0], [2, 2]], np.int32), True),
    "int64 array": (np.array([[0, 2], [0, 2]], np.int64), False),
}


@pytest.mark.parametrize("form", ROWS)
@pytest.mark.parametrize("mode", PADDED)
def test_pad(mode: str, form: str) -> None:
    """The example writes paddings ``[2,2]``; its results need ``[[0,0],[2,2]]``."""
    paddings, contiguous = ROWS[form]
    x = np.array([[0, 1, 2]])
    y = rs.pad(x, paddings, mode, paddings_contiguous=contiguous, strict=True)
    assert y.tolist() == PADDED[mode]


@pytest.mark.parametrize("dtype", [*PAD_DTYPES, ml_dtypes.bfloat16])
@pytest.mark.parametrize("mode", PADDED)
def test_pad_takes_each_documented_dtype(mode: str, dtype: Any) -> None:
    x = np.array([[0, 1, 2]], dtype)
    y = rs.pad(x, [[0, 0], [2, 2]], mode, strict=True)
    np.testing.assert_array_equal(y, np.array(PADDED[mode], dtype), strict=True)


@pytest.mark.parametrize("mode", PADDED)
def test_pad_takes_bool(mode: str) -> None:
    y = rs.pad(np.array([[False, True, True]]), [[0, 0], [2, 2]], mode, strict=True)
    assert y.tolist() == [[bool(v) for v in PADDED[mode][0]]]


def test_pad_layouts_of_the_document() -> None:
    """``[[2,2],[1,1]]`` by rows is ``[[2,1],[2,1]]`` by columns."""
    x = np.arange(12).reshape(3, 4)
    rows = rs.pad(x, [[2, 2], [1, 1]])
    columns = rs.pad(x, [[2, 1], [2, 1]], paddings_contiguous=False)
    np.testing.assert_array_equal(rows, columns, strict=True)
    np.testing.assert_array_equal(rows, np.pad(x, [[2, 2], [1, 1]]), strict=True)


def test_pad_constant_values() -> None:
    """``constant_values`` fills; left empty it is 0."""
    x, pads = np.array([[0, 1, 2]]), [[0, 0], [1, 1]]
    assert rs.pad(x, pads, "constant", 7).tolist() == [[7, 0, 1, 2, 7]]
    assert rs.pad(x, pads, "constant", np.array([7])).tolist() == [[7, 0, 1, 2, 7]]
    nothing: list[Any] = [None, [], np.array([], int)]
    for empty in nothing:
        assert rs.pad(x, pads, "constant", empty).tolist() == [[0, 0, 1, 2, 0]]


@pytest.mark.parametrize("contiguous", [True, False])
@pytest.mark.parametrize(
    ("mode", "most"), [("REFLECT", 2), ("SYMMETRIC", 3)], ids=["n-1", "n"]
)
def test_pad_bounds(mode: str, most: int, contiguous: bool) -> None:
    x = np.array([[0, 1, 2]])
    for side in (0, 1):
        for width, allowed in ((most, True), (most + 1, False)):
            pads = np.zeros((2, 2), int)
            pads[1, side] = width
            given = pads if contiguous else pads.T
            if allowed:
                rs.pad(x, given, mode, paddings_contiguous=contiguous, strict=True)
                continue
            with pytest.raises(rs.ShapeError, match=f"at most {most}"):
                rs.pad(x, given, mode, paddings_contiguous=contiguous, strict=True)
            rs.pad(x, given, mode, paddings_contiguous=contiguous)


def test_pad_constant_and_edge_have_no_upper_bound() -> None:
    for mode in ("constant", "edge"):
        assert rs.pad([[0, 1, 2]], [[0, 0], [9, 9]], mode, strict=True).shape == (1, 21)


def test_pad_reflect_of_nothing() -> None:
    """REFLECT allows at most n-1, so nothing at all where n is 0."""
    with pytest.raises(rs.ShapeError):
        rs.pad(np.zeros((0, 3)), [[0, 0], [1, 1]], "REFLECT", strict=True)
    assert rs.pad(np.zeros((0, 3)), [[0, 0], [1, 1]], "SYMMETRIC").shape == (0, 5)


@pytest.mark.parametrize("mode", ["Constant", "Reflect", "EDGE", "mirror", "", None, 3])
def test_pad_modes_are_spelled_as_documented(mode: Any) -> None:
    with pytest.raises(rs.RestrideError):
        rs.pad([[0, 1, 2]], [[0, 0], [1, 1]], mode)


def test_pad_mixed_signs() -> None:
    """Positive sides extend the original axis, negative sides crop afterwards."""
    assert rs.pad([0, 1, 2], [-1, 2], "reflect").tolist() == [1, 2, 1, 0]


# --------------------------------------------------------------------- StridedSlice

TEXT = "foo[1, 2:4, None, ..., :-3:-1, :]"
MASKS = {
    "begin_mask": 48,
    "end_mask": 32,
    "ellipsis_mask": 8,
    "new_axis_mask": 4,
    "shrink_axis_mask": 1,
}


def test_strided_slice_encoding() -> None:
    spec = rs.encode(TEXT)
    assert {mask: getattr(spec, mask) for mask in MASKS} == MASKS
    assert list(spec.begin) == [1, 2, 0, 0, 0, 0]
    assert list(spec.end) == [2, 4, 0, 0, -3, 0]
    assert list(spec.strides or ()) == [1, 1, 1, 1, -1, 1]
    assert spec.infer_shape((5,) * 6) == (2, 1, 5, 5, 2, 5)
    assert rs.encode(spec.decode()) == spec


@pytest.mark.parametrize("open_value", [0, 9, -7])
def test_strided_slice_six_axes(open_value: int) -> None:
    """The document's x marks what nobody cares about, in all three lists."""
    o = open_value
    x = np.arange(5**6).reshape((5,) * 6)
    begin, end = [1, 2, o, o, 0, o], [2, 4, o, o, -3, o]
    y = rs.strided_slice(x, begin, end, [1, 1, o, o, -1, 1], **MASKS)
    assert y.shape == (2, 1, 5, 5, 2, 5)
    np.testing.assert_array_equal(y, x[1, 2:4, None, ..., :-3:-1, :], strict=True)
    np.testing.assert_array_equal(y, rs.slice(x, TEXT), strict=True)


def test_strided_slice_turned_from_the_second_last() -> None:
    """The document says [4, 3]; by its own rule, and TensorFlow, it is [3, 2, 1]."""
    foo = np.array([1, 2, 3, 4])
    assert rs.slice(foo, "foo[-2::-1]").tolist() == [3, 2, 1]
    assert rs.strided_slice(foo, [-2], [0], [-1], end_mask=1).tolist() == [3, 2, 1]


def test_strided_slice_new_axis() -> None:
    """``foo[:, ...]`` cannot add an axis; ``foo[newaxis, ...]`` is what is meant."""
    foo = np.arange(12).reshape(3, 4)
    assert rs.slice(foo, "foo[:, ...]").shape == (3, 4)
    assert rs.slice(foo, "foo[newaxis, ...]").shape == (1, 3, 4)
    assert rs.strided_slice(foo, [0], [0], new_axis_mask=1).shape == (1, 3, 4)


def test_strided_slice_smaller_examples() -> None:
    foo = np.arange(30).reshape(5, 6)
    np.testing.assert_array_equal(rs.slice(foo, "foo[...]"), foo, strict=True)
    np.testing.assert_array_equal(rs.slice(foo, "foo[2, :]"), foo[2], strict=True)
    three = np.arange(3)
    assert rs.slice(three, "foo[:]").tolist() == [0, 1, 2]
    assert rs.slice(three, "foo[0:-1]").tolist() == [0, 1]


def test_strided_slice_requirements() -> None:
    foo = np.arange(30).reshape(5, 6)
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(foo, [0, 0], [1, 1], [1, 0])
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(foo, [0, 0], [1, 1], [1, 1], ellipsis_mask=3)
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(foo, [0, 0], [1], [1, 1])
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(foo, [0, 0, 0], [1, 1, 1], [1, 1, 1])
    with pytest.raises(rs.BoundsError):
        rs.strided_slice(foo, [5], [6], [1], shrink_axis_mask=1)
    with pytest.raises(rs.RestrideError):
        rs.strided_slice(foo, [1], [0], [-1], shrink_axis_mask=1)


def test_strided_slice_counts_round_up() -> None:
    """``end - begin`` values only where the stride is 1: 0:5:2 selects three."""
    assert rs.slice(np.arange(5), "0:5:2").tolist() == [0, 2, 4]
    assert rs.slice(np.arange(5), "4:0:-3").tolist() == [4, 1]
