"""How long a run still takes, from how long it took so far."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from restride.bench.case import Case

__all__ = ["Pace", "work"]

HEAVY_BYTES = 100_000_000
"""Bytes touched that take as long again as all that is the same for every case."""


def work(case: Case) -> float:
    """How much there is to do for a case, beside one that moves next to nothing."""
    return 1 + case.touched_bytes / HEAVY_BYTES


class Pace:
    """What was done of a list of works, and the time it took.

    Examples
    --------
    >>> pace = Pace([1.0, 3.0])
    >>> pace.left_s(10.0)
    >>> _ = pace.step()
    >>> pace.left_s(10.0)
    30.0
    """

    def __init__(self, works: Sequence[float]) -> None:
        self._works, self._done, self._begun = works, 0, monotonic()

    @property
    def spent_s(self) -> float:
        """Seconds since it was made."""
        return monotonic() - self._begun

    def left_s(self, spent_s: float) -> float | None:
        """Seconds that are left at the pace so far; None before the first is done."""
        done = sum(self._works[: self._done])
        return spent_s * sum(self._works[self._done :]) / done if done else None

    def step(self) -> str:
        """Note that the next one is done; the time left, in words."""
        self._done += 1
        left = self.left_s(self.spent_s) or 0.0
        if left < 60:
            return "under a minute left"
        return f"about {round(left / 60)} min left"
