"""The guard: no ratio may fall below what was once measured, less a margin.

Ratios of one run depend far less on the machine than times do: the limit and NumPy are
measured in the same process as restride.  What is stored stands in a TOML file: a
margin with its reason, and per case the ratio and its name, "vs" NumPy or "of" the
limit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from restride.bench.case import Case
from restride.bench.cases import GROUPS, cases
from restride.bench.contender import Contender
from restride.bench.errors import BenchError, SlowerError
from restride.bench.rows import Row
from restride.bench.suite import Options, Run

__all__ = ["Guard", "Stored", "judge", "read_guard", "watch"]

TRIES = 3
"""A case that fails is measured again, at most so often in all: what else runs on the
machine only ever makes it slower, so one good measurement is proof."""


@dataclass(frozen=True)
class Stored:
    """The ratio that a case had."""

    case: str
    figure: str
    ratio: float


@dataclass(frozen=True)
class Guard:
    """Stored ratios, and the share of each that may be lost to noise."""

    margin: float
    stored: tuple[Stored, ...]

    def least(self, stored: Stored) -> float:
        """The lowest ratio that passes."""
        return stored.ratio * (1 - self.margin)


def read_guard(path: str | Path) -> Guard:
    """The guard in a TOML file.

    Raises
    ------
    BenchError
        The file is no such table, or names a case that is not measured.
    """
    try:
        told = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        guard = Guard(float(told["margin"]), tuple(map(_stored, told["case"])))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise BenchError(f"{path} is no guard: {error}.") from error
    if not 0 <= guard.margin < 1 or not guard.stored:
        raise BenchError(f"{path}: the margin lies in [0, 1), and cases are stored.")
    return guard


def _stored(told: dict[str, Any]) -> Stored:
    if told["figure"] not in ("vs", "of") or not float(told["ratio"]) > 0:
        raise ValueError(f"{told}: figure is 'vs' or 'of', ratio above 0")
    return Stored(str(told["name"]), told["figure"], float(told["ratio"]))


def judge(guard: Guard, rows: Sequence[Row]) -> list[str]:
    """A line for each stored ratio that is worse now, or was not measured.

    Examples
    --------
    >>> guard = Guard(0.2, (Stored("flip", "of", 1.0),))
    >>> judge(guard, [])
    ['flip: was not measured']
    """
    by_name = {row.name: row for row in rows}
    found = []
    for stored in guard.stored:
        row = by_name.get(stored.case)
        now = None if row is None else figure(row, stored.figure)
        if now is None:
            found.append(f"{stored.case}: was not measured")
        elif now < guard.least(stored):
            found.append(
                f"{stored.case}: {stored.figure} is {now:.2f}, at least "
                f"{guard.least(stored):.2f} is wanted (stored {stored.ratio:.2f})"
            )
    return found


def figure(row: Row, name: str) -> float | None:
    """The ratio called `name`."""
    return row.vs() if name == "vs" else row.of_limit()


def watch(
    guard: Guard,
    contenders: Sequence[Contender],
    budget_s: float,
    say: Callable[[str], None] = lambda _: None,
) -> list[Row]:
    """Measure what is stored.

    Raises
    ------
    SlowerError
        A ratio is worse in every try; the message names each.
    """
    run = Run(contenders, Options(budget_s, variants=("fresh",)), say)
    good: list[Row] = []
    wanted, worse = guard, list[str]()
    for _ in range(TRIES):
        rows = list(run.rows(_named(wanted)))
        slow = {s.case for s in wanted.stored if judge(Guard(guard.margin, (s,)), rows)}
        good += [row for row in rows if row.name not in slow]
        worse = judge(wanted, rows)
        if not worse:
            return good
        left = tuple(s for s in wanted.stored if s.case in slow)
        wanted = Guard(guard.margin, left)
    raise SlowerError(f"slower than stored, {TRIES} times over: " + "; ".join(worse))


def _named(guard: Guard) -> list[Case]:
    """The cases that are stored, in the order of the suite."""
    names = {s.case for s in guard.stored}
    found = [case for case in cases(tuple(GROUPS)) if case.name in names]
    unknown = names - {case.name for case in found}
    if unknown:
        raise BenchError(f"guard: no case is called {', '.join(sorted(unknown))}.")
    return found
