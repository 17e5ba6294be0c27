"""Lists that hold themselves or go too deep are refused, at once and by a sentence."""

from __future__ import annotations

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
