"""Arrays to run models on: random ones, known ones, and whether two are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np

from restride.arrays import as_dtype
from restride.models.known import Known, numbers_of
from restride.models.onnx.shapes import of_type

__all__ = [
    "MOST_ELEMENTS",
    "first_run",
    "random_array",
    "random_inputs",
    "same",
    "values",
]

Array = np.ndarray[Any, Any]
Result = TypeVar("Result")

MOST_ELEMENTS = 1 << 24
"""Most elements of an input that is made."""

EXTENTS = (2, 640)
"""What an extent without a number is, tried in turn: models of sound and pictures have
windows and mirrors that need more than two."""


def same(a: Any, b: Any) -> bool:
    """True for equal type, shape and bits."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype == object:
        return bool(a.tolist() == b.tolist())
    return bool(a.tobytes() == b.tobytes())


def random_array(
    random: np.random.Generator, dtype: str, shape: Sequence[int]
) -> Array:
    """Elements of any bits that a type has, but for NaN that arithmetic would alter."""
    if dtype == "string":
        made = random.integers(0, 99, shape).astype(str).astype(object)
        return np.asarray(made, object).reshape(shape)
    kind = as_dtype(dtype)
    if kind.kind == "b":
        return np.asarray(random.integers(0, 2, shape)).astype(bool)
    if kind.kind in "iu":
        raw = random.bytes(prod(shape) * kind.itemsize)
        return np.frombuffer(raw, kind).reshape(shape)
    if "int" in kind.name:  # of 4 or 2 bits
        low = 0 if kind.name[0] == "u" else -2
        return np.asarray(random.integers(low, 2, shape)).astype(kind)
    return np.asarray(random.standard_normal(shape) * 8).astype(kind)


def first_run(
    run: Callable[[dict[str, Any]], Result], graph: Any, seed: int
) -> tuple[dict[str, Any], Result]:
    """The first random inputs that a model runs on, and what running gives.

    Raises
    ------
    Exception
        It runs on none; the first error is the one told.
    """
    told: Exception | None = None
    shapes: list[tuple[int, ...]] = []
    for extent in EXTENTS:
        try:
            feeds = random_inputs(graph, seed, extent)
            before, shapes = shapes, [array.shape for array in feeds.values()]
            if told is not None and shapes == before:
                break
            return feeds, run(feeds)
        except Exception as error:  # whatever a runtime may raise
            told = told or error
    assert told is not None
    raise told


def random_inputs(graph: Any, seed: int, extent: int = EXTENTS[0]) -> dict[str, Any]:
    """An array for each input that the model does not give itself.

    Parameters
    ----------
    graph : onnx.GraphProto
        The model's graph.
    seed : int
        Of random elements.
    extent : int
        What an extent without a number is.

    Raises
    ------
    ValueError
        An input is no tensor of a known type, or too large.
    """
    random = np.random.default_rng(seed)
    given = {tensor.name for tensor in graph.initializer}
    feeds = {}
    for info in graph.input:
        if info.name in given:
            continue
        known = of_type(info.name, info.type)
        if known.dtype is None or known.shape is None or known.kind != "tensor":
            raise ValueError(f"input {info.name} is no tensor of a known type")
        shape = tuple(
            n if isinstance(n, int) and n >= 0 else extent for n in known.shape
        )
        if np.prod(shape, dtype=float) > MOST_ELEMENTS:
            raise ValueError(f"input {info.name} has shape {shape}")
        made = random_array(random, known.dtype, shape)
        if known.dtype in ("int32", "int64"):  # most are small: ids, lengths, rates
            made = np.asarray(np.abs(made) % 2)  # without axes, % gives a scalar
        feeds[info.name] = made
    return feeds


def values(known: Known) -> Array:
    """What the model holds for a name, or what follows from what it says."""
    if known.constant is not None:
        return known.constant.array()
    numbers = numbers_of(known)
    if numbers is None or not numbers.is_whole:
        raise ValueError(f"{known.name} is not known")
    dtype = as_dtype(known.dtype or "int64")
    return np.array(numbers.items, dtype).reshape(numbers.shape)
