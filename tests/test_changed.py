"""Arrays that a caller's own code changes while a call looks at them, or that lie.

An index may have an ``__index__``, a source an ``__array__``: such code runs in the
middle of a call, after an array was looked at and before its bytes are moved.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import restride as rs

Array = np.ndarray[Any, Any]
Change = Callable[[Array], None]

pytestmark = pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")


def turned(x: Array) -> None:
    x.shape = x.shape[::-1]


def narrowed(x: Array) -> None:
    x.dtype = np.dtype("f4")


def locked(x: Array) -> None:
    x.flags.writeable = False


def shrunk(x: Array) -> None:
    x.resize((1,), refcheck=False)


def grown(x: Array) -> None:
    x.resize((4096, 2), refcheck=False)


class Zero:
    """A zero that changes an array when it is asked for."""

    def __init__(self, change: Change, x: Array) -> None:
        self.change, self.x = change, x

    def __index__(self) -> int:
        self.change(self.x)
        return 0


class Changing:
    """A source that changes an array when it is read."""

    def __init__(self, change: Change, x: Array) -> None:
        self.change, self.x = change, x

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        self.change(self.x)
        return np.ones((32, 2))


ONES = np.ones((32, 2))
PLAN = rs.plan(rs.SetValue((0, 0), (32, 2)), (32, 2), "f8")

WRITES: dict[str, Callable[[Array, Change], Any]] = {
    "assign": lambda x, c: rs.assign(x, (slice(Zero(c, x), None), ...), ONES),
    "set_value": lambda x, c: rs.set_value(x, ONES, (Zero(c, x), 0), (32, 2)),
    "assign a source": lambda x, c: rs.assign(x, "...", Changing(c, x)),
    "a plan": lambda x, c: PLAN(x, Changing(c, x)),
    "out=": lambda x, c: rs.pad(ONES[1:], [[Zero(c, x), 1], [0, 0]], out=x),
}

READS: dict[str, Callable[[Array, Change], Any]] = {
    "slice": lambda x, c: rs.slice(x, (slice(Zero(c, x), None), ...)),
    "pad": lambda x, c: rs.pad(x, [[Zero(c, x), 0], [1, 1]]),
    "view": lambda x, c: rs.view(x)[Zero(c, x) :].pad(2, "reflect").copy(),
    "as_strided": lambda x, c: rs.as_strided(x, (3, 2), (2, 1), Zero(c, x)),
}


@pytest.mark.parametrize("change", [turned, narrowed, locked])
@pytest.mark.parametrize("name", WRITES)
def test_a_target_changed_in_a_call_is_refused(name: str, change: Change) -> None:
    """And no byte is written, neither in it nor beside it."""
    room = np.zeros(65536, np.uint8)
    x = room[:512].view("f8").reshape(32, 2)
    with pytest.raises(rs.RestrideError):
        WRITES[name](x, change)
    assert not room.any()


@pytest.mark.parametrize("change", [turned, narrowed])
@pytest.mark.parametrize("name", READS)
def test_a_source_changed_in_a_call_is_refused(name: str, change: Change) -> None:
    x = np.zeros((64, 2), "f8")[:32]
    with pytest.raises(rs.RestrideError):
        READS[name](x, change)


@pytest.mark.parametrize("change", [shrunk, grown])
@pytest.mark.parametrize("name", [*WRITES, *READS])
def test_an_array_resized_in_a_call_is_refused(name: str, change: Change) -> None:
    x = np.zeros((32, 2))
    with pytest.raises(rs.RestrideError):
        (WRITES | READS)[name](x, change)


class Lying(np.memmap[Any, Any]):
    """A map that says it is larger than it is."""

    shape = property(lambda self: (1 << 20,))  # type: ignore[assignment]
    strides = property(lambda self: (8,))  # type: ignore[assignment]
    size = property(lambda self: 1 << 20)  # type: ignore[assignment]


@pytest.fixture
def lying(tmp_path: Path) -> Array:
    return np.memmap(tmp_path / "m.bin", "f8", "w+", shape=(12,)).view(Lying)


LARGE = np.ones(1 << 20)

LIES: dict[str, Callable[[Array], Any]] = {
    "assign": lambda m: rs.assign(m, "...", LARGE),
    "set_value": lambda m: rs.set_value(m, LARGE, (0,), (1 << 20,)),
    "out=": lambda m: rs.slice(LARGE, "...", out=m),
    "a plan": lambda m: rs.plan(rs.SetValue((0,), (1 << 20,)), (1 << 20,), "f8")(
        m, LARGE
    ),
    "blocks": lambda m: rs.run_blocks(lambda v: v, LARGE, m, max_bytes=1 << 20),
}


@pytest.mark.parametrize("name", LIES)
def test_a_subclass_of_a_map_is_what_its_memory_is(name: str, lying: Array) -> None:
    with pytest.raises(rs.RestrideError, match="12"):
        LIES[name](lying)


def test_a_map_is_written_and_given_back(lying: Array) -> None:
    assert rs.assign(lying, "::2", np.ones(6)) is lying
    assert rs.slice(lying, "...").tolist() == [1.0, 0.0] * 6


def test_strides_that_lie_do_not_widen_what_may_be_seen(lying: Array) -> None:
    from restride.dialects.numpy import NumpyError, as_strided

    with pytest.raises(NumpyError):
        as_strided(lying, (1 << 20,), (8,))


def test_a_tensor_whose_data_changed_since_is_refused() -> None:
    from restride.dialects.cann import AclTensor

    x = np.zeros(64, "f4")
    tensor = AclTensor((8, 2), "float32", data=x[:32], strides=(1, 16))
    narrow = tensor.data
    assert narrow is not None
    narrow.dtype = np.dtype("f8")
    with pytest.raises(rs.RestrideError, match="16 elements"):
        _ = tensor.array


def test_a_map_of_a_file_that_was_cut_short(tmp_path: Path) -> None:
    """Read through the map, its end would end the process."""
    path = tmp_path / "t.npy"
    np.save(path, np.zeros((100, 1000), "i4"))
    mapped = np.load(path, mmap_mode="r")
    with path.open("r+b") as stream:
        stream.truncate(4096)
    with pytest.raises(rs.RestrideError, match="400000 bytes"):
        rs.run_blocks(lambda v: v, mapped, tmp_path / "q.npy", max_bytes=100_000)
    assert [p.name for p in tmp_path.iterdir()] == ["t.npy"]
