"""What a call costs beyond the moving: prepared plans, first calls, chains, imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import restride as rs
from restride.bench.timing import best

__all__ = ["overhead"]

FIRST_CALLS = 200
"""Calls with new parameters that are made; the fastest tenth counts."""

IMPORTS = 7
"""Fresh processes per way of importing; the fastest counts."""


def overhead(
    budget_s: float, say: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """Seconds, by name."""
    found: dict[str, float] = {}
    for part in (_prepared, _first, _chain, _imports):
        for name, taken in part(budget_s).items():
            found[name] = taken
            say(f"{name}: {taken * 1e6:.3g} us")
    return found


def _prepared(budget_s: float) -> dict[str, float]:
    """A plan that is called again, beside NumPy's shortest way."""
    s = np.arange(9, dtype=np.float32).reshape(3, 3)
    plan = rs.plan(rs.view(s)[::2, ::-1])
    out = plan(s)
    return {
        "numpy x[::2, ::-1].copy()": best(lambda: s[::2, ::-1].copy(), budget_s),
        "plan(x)": best(lambda: plan(s), budget_s),
        "plan(x, out=y)": best(lambda: plan(s, out=out), budget_s),
    }


def _first(_: float) -> dict[str, float]:
    """Calls with parameters never seen before: they must not depend on the size.

    On the large shape only the plan is made, since moving would drown it.
    """
    s = np.zeros((3, 3), np.float32)
    small, large = (3, 3), (100_000, 100_000)
    return {
        "first pad of 3x3": _lowest(lambda k: rs.pad(s, _widths(k), "reflect")),
        "first slice of 3x3": _lowest(lambda k: rs.slice(s, np.s_[-k:, :k])),
        "first as_strided of 3x3": _lowest(
            lambda k: rs.as_strided(s, _digits(k, 3, 6), (1, 1, 1, 1, 0, 0))
        ),
        "first plan of a pad of 3x3": _lowest(lambda k: _plan(k, small)),
        "first plan of a pad of 100000x100000": _lowest(lambda k: _plan(k, large)),
    }


def _widths(k: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Narrow pads, others for every k below 6**4."""
    a, b, c, d = _digits(k, 6, 4)
    return (a, b), (c, d)


def _digits(k: int, base: int, count: int) -> tuple[int, ...]:
    """Numbers from 1 to `base`, others for every k below ``base**count``.

    Examples
    --------
    >>> _digits(5, 3, 3)
    (3, 2, 1)
    """
    return tuple(k // base**power % base + 1 for power in range(count))


def _plan(k: int, shape: tuple[int, int]) -> Any:
    return rs.plan(rs.Pad(_widths(k), "edge"), shape, "f4")


def _lowest(call: Callable[[int], Any]) -> float:
    """The tenth percentile over calls that each get a number of their own."""
    times = []
    for k in range(1, FIRST_CALLS + 1):
        start = perf_counter()
        call(k)
        times.append(perf_counter() - start)
    return sorted(times)[FIRST_CALLS // 10]


def _chain(budget_s: float) -> dict[str, float]:
    """Four lazy steps and their plan, written out again."""
    x = np.zeros((8, 3, 64, 64), np.float32)
    frame = ((0, 0), (0, 0), (2, 2), (2, 2))

    def chain() -> Any:
        seen = rs.view(x)[:, :, 4:-4, 4:-4][..., ::-1].pad(frame, mode="reflect")
        return rs.plan(seen.transpose(0, 2, 3, 1))

    return {"a repeated chain of four, from view to plan": best(chain, budget_s)}


def _imports(_: float) -> dict[str, float]:
    """On top of ``import numpy``, which is done before the clock starts."""
    first = "import restride; restride.pad; restride.view"
    return {
        "import restride": _imported("import restride"),
        "import restride, and all that a first call needs": _imported(first),
    }


def _imported(code: str) -> float:
    script = (
        "import numpy; from time import perf_counter as now; start = now(); "
        f"{code}; print(now() - start)"
    )
    return min(_ran(script) for _ in range(IMPORTS))


def _ran(script: str) -> float:
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(told.stdout)
