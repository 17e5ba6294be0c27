"""Arrays to move, their elements as bytes, and the engines to move them with."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import Any

import ml_dtypes
import numpy as np
import oracle

import restride as rs
from restride.engines import run
from restride.errors import RestrideError

Array = np.ndarray[Any, Any]

STRUCT = np.dtype([("id", "u1"), ("at", "<f4"), ("tag", "S3")], align=True)

DTYPES: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(d)
    for d in (
        "u1",
        "f4",
        "i8",
        "?",
        "f2",
        "c16",
        ml_dtypes.bfloat16,
        "M8[s]",
        "S3",
        ">i4",
        "f8",
        STRUCT,
        ml_dtypes.float8_e4m3fn,
        "c8",
        "U2",
        ">f8",
        "i2",
        "V7",
        "g",
    )
)
"""One of each kind, and of item sizes 1, 2, 3, 4, 7, 8, 12, 16."""

LAYOUTS = (
    "rows",
    "columns",
    "reversed",
    "spaced",
    "unaligned",
    "read-only",
    "field",
    "repeated",
)
"""How the elements lie in memory."""

ENGINES = tuple((name, count) for name in ("native", "numpy") for count in (1, 2))


def engine_exists(name: str) -> bool:
    """True where this engine can run; the native one may not be built."""
    try:
        with run.use(name):
            return True
    except ImportError:
        return False


@contextmanager
def under(name: str, threads: int) -> Iterator[None]:
    """Run with one engine and so many threads."""
    before = rs.threads()
    with run.use(name):
        rs.threads(threads)
        try:
            yield
        finally:
            rs.threads(before)


def elements(x: Any) -> list[bytes]:
    """The bytes of every element, row-major."""
    array = np.asarray(x)
    data, size = raw(array), array.itemsize
    return [data[k * size : (k + 1) * size] for k in range(array.size)]


def raw(array: Array) -> bytes:
    """The elements' bytes; NumPy's own copies leave out what lies between fields."""
    return array.view(unread(array.dtype)).tobytes()


def cells(x: Any) -> oracle.Tensor:
    """An array as the oracle's tensor of bytes."""
    return oracle.Tensor(tuple(np.shape(x)), elements(x))


def values(count: int, dtype: np.dtype[Any], seed: int = 0) -> Array:
    """Elements of random bits: NaN payloads, -0.0 and infinities among the floats."""
    size = dtype.itemsize
    data = bytearray(random.Random(f"{dtype}-{seed}").randbytes(count * size))
    if dtype.kind == "b":
        data = bytearray(b & 1 for b in data)
    if dtype.kind == "U":
        data = bytearray(b"\x41\0\0\0" * (count * size // 4))
        data[::4] = bytes(65 + k % 20 for k in range(len(data) // 4))
    flat = np.frombuffer(data, dtype)
    if dtype.kind == "f" and count > 3:
        flat[1], flat[3] = -0.0, np.inf
    return flat


@lru_cache(maxsize=4096)
def array(
    shape: tuple[int, ...], dtype: np.dtype[Any], layout: str = "rows", seed: int = 0
) -> Array:
    """A cached array that no test may write to; see `fresh`."""
    return fresh(shape, dtype, layout, seed)


def fresh(
    shape: tuple[int, ...], dtype: np.dtype[Any], layout: str = "rows", seed: int = 0
) -> Array:
    """A new array of random elements in one of the LAYOUTS."""
    rows = values(oracle.size_of(shape), dtype, seed).reshape(shape)
    return laid_out(rows.view(unread(dtype)), layout).view(dtype)


def unread(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Elements of the same size that NumPy copies whole, with all between fields."""
    return np.dtype((np.void, dtype.itemsize))


def laid_out(rows: Array, layout: str) -> Array:
    """The same elements somewhere else in memory; "repeated" changes some."""
    shape, dtype = rows.shape, rows.dtype
    made: Array
    if layout == "columns":
        return rows.copy(order="F")
    if layout == "reversed":
        return turned(turned(rows).copy())
    if layout == "spaced":
        made = np.zeros([2 * n + 1 for n in shape], dtype)
        inner: tuple[Any, ...] = (..., *(slice(1, 2 * n + 1, 2) for n in shape))
        made = made[inner]
        made[...] = rows
        return made
    if layout == "unaligned":
        made = np.frombuffer(bytearray(rows.nbytes + 1), np.uint8)[1:]
        made = made.view(dtype).reshape(shape) if rows.size else rows
        made[...] = rows
        return made
    if layout == "field":
        made = np.zeros(shape, np.dtype([("pad", "u1"), ("it", dtype)]))["it"]
        made[...] = rows
        return made
    if layout == "repeated":
        return np.broadcast_to(rows[:1], shape) if rows.ndim and rows.size else rows
    if layout == "read-only":
        rows.flags.writeable = False
    return rows


def turned(x: Array) -> Array:
    """The same memory read from its far end on every axis."""
    index: tuple[Any, ...] = (..., *[slice(None, None, -1)] * x.ndim)
    seen: Array = x[index]
    return seen


@lru_cache(maxsize=4096)
def known(
    shape: tuple[int, ...], dtype: np.dtype[Any], layout: str = "rows", seed: int = 0
) -> oracle.Tensor:
    """The cells of `array(...)`."""
    return cells(array(shape, dtype, layout, seed))


@cache
def constant(dtype: np.dtype[Any], which: int = 0) -> tuple[Any, bytes]:
    """A value to pad with and the bytes it has in `dtype`; `which` picks another."""
    plain: Sequence[Any] = (None,)
    if dtype.kind == "b":
        plain = (True, False)
    elif dtype.kind in "iu":
        plain = (7, 0, 100, 1)
    elif dtype.kind in "fc" or dtype in (np.dtype(ml_dtypes.bfloat16), DTYPES[12]):
        plain = (1.5, -0.0, float("nan"), 0.0)
    value = plain[which % len(plain)]
    if value is None:
        return None, bytes(dtype.itemsize)
    return value, scalar(value, dtype)


def scalar(value: Any, dtype: np.dtype[Any]) -> bytes:
    """The bytes of one element; those that an extended float leaves unused are 0."""
    data = np.array(value).astype(dtype).tobytes()
    if dtype.char == "g" and np.finfo(dtype).nmant == 63:
        return data[:10] + bytes(dtype.itemsize - 10)
    return data


class Outcome:
    """What the oracle says of one setting: a tensor, or that it must be refused."""

    def __init__(self, ask: Any) -> None:
        self.tensor: oracle.Tensor | None = None
        with suppress(oracle.Wrong):
            self.tensor = ask()

    def same(self, call: Any) -> str | None:
        """None where `call` agrees; else one line that says how it does not."""
        try:
            got = call()
        except RestrideError as error:
            if self.tensor is None:
                return None
            return f"refused ({error}), expected shape {self.tensor.shape}"
        except Exception as error:  # any other kind is itself the finding
            return f"raised {type(error).__name__}: {error}"
        if self.tensor is None:
            return f"gave {np.shape(got)}, expected a refusal"
        return different(got, self.tensor)


def different(got: Array, expected: oracle.Tensor) -> str | None:
    """None where `got` has exactly the expected shape and bytes."""
    if got.shape != expected.shape:
        return f"has shape {got.shape}, expected {expected.shape}"
    if raw(got) != b"".join(expected.cells):
        return f"has cells {elements(got)}, expected {expected.cells}"
    return None


Counts = dict[str, int]
"""Settings each exhaustive test went through, by name."""
