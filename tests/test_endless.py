"""Lists that hold themselves or go too deep are refused, at once and by a sentence."""

from __future__ import annotations

from collections import UserList, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import restride as rs

X = np.arange(6).reshape(2, 3)


def ring(*before: Any) -> list[Any]:
    found: list[Any] = [*before]
    found += [found, found]
    return found


def doubled(times: int) -> list[Any]:
    found: list[Any] = [0]
    for _ in range(times):
        found = [found, found]
    return found


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


DATA: list[Callable[[Any], Any]] = [
    lambda x: rs.slice(x, "::2"),
    lambda x: rs.view(x),
    lambda x: rs.assign(X.copy(), "0", x),
    lambda x: rs.set_value(X.copy(), x, (0, 0), (2, 3)),
]


@pytest.mark.parametrize("call", DATA)
@pytest.mark.parametrize("given", [ring(), ring(1), deep(65), deep(3000)])
def test_data_that_holds_itself_or_is_too_deep(
    call: Callable[[Any], Any], given: Any
) -> None:
    with pytest.raises(rs.ShapeError, match="lists more than 64 deep"):
        call(given)


@pytest.mark.parametrize("call", DATA)
def test_data_that_is_read_for_ever(call: Callable[[Any], Any]) -> None:
    with pytest.raises(rs.ShapeError, match=f"lists of {1 << 40} elements"):
        call(doubled(40))


def test_lists_that_share_a_row_are_data() -> None:
    row = [1, 2, 3]
    assert rs.slice([row, row, row], "::2").tolist() == [row, row]


WORDS: list[Callable[[Any], Any]] = [
    lambda n: rs.pad(X, n),
    lambda n: rs.strided_slice(X, n, [1]),
    lambda n: rs.windows(X, n),
    lambda n: rs.view(X).transpose(n),
    lambda n: rs.as_strided(X, n, [1]),
]


@pytest.mark.parametrize("call", WORDS)
def test_parameters_too_deep_to_be_shown(call: Callable[[Any], Any]) -> None:
    with pytest.raises(
        rs.DTypeError, match=r"\[\[\[\[\.\.\.\]\]\]\] is not an integer"
    ):
        call(deep(3000))


@pytest.mark.parametrize("given", [ring(), ring(1), deep(3000), doubled(40)])
def test_constants_too_deep(given: Any) -> None:
    with pytest.raises(rs.ShapeError, match="constant_values hold lists in lists"):
        rs.pad(X, 1, constant_values=given)
    with pytest.raises(rs.ShapeError, match="constant_values hold lists in lists"):
        rs.Pad(1, "constant", given)


class Rows(list[Any]):
    """A list by another name."""


class Pair(tuple[Any, ...]):
    """A tuple by another name."""


MAKERS: list[Callable[[Any], Any]] = [Rows, Pair, deque, UserList]


def doubled_as(kind: Callable[[Any], Any], times: int = 40) -> Any:
    found = kind([1])
    for _ in range(times):
        found = kind([found, found])
    return found


def ring_of(kind: Callable[[Any], Any]) -> Any:
    found = kind([])
    found.append(found)
    return found


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("call", [*DATA, *WORDS])
@pytest.mark.parametrize("inside", [False, True])
def test_what_numpy_reads_as_lists(
    inside: bool, call: Callable[[Any], Any], kind: Callable[[Any], Any]
) -> None:
    given = doubled_as(kind)
    with pytest.raises(rs.RestrideError) as told:
        call([given] if inside else given)
    assert len(str(told.value)) < 300


@pytest.mark.parametrize("kind", [Rows, deque, UserList])
@pytest.mark.parametrize("call", [*DATA, *WORDS])
def test_those_that_hold_themselves(
    call: Callable[[Any], Any], kind: Callable[[Any], Any]
) -> None:
    with pytest.raises(rs.RestrideError):
        call(ring_of(kind))
    with pytest.raises(rs.ShapeError, match="constant_values hold lists in lists"):
        rs.pad(X, 1, constant_values=ring_of(kind))


@pytest.mark.parametrize("kind", MAKERS)
def test_those_of_usual_length_are_data(kind: Callable[[Any], Any]) -> None:
    assert rs.slice(kind([kind([1, 2]), kind([3, 4])]), "1").tolist() == [3, 4]
    assert rs.pad(X, kind([kind([1, 2]), kind([3, 4])])).shape == (5, 10)


class Anew:
    """A list of two that makes new ones of its own kind each time it is read."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> Any:
        if k > 1:
            raise IndexError
        return Anew()


def test_lists_made_while_they_are_read() -> None:
    with pytest.raises(rs.ShapeError, match="64 deep"):
        rs.slice(Anew(), "0")


def test_a_dtype_of_lists_without_end() -> None:
    with pytest.raises(rs.RestrideError):
        rs.plan(rs.Pad(1), (3,), doubled_as(Rows))


@pytest.mark.parametrize("given", [range(10**9), range(10**20)])
def test_ranges_too_long(given: range) -> None:
    with pytest.raises(rs.ShapeError, match="elements"):
        rs.slice(given, 0)
    with pytest.raises(rs.ShapeError, match="elements"):
        rs.set_value(np.zeros(3), given, (0,), (3,))
    assert rs.slice(range(4), "1:").tolist() == [1, 2, 3]
