"""Hostile parameters, arrays that cannot be moved, targets that cannot be written.

All is refused with a RestrideError before anything is allocated; what is written
never shows earlier data; and every function may be called from many threads.
"""

from __future__ import annotations

import resource
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import restride as rs

Array = np.ndarray[Any, Any]
Call = Callable[[], object]

X = np.arange(12, dtype=np.int32).reshape(3, 4)
MAX, MIN, HUGE = 2**63 - 1, -(2**63), 2**70
BIG = 2**40

PEAK_BYTES = 64 << 10
"""Most a refusal may allocate: its message and the Python objects of the call."""

RESIDENT_BYTES = 16 << 20
"""Most the process may grow by meanwhile, whoever allocates."""

SECONDS = 1.0
"""Most a refusal may take; the usual one takes microseconds."""


HOSTILE: dict[str, Call] = {
    # as_strided
    "as_strided size max": lambda: rs.as_strided(X, [MAX], [1]),
    "as_strided size 2**70": lambda: rs.as_strided(X, [HUGE], [0]),
    "as_strided product wraps to 0": lambda: rs.as_strided(X, [2**32] * 2, [0, 0]),
    "as_strided product wraps to 1": lambda: rs.as_strided(X, [2**32 + 1] * 8, [0] * 8),
    "as_strided stride 0, 2**62 wide": lambda: rs.as_strided(X, [2**62], [0]),
    "as_strided span wraps": lambda: rs.as_strided(X, [5], [2**62]),
    "as_strided spans cancel": lambda: rs.as_strided(X, [2, 2], [MAX, -MAX], 6),
    "as_strided offset max": lambda: rs.as_strided(X, [1], [0], MAX),
    "as_strided offset 2**70": lambda: rs.as_strided(X, [1], [0], HUGE),
    "as_strided offset -1": lambda: rs.as_strided(X, [1], [1], -1),
    "as_strided offset min": lambda: rs.as_strided(X, [0], [1], MIN),
    "as_strided stride min": lambda: rs.as_strided(X, [2], [MIN], 11),
    "as_strided negative size": lambda: rs.as_strided(X, [-1], [1]),
    "as_strided 65 axes": lambda: rs.as_strided(X, [1] * 65, [0] * 65),
    "as_strided 10**5 axes": lambda: rs.as_strided(X, [1] * 10**5, [0] * 10**5),
    "as_strided of nothing": lambda: rs.as_strided(np.zeros(0), [1], [0], MAX),
    "as_strided no copy": lambda: rs.as_strided(X, [2**62], [0], copy=False),
    "as_strided float": lambda: rs.as_strided(X, [2.0], [1]),
    "as_strided bool": lambda: rs.as_strided(X, [True], [1]),
    "as_strided text": lambda: rs.as_strided(X, "22", "11"),
    "as_strided endless": lambda: rs.as_strided(X, repeat(1), [0]),
    "as_strided range": lambda: rs.as_strided(X, [1], range(2**62)),
    # slice and strided_slice
    "slice 2**70": lambda: rs.slice(X, HUGE),
    "slice -2**70": lambda: rs.slice(X, -HUGE),
    "slice step 0": lambda: rs.slice(X, np.s_[::0]),
    "slice 65 new axes": lambda: rs.slice(X, (None,) * 63),
    "slice 10**5 entries": lambda: rs.slice(X, (None,) * 10**5),
    "slice too many": lambda: rs.slice(X, (0, 0, 0)),
    "slice two ellipses": lambda: rs.slice(X, (..., ...)),
    "slice by a mask": lambda: rs.slice(X, X > 3),
    "slice by a list": lambda: rs.slice(X, [0, 1]),
    "slice bool": lambda: rs.slice(X, True),
    "slice text call": lambda: rs.slice(X, "__import__('os').getpid()"),
    "slice text digits": lambda: rs.slice(X, "9" * 5000),
    "slice text deep": lambda: rs.slice(X, "[" * 5000),
    "slice text long": lambda: rs.slice(X, "None," * 10**5),
    "strided_slice shrink 2**70": lambda: rs.strided_slice(
        X, [HUGE], [0], shrink_axis_mask=1
    ),
    "strided_slice stride 0": lambda: rs.strided_slice(X, [0], [1], [0]),
    "strided_slice lengths": lambda: rs.strided_slice(X, [0], [1, 2], [1]),
    "strided_slice two ellipses": lambda: rs.strided_slice(
        X, [0, 0], [0, 0], ellipsis_mask=2**70 + 1
    ),
    "strided_slice new axes": lambda: rs.strided_slice(
        X, [0] * 70, [0] * 70, new_axis_mask=2**70 - 1
    ),
    # pad
    "pad max": lambda: rs.pad(X, MAX),
    "pad 2**70": lambda: rs.pad(X, HUGE, "edge"),
    "pad sums wrap": lambda: rs.pad(X, [[MAX, MAX], [1, 1]], "reflect"),
    "pad min": lambda: rs.pad(X, MIN),
    "pad crop and grow": lambda: rs.pad(X, [[MIN, MAX - 3], [0, 0]]),
    "pad wide product": lambda: rs.pad(X, [[BIG, 0], [BIG, 0]]),
    "pad a million mirrors": lambda: rs.pad(X, [[0, 0], [2**50, 0]], "reflect"),
    "pad of nothing": lambda: rs.pad(np.zeros((0, 2)), [[1, 0], [0, 0]], "edge"),
    "pad axis 2**70": lambda: rs.pad(X, 1, axes=[HUGE]),
    "pad axis twice": lambda: rs.pad(X, 1, axes=[1, -1]),
    "pad float": lambda: rs.pad(X, 1.0),
    "pad three values": lambda: rs.pad(X, [1, 2, 3]),
    "pad endless": lambda: rs.pad(X, repeat(1)),
    "pad endless rows": lambda: rs.pad(X, repeat([1, 1])),
    "pad range": lambda: rs.pad(X, range(2**62)),
    "pad constants endless": lambda: rs.pad(X, 1, constant_values=repeat(1)),
    "pad constants range": lambda: rs.pad(X, 1, constant_values=range(HUGE)),
    "pad constant 2**70": lambda: rs.pad(X, 1, constant_values=HUGE),
    "pad constant 1.5": lambda: rs.pad(X, 1, constant_values=1.5),
    "pad constant nan": lambda: rs.pad(X, 1, constant_values=float("nan")),
    "pad constant text": lambda: rs.pad(X, 1, constant_values="7"),
    # windows and views
    "windows max": lambda: rs.windows(X, [MAX, 1]),
    "windows 2**70": lambda: rs.windows(X, [HUGE, 1]),
    "windows dilation": lambda: rs.windows(X, [2, 2], dilation=MAX),
    "windows step 0": lambda: rs.windows(X, [1, 1], step=0),
    "windows size 0": lambda: rs.windows(X, [0, 1]),
    "windows axis": lambda: rs.windows(X, 1, axis=HUGE),
    "broadcast 2**70": lambda: rs.view(X).broadcast_to((HUGE, 3, 4)),
    "broadcast bytes": lambda: rs.view(X).broadcast_to((2**61, 3, 4)).copy(),
    "broadcast 65 axes": lambda: rs.view(X).broadcast_to((1,) * 63 + (3, 4)),
    "reshape 2**70": lambda: rs.view(X).reshape(HUGE, -1),
    "reshape -2": lambda: rs.view(X).reshape(-2, 6),
    "reshape two open": lambda: rs.view(X).reshape(-1, -1),
    "transpose 2**70": lambda: rs.view(X).transpose(0, HUGE),
    "transpose twice": lambda: rs.view(X).transpose(0, 0),
    "flip": lambda: rs.view(X).flip(HUGE),
    # plans, encodings and settings
    "plan shape": lambda: rs.plan(rs.Pad(1), (-1,), "int32"),
    "plan shape 2**70": lambda: rs.plan(rs.Pad(1), (HUGE,), "int32"),
    "plan 65 axes": lambda: rs.plan(rs.Pad(1), (1,) * 65, "int32"),
    "plan dtype": lambda: rs.plan(rs.Pad(1), (3,), "no such dtype"),
    "plan object": lambda: rs.plan(rs.Pad(1), (3,), object),
    "encode too many": lambda: rs.encode("0, 0, 0", 2),
    "encode rank": lambda: rs.encode("0", 1.5),  # type: ignore[arg-type]
    "threads 0": lambda: rs.threads(0),
    "threads -1": lambda: rs.threads(-1),
    "pool -1": lambda: rs.pool.limit(-1),
    "pool 2**70": lambda: rs.pool.limit(HUGE),
}


