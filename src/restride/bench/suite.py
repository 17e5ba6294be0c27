"""Run cases: compare every contender's bits, then time it in every variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import restride as rs
from restride.bench.case import Case
from restride.bench.contender import Call, Contender, same_bits
from restride.bench.errors import BenchError
from restride.bench.machine import available_bytes
from restride.bench.pace import Pace, work
from restride.bench.reserve import PAGE_BYTES, Reserve
from restride.bench.rows import OWN, Row, Taken
from restride.bench.timing import FEW, LONG_S, best, best_kept, is_far, peak

__all__ = ["Options", "Run"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Options:
    """How long and how much a run may take."""

    budget_s: float = 0.2
    """Seconds for each time taken: per case, variant and contender."""
    most_bytes: int = field(default_factory=lambda: available_bytes() * 3 // 4)
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
        # Beside it stands a case that needs at most half of the memory allowed.
        self._reserve = Reserve(options.most_bytes * 3 // 5)

    def rows(self, cases: Sequence[Case]) -> Iterator[Row]:
        """A row per case that is measured.

        Raises
        ------
        BenchError
            A result of restride is not NumPy's, bit for bit.
        """
        pace, first = Pace([work(case) for case in cases]), self.options.variants[0]
        for number, case in enumerate(cases, 1):
            row, why = None, self._why_not(case, pace.spent_s)
            if 2 * case.needed_bytes > self.options.most_bytes:
                self._reserve.let_go()
            if why is None:
                row = self.row(case)
            else:
                self.left_out[case.name] = why
            what = f"{case.name}: left out, {why}" if row is None else _told(row, first)
            self.say(f"{number}/{len(cases)} {what}; {pace.step()}")
            if row is not None:
                yield row
        self._reserve.let_go()

    def _why_not(self, case: Case, spent_s: float) -> str | None:
        if case.needed_bytes > self.options.most_bytes:
            return _needs(case.needed_bytes)
        deadline = self.options.deadline_s
        if deadline is not None and spent_s > deadline:
            return "the time was up"
        return None

    def row(self, case: Case) -> Row:
        """Measure one case."""
        limit = None if case.is_small else self._limit(case.touched_bytes)
        row = Row.of(case, limit)
        calls = self._singly(row, case, case.source())
        if self._keeps(case):
            self._all_kept(row, case, calls)
        return row

    def _all_kept(
        self, row: Row, case: Case, calls: list[tuple[Contender, Call]]
    ) -> None:
        """Each with as much memory free as its results need, the slow ones last: what
        is free for long the host may take."""
        fresh = row.taken["fresh"]
        calls.sort(key=lambda pair: fresh[pair[0].name].seconds)
        for who, call in calls:
            keep = self._keep(row, who)
            with self._reserve.lent(keep * case.result_bytes), _refusing(row, who):
                row.note("kept", who.name, self._kept(who, call, keep))

    def _keeps(self, case: Case) -> bool:
        """True where many results can be kept alive: a write makes none."""
        fits = self.options.keep * case.result_bytes <= self.options.most_bytes
        asked = {"fresh", "kept"} <= set(self.options.variants)
        return asked and fits and case.write is None

    def _singly(self, row: Row, case: Case, x: Array) -> list[tuple[Contender, Call]]:
        """Time all that lets go of each result; the calls, if they are used again."""
        found = list[tuple[Contender, Call]]()
        reference: Array | None = None
        for who in self.contenders:
            with _refusing(row, who):
                call, reference = self._one(row, case, who, x, reference)
                if self._keeps(case):
                    found.append((who, call))
        return found

    def _one(
        self, row: Row, case: Case, who: Contender, x: Array, reference: Array | None
    ) -> tuple[Call, Array]:
        """The call of one contender, and the result that all others must have."""
        more = (case.source_bytes + case.result_bytes) * who.copies
        if case.needed_bytes + more > self.options.most_bytes:
            raise RefusedError(_needs(case.needed_bytes + more))
        held = who.hold(x)
        call = who.fresh(case, held)
        if call is None:
            raise RefusedError("has no such call")
        reference = self._compared(case, who, who.as_numpy(call()), reference)
        for variant in self.options.variants:
            if variant != "kept":
                taken = self._taken(variant, row, case, who, held, call)
                row.note(variant, who.name, taken)
        return call, reference

    def _compared(
        self, case: Case, who: Contender, made: Array, reference: Array | None
    ) -> Array:
        """What results are compared with: the first contender's."""
        if who is self.contenders[0]:
            return made
        if reference is not None and same_bits(made, reference):
            return reference
        if who.name == OWN:
            raise BenchError(f"{case.name}: restride's result is not NumPy's.")
        raise RefusedError("its result has other bits")

    def _taken(
        self, variant: str, row: Row, case: Case, who: Contender, held: Any, call: Call
    ) -> Taken | None:
        budget, beside = self.options.budget_s, _beside(row, who, variant)
        if variant in ("fresh", "one thread"):
            return _measured(who, lambda: best(call, budget, beside))
        if case.write is not None:
            return None  # it is in place: nothing is made or pooled
        if variant == "out":
            out = np.empty(case.result, case.dtype)
            out.view(np.uint8).fill(1)  # so that its pages are there
            into = who.into(case, held, out)
            return into and _measured(who, lambda: best(into, budget, beside))
        with _no_pool():
            return _measured(who, lambda: best(call, budget), who.name == OWN)

    def _keep(self, row: Row, who: Contender) -> int:
        """How many results: fewer of a slow peer that is far behind the fastest."""
        keep, once = self.options.keep, row.taken["fresh"][who.name].seconds
        far = is_far(once, _beside(row, who, "fresh"))
        return min(keep, FEW) if far and once * keep > LONG_S else keep

    def _kept(self, who: Contender, call: Call, keep: int) -> Taken | None:
        """With so many results alive."""
        budget = self.options.budget_s
        return _measured(who, lambda: best_kept(call, keep, budget))

    def _limit(self, nbytes: int) -> float:
        """The fastest plain copy of half of `nbytes`, by whichever contender.

        Loads and stores whose addresses differ by a little more than a multiple of a
        page hinder each other: a copy took twelve times as long for it.
        """
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


class RefusedError(Exception):
    """A contender is left out of a case, and why."""


@contextmanager
def _refusing(row: Row, who: Contender) -> Iterator[None]:
    """Leave a peer out that refuses, in its own words; let go of what it keeps."""
    try:
        yield
    except RefusedError as error:
        row.refused[who.name] = str(error)
    except who.refusals as error:
        if who.name == OWN:
            raise
        first = (str(error).splitlines() or [type(error).__name__])[0]
        row.refused[who.name] = first[:120]
    finally:
        who.rest()


def _beside(row: Row, who: Contender, variant: str) -> float | None:
    """Seconds of the fastest peer so far; restride is timed whatever they took."""
    others = row.peers(variant).values()
    return None if who.name == OWN else min(others, default=None)


def _needs(nbytes: int) -> str:
    return f"it needs {nbytes / 1e9:.3g} GB of memory"


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


def _told(row: Row, variant: str) -> str:
    """One line for whoever waits."""
    own, who = row.own(variant), row.peer(variant)
    vs, of = row.vs(variant), row.of_limit(variant)
    if own is None:
        return row.name
    text = f"{row.name}: {own * 1e3:.4g} ms"
    if who is not None and vs is not None:
        text += f", {vs:.2f} of {who}"
    return text + (f", {of:.2f} of the limit" if of is not None else "")
