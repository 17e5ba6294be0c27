"""What an error shows of odd values: short, on one line, and always restride's own."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import restride as rs

X = np.zeros(3, "f4")


def moved(**words: Any) -> None:
    rs.run_blocks(lambda v: v, X, np.zeros(3, "f4"), **words)


def padded(value: Any, dtype: str = "f4") -> Any:
    return rs.pad(np.zeros(1, dtype), (0, 1), constant_values=value)[1]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "i4", "u8", "bool"])
@pytest.mark.parametrize("value", ["1e999999999", "-1e999999999", "1e4000"])
def test_decimals_that_are_long_integers(value: str, dtype: str) -> None:
    """Written out, the first two have a thousand million digits."""
    with pytest.raises(rs.DTypeError, match=r"constant Decimal\('-?1E\+"):
        padded(Decimal(value), dtype)


def test_decimals_near_zero_and_of_usual_size() -> None:
    assert padded(Decimal("1e-999999999")) == 0
    assert padded(Decimal("0e999999999"), "i4") == 0
    assert padded(Decimal("0.1")) == np.float32("0.1")
    assert padded(Decimal("1e308"), "f8") == 1e308
    assert padded(Decimal(7), "u1") == 7
    assert np.isinf(padded(Decimal("Infinity"), "f8"))


def test_numbers_too_long_to_write() -> None:
    with pytest.raises(rs.DTypeError, match="constant <Fraction"):
        padded(Fraction(10**5000, 3))
    with pytest.raises(rs.DTypeError, match="<an int of 16610 bits>"):
        padded(10**5000)


class Mute:
    """It cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


GIVEN: dict[str, Callable[[Any], Any]] = {
    "mode": lambda v: rs.pad(X, 1, v),
    "a constant": lambda v: rs.pad(X, 1, constant_values=v),
    "widths": lambda v: rs.pad(X, v),
    "an index": lambda v: rs.slice(X, v),
    "dtype": lambda v: rs.plan(rs.Pad(1), (3,), v),
    "out": lambda v: rs.slice(X, 0, out=v),
    "max_bytes": lambda v: moved(max_bytes=v),
    "progress": lambda v: moved(progress=v),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_cannot_be_shown(name: str) -> None:
    with pytest.raises(rs.RestrideError):
        GIVEN[name](Mute())


TEXTS = ["a\nb\x1b[31m", "x" * 10**6, "9" * 10**5, "-5\x1b"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["mode", "dtype", "max_bytes"])
def test_texts_are_shown_short_and_on_one_line(name: str, text: str) -> None:
    with pytest.raises(rs.RestrideError) as told:
        GIVEN[name](text)
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 250


TABLE = np.array([1, 2])

FLAGS: dict[str, Callable[[], Any]] = {
    "pad: strict": lambda: rs.pad(X, 1, strict=TABLE),  # type: ignore[arg-type]
    "pad: paddings_contiguous": lambda: rs.Pad(1, "edge", 0, TABLE),  # type: ignore[arg-type]
    "as_strided: strict": lambda: rs.view(X).as_strided([1], [1], strict=TABLE),  # type: ignore[arg-type]
    "as_strided: copy": lambda: rs.as_strided(X, [1], [1], copy=TABLE),  # type: ignore[arg-type]
    "set_value: strict": lambda: rs.set_value(X, X, [0], [3], strict=TABLE),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags_that_are_neither(name: str) -> None:
    with pytest.raises(rs.DTypeError, match=f"{name} is a ndarray, neither"):
        FLAGS[name]()


class Two:
    def __index__(self) -> int:
        return 2


def test_settings_take_what_has_an_index() -> None:
    threads, limit = rs.threads(), rs.pool.limit()
    try:
        assert rs.threads(Two()) in (1, 2)  # type: ignore[arg-type]
        assert rs.pool.limit(Two()) in (0, 2)  # type: ignore[arg-type]
    finally:
        rs.threads(threads)
        rs.pool.limit(limit)


@pytest.mark.parametrize("call", [rs.view, lambda x: rs.assign(np.zeros(3), "...", x)])
def test_rows_of_different_lengths(call: Callable[[Any], Any]) -> None:
    with pytest.raises(rs.ShapeError, match=r"rows of different lengths; give rows"):
        call([[1.0], [1.0, 2.0]])


NAMES = ["no\nfile\x1b.npy", "\ud800.npy", "a\0.npy", "\ud800.zarr", "a\0.zarr"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_no_file_has(name: str) -> None:
    if name.partition(".")[2] == "zarr":
        pytest.importorskip("zarr")
    with pytest.raises(rs.FileError) as told:
        rs.run_blocks(lambda v: v, name, np.zeros(3), max_bytes=1000)
    assert str(told.value).isprintable()
    if "\n" not in name:
        with pytest.raises(rs.FileError, match="a name cannot hold"):
            rs.run_blocks(lambda v: v, X, name, max_bytes=1000)
