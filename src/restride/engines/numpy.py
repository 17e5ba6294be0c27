"""The same programs with NumPy alone: the fallback, and a second opinion in tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, product
from typing import Any

import numpy as np

from restride.arrays import memory
from restride.engines.bind import bind_wide as bind
from restride.engines.program import Program, ProgramPiece

__all__ = ["add", "bind", "copy"]

Array = np.ndarray[Any, Any]

ALIGNMENT_BYTES = 64
"""Results start on a cache line, as the native engine's do."""


def copy(
    result: Array | None,
    source: Array,
    program: Program,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> Array:
    """Write every result element once; a fresh result when none is given."""
    if result is None:
        result = empty(shape, dtype)
    for box, strides, offset, fill in _blocks(program):
        here = _bytes_at(result, program, *box)
        if fill >= 0:
            here[...] = np.frombuffer(program.fills[fill], here.dtype)[0]
        else:
            here[...] = memory(source, offset, here.shape, strides, here.dtype)
    return result


def add(program: Program, source: Array, result: Array, kind: str) -> None:
    """``source[where the element came from] += result``, read backwards."""
    flat = source.reshape(-1)
    for box, strides, offset, fill in _blocks(program):
        if fill >= 0:
            continue
        start, shape, steps = box
        address = program.result_offset + start
        given = memory(result, address, shape, steps, result.dtype)
        at = np.zeros(shape, np.int64) + offset // source.itemsize
        for axis, (n, stride) in enumerate(zip(shape, strides, strict=True)):
            line = np.arange(n, dtype=np.int64) * (stride // source.itemsize)
            at += line.reshape([-1 if a == axis else 1 for a in range(len(shape))])
        if kind == "b1":
            np.logical_or.at(flat, at, given)
        else:
            np.add.at(flat, at, given.astype(source.dtype))


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A fresh array that starts on a cache line."""
    count = int(np.prod(shape, dtype=object))
    raw = np.empty(count * dtype.itemsize + ALIGNMENT_BYTES, np.uint8)
    skip = -raw.ctypes.data % ALIGNMENT_BYTES
    return np.ndarray(shape, dtype, buffer=raw, offset=skip)


Box = tuple[int, tuple[int, ...], tuple[int, ...]]


def _blocks(program: Program) -> Iterator[tuple[Box, tuple[int, ...], int, int]]:
    """Each box of straight pieces: where it goes, how it reads, or which fill."""
    starts = [
        list(accumulate((p.count for p in axis.pieces), initial=0))
        for axis in program.axes
    ]
    steps = tuple(axis.result_stride for axis in program.axes)
    numbered = [
        list(zip(s, a.pieces, strict=False))
        for s, a in zip(starts, program.axes, strict=True)
    ]
    for chosen in product(*numbered):
        pieces: list[ProgramPiece] = [piece for _, piece in chosen]
        begin = sum(k * step for (k, _), step in zip(chosen, steps, strict=True))
        shape = tuple(piece.count for piece in pieces)
        fill = max([program.background, *(piece.fill for piece in pieces)])
        offset = program.source_offset + sum(piece.offset for piece in pieces)
        yield (begin, shape, steps), tuple(p.step for p in pieces), offset, fill


def _bytes_at(
    result: Array,
    program: Program,
    start: int,
    shape: tuple[int, ...],
    steps: tuple[int, ...],
) -> Array:
    raw = np.dtype(f"V{program.itemsize}")
    return memory(result, program.result_offset + start, shape, steps, raw)
