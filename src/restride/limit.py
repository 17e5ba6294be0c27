"""The copy limit: how fast this machine copies plainly, measured once per process.

No operator that moves as many bytes can be faster, so what a run took is told as a
share of it.  A copy is measured over memory that is there already, from both NumPy and
the engine in use, and the faster one counts.
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from restride.engines.prepared import Prepared
from restride.layout.chain import Chain
from restride.plans.plan import Plan

__all__ = ["copy_seconds"]

LEAST_BYTES, MOST_BYTES = 1 << 20, 1 << 26
"""Sizes measured, read and written together.  Less is told by nobody; more is as fast
per byte, since no cache holds it."""

BUDGET_S = 8e-3
"""Seconds for each of the two ways to copy, and at least `LEAST_TIMES` times."""

LEAST_TIMES = 3

PAGE_BYTES = 4096
"""Source and target begin half a page apart: the same place in a page slows a copy."""


def copy_seconds(nbytes: int) -> float:
    """Seconds of a plain copy that reads and writes `nbytes` together.

    The first call for a size (a power of two) measures for about 20 ms.

    Examples
    --------
    >>> 0 < copy_seconds(1 << 20) < 1
    True
    """
    size = min(max(1 << max(nbytes - 1, 0).bit_length(), LEAST_BYTES), MOST_BYTES)
    return _measured(size) * nbytes / size


@lru_cache(16)
def _measured(nbytes: int) -> float:
    """Seconds of the fastest copy of half of `nbytes`."""
    half = nbytes // 2
    source, target = _buffer(half, 0), _buffer(half, PAGE_BYTES // 2)
    plan = Plan.of(Chain.identity((half,)), source.dtype, lambda constant: constant)
    engine = Prepared(plan)
    return min(
        _best(lambda: np.copyto(target, source)), _best(lambda: engine(source, target))
    )


def _best(call: Any) -> float:
    """The fastest of the calls that fit into the budget; the first is not counted."""
    call()
    taken: list[float] = []
    stop = perf_counter() + BUDGET_S
    while len(taken) < LEAST_TIMES or perf_counter() < stop:
        begun = perf_counter()
        call()
        taken.append(perf_counter() - begun)
    return min(taken)


def _buffer(nbytes: int, at: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Bytes that begin `at` bytes into a page, and are there already."""
    whole = np.ones(nbytes + 2 * PAGE_BYTES, np.uint8)
    begin = (at - whole.ctypes.data) % PAGE_BYTES
    return whole[begin : begin + nbytes]