WRITES: dict[str, Callable[[Array], object]] = {
    "start max": lambda d: rs.set_value(d, X, [MAX, 0], [MAX, 4]),
    "end max": lambda d: rs.set_value(d, X, [0, 0], [MAX, 4]),
    "end 2**70": lambda d: rs.set_value(d, X, [0, 0], [HUGE, 4]),
    "start -1": lambda d: rs.set_value(d, X, [-1, 0], [2, 4]),
    "stride 0": lambda d: rs.set_value(d, X, [0, 0], [3, 4], [0, 1]),
    "runs away": lambda d: rs.set_value(d, X, [2, 0], [0, 4], [1, 1]),
    "stride max": lambda d: rs.set_value(d, X, [0, 0], [HUGE, 4], [MAX, 1]),
    "empty, outside": lambda d: rs.set_value(d, X, [9, 0], [9, 4]),
    "one axis": lambda d: rs.set_value(d, X, [0], [3]),
    "src too wide": lambda d: rs.set_value(d, X, [0, 0], [2, 4]),
    "assign 2**70": lambda d: rs.assign(d, HUGE, X),
    "assign too wide": lambda d: rs.assign(d, np.s_[:2], X),
    "assign other dtype": lambda d: rs.assign(d, "...", 1.5),
    "assign to a mask": lambda d: rs.assign(d, X > 3, 1),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.usefixtures("engine")
def test_hostile_parameters_are_refused_at_once(name: str) -> None:
    long = "10**5" in name or "long" in name
    refused_at_once(HOSTILE[name], 64 * 5 * 10**5 if long else 0)


def refused_at_once(call: Call, given: int = 0) -> None:
    """The first refusal may import; the second is timed, the third is weighed.

    `given` is what it may allocate to look at a long parameter.
    """
    refused(call)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    refused(call)
    assert time.process_time() - start < SECONDS
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident
    assert grown << 10 < RESIDENT_BYTES + given
    tracemalloc.start()
    try:
        message = refused(call)
        assert tracemalloc.get_traced_memory()[1] < PEAK_BYTES + given
    finally:
        tracemalloc.stop()
    assert 10 < len(message) < 1000
    assert "\n" not in message


def refused(call: Call) -> str:
    """The message of the RestrideError that `call` raises."""
    with pytest.raises(rs.RestrideError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.usefixtures("engine")
def test_a_refused_write_writes_nothing(name: str) -> None:
    target = np.full((3, 4), 7, np.int32)
    refused_at_once(lambda: WRITES[name](target))
    assert (target == 7).all()


def test_ranges_beyond_the_axis_are_cut_not_refused() -> None:
    """What the definition clamps is no attack."""
    assert rs.slice(X, np.s_[-HUGE:HUGE:HUGE]).tolist() == [[0, 1, 2, 3]]
    assert rs.slice(X, f"{HUGE}::-{HUGE}").tolist() == [[8, 9, 10, 11]]
    cut = rs.strided_slice(X, [MIN, MAX], [MAX, MIN], [MAX, -MAX])
    assert cut.tolist() == [[3]]
    assert rs.as_strided(X, [1, 0], [MAX, MIN], 12).shape == (1, 0)
    assert rs.pad(X, [[MIN, MAX], [0, 0]], constant_values=7).tolist() == [[7] * 4] * 2
    assert rs.pad(X, [[MIN, MAX], [0, 0]], "edge").tolist() == [[8, 9, 10, 11]] * 2
    assert rs.as_strided(X, [1], [HUGE], 11).tolist() == [11]


@pytest.mark.usefixtures("engine")
def test_memory_that_is_not_there() -> None:
    """A result larger than the machine: RestrideError or MemoryError, not a crash."""
    with pytest.raises((rs.RestrideError, MemoryError)):
        rs.view(np.zeros(1, np.uint8)).broadcast_to((2**46,)).copy()
    with pytest.raises((rs.RestrideError, MemoryError)):
        rs.pad(np.zeros(1, np.uint8), [[0, 2**46]])


# ------------------------------------------------------- arrays that cannot be moved


class Sparse:
    """Stands for a sparse array of a library that need not be installed."""


Sparse.__module__ = "sparse.numba_backend._coo.core"


def moves(x: Any) -> dict[str, Call]:
    """Every function with `x` as what it reads."""
    return {
        "slice": lambda: rs.slice(x, "..."),
        "strided_slice": lambda: rs.strided_slice(x, [0], [1]),
        "as_strided": lambda: rs.as_strided(x, [1], [1]),
        "pad": lambda: rs.pad(x, 1),
        "windows": lambda: rs.windows(x, 1),
        "view": lambda: rs.view(x),
        "set_value": lambda: rs.set_value(np.zeros(3), x, [0], [3]),
        "assign": lambda: rs.assign(np.zeros(3), "...", x),
        "plan": lambda: rs.plan(rs.Pad(1), (3,), "float64")(x),
        "out": lambda: rs.pad(np.zeros(1), 1, out=x),
        "dst": lambda: rs.set_value(x, np.zeros(3), [0], [3]),
        "assign dst": lambda: rs.assign(x, "...", np.zeros(3)),
    }


UNMOVABLE: dict[str, tuple[Any, str]] = {
    "masked": (np.ma.masked_array(np.zeros(3), [True, False, False]), "[Mm]asked"),
    "object": (np.array([None, 1, "a"]), "object"),
    "record of objects": (np.zeros(3, [("a", "i4"), ("b", object)]), "object"),
    "strings": (np.array(["a", "b", "c"], np.dtypes.StringDType()), "String"),
    "sparse": (Sparse(), "[Ss]parse"),
}


@pytest.mark.parametrize("function", moves(None))
@pytest.mark.parametrize("kind", UNMOVABLE)
def test_unmovable_arrays_are_refused_by_name(kind: str, function: str) -> None:
    x, named = UNMOVABLE[kind]
    with pytest.raises(rs.RestrideError, match=named):
        moves(x)[function]()


def test_scipy_sparse_is_refused_by_name() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    for make in ("csr_matrix", "coo_array"):
        with pytest.raises(rs.UnsupportedError, match="sparse"):
            rs.pad(getattr(scipy_sparse, make)(np.eye(3)), 1)


def test_subclasses_and_lists_are_taken_as_plain_arrays() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix([[1, 2], [3, 4]])
    for x in (matrix, [[1, 2], [3, 4]], ((1, 2), (3, 4))):
        y = rs.slice(x, "::-1")
        assert type(y) is np.ndarray
        assert y.tolist() == [[3, 4], [1, 2]]
    record = np.rec.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
    assert type(rs.pad(record, [0, 1], constant_values=None)) is np.ndarray
    with pytest.raises(rs.RestrideError):
        rs.slice([[1, 2], [3]], "0")


@pytest.mark.parametrize("target", [[1, 2, 3], (1, 2, 3), "abc", None, 3.0])
def test_lists_are_no_targets(target: Any) -> None:
    with pytest.raises(rs.RestrideError):
        rs.set_value(target, np.zeros(3), [0], [3])
    if target is not None:
        with pytest.raises(rs.RestrideError):
            rs.slice(np.zeros(3), "...", out=target)


# --------------------------------------------------------------------------- targets


def outs(out: Any) -> dict[str, Call]:
    """Every function that takes `out`, with a result of two rows of two int32."""
    x = X[:2, :2]
    return {
        "slice": lambda: rs.slice(x, "...", out=out),
        "strided_slice": lambda: rs.strided_slice(x, [], [], out=out),
        "as_strided": lambda: rs.as_strided(x, [2, 2], [2, 1], out=out),
        "pad": lambda: rs.pad(x, 0, out=out),
        "windows": lambda: rs.windows(X[0, :3], 2, out=out),
        "view": lambda: rs.view(x).copy(out=out),
        "plan": lambda: rs.plan(rs.Pad(0), (2, 2), "int32")(x, out),
    }


def read_only() -> Array:
    made = np.zeros((2, 2), np.int32)
    made.flags.writeable = False
    return made


BAD_OUTS: dict[str, tuple[Any, str]] = {
    "shape": (np.zeros((2, 3), np.int32), "shape"),
    "fewer axes": (np.zeros(4, np.int32), "shape"),
    "dtype": (np.zeros((2, 2), np.uint32), "dtype"),
    "byte order": (np.zeros((2, 2), ">i4"), "dtype"),
    "read-only": (read_only(), "read-only"),
    "one row twice": (
        np.lib.stride_tricks.as_strided(np.zeros(2, np.int32), (2, 2), (0, 4)),
        "same memory",
    ),
    "rows overlap": (
        np.lib.stride_tricks.as_strided(np.zeros(3, np.int32), (2, 2), (4, 4)),
        "same memory",
    ),
    "subclass": (np.zeros((2, 2), np.int32).view(np.recarray), "recarray"),
}


@pytest.mark.parametrize("function", outs(None))
@pytest.mark.parametrize("bad", BAD_OUTS)
def test_out_is_checked(bad: str, function: str) -> None:
    out, named = BAD_OUTS[bad]
    before = out.tobytes()
    with pytest.raises(rs.RestrideError, match=named):
        outs(out)[function]()
    assert out.tobytes() == before


@pytest.mark.parametrize("function", outs(None))
@pytest.mark.usefixtures("engine")
def test_out_of_any_layout_is_written_and_returned(function: str) -> None:
    expected = outs(None)[function]()
    wide = np.zeros((4, 6), np.int32)
    ready: list[Array] = [
        np.zeros((2, 2), np.int32),
        np.zeros((2, 2), np.int32, order="F"),
        wide[::2, ::3],
        wide[1::-1, 5:3:-1],
        np.frombuffer(bytearray(17), np.uint8)[1:].view(np.int32).reshape(2, 2),
    ]
    for out in ready:
        assert outs(out)[function]() is out
        np.testing.assert_array_equal(out, np.asarray(expected))


@pytest.mark.usefixtures("engine")
def test_out_that_shares_memory_gives_the_copy_of_the_input() -> None:
    for index in ("::-1", "1:, :", ":, ::-1"):
        x: Array = np.arange(20).reshape(4, 5)
        expected = rs.slice(x.copy(), index)
        out = x[: expected.shape[0], : expected.shape[1]]
        np.testing.assert_array_equal(rs.slice(x, index, out=out), expected)
    x = np.arange(6)
    rs.pad(x[:3], [0, 3], "wrap", out=x)
    assert x.tolist() == [0, 1, 2, 0, 1, 2]
    square = np.arange(9).reshape(3, 3)
    rs.view(square).transpose().copy(out=square)
    np.testing.assert_array_equal(square, np.arange(9).reshape(3, 3).T)


@pytest.mark.usefixtures("engine")
def test_a_source_that_shares_memory_with_dst_is_copied_first() -> None:
    x = np.arange(10)
    rs.assign(x, "1:", x[:-1])
    assert x.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    rs.set_value(x, rs.view(x)["::-1"], [0], [10])
    assert x.tolist() == [8, 7, 6, 5, 4, 3, 2, 1, 0, 0]
    record = np.frombuffer(bytearray(range(64)), PADDED)
    cells = [record[k : k + 1].tobytes() for k in range(8)]
    rs.assign(record, "::", rs.view(record)["::-1"])
    assert [bytes_of(record, k) for k in range(8)] == cells[::-1]


PADDED = np.dtype([("a", "u1"), ("b", "<f4")], align=True)
"""Eight bytes, three of them between the fields: they move as well."""


def bytes_of(record: Array, k: int) -> bytes:
    return record.view("V8")[k : k + 1].tobytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.broadcast_to(np.zeros(4), (3, 4)),
        lambda: np.lib.stride_tricks.as_strided(np.zeros(6), (3, 4), (8, 8)),
        lambda: np.frombuffer(bytes(96)).reshape(3, 4),
    ],
    ids=["one row", "overlapping rows", "read-only bytes"],
)
def test_targets_that_cannot_be_written_keep_what_they_hold(
    make: Callable[[], Array],
) -> None:
    target = make()
    for call in (
        lambda: rs.set_value(target, np.ones((3, 4)), [0, 0], [3, 4]),
        lambda: rs.assign(target, "...", 1.0),
    ):
        refused(call)
    assert not target.any()


