"""What a run costs, in one line: bytes, copies and cuts, and the time at best.

>>> cost = Cost(read=3_000_000, written=1_000_000, copies=1, cuts=0)
>>> cost.line()
'cost: 3.00 MB read, 1.00 MB written; 1 copy, 0 cuts'
>>> cost.line(lambda nbytes: nbytes / 10e9)
'cost: 3.00 MB read, 1.00 MB written; 1 copy, 0 cuts; a plain copy takes 0.40 ms'

The copy limit is what a plain copy of as many bytes takes, measured on the machine
(:mod:`restride.limit`).  Below `WORTH_A_LIMIT` bytes no time is told: the cost of a
call would drown it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from restride.explain.units import human_bytes, human_seconds

__all__ = ["WORTH_A_LIMIT", "Cost", "Limit", "cost_of"]

Limit = Callable[[int], float]
"""Seconds that a plain copy takes, by the bytes it reads and writes together."""

WORTH_A_LIMIT = 1_000_000
"""Bytes from which a time is told."""


@dataclass(frozen=True)
class Cost:
    """What a run reads and writes, all its copies together."""

    read: int
    """Bytes of all sources touched."""
    written: int
    """Bytes of all results, those on the way included."""
    copies: int
    """Passes over memory."""
    cuts: int
    """How often something is written on the way."""

    @property
    def moved(self) -> int:
        """Bytes read and written."""
        return self.read + self.written

    def at_best(self, limit: Limit | None) -> float | None:
        """Seconds at the copy limit; None where there are too few bytes to tell."""
        if limit is None or self.moved < WORTH_A_LIMIT:
            return None
        return limit(self.moved)

    def line(self, limit: Limit | None = None) -> str:
        """It in one line."""
        return f"cost: {self.told(limit)}"

    def told(self, limit: Limit | None = None) -> str:
        """What the line says."""
        told = [f"{human_bytes(self.read)} read, {human_bytes(self.written)} written"]
        told.append(f"{_count(self.copies, 'copy')}, {_count(self.cuts, 'cut')}")
        best = self.at_best(limit)
        if best is not None:
            told.append(f"a plain copy takes {human_seconds(best)}")
        return "; ".join(told)

    def done(
        self, seconds: float, limit: Limit | None = None, how: str | None = None
    ) -> str:
        """What a run that took so long says of itself; `how` it went, if not in copies.

        Of files it is told how fast, since what they are measured by is no copy of
        memory.

        Examples
        --------
        >>> Cost(300, 100, 1, 0).done(25e-6)
        '400 B moved in 1 copy in 0.03 ms (300 B read, 100 B written), 0 cuts'
        >>> Cost(3_000_000, 1_000_000, 1, 0).done(2, how="blocks")
        '4.00 MB moved in blocks in 2.00 s (...), 2.00 MB/s, 0 cuts'
        """
        best = None if how else self.at_best(limit)
        share = ""
        if how and self.moved >= WORTH_A_LIMIT:
            share = f", {human_bytes(round(self.moved / max(seconds, 1e-9)))}/s"
        if best is not None:
            share = f", a plain copy takes {human_seconds(best)}"
        return (
            f"{human_bytes(self.moved)} moved in {how or _count(self.copies, 'copy')} "
            f"in {human_seconds(seconds)} ({human_bytes(self.read)} read, "
            f"{human_bytes(self.written)} written){share}, {_count(self.cuts, 'cut')}"
        )


def cost_of(scenes: Iterable[dict[str, Any]], cuts: int | None = None) -> Cost | None:
    """The cost of scenes that run one after the other; None without a dtype.

    Parameters
    ----------
    scenes : iterable of dict
        Of chains and of region writes.
    cuts : int, optional
        Where more is written on the way than the chains themselves cut.
    """
    shown = list(scenes)
    if any(s["bytes_read"] is None for s in shown):
        return None
    return Cost(
        read=sum(s["bytes_read"] for s in shown),
        written=sum(s["bytes_written"] for s in shown),
        copies=sum(len(s.get("maps", [s])) for s in shown),
        cuts=sum(s.get("cuts", 0) for s in shown) if cuts is None else cuts,
    )


def _count(number: int, what: str) -> str:
    """``1 copy``, ``2 copies``."""
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number} {what if number == 1 else many}"
