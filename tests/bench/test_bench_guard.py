"""The guard: what is slower than stored fails, what is not passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from restride.bench import cases as all_cases
from restride.bench.case import Case
from restride.bench.cases import GROUPS, cases
from restride.bench.contender import Call, NumPy, Restride
from restride.bench.errors import BenchError, SlowerError
from restride.bench.guard import TRIES, Guard, Stored, judge, read_guard, watch
from restride.bench.rows import Row, Taken
from restride.bench.steps import Index, Pad
from restride.bench.suite import Options, Run

ROOT = Path(__file__).parent.parent.parent
STORED = ROOT / "benchmarks" / "guard.toml"

FLIP = Case("guarded flip", "t", (300, 300), "f4", (Index(np.s_[::-1, ::-1]),))
FRAME = Case("guarded frame", "t", (200, 200), "f4", (Pad(((2, 2), (2, 2)), "edge"),))


class Slowed(Restride):
    """Restride, one of whose cases does its work many times over."""

    def __init__(self, case: Case, times: int) -> None:
        self.case, self.times = case, times
        self.calls = 0

    def fresh(self, case: Case, x: Any) -> Call:
        call = super().fresh(case, x)
        if case.name != self.case.name:
            return call
        self.calls += 1
        return lambda: [call() for _ in range(self.times)][-1]


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> Guard:
    """A guard of two cases, from what they reach here and now."""
    monkeypatch.setitem(all_cases.GROUPS, "t", lambda: iter([FLIP, FRAME]))
    run = Run([NumPy(), Restride()], Options(0.02, variants=("fresh",)))
    flip, frame = run.rows([FLIP, FRAME])
    of, vs = flip.of_limit(), frame.vs()
    assert of is not None
    assert vs is not None
    return Guard(0.6, (Stored(FLIP.name, "of", of), Stored(FRAME.name, "vs", vs)))


def test_as_fast_as_stored_passes(guarded: Guard) -> None:
    rows = watch(guarded, [NumPy(), Restride()], 0.02)
    assert sorted(row.name for row in rows) == [FLIP.name, FRAME.name]


@pytest.mark.parametrize("case", [FLIP, FRAME], ids=lambda c: c.name)
def test_a_slowed_case_fails_and_only_it_is_named(guarded: Guard, case: Case) -> None:
    slowed = Slowed(case, 12)
    with pytest.raises(SlowerError, match=f"{case.name}: ") as caught:
        watch(guarded, [NumPy(), slowed], 0.02)
    other = FRAME if case is FLIP else FLIP
    assert other.name not in str(caught.value)
    assert slowed.calls == TRIES, "it had its chances"


def row(name: str, numpy: float, restride: float, limit: float | None = 1.0) -> Row:
    made = Row(name, "t", 1, 1, limit)
    made.taken["fresh"] = {"numpy": Taken(numpy, 0), "restride": Taken(restride, 0)}
    return made


def test_the_margin_is_what_may_be_lost() -> None:
    guard = Guard(0.25, (Stored("a", "vs", 2.0), Stored("b", "of", 1.0)))
    assert judge(guard, [row("a", 1.5, 1.0), row("b", 9.0, 1.0, 0.75)]) == []
    worse = judge(guard, [row("a", 1.49, 1.0), row("b", 9.0, 1.0, 0.74)])
    assert worse == [
        "a: vs is 1.49, at least 1.50 is wanted (stored 2.00)",
        "b: of is 0.74, at least 0.75 is wanted (stored 1.00)",
    ]


def test_what_is_not_measured_does_not_pass() -> None:
    guard = Guard(0.25, (Stored("a", "of", 1.0),))
    assert judge(guard, []) == ["a: was not measured"]
    assert judge(guard, [row("a", 1.0, 1.0, None)]) == ["a: was not measured"]


def test_a_case_that_is_gone_is_an_error() -> None:
    with pytest.raises(BenchError, match="no case is called gone"):
        watch(Guard(0.2, (Stored("gone", "of", 1.0),)), [NumPy(), Restride()], 0.01)


def test_the_stored_figures_are_of_cases_there_are() -> None:
    guard = read_guard(STORED)
    known = {case.name: case for case in cases(tuple(GROUPS))}
    assert {s.case for s in guard.stored} <= set(known)
    assert len(guard.stored) >= 12
    assert all(s.figure == "vs" or not known[s.case].is_small for s in guard.stored)
    assert 0 < guard.margin <= 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "margin"),
        ("margin = 0.2", "case"),
        ("margin = 1\n[[case]]\nname='a'\nfigure='vs'\nratio=1", "margin"),
        ("margin = 0.1\n[[case]]\nname='a'\nfigure='time'\nratio=1", "'vs' or 'of'"),
        ("margin = 0.1\n[[case]]\nname='a'\nfigure='vs'\nratio=0", "above 0"),
        ("margin = 0.1\n[[case]]\nname='a'\nfigure='vs'\nratio=nan", "above 0"),
        ("margin = 0.1\n[[case]]\nname='a'\nfigure='vs'", "ratio"),
        ("margin = 0.1\ncase = 3", "no guard"),
        ("margin = [", "no guard"),
    ],
)
def test_a_file_that_is_no_guard_is_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "guard.toml"
    path.write_text(text)
    with pytest.raises(BenchError, match=said):
        read_guard(path)
