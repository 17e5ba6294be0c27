"""Random parameter sets, the same in every run, and the loop that compares them.

A test names its framework and family, and says what one set is: a function that draws
parameters from the generator it is given, asks both sides, and returns None where they
agree or a line that says how they do not::

    torch = framework("torch")

    def one(rng):
        x, pads = ...
        return different(rs.pad(x, pads), theirs(x, pads))

    def test_pad():
        compare("torch", "pad", one)

A set has a generator of its own, so the number in a report is enough to run it alone:
``one(generator("torch", "pad", 17))``.
"""

from __future__ import annotations

import importlib
import os
import random
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import pytest

Array = np.ndarray[Any, Any]

FRAMEWORKS = ("torch", "tensorflow", "jax", "onnx", "onnxruntime")
"""What `make test-frameworks` tries to install, by the names they are imported by."""

COMPARED: dict[str, int] = {}
"""Sets gone through so far, by framework and family; the run ends by telling them."""

SHOWN = 10
"""Disagreements that a failing test prints."""


def installed(name: str) -> bool:
    """True where the framework can be imported."""
    return find_spec(name) is not None


def framework(name: str) -> Any:
    """The module, or a skip of the whole test file that names it.

    Only what is not installed is skipped: one that breaks on import is an error.  What
    frameworks warn of while they are loaded is theirs, and ignored; what they warn of
    in a call is not.
    """
    if not installed(name):
        pytest.skip(f"{name} is not installed", allow_module_level=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def sets(name: str) -> int:
    """Random parameter sets per family: 500, or 5,000 where FULL=1."""
    assert name in FRAMEWORKS, name
    return 5000 if os.environ.get("FULL") == "1" else 500


def generator(name: str, family: str, number: int) -> random.Random:
    """The generator of one set."""
    return random.Random(f"{name} {family} {number}")


def compare(name: str, family: str, one: Callable[[random.Random], str | None]) -> None:
    """Go through all sets of a family; fail with what disagrees."""
    compare_many(name, family, lambda rngs: [one(rng) for rng in rngs], 1)


def compare_many(
    name: str,
    family: str,
    many: Callable[[list[random.Random]], list[str | None]],
    size: int,
) -> None:
    """The same, `size` sets at once, for what takes long to make ready."""
    found = []
    for first in range(0, sets(name), size):
        numbers = range(first, min(first + size, sets(name)))
        told = many([generator(name, family, number) for number in numbers])
        pairs = zip(numbers, told, strict=True)
        found += [f"set {number}: {said}" for number, said in pairs if said]
    COMPARED[f"{name} {family}"] = sets(name)
    assert not found, f"{len(found)} disagree:\n" + "\n".join(found[:SHOWN])


def different(ours: Any, theirs: Any) -> str | None:
    """None where shape, dtype and every bit are the same."""
    mine, other = np.asarray(ours), np.asarray(theirs)
    if mine.shape != other.shape:
        return f"shape {mine.shape}, theirs {other.shape}"
    if mine.dtype != other.dtype:
        return f"dtype {mine.dtype}, theirs {other.dtype}"
    if mine.tobytes() != other.tobytes():
        return f"elements {mine.ravel()[:40]}, theirs {other.ravel()[:40]}"
    return None


# -------------------------------------------------------------------- what to draw


class Slice(NamedTuple):
    """The lists and masks of one StridedSlice."""

    begin: list[int]
    end: list[int]
    strides: list[int]
    begin_mask: int
    end_mask: int
    ellipsis_mask: int
    new_axis_mask: int
    shrink_axis_mask: int


def shape(
    rng: random.Random, rank: Sequence[int] = (0, 5), extent: Sequence[int] = (0, 5)
) -> tuple[int, ...]:
    """Extents between two bounds, so many between two others; 0 is drawn seldom."""
    low, high = extent
    least = low if low or rng.random() < 0.2 else min(1, high)
    return tuple(rng.randint(least, high) for _ in range(rng.randint(*rank)))


def array(rng: random.Random, of: Sequence[int], dtype: Any = np.int64) -> Array:
    """An array of random bits; NaNs, infinities and -0.0 among the floats."""
    wanted = np.dtype(dtype)
    count = int(np.prod(of, dtype=np.int64))
    data = np.frombuffer(rng.randbytes(count * wanted.itemsize), np.uint8).copy()
    if wanted.kind == "b":
        data &= 1
    return data.view(wanted).reshape(tuple(of))


def pads(
    rng: random.Random, of: Sequence[int], low: int = 0, high: int = 4
) -> list[tuple[int, int]]:
    """(before, after) per axis between two bounds, half of the sides 0."""

    def side() -> int:
        return rng.randint(low, high) if rng.random() < 0.5 else 0

    return [(side(), side()) for _ in of]


def strided_slice(rng: random.Random, of: Sequence[int]) -> Slice:
    """Any lists and masks: most of them mean something on that shape, some do not."""
    count = max(0, len(of) + rng.choice((-2, -1, 0, 0, 0, 1, 1, 2)))
    strides = [rng.choice((1, 1, 1, 2, -1, -1, -2, 3)) for _ in range(count)]
    if count and rng.random() < 0.05:
        strides[rng.randrange(count)] = 0

    def bound(k: int) -> int:
        n = of[k] if k < len(of) else 2
        return rng.randint(-n - 2, n + 2)

    def mask(chance: float) -> int:
        return sum(1 << k for k in range(count + 1) if rng.random() < chance)

    ellipsis = 1 << rng.randrange(count) if count and rng.random() < 0.3 else 0
    return Slice(
        [bound(k) for k in range(count)],
        [bound(k) for k in range(count)],
        strides,
        mask(0.3),
        mask(0.3),
        mask(0.3) if rng.random() < 0.05 else ellipsis,
        mask(0.15),
        mask(0.15) if rng.random() < 0.5 else 0,
    )
