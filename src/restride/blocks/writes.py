"""A region write as the last step: each block takes the cells of the region in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.blocks.restrict import Box
from restride.blocks.sources import Source
from restride.engines.prepared import broadcast
from restride.errors import DTypeError, ShapeError
from restride.layout.chain import Chain
from restride.layout.index_map import Entry, IndexMap
from restride.lazy import prepare
from restride.ops.set_value import SetValue

__all__ = ["RegionWrite", "region_writes", "split_writes"]

Array = np.ndarray[Any, Any]


def split_writes(view: Any) -> tuple[Any, list[tuple[SetValue, Any]]]:
    """The steps that make a view, and the (set_value, source) pairs after them."""
    if _is_write(view):
        return [], [view]
    if not isinstance(view, (list, tuple)):
        return view, []
    steps = list(view)
    writes: list[tuple[SetValue, Any]] = []
    while steps and _is_write(steps[-1]):
        writes.insert(0, steps.pop())
    return (steps, writes) if writes else (view, [])


def _is_write(step: Any) -> bool:
    is_pair = isinstance(step, tuple) and len(step) == 2
    return is_pair and isinstance(step[0], SetValue)


def region_writes(
    pairs: Sequence[tuple[SetValue, Source]],
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> list[RegionWrite]:
    """The writes over a result of `shape` and `dtype`."""
    return [RegionWrite(spec, source, shape, dtype) for spec, source in pairs]


class RegionWrite:
    """``result[starts + k * strides] = source[k]``, a block of the result at a time.

    Raises
    ------
    BoundsError, ShapeError, DTypeError
        The region lies outside the result, or the source does not fill it.
    """

    def __init__(
        self,
        spec: SetValue,
        source: Source,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
    ) -> None:
        self.spec, self.source = spec, source
        self.counts = spec.infer_shape(shape)
        self._check(dtype)

    def _check(self, dtype: np.dtype[Any]) -> None:
        if self.source.dtype != dtype:
            raise DTypeError(
                f"set_value: src has dtype {self.source.dtype} and the result {dtype}, "
                "byte order included; restride does not convert."
            )
        extra = len(self.source.shape) - len(self.counts)
        fits = all(n == 1 for n in self.source.shape[: max(extra, 0)])
        kept = self.source.shape[max(extra, 0) :]
        wanted = self.counts[max(-extra, 0) :]
        if not fits or any(n not in (1, m) for n, m in zip(kept, wanted, strict=True)):
            raise ShapeError(
                f"set_value: src of shape {self.source.shape} does not broadcast to "
                f"the {self.counts} cells written."
            )

    def into(self, box: Box, cells: Array) -> None:
        """Write what of the region lies in `box`, whose elements are `cells`."""
        entries: list[Entry] = []
        taken: list[tuple[int, int]] = []
        strides = self.spec.strides or (1,) * len(box)
        axes = zip(box, self.spec.starts, strides, self.counts, strict=True)
        for (low, high), start, step, count in axes:
            first, last = _inside(start, step, count, low, high)
            if first >= last:
                return
            entries.append((start + first * step - low, step, last - first))
            taken.append((first, last))
        region = IndexMap.cells(cells.shape, entries)
        part = broadcast(self._part(taken), region.shape)
        prepare(Chain.identity(region.shape), cells.dtype, region)(cells, part)

    def _part(self, taken: Sequence[tuple[int, int]]) -> Array:
        """The part of the source for these cells; an extent of 1 is for all."""
        shape = self.source.shape
        spare = len(shape) - len(taken)
        ranges = [(0, 1)] * max(spare, 0) + list(taken[max(-spare, 0) :])
        reads = [
            ((0, 1),) if n == 1 else (r,) for n, r in zip(shape, ranges, strict=True)
        ]
        return self.source.read(reads, False)


def _inside(start: int, step: int, count: int, low: int, high: int) -> tuple[int, int]:
    """The k of ``range(count)`` for which ``start + k * step`` is in low..high - 1."""
    if step < 0:
        start, step, low, high = -start, -step, 1 - high, 1 - low
    first = max(0, -((start - low) // step))
    last = min(count, -((start - high) // step))
    return first, last