def test_dst_and_src_have_one_dtype() -> None:
    for dtype in (np.float32, ">f8", np.int64, np.complex128):
        with pytest.raises(rs.DTypeError, match="dtype"):
            rs.set_value(np.zeros(3), np.zeros(3, dtype), [0], [3])


# ------------------------------------------------------------------ what results hold


@pytest.mark.usefixtures("engine")
def test_results_never_show_earlier_data() -> None:
    """Buffers come back from the pool full of secrets; every byte is written anew."""
    secret = 0x5A
    for shape in ((17,), (100, 100), (1 << 20,)):
        for _ in range(3):
            assert (rs.slice(np.full(shape, secret, np.uint8), "...") == secret).all()
        zeros = np.zeros(shape, np.uint8)
        half = [[n // 2, n - n // 2] for n in shape]
        results = [
            rs.slice(zeros, "..., ::-1"),
            rs.pad(rs.view(zeros)[(slice(0, 0),) * len(shape)], half, "constant"),
            rs.pad(zeros, 0),
            rs.view(zeros[:1]).broadcast_to(shape).copy(),
            np.asarray(rs.view(zeros)),
            rs.slice(zeros, "...") + np.uint8(0),
        ]
        for result in results:
            assert result.shape == shape
            assert not result.any()


@pytest.mark.usefixtures("engine")
def test_bytes_between_fields_never_show_earlier_data() -> None:
    for _ in range(3):
        rs.slice(np.full(4096, 0x5A, np.uint8), "...")
    zeros = np.zeros(512, PADDED)
    for result in (
        rs.slice(zeros, "::-1"),
        rs.pad(zeros[:0], [256, 256], constant_values=None),
        rs.assign(np.zeros(512, PADDED), "::", zeros),
    ):
        assert not any(result.view(np.uint8))


def test_results_are_row_major_aligned_and_owned() -> None:
    if rs.engine() != "native":
        pytest.skip("NumPy's own allocation is aligned to 16 bytes only")
    for n in (1, 7, 64, 4097):
        y = rs.slice(np.zeros((n, 3), order="F"), "::-1")
        assert y.flags.c_contiguous
        assert y.flags.writeable
        assert y.ctypes.data % 64 == 0


def test_the_pool_holds_no_more_than_it_says() -> None:
    if rs.engine() != "native":
        pytest.skip("the NumPy engine has no pool")
    before = rs.pool.limit()
    try:
        rs.pool.limit(1 << 20)
        for n in (1 << 18, 1 << 19, 1 << 20, 1 << 21):
            for _ in range(3):
                rs.slice(np.zeros(n, np.uint8), "...")
                assert rs.pool.stats()["held_bytes"] <= 1 << 20
        rs.pool.clear()
        assert rs.pool.stats()["held_bytes"] == 0
        rs.pool.limit(0)
        rs.slice(np.zeros(1 << 18, np.uint8), "...")
        assert rs.pool.stats()["held_bytes"] == 0
    finally:
        rs.pool.limit(before)


def test_a_result_outlives_the_pool_and_its_source() -> None:
    source = np.arange(1000)
    kept = rs.slice(source, "::-1")
    del source
    rs.pool.clear()
    for _ in range(5):
        rs.slice(np.zeros(1000, int), "...")
    assert kept.tolist() == list(range(999, -1, -1))


def test_a_view_without_copy_keeps_its_source_alive() -> None:
    window = rs.as_strided(np.arange(1000), [10], [100], copy=False)
    rs.slice(np.zeros(1000, int), "...")
    assert window.tolist() == list(range(0, 1000, 100))
    overlapping = rs.as_strided(np.arange(4), [3, 2], [1, 1], copy=False)
    assert not overlapping.flags.writeable
    with pytest.raises(rs.UnsupportedError, match="copy first"):
        rs.as_strided(np.arange(12).reshape(3, 4).T, [12], [1], copy=False)


# --------------------------------------------------------------------------- threads


@pytest.mark.usefixtures("engine")
def test_many_threads_at_once(tmp_path: Path) -> None:
    """Same plans, same pool, different arrays: every answer is its own caller's."""
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    failures: list[str] = []
    barrier = threading.Barrier(8)
    plan = rs.plan(rs.Pad(2, "reflect"), (40, 50), "int64")

    def work(number: int) -> None:
        try:
            barrier.wait()
            for turn in range(30):
                check(number * 1000 + turn)
        except Exception as error:  # told to the test by the list
            failures.append(f"{type(error).__name__}: {error}")

    def check(value: int) -> None:
        x = np.arange(2000).reshape(40, 50) + value
        results = [
            (plan(x), np.pad(x, 2, "reflect")),
            (rs.slice(x, f"::-1, {value % 50}"), x[::-1, value % 50]),
            (rs.assign(np.zeros_like(x), "::2", x[::2])[::2], x[::2]),
            (rs.view(x).transpose().pad(1, "wrap").copy(), np.pad(x.T, 1, "wrap")),
            (rs.as_strided(x, (30, 30), (51, 7), value % 9), strided(x, value % 9)),
        ]
        for got, expected in results:
            if not np.array_equal(got, expected):
                failures.append(f"value {value}: {got} is not {expected}")
        if value % 10 == 0:
            rs.pool.clear()
            rs.threads(1 + value % 3)

    before = rs.threads()
    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(old)
        rs.threads(before)
    assert not failures, failures[:3]


def strided(x: Array, offset: int) -> Array:
    """What ``as_strided(x, (30, 30), (51, 7), offset)`` reads."""
    at = offset + np.add.outer(51 * np.arange(30), 7 * np.arange(30))
    return np.take(x, at)


class Unreadable:
    """What another library's array does whose dtype NumPy has not."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("unsupported ScalarType.")


def test_an_array_that_numpy_cannot_read_is_refused_by_name() -> None:
    with pytest.raises(rs.UnsupportedError, match=r"x is a Unreadable .*dialect"):
        rs.pad(Unreadable(), 1)


@pytest.mark.parametrize("name", ["big.npy", b"big.npy", Path("big.npy")])
@pytest.mark.parametrize(
    "call", [rs.view, lambda x: rs.pad(x, 1), lambda x: rs.slice(x, "...")]
)
def test_a_files_name_is_no_array(call, name):
    with pytest.raises(rs.UnsupportedError, match=r"numpy\.load.*run_blocks"):
        call(name)
    assert rs.view(np.array("x")).copy() == "x"
    assert rs.view(np.str_("x")).copy() == "x"
    assert rs.pad(["ab", "c"], 1, "edge").tolist() == ["ab", "ab", "c", "c"]
