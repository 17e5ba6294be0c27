"""Cases: their names, what they must touch, and that both libraries agree on them."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

import restride as rs
from restride.bench.case import Case, values
from restride.bench.cases import GROUPS, cases
from restride.bench.contender import NumPy, Restride, same_bits
from restride.bench.errors import BenchError
from restride.bench.steps import Frames, Index, Pad, Strided, Transpose, Write
from restride.bench.touched import LINE_BYTES

ALL = tuple(GROUPS)

SMALL = [
    Case("crop", "t", (9, 40), "f4", (Index(np.s_[1:-2, 3:33]),)),
    Case("every other", "t", (16, 64), "u1", (Index(np.s_[::2, :]),)),
    Case("far apart", "t", (8, 90), "f8", (Index(np.s_[::-3, ::16]),)),
    Case("nothing", "t", (8, 9), "f8", (Index(np.s_[3:3, :]),)),
    Case("flip", "t", (5, 7, 3), "i2", (Index(np.s_[::-1, ::-1, ::-1]),)),
    Case("turned", "t", (6, 70), "c16", (Transpose((1, 0)),)),
    Case("zeros around", "t", (6, 31), "f4", (Pad(((1, 2), (0, 3)), "constant"),)),
    Case("mirror", "t", (6, 31), "V3", (Pad(((1, 2), (0, 3)), "symmetric"),)),
    Case("windows", "t", (6, 31), "f4", (Strided((4, 29, 3, 3), (31, 1, 31, 1)),)),
    Case("frames", "t", (500,), "u1", (Strided((4, 40), (130, 1), Frames(40, 130)),)),
    Case("region", "t", (3, 5), "f4", (Write((6, 9), (2, 1)),)),
    Case("off", "t", (9, 40), "f4", (Index(np.s_[::-1, 3:33]),), shift_bytes=1),
    Case(
        "chain",
        "t",
        (4, 3, 20, 20),
        "f4",
        (
            Index(np.s_[:, 1:, 4:-4, ::2]),
            Pad(((0, 0), (0, 0), (2, 2), (3, 3)), "reflect"),
            Transpose((0, 2, 3, 1)),
        ),
    ),
]


def named(case: Case) -> str:
    return case.name


def test_names_are_unique_and_there_are_enough() -> None:
    found = cases(ALL)
    assert len({c.name for c in found}) == len(found) >= 100
    assert {np.dtype(c.dtype).itemsize for c in found} >= {1, 2, 3, 4, 8, 12, 16}
    assert {len(c.shape) for c in found} >= set(range(1, 9))
    assert {s.mode for c in found for s in c.steps if isinstance(s, Pad)} == {
        "constant",
        "edge",
        "reflect",
        "symmetric",
        "wrap",
    }
    assert max(c.source_bytes for c in found) >= 1 << 32
    assert min(c.source_bytes for c in found) < 100


def test_a_name_that_no_case_has_is_refused() -> None:
    with pytest.raises(BenchError, match="no such case"):
        cases(("core",), "no such case")


@pytest.mark.parametrize("case", SMALL, ids=named)
def test_restride_and_numpy_give_the_same_bits(case: Case) -> None:
    x = case.source()
    wanted = NumPy().fresh(case, x)()
    assert wanted.shape == case.result
    assert wanted.flags.c_contiguous
    assert same_bits(Restride().fresh(case, x)(), wanted)


@pytest.mark.parametrize("case", SMALL, ids=named)
@pytest.mark.parametrize("who", [NumPy(), Restride()], ids=lambda w: w.name)
def test_what_is_written_into_an_array_is_the_same(
    case: Case, who: NumPy | Restride
) -> None:
    x, out = case.source(), np.zeros(case.result, case.dtype)
    call = who.into(case, x, out)
    if call is None:  # in place already, or np.pad, which has no out=
        assert case.write or (who.name == "numpy" and has_pad(case))
        return
    call()
    assert same_bits(out, NumPy().fresh(case, x)())


def has_pad(case: Case) -> bool:
    return any(isinstance(s, Pad) for s in case.steps)


@pytest.mark.parametrize("case", SMALL, ids=named)
def test_a_result_is_its_own_memory(case: Case) -> None:
    x = case.source()
    for who in (NumPy(), Restride()):
        assert not np.shares_memory(who.fresh(case, x)(), x)


@pytest.mark.parametrize("case", SMALL, ids=named)
def test_bytes_touched_are_those_of_the_lines_read(case: Case) -> None:
    """By the definition: mark the line of every byte of every element read."""
    numbers = np.arange(1, prod(case.shape) + 1).reshape(case.shape)
    as_numbers = Case("", "t", case.shape, "i8", case.steps)
    read = NumPy().fresh(as_numbers, numbers)()
    lines = {
        ((k - 1) * case.size + byte) // LINE_BYTES
        for k in read.ravel().tolist()
        if k  # 0 is a constant, or a cell of the target
        for byte in range(case.size)
    }
    assert case.read_bytes == len(lines) * LINE_BYTES
    written = case.shape if case.write else case.result
    assert case.written_bytes == prod(written) * case.size


def test_the_source_is_where_it_should_be() -> None:
    off = SMALL[11].source()
    assert off.ctypes.data % 4 == 1
    assert not off.flags.aligned
    assert same_bits(off, Case("", "t", (9, 40), "f4", SMALL[11].steps).source())


def test_floats_are_ordinary_numbers() -> None:
    for dtype in ("f2", "f4", "f8", "c16"):
        assert np.isfinite(values(1000, dtype)).all()


def test_bits_are_what_is_compared() -> None:
    one = np.array([0.0, np.nan])
    assert same_bits(one, one.copy())
    assert not same_bits(one, -one)
    assert not same_bits(one, one.astype("f4"))
    assert not same_bits(one, one.reshape(2, 1))
    assert not same_bits(np.zeros(1 << 25, "u1"), np.eye(1, 1 << 25, 1 << 24, "u1")[0])


def test_a_slow_public_name_is_what_is_measured() -> None:
    """The contender calls the public functions, not something below them."""
    x = SMALL[0].source()
    called = []
    original = rs.slice
    try:
        rs.slice = lambda *args: called.append(args) or original(*args)
        Restride().fresh(SMALL[0], x)()
    finally:
        rs.slice = original
    assert len(called) == 1
