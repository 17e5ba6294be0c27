"""How many bytes a case must touch: the cache lines it reads and the bytes it writes.

Counted from the positions themselves, with NumPy, and not from restride's own maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from restride.bench.steps import (
    Index,
    Ints,
    Pad,
    Step,
    Strided,
    Transpose,
    Write,
)

__all__ = ["LINE_BYTES", "bytes_read", "bytes_written"]

LINE_BYTES = 64
"""Bytes that memory hands over at once, on every processor this was measured on."""

Positions = np.ndarray[Any, np.dtype[np.int64]]


def bytes_written(source: Ints, result: Ints, steps: Sequence[Step], size: int) -> int:
    """Bytes of the result; of a write, those of the region alone."""
    written = source if isinstance(steps[-1], Write) else result
    return prod(written) * size


def bytes_read(shape: Ints, steps: Sequence[Step], size: int) -> int:
    """Bytes of all cache lines of the source in which an element is read.

    Parameters
    ----------
    shape : tuple of int
        Of the source, row-major.
    steps : sequence of Step
    size : int
        Bytes of an element.

    Examples
    --------
    >>> bytes_read((8, 64), (Index(np.s_[::2, :]),), 1)
    256
    >>> bytes_read((8, 64), (Index(np.s_[:, ::2]),), 1)
    512
    """
    if isinstance(steps[0], Strided):
        return _lines_of_strides(steps[0], size) * LINE_BYTES
    axes = _positions(shape, steps)
    if not all(len(a) for a in axes):
        return 0
    return _lines_of_box(shape, axes, size) * LINE_BYTES


def _positions(shape: Ints, steps: Sequence[Step]) -> list[Positions]:
    """Per axis of the source, the positions read; their product is what is read."""
    axes = [np.arange(n) for n in shape]
    order = list(range(len(shape)))
    for step in steps:
        match step:
            case Index(slices):
                for a, s in zip(order, slices, strict=True):
                    axes[a] = axes[a][s]
            case Transpose(to):
                order = [order[a] for a in to]
            case Pad(widths, mode):
                for a, (before, after) in zip(order, widths, strict=True):
                    axes[a] = _padded(axes[a], before, after, mode)
    return [distinct(a) for a in axes]


def distinct(at: Positions) -> Positions:
    """Each position once, in order; marks are faster than `numpy.unique`'s table.

    Examples
    --------
    >>> distinct(np.array([5, 2, 5])).tolist()
    [2, 5]
    """
    seen = np.zeros(int(at.max(initial=-1)) + 1, bool)
    seen[at] = True
    return np.flatnonzero(seen)


def _padded(at: Positions, before: int, after: int, mode: str) -> Positions:
    if mode == "constant" or not before + after:
        return at
    words: dict[str, Any] = {"mode": mode}
    return np.pad(at, (before, after), **words)


def _lines_of_box(shape: Ints, axes: list[Positions], size: int) -> int:
    """Lines of a product of sorted positions, row by row.

    A row is what the innermost axis that is not read as a whole walks.  How many lines
    it has depends only on where in a line it begins; with the row before it shares at
    most that row's last.
    """
    inner, last = size, len(shape) - 1
    while last > 0 and len(axes[last]) == shape[last]:
        inner *= shape[last]
        last -= 1
    begins = axes[last] * inner
    rows = _sums_of(axes[:last], _strides(shape, size)[:last])
    counts = np.bincount(rows % LINE_BYTES)
    lines = 0
    for phase in np.flatnonzero(counts):
        lines += int(counts[phase]) * _lines_of_row(begins + phase, inner)
    first = (rows + begins[0]) // LINE_BYTES
    final = (rows + begins[-1] + inner - 1) // LINE_BYTES
    shared = int((first[1:] == final[:-1]).sum())
    return lines - shared


def _lines_of_row(begins: Positions, inner: int) -> int:
    """Lines of runs of `inner` bytes that begin at these bytes."""
    first, final = begins // LINE_BYTES, (begins + inner - 1) // LINE_BYTES
    return int((final - first + 1).sum() - (first[1:] == final[:-1]).sum())


def _strides(shape: Ints, size: int) -> Ints:
    """Bytes between neighbours on each axis of a row-major array."""
    return tuple(prod(shape[k + 1 :]) * size for k in range(len(shape)))


def _sums_of(axes: list[Positions], strides: Ints) -> Positions:
    """Where each row begins, in bytes, in order."""
    at = np.zeros(1, np.int64)
    for positions, stride in zip(axes, strides, strict=True):
        at = np.add.outer(at, positions * stride).ravel()
    return at


def _lines_of_strides(step: Strided, size: int) -> int:
    """Lines that strides of 0 or more reach, marked one by one."""
    if not prod(step.size):
        return 0
    reach = sum((n - 1) * s for n, s in zip(step.size, step.stride, strict=True))
    seen = np.zeros((reach + 1) * size // LINE_BYTES + 1, bool)
    inner = _sums(step.size[1:], step.stride[1:])
    for k in range(step.size[0]):
        begin = (inner + k * step.stride[0]) * size
        seen[begin // LINE_BYTES] = True
        seen[(begin + size - 1) // LINE_BYTES] = True
    return int(seen.sum())


def _sums(size: Ints, stride: Ints) -> Positions:
    """Every distinct element that the strides reach from 0."""
    at = np.zeros(1, np.int64)
    for n, s in zip(size, stride, strict=True):
        at = distinct(np.add.outer(at, np.arange(n) * s))
    return at
