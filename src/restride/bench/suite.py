"""Run cases: compare every contender's bits, then time it in every variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np

import restride as rs
from restride.bench.case import Case
from restride.bench.contender import Call, Contender, same_bits
from restride.bench.errors import BenchError
from restride.bench.machine import available_bytes
from restride.bench.rows import OWN, Row, Taken
from restride.bench.timing import best, best_kept, peak

__all__ = ["Options", "Run"]

Array = np.ndarray[Any, Any]


PAGE_BYTES = 4096
"""Loads and stores whose addresses differ by a little more than a multiple of this
hinder each other: a copy took twelve times as long for it."""


@dataclass(frozen=True)
class Options:
    """How long and how much a run may take."""

    budget_s: float = 0.3
    """Seconds for each time taken: per case, variant and contender."""
    most_bytes: int = field(default_factory=lambda: available_bytes() // 2)
    """Cases that need more memory are left out, and said to be."""
    keep: int = 32
    """Results kept alive in the variant "kept"."""
    deadline_s: float | None = None
    """Seconds after which no further case is begun."""
    variants: tuple[str, ...] = ("fresh", "out", "no pool", "kept")


class Run:
    """Rows of cases, measured one after the other in this process.

    Parameters
    ----------
    contenders : sequence of Contender
        NumPy first: its results are what the others' must be.
    options : Options
    say : callable
        Told of each row as it is done, and of each case left out.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        options: Options,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.contenders, self.options, self.say = contenders, options, say
        self.left_out: dict[str, str] = {}

    def rows(self, cases: Sequence[Case]) -> Iterator[Row]:
        """A row per case that is measured.

        Raises
        ------
        BenchError
            A result of restride is not NumPy's, bit for bit.
        """
        begun = monotonic()
        for number, case in enumerate(cases, 1):
            why = self._why_not(case, monotonic() - begun)
            if why is not None:
                self.left_out[case.name] = why
                self.say(f"{number}/{len(cases)} {case.name}: left out, {why}")
                continue
            row = self.row(case)
            self.say(f"{number}/{len(cases)} {_told(row)}")
            yield row

    def _why_not(self, case: Case, spent_s: float) -> str | None:
        if case.needed_bytes > self.options.most_bytes:
            return f"it needs {case.needed_bytes / 1e9:.1f} GB of memory"
        deadline = self.options.deadline_s
        if deadline is not None and spent_s > deadline:
            return "the time was up"
        return None

    def row(self, case: Case) -> Row:
        """Measure one case."""
        limit = None if case.is_small else self._limit(case.touched_bytes)
        row, x = Row.of(case, limit), case.source()
        reference = self._reference(case, x)
        for who in self.contenders:
            try:
                self._one(row, case, who, x, reference)
            except who.refusals as error:
                if who.name == OWN:
                    raise
                first = (str(error).splitlines() or [type(error).__name__])[0]
                row.refused[who.name] = first[:120]
            finally:
                who.rest()
        return row

    def _reference(self, case: Case, x: Array) -> Array:
        call = self.contenders[0].fresh(case, x)
        assert call is not None, "the first contender has a call for every case"
        made: Array = call()
        return made

    def _one(
        self, row: Row, case: Case, who: Contender, x: Array, reference: Array
    ) -> None:
        held = who.hold(x)
        call = who.fresh(case, held)
        if call is None:
            row.refused[who.name] = "has no such call"
            return
        if not same_bits(who.as_numpy(call()), reference):
            if who.name == OWN:
                raise BenchError(f"{case.name}: restride's result is not NumPy's.")
            row.refused[who.name] = "its result has other bits"
            return
        for variant in self.options.variants:
            taken = self._taken(variant, case, who, held, call)
            if taken is not None:
                row.taken.setdefault(variant, {})[who.name] = taken

    def _taken(
        self, variant: str, case: Case, who: Contender, held: Any, call: Call
    ) -> Taken | None:
        budget = self.options.budget_s
        if variant in ("fresh", "one thread"):
            return _measured(who, lambda: best(call, budget))
        if case.write is not None:
            return None  # it is in place: nothing is made, kept or pooled
        if variant == "out":
            out = np.empty(case.result, case.dtype)
            out.view(np.uint8).fill(1)  # so that its pages are there
            into = who.into(case, held, out)
            return into and _measured(who, lambda: best(into, budget))
        if variant == "no pool":
            with _no_pool():
                return _measured(who, lambda: best(call, budget), who.name == OWN)
        keep = self.options.keep
        if keep * case.result_bytes > self.options.most_bytes:
            return None
        return _measured(who, lambda: best_kept(call, keep, budget))

    def _limit(self, nbytes: int) -> float:
        """The fastest plain copy of half of `nbytes`, by whichever contender."""
        half = max(1, nbytes // 2)
        a, b = buffer(half, 0), buffer(half, PAGE_BYTES // 2)
        calls = [who.copy(a, b) for who in self.contenders if who.copy_limits]
        budget = self.options.budget_s / max(1, len(calls))
        return min(best(call, budget) for call in calls if call is not None)


def buffer(nbytes: int, at: int) -> Array:
    """Bytes that begin `at` bytes into a page, and are there already."""
    line = np.ones(nbytes + PAGE_BYTES, np.uint8)
    begin = (at - line.ctypes.data) % PAGE_BYTES
    return line[begin : begin + nbytes]


def _measured(
    who: Contender, measure: Callable[[], float], wanted: bool = True
) -> Taken | None:
    """Time and memory, from a pool that is empty and a heap that is swept."""
    if not wanted:
        return None
    who.rest()
    with peak() as told:
        seconds = measure()
    return Taken(seconds, told.bytes)


@contextmanager
def _no_pool() -> Iterator[None]:
    before = rs.pool.limit()
    rs.pool.limit(0)
    try:
        yield
    finally:
        rs.pool.limit(before)


def _told(row: Row) -> str:
    """One line for whoever waits."""
    own, who, vs, of = row.own(), row.peer(), row.vs(), row.of_limit()
    if own is None:
        return row.name
    text = f"{row.name}: {own * 1e3:.4g} ms"
    if who is not None and vs is not None:
        text += f", {vs:.2f} of {who}"
    return text + (f", {of:.2f} of the limit" if of is not None else "")
