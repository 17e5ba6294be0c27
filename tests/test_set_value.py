"""Writing into a region: what is written, what is refused, and that nothing else is."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import oracle
import pytest
from samples import DTYPES, LAYOUTS, Array, cells, different, fresh, raw, values

import restride as rs
from restride.errors import RestrideError

WRITABLE = [name for name in LAYOUTS if name not in ("read-only", "repeated")]

DOCUMENTED = [
    [14, -2, 2, -10, -12],
    [-11, 3, 2, -18, 6],
    [1, -18, -12, 9, -6],
    [16, -11, 6, -6, 3],
    [12, 18, 14, 10, 9],
]


@pytest.mark.parametrize("strict", [False, True])
def test_the_documented_example(engine: str, strict: bool) -> None:
    dst = np.array(DOCUMENTED)
    src = np.array([[1, 0], [-4, 7], [9, -18]])
    expected = dst.copy()
    expected[1:4, 2:4] = src
    made = rs.set_value(dst, src, (1, 2), (4, 4), (1, 1), strict=strict)
    assert made is dst
    assert dst.tolist() == expected.tolist()


@pytest.mark.parametrize("layout", WRITABLE)
def test_every_layout_and_dtype(engine: str, layout: str) -> None:
    for dtype in DTYPES:
        dst = fresh((4, 5), dtype, layout)
        src = fresh((2, 1), dtype, "reversed", 1)
        lists = [[3, 4], [0, -1], [-2, -2]]
        expected = oracle.set_value(cells(dst), cells(src), *lists)
        rs.set_value(dst, src, *lists)
        assert different(dst, expected) is None, dtype


# ----------------------------------------------------------------------- broadcasting

SOURCES = [
    (),
    (1,),
    (3,),
    (2,),
    (1, 3),
    (2, 1),
    (2, 3),
    (1, 1, 2, 3),
    (1, 1, 3),
    (3, 3),
]


@pytest.mark.parametrize("src", SOURCES, ids=str)
def test_src_broadcasts_as_in_numpy(engine: str, src: tuple[int, ...]) -> None:
    dst, given = np.zeros((4, 6)), np.arange(oracle.size_of(src)).reshape(src) + 1.0
    expected = dst.copy()
    try:
        expected[1:3, 1:6:2] = given
    except ValueError:
        with pytest.raises(rs.ShapeError):
            rs.set_value(dst, given, (1, 1), (3, 6), (1, 2))
        with pytest.raises(rs.ShapeError):
            rs.assign(dst, "1:3, 1:6:2", given)
        assert not dst.any()
    else:
        rs.set_value(dst, given, (1, 1), (3, 6), (1, 2))
        assert np.array_equal(dst, expected)
        other = rs.assign(np.zeros((4, 6)), "1:3, 1:6:2", given)
        assert np.array_equal(other, expected)


def test_src_may_be_a_scalar_a_list_or_a_view(engine: str) -> None:
    dst = np.zeros((3, 4))
    rs.set_value(dst, 2.5, (0, 0), (3, 2))
    rs.set_value(dst, [1.0, 2.0], (0, 2), (1, 4))
    rs.set_value(dst, rs.view(np.array([5.0, 6.0])).flip(0), (2, 2), (3, 4))
    assert dst.tolist() == [[2.5, 2.5, 1, 2], [2.5, 2.5, 0, 0], [2.5, 2.5, 6, 5]]


def test_a_padded_view_is_written_in_one_move(engine: str) -> None:
    from restride.engines import run

    dst, src = np.zeros((4, 4), "i4"), np.arange(4, dtype="i4").reshape(2, 2)
    before = run.counter()
    rs.assign(dst, "::-1, :", rs.view(src).pad(1, "symmetric"))
    assert run.counter() == before + 1
    assert np.array_equal(dst[::-1], np.pad(src, 1, "symmetric"))


# --------------------------------------------------------------------------- overlap


@pytest.mark.parametrize("step", [-2, -1, 1, 2])
def test_a_source_in_the_memory_of_dst(engine: str, step: int) -> None:
    """Every pair of a region and a window of the same memory: as if copied first."""
    for start, lead, turn in product(range(8), range(6), (1, -1)):
        end = start + 3 * step
        if not 0 <= start + 2 * step < 10:
            continue
        dst = np.arange(10)
        src = dst[lead : lead + 3][::turn]
        expected = dst.copy()
        expected[[start, start + step, start + 2 * step]] = src.copy()
        rs.set_value(dst, src, [start], [end], [step])
        assert dst.tolist() == expected.tolist(), (start, lead, turn)


def test_a_view_over_dst_itself(engine: str) -> None:
    dst = np.arange(12).reshape(3, 4)
    expected = dst[::-1, ::-1].copy()
    rs.assign(dst, ..., rs.view(dst).flip())
    assert np.array_equal(dst, expected)
    square = np.arange(9).reshape(3, 3)
    rs.assign(square, ..., rs.view(square).transpose())
    assert square.tolist() == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]


def test_a_cut_view_over_dst_itself(engine: str) -> None:
    dst = np.arange(6)
    view = rs.view(dst).pad(1, "reflect").windows(3)[:, 0]
    expected = view.copy()
    rs.assign(dst, ..., view)
    assert dst.tolist() == expected.tolist()


# --------------------------------------------------------------------------- refused


def refused(
    error: type[Exception], dst: Array, *arguments: Any, **options: Any
) -> None:
    """The call raises and leaves the memory of dst as it was."""
    memory = dst if dst.base is None else dst.base
    before = raw(np.asarray(memory))
    with pytest.raises(error) as caught:
        rs.set_value(dst, *arguments, **options)
    assert isinstance(caught.value, RestrideError)
    assert raw(np.asarray(memory)) == before


def test_read_only(engine: str) -> None:
    dst = np.zeros(4)
    dst.flags.writeable = False
    refused(RestrideError, dst, 1.0, [0], [4])
    with pytest.raises(RestrideError):
        rs.assign(dst, ..., 1.0)
    assert not dst.any()


@pytest.mark.parametrize(
    "strides", [(0, 8), (8, 8), (8, 4), (4, 8), (-8, 8), (24, 16), (0, 0)]
)
def test_two_indices_in_the_same_memory(engine: str, strides: tuple[int, int]) -> None:
    memory = np.zeros(20)
    dst = np.lib.stride_tricks.as_strided(memory[4:], (2, 3), strides)
    apart = strides == (24, 16)
    if apart:
        rs.set_value(dst, 1.0, (0, 0), (2, 3))
        assert memory.sum() == 6
        return
    with pytest.raises(RestrideError):
        rs.set_value(dst, 1.0, (0, 0), (2, 3))
    with pytest.raises(RestrideError):
        rs.assign(dst, ..., 1.0)
    assert not memory.any()


def test_interleaved_memory_is_no_overlap(engine: str) -> None:
    memory = np.zeros(12)
    dst = np.lib.stride_tricks.as_strided(memory, (3, 2), (8, 48))
    rs.set_value(dst, [[1.0, 2], [3, 4], [5, 6]], (0, 0), (3, 2))
    assert memory.tolist() == [1, 3, 5, 0, 0, 0, 2, 4, 6, 0, 0, 0]


@pytest.mark.parametrize("src", ["f4", ">f8", "i8", "c16", "M8[s]"])
def test_another_dtype(engine: str, src: str) -> None:
    refused(rs.DTypeError, np.zeros(4), np.zeros(4, src), [0], [4])


BAD_CELLS = [
    ([-1], [3], [1]),
    ([0], [5], [1]),
    ([4], [6], [1]),
    ([1], [6], [2]),
    ([3], [-2], [-1]),
    ([4], [-1], [-1]),
    ([0], [2**63 - 1], [1]),
    ([2**63 - 1], [2**63], [1]),
    ([-(2**63)], [4], [1]),
    ([3], [0], [1]),
    ([0], [3], [0]),
    ([0, 0], [1, 1], [1, 1]),
    ([0], [1, 2], [1]),
    ([], [], []),
    ([5], [5], [1]),
    ([-1], [-1], [1]),
]


@pytest.mark.parametrize(("starts", "ends", "strides"), BAD_CELLS, ids=str)
def test_cells_outside(
    engine: str, starts: list[int], ends: list[int], strides: list[int]
) -> None:
    """Nothing wraps, nothing is clamped, and nothing is written."""
    refused(RestrideError, np.arange(4), 7, starts, ends, strides)


GOOD_CELLS = [
    ([3], [-1], [-1], [7, 7, 7, 7]),
    ([3], [-1], [-2], [0, 7, 2, 7]),
    ([2], [-1], [-2], [7, 1, 7, 3]),
    ([0], [3], [2], [7, 1, 7, 3]),
    ([0], [4], [3], [7, 1, 2, 7]),
    ([1], [5], [2], [0, 7, 2, 7]),
    ([2], [2], [1], [0, 1, 2, 3]),
    ([4], [4], [1], [0, 1, 2, 3]),
    ([2], [2], [-3], [0, 1, 2, 3]),
    ([-1], [-1], [-1], [0, 1, 2, 3]),
    ([0], [9], [9], [7, 1, 2, 3]),
]


@pytest.mark.parametrize(("starts", "ends", "strides", "expected"), GOOD_CELLS, ids=str)
def test_cells_inside(
    engine: str,
    starts: list[int],
    ends: list[int],
    strides: list[int],
    expected: list[int],
) -> None:
    dst = np.arange(4)
    rs.set_value(dst, 7, starts, ends, strides)
    assert dst.tolist() == expected


def test_starts_that_equal_ends_still_check(engine: str) -> None:
    dst = np.arange(4)
    refused(rs.DTypeError, dst, 7.5, [2], [2])
    refused(RestrideError, dst, np.arange(3), [2], [2])
    rs.set_value(dst, np.zeros((0,), int), [2], [2])
    rs.set_value(dst, np.zeros((1,), int), [2], [2])
    dst.flags.writeable = False
    refused(RestrideError, dst, 7, [2], [2])


def test_rank_0_and_extents_of_0(engine: str) -> None:
    dst = np.array(3)
    assert rs.set_value(dst, 7, [], []) is dst
    assert dst == 7
    empty = np.zeros((0, 3), int)
    rs.set_value(empty, np.zeros((0, 3), int), (0, 0), (0, 3))
    rs.set_value(empty, 1, (0, 0), (0, 3))


STRICT = [
    ((4, 5), (4, 3), (0, 1), (4, 4), None, True),
    ((4, 5), (2, 3), (1, 1), (3, 4), None, True),
    ((4, 5, 6), (2, 5, 3), (1, 0, 0), (3, 5, 3), None, True),
    ((4, 5), (2, 5), (1, 0), (3, 5), None, False),
    ((4, 5), (4, 5), (0, 0), (4, 5), None, False),
    ((4, 5, 6), (4, 3, 3), (0, 0, 0), (4, 3, 3), None, False),
    ((4,), (2,), (1,), (3,), None, False),
    ((4, 5), (4, 3), (0, 0), (4, 5), (1, 2), False),
    ((4, 5), (1, 3), (0, 1), (4, 4), None, False),
    ((4, 5), (3,), (0, 1), (1, 4), None, False),
    ((4, 5), (4, 0), (0, 1), (4, 1), None, False),
]


@pytest.mark.parametrize(("dst", "src", "starts", "ends", "strides", "right"), STRICT)
def test_strict_is_the_document(
    dst: Any, src: Any, starts: Any, ends: Any, strides: Any, right: bool
) -> None:
    target, source = np.zeros(dst), np.ones(src)
    if right:
        rs.set_value(target, source, starts, ends, strides, strict=True)
        assert target.sum() == source.size
    else:
        refused(RestrideError, target, source, starts, ends, strides, strict=True)


class Subclass(np.ndarray):
    """Any class of arrays but the plain one."""


NOT_PLAIN = [[1, 2], (1,), np.ma.array([1, 2]), np.zeros(2).view(Subclass)]


@pytest.mark.parametrize("dst", NOT_PLAIN, ids=lambda x: type(x).__name__)
def test_what_cannot_be_written_in_place(dst: Any) -> None:
    with pytest.raises(RestrideError):
        rs.assign(dst, ..., 0)


# ------------------------------------------------------------------ assign and slice


@pytest.mark.parametrize(
    "index",
    [
        "...",
        "1",
        "-1, ::2",
        "::-1",
        ":, None, 1",
        "3:0:-2, ..., ::-1",
        "..., 0:0",
        "2, 1, 0",
        "None, None",
    ],
)
def test_assign_writes_what_slice_reads(engine: str, index: str) -> None:
    dst = fresh((4, 3, 2), np.dtype("i4"), "reversed")
    number = np.arange(24, dtype="i4").reshape(4, 3, 2)
    read = rs.slice(number, index)
    rs.assign(dst, index, read)
    written = set(read.ravel().tolist())
    original = fresh((4, 3, 2), np.dtype("i4"), "reversed")
    for i in np.ndindex(4, 3, 2):
        expected = number[i] if int(number[i]) in written else original[i]
        assert dst[i] == expected


def test_the_bits_of_floats_arrive(engine: str) -> None:
    src = values(64, np.dtype("f8"), 5)
    dst = np.zeros(64)
    rs.set_value(dst, src, [63], [-1], [-1])
    assert raw(dst[::-1].copy()) == raw(src)


def test_python_numbers_take_the_type_of_dst():
    dst = np.zeros(4, np.float32)
    assert rs.assign(dst, ":2", 1) is dst
    assert rs.set_value(dst, 0.5, (3,), (4,)).tolist() == [1, 1, 0, 0.5]
    with pytest.raises(rs.DTypeError, match=r"1\.5 cannot be held by dtype uint8"):
        rs.assign(np.zeros(2, np.uint8), ":", 1.5)
    with pytest.raises(rs.DTypeError, match="they must be equal"):
        rs.assign(dst, ":", np.float64(1))


def test_what_does_not_broadcast_says_where_and_what_to_do():
    with pytest.raises(rs.ShapeError) as told:
        rs.assign(np.zeros((3, 3)), "...", np.zeros((2, 2)))
    assert str(told.value) == (
        "assign: src of shape (2, 2) does not broadcast to the (3, 3) cells written; "
        "each extent must be equal or 1: slice or reshape src."
    )
