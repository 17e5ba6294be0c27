"""A whole run as one document of plain values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any

import restride as rs
from restride.bench.case import Case
from restride.bench.contender import Contender
from restride.bench.errors import BenchError
from restride.bench.growth import growth
from restride.bench.machine import machine, now, versions
from restride.bench.overhead import overhead
from restride.bench.rows import Row
from restride.bench.suite import Options, Run

__all__ = [
    "grown",
    "join",
    "measured",
    "one_thread_added",
    "one_thread_rows",
    "rows_of",
]

PACKAGES = ("numpy", "torch", "tensorflow-cpu", "tensorflow", "jax")
"""Whose versions a run tells beside ours, where they are installed."""


def measured(
    cases: Sequence[Case],
    contenders: Sequence[Contender],
    options: Options,
    say: Callable[[str], None],
    again: Sequence[str] | None = None,
) -> dict[str, Any]:
    """What was measured, where, with what and when.

    Parameters
    ----------
    cases : sequence of Case
    contenders : sequence of Contender
        NumPy first.
    options : Options
    say : callable
        Told of the progress, a line at a time.
    again : sequence of str, optional
        A module and its arguments, to be run once more for the variant "one thread":
        it pins itself and prints a document of the same cases.
    """
    # What else was running when the run began is a part of its figures.
    told = {"date": now(), "load_before": os.getloadavg()[0]}
    begun = monotonic()
    run = Run(contenders, options, say)
    rows = list(run.rows(cases))
    found: dict[str, Any] = {
        **told,
        "machine": machine(),
        "versions": {"restride": rs.__version__, **versions(PACKAGES)},
        "budget_s": options.budget_s,
        "kept_results": options.keep,
        "most_bytes": options.most_bytes,
        "minutes": round((monotonic() - begun) / 60, 1),
        "rows": [row.as_json() for row in rows],
        "left_out": run.left_out,
    }
    return found if again is None else one_thread_added(found, again, say)


def one_thread_added(
    told: dict[str, Any], again: Sequence[str], say: Callable[[str], None]
) -> dict[str, Any]:
    """The document with the variant "one thread" in its rows."""
    say("the same on one processor:")
    rows = rows_of(told)
    join(rows, one_thread_rows(again))
    return {**told, "rows": [row.as_json() for row in rows]}


def grown(options: Options, say: Callable[[str], None]) -> dict[str, Any]:
    """The part of a document on growth and on the cost of calls."""
    say("growth, and what a call costs, which takes some minutes more:")
    found = growth(options.budget_s, options.most_bytes, say)
    return {
        "growth": {axis: [g.as_json() for g in told] for axis, told in found.items()},
        "overhead": overhead(options.budget_s, say),
    }


def rows_of(told: dict[str, Any]) -> list[Row]:
    """The rows of a document."""
    return [Row.from_json(row) for row in told["rows"]]


def one_thread_rows(command: Iterable[str]) -> list[Row]:
    """Run a module in a process of its own, and read the document it prints.

    Raises
    ------
    BenchError
        The process failed; it said why on standard error.
    """
    # Restride follows the processors allowed unless the environment says otherwise.
    environment = {k: v for k, v in os.environ.items() if k != "RESTRIDE_THREADS"}
    told = subprocess.run(
        [sys.executable, "-m", *command],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if told.returncode:
        raise BenchError("bench: the part on one processor failed, as said above.")
    return rows_of(json.loads(told.stdout))


def join(rows: Iterable[Row], alone: Iterable[Row]) -> None:
    """Add what was taken on one processor to the rows of the same cases."""
    by_name = {row.name: row for row in alone}
    for row in rows:
        other = by_name.get(row.name)
        if other is not None:
            row.limit_one_thread_s = other.limit_s
            row.taken["one thread"] = other.taken.get("one thread", {})
