"""How time grows: with bytes, with rank and with threads, over a plain copy's own.

Everything here writes into arrays that are there already, so that only the moving is
timed: source and result lie in the same two buffers for the case and for the copy.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np

import restride as rs
from restride.bench.case import Case
from restride.bench.contender import Restride
from restride.bench.reserve import PAGE_BYTES
from restride.bench.steps import Index, Pad, Step, Transpose
from restride.bench.suite import buffer
from restride.bench.timing import best

__all__ = ["Growth", "growth"]

Array = np.ndarray[Any, Any]
MB = 1_000_000

SIZES_MB = (1, 4, 16, 64, 256, 1000, 2000, 4000, 8000)
"""Megabytes of the source; the last ones only where `most_bytes` allows."""

BUFFERS = 2.01
"""Memory over the source's: the source, and a result that is a little larger."""

RANKS = tuple(range(2, 9))
RANK_MB = 64
"""Megabytes of the source for every rank, and for the threads."""


class Growth(NamedTuple):
    """One figure: `over_copy` is restride's time over that of a plain copy."""

    what: str
    at: str
    seconds: float
    copy_seconds: float

    @property
    def over_copy(self) -> float:
        """Time over a plain copy of the same bytes between the same buffers."""
        return self.seconds / self.copy_seconds

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**self._asdict(), "over_copy": self.over_copy}


def growth(
    budget_s: float, most_bytes: int, say: Callable[[str], None] = lambda _: None
) -> dict[str, list[Growth]]:
    """Time over a plain copy by bytes, by rank and by threads."""
    sizes = [n * MB for n in SIZES_MB if BUFFERS * n * MB <= most_bytes]
    usual = min(RANK_MB * MB, int(most_bytes / BUFFERS))
    found: dict[str, list[Growth]] = {"bytes": [], "rank": [], "threads": []}
    # The largest first: the others then find memory that was in use just before.
    for nbytes in reversed(sizes):
        larger = _at(f"{nbytes // MB} MB", _square(nbytes), budget_s, say)
        found["bytes"] = larger + found["bytes"]
    for rank in RANKS:
        found["rank"] += _at(f"rank {rank}", _of_rank(rank, usual), budget_s, say)
    found["threads"] = _threads(usual, budget_s, say)
    return found


def _square(nbytes: int) -> tuple[int, ...]:
    """A square of float32 whose side is a multiple of 16, as large as fits."""
    n = isqrt(nbytes // 4) // 16 * 16
    return (n, n)


def _of_rank(rank: int, nbytes: int) -> tuple[int, ...]:
    """Twos, then two long axes.

    Examples
    --------
    >>> _of_rank(4, 64 * MB)
    (2, 2, 1984, 1984)
    """
    lead = (2,) * (rank - 2)
    n = isqrt(nbytes // 4 // prod(lead)) // 32 * 32
    return (*lead, n, n)


def _steps(rank: int) -> dict[str, Step]:
    """The kinds of moving that differ most, on the last two axes."""
    whole = (slice(None),) * (rank - 2)
    none = ((0, 0),) * (rank - 2)
    return {
        "crop": Index((*whole, np.s_[8:-8], np.s_[8:-8])),
        "flip": Index((*whole, np.s_[::-1], np.s_[::-1])),
        "transpose": Transpose((*range(rank - 2), rank - 1, rank - 2)),
        "pad reflect 8": Pad((*none, (8, 8), (8, 8)), "reflect"),
    }


def _at(
    at: str, shape: tuple[int, ...], budget_s: float, say: Callable[[str], None]
) -> list[Growth]:
    made, cases = [], _cases(shape)
    pair = _buffers(cases)
    for case in cases:
        call, copy = _calls(case, pair)
        times = best(call, budget_s), _copied(copy, budget_s)
        made.append(Growth(case.name, at, *times))
        say(f"{case.name}, {at}: {made[-1].over_copy:.2f} of a copy")
    return made


def _cases(shape: tuple[int, ...]) -> list[Case]:
    steps = _steps(len(shape))
    return [Case(what, "growth", shape, "f4", (step,)) for what, step in steps.items()]


def _buffers(cases: list[Case]) -> tuple[Array, Array]:
    """Two that hold the source and the result of each, and what a copy of it moves."""
    half = max(case.touched_bytes // 2 for case in cases)
    source = max(case.source_bytes for case in cases)
    result = max(case.result_bytes for case in cases)
    return buffer(max(source, half), 0), buffer(max(result, half), PAGE_BYTES // 2)


def _calls(
    case: Case, pair: tuple[Array, Array]
) -> tuple[Callable[[], Any], tuple[Array, Array]]:
    """The call into a given result, and what to copy between the same buffers."""
    (a, b), half = pair, case.touched_bytes // 2
    x = a[: case.source_bytes].view(case.dtype).reshape(case.shape)
    out = b[: case.result_bytes].view(case.dtype).reshape(case.result)
    call = Restride().into(case, x, out)
    assert call is not None, "growth is measured on steps that write into out="
    return call, (a[:half], b[:half])


def _copied(pair: tuple[Array, Array], budget_s: float) -> float:
    """The faster of two plain copies: NumPy's on one thread, ours on as many as set."""
    a, b = pair
    copies = (lambda: np.copyto(b, a), lambda: rs.slice(a, (slice(None),), out=b))
    return min(best(copy, budget_s / 2) for copy in copies)


def _threads(nbytes: int, budget_s: float, say: Callable[[str], None]) -> list[Growth]:
    """The same moving on 1, 2, 4... threads; the copy is ours, on as many."""
    made, before = list[Growth](), rs.threads()
    cases = _cases(_square(nbytes))
    pair = _buffers(cases)
    try:
        for count in _counts():
            rs.threads(count)
            for case in cases:
                call, (a, b) = _calls(case, pair)
                copy = _own_copy(a, b)
                times = best(call, budget_s), best(copy, budget_s)
                made.append(Growth(case.name, f"{count} threads", *times))
                say(f"{case.name}, {count} threads: {times[0] * 1e3:.3g} ms")
    finally:
        rs.threads(before)
    return made


def _own_copy(a: Array, b: Array) -> Callable[[], Any]:
    return lambda: rs.slice(a, (slice(None),), out=b)


def _counts() -> list[int]:
    """1, 2, 4... up to the processors allowed.

    Examples
    --------
    >>> _counts()[0]
    1
    """
    most = len(os.sched_getaffinity(0))
    return [1 << k for k in range(most.bit_length()) if 1 << k <= most]
