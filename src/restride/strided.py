"""A straight map as a NumPy view of memory: nothing is copied."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.arrays import is_injective, memory
from restride.checks import MAX_BYTES
from restride.engines.run import check_bytes
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap

__all__ = ["strided_view", "strides_in"]

Array = np.ndarray[Any, Any]


def strides_in(array: Array, chain: Chain) -> tuple[IndexMap, tuple[int, ...]] | None:
    """The chain's map and the byte strides to read it with, if memory is straight."""
    m = chain.maps[0]
    if chain.cuts or not m.is_affine or m.shape != chain.shape:
        return None
    if m.source_shape != array.shape:
        try:
            array = array.reshape(m.source_shape, copy=False)
        except ValueError:
            return None
    return m, array.strides


def strided_view(array: Array, m: IndexMap, strides: tuple[int, ...]) -> Array:
    """NumPy's view of what an affine map reads; proven to lie inside."""
    if m.size == 0:
        check_bytes(m.shape, array.dtype)
        return np.empty(m.shape, array.dtype)
    if m.size * array.itemsize > MAX_BYTES:
        raise ShapeError(
            f"a view of shape {m.shape} spans {m.size * array.itemsize} bytes as NumPy "
            "counts them, repeats included; 2**63 - 1 is the most it takes."
        )
    steps = [0 if a.source is None else a.map.step * strides[a.source] for a in m.axes]
    offset = sum(b * s for b, s in zip(m.base, strides, strict=True))
    seen = memory(array, offset, m.shape, steps, array.dtype)
    if not is_injective(seen):
        seen.flags.writeable = False
    return seen
