"""Seconds of a call, and the memory it took."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from timeit import Timer
from typing import Any

__all__ = ["Peak", "best", "best_kept", "peak"]

LEAST, MOST = 5, 5000
"""Samples taken of one call, whatever the budget."""

LONG_S = 1.0
"""A call that takes longer is made three times in all: its noise is small beside it."""

FAR = 3
"""So many times slower than the fastest peer, another peer needs no exact figure."""

FEW = 8
"""Results that a peer so far behind keeps alive, where all of them would take long."""

BATCH_S = 50e-6
"""A sample is at least this long: reading the clock takes a tenth of a microsecond."""


def best(
    call: Callable[[], Any], budget_s: float, beside_s: float | None = None
) -> float:
    """Seconds of the fastest of many calls; letting go of large results not counted.

    The fastest, since whatever else runs can only make a call slower.  Where another
    takes `beside_s`, and this one is far behind it, two calls after the first are
    enough if more would take longer than the budget.
    """
    first = _one(call)
    once = _one(call)
    if once < BATCH_S:
        return _best_batch(call, once, budget_s)
    times, stop = [once], perf_counter() + budget_s
    if once > LONG_S:
        return min(first, once, _one(call))
    if is_far(once, beside_s) and once * LEAST > budget_s:
        times.append(_one(call))
        if is_far(min(times), beside_s):
            return min(times)
    while len(times) < LEAST or (perf_counter() < stop and len(times) < MOST):
        times.append(_one(call))
    return min(times)


def is_far(seconds: float, beside_s: float | None) -> bool:
    """True where another is faster by so much that an exact figure is of no use.

    Examples
    --------
    >>> is_far(0.6, 0.1), is_far(0.2, 0.1), is_far(0.6, None)
    (True, False, False)
    """
    return beside_s is not None and seconds > FAR * beside_s


def _one(call: Callable[[], Any]) -> float:
    start = perf_counter()
    result = call()
    took = perf_counter() - start
    del result
    return took


def _best_batch(call: Callable[[], Any], once: float, budget_s: float) -> float:
    """A mean over as many calls as fill a sample; the garbage collector rests."""
    timer = Timer(call)
    count = max(1, int(BATCH_S / max(once, 1e-8)))
    while (took := timer.timeit(count)) < BATCH_S:
        count *= 2
    samples = max(LEAST, min(MOST, int(budget_s / took)))
    return min(timer.timeit(count) for _ in range(samples)) / count


def best_kept(call: Callable[[], Any], keep: int, budget_s: float) -> float:
    """Seconds per call of the fastest round of `keep` calls, all results kept alive.

    Between rounds everything is let go, outside the time that is taken.  Two rounds
    are made at least, however long they take: the host of a virtual machine takes
    free memory back now and then, and the round that meets it is ten times as slow.
    """
    stop = perf_counter() + budget_s
    rounds = [_round(call, keep), _round(call, keep)]
    while perf_counter() < stop and len(rounds) < MOST:
        rounds.append(_round(call, keep))
    return min(rounds)


def _round(call: Callable[[], Any], keep: int) -> float:
    """Seconds per call of `keep` calls."""
    start = perf_counter()
    kept = [call() for _ in range(keep)]
    took = perf_counter() - start
    del kept
    return took / keep


class Peak:
    """The most memory above where a measurement began; None where the system
    keeps no count that can be reset."""

    bytes: int | None = None


@contextmanager
def peak() -> Iterator[Peak]:
    """Count the most resident memory while the body runs (Linux).

    What the heap holds free is given back first: it would be used again uncounted.
    """
    gc.collect()
    _trim_heap()
    told = Peak()
    try:
        # proc(5): 5 sets the process's highest resident size to the present one.
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
    except OSError:
        yield told
        return
    yield told
    told.bytes = max(0, _status("VmHWM") - before)


def _trim_heap() -> None:
    """Hand free memory back to the system, where the C library can (glibc)."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):
        return


def _status(name: str) -> int:
    """A size from /proc/self/status, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) << 10
    raise OSError(f"/proc/self/status has no {name}")
