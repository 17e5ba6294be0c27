"""An error that shows which index left the array: true, short, and under one line."""

from __future__ import annotations

import pickle
import traceback
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import restride as rs
from restride.cli import main
from restride.layout.outside import walk_outside
from restride.layout.walks import first_outside, on_walk

walks = st.lists(st.tuples(st.integers(-7, 7), st.integers(1, 4)), max_size=3)


@given(st.integers(0, 30), walks, st.integers(-8, 30))
def test_the_first_index_outside(
    total: int, walk: list[tuple[int, int]], offset: int
) -> None:
    stride, size = [w[0] for w in walk], [w[1] for w in walk]
    want = next(
        (
            k
            for k in product(*map(range, size))
            if not 0
            <= offset + sum(s * i for s, i in zip(stride, k, strict=True))
            < total
        ),
        None,
    )
    assert first_outside(total, size, stride, offset) == want


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 6)), max_size=4))
def test_where_walks_get_to(walk: list[tuple[int, int]]) -> None:
    found = {
        sum(s * k for (s, _), k in zip(walk, at, strict=True))
        for at in product(*(range(n) for _, n in walk))
    }
    low, high = min(found) - 3, max(found) + 3
    assert {k for k in range(low, high) if on_walk(k, walk)} == found


def test_huge_walks_take_no_time() -> None:
    huge = [(10**9, 10**9), (10**9 + 1, 10**9), (10**9 + 7, 10**9)]
    assert on_walk(5 * 10**9 + 17 * (10**9 + 1), huge[:2])
    assert not on_walk(5, huge)
    for wanted in range(10**17, 10**17 + 20):
        on_walk(wanted, huge)


def marks(picture: str) -> dict[int, str]:
    """What stands under each position of a picture's strip."""
    upper, lower = picture.splitlines()[-2:]
    found, at = {}, 0
    for word in upper.split()[1:]:
        at = upper.index(word, at) + len(word)
        if word.lstrip("-").isdigit():
            found[int(word)] = lower.ljust(at)[at - 1].strip()
    return found


@given(st.integers(1, 40), walks, st.integers(-5, 40))
def test_a_strip_marks_what_is_read(
    total: int, walk: list[tuple[int, int]], offset: int
) -> None:
    stride, size = [w[0] for w in walk], [w[1] for w in walk]
    told = walk_outside(total, size, stride, offset)
    if first_outside(total, size, stride, offset) is None:
        assert told == ""
        return
    reads = {
        offset + sum(s * i for s, i in zip(stride, k, strict=True))
        for k in product(*map(range, size))
    }
    shown = marks(told)
    for position, mark in shown.items():
        want = ("^" if 0 <= position < total else "!") if position in reads else ""
        assert mark == want
    assert "!" in shown.values()
    assert max(map(len, told.splitlines())) < 100


def failure() -> rs.BoundsError:
    with pytest.raises(rs.BoundsError) as caught:
        rs.as_strided(np.arange(12), (3, 3), (4, 1), 2)
    return caught.value


def test_an_error_is_one_line_and_its_picture_is_a_note() -> None:
    error = failure()
    assert len(str(error).splitlines()) == 1
    assert "y[2, 2] would be element 12" in error.picture
    assert error.__notes__ == [error.picture]
    shown = "".join(traceback.format_exception(error))
    assert shown.rstrip().endswith(error.picture)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.picture) == (str(error), error.picture)
    assert rs.ShapeError("x").picture == ""


def test_a_region_write_shows_the_cell() -> None:
    dst = np.zeros((4, 9))
    with pytest.raises(rs.BoundsError) as caught:
        rs.set_value(dst, 1.0, (0, 3), (4, 13), (1, 2))
    shown = marks(caught.value.picture)
    assert {k for k, mark in shown.items() if mark == "!"} == {9, 11}
    assert not dst.any()


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [
        ((2,), (2**70,), 0),
        ((2,), (1,), -(2**900)),
        ((1,) * 20, (1,) * 20, 99),
        ((2**62,), (2,), 0),
    ],
)
def test_numbers_too_long_to_draw(
    size: tuple[int, ...], stride: tuple[int, ...], offset: int
) -> None:
    with pytest.raises(rs.BoundsError) as caught:
        rs.view(np.arange(12)).as_strided(size, stride, offset)
    assert len(caught.value.picture) < 400


@pytest.mark.parametrize("more", [(), ("--verbose",)])
def test_the_tool_says_one_line_unless_asked(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "explain --shape 3,4 as-strided --size 3,3 --stride 4,1 --offset 2"
    assert main([*words.split(), *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == (5 if more else 1)
    assert ("y[2, 2] would be element 12" in err) == bool(more)
