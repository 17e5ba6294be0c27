"""What was measured of one case, and the figures read off it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import exp, log
from typing import Any

from restride.bench.case import Case

__all__ = ["EQUAL", "OWN", "VARIANTS", "Row", "Taken", "mean"]

OWN = "restride"

EQUAL = 0.97
"""Ratios from here on count as equal: two runs of the same call differ by as much."""

VARIANTS = ("fresh", "out", "no pool", "kept", "one thread")
"""How a case is repeated: into a fresh result, into the caller's array, with the pool
of buffers off, with all of many results kept alive, and held to one processor."""


@dataclass(frozen=True)
class Taken:
    """Seconds of one call, and the most memory that measuring it took on top."""

    seconds: float
    peak_bytes: int | None


@dataclass
class Row:
    """One case: the limit, and per variant what each contender took."""

    name: str
    group: str
    read_bytes: int
    written_bytes: int
    limit_s: float | None
    limit_one_thread_s: float | None = None
    taken: dict[str, dict[str, Taken]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, case: Case, limit_s: float | None) -> Row:
        """An empty row."""
        return cls(case.name, case.group, case.read_bytes, case.written_bytes, limit_s)

    def note(self, variant: str, who: str, taken: Taken | None) -> None:
        """Add what a contender took, if anything was taken."""
        if taken is not None:
            self.taken.setdefault(variant, {})[who] = taken

    def peers(self, variant: str = "fresh") -> dict[str, float]:
        """Seconds of the others.  Without a pool theirs are those of "fresh"."""
        column = "fresh" if variant == "no pool" else variant
        found = self.taken.get(column, {})
        return {who: t.seconds for who, t in found.items() if who != OWN}

    def own(self, variant: str = "fresh") -> float | None:
        """Seconds of restride."""
        found = self.taken.get(variant, {}).get(OWN)
        return None if found is None else found.seconds

    def peer(self, variant: str = "fresh") -> str | None:
        """The fastest other contender."""
        others = self.peers(variant)
        return min(others, key=others.__getitem__) if others else None

    def vs(self, variant: str = "fresh") -> float | None:
        """Time of the fastest peer over restride's."""
        own, who = self.own(variant), self.peer(variant)
        return None if own is None or who is None else self.peers(variant)[who] / own

    def of_limit(self, variant: str = "fresh") -> float | None:
        """The limit over restride's time."""
        limit = self.limit_one_thread_s if variant == "one thread" else self.limit_s
        own = self.own(variant)
        return None if own is None or limit is None else limit / own

    def as_json(self) -> dict[str, Any]:
        """Plain values, with the figures beside what they were read off."""
        figures = {
            v: {"peer": self.peer(v), "vs": self.vs(v), "of": self.of_limit(v)}
            for v in VARIANTS
            if self.own(v) is not None
        }
        return {**asdict(self), "figures": figures}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Row:
        """The row that `as_json` told."""
        plain = {k: v for k, v in told.items() if k not in ("figures", "taken")}
        taken = {
            variant: {who: Taken(**t) for who, t in column.items()}
            for variant, column in told["taken"].items()
        }
        return cls(**plain, taken=taken)


def mean(ratios: Iterable[float | None]) -> float | None:
    """Geometric mean of those there are.

    Examples
    --------
    >>> mean([2.0, None, 8.0])
    4.0
    """
    known = [r for r in ratios if r is not None]
    return exp(sum(map(log, known)) / len(known)) if known else None
