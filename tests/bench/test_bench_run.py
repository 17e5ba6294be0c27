"""A run: what is compared, timed, kept and left out, and how it is told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from samples import engine_exists

import restride as rs
from restride.bench import timing
from restride.bench.case import Case
from restride.bench.contender import Call, NumPy, Restride
from restride.bench.document import join, measured, one_thread_rows, rows_of
from restride.bench.errors import BenchError
from restride.bench.pace import Pace, work
from restride.bench.report import cells, memory_cell, summary, time_cell
from restride.bench.reserve import PAGE_BYTES, PIECE_BYTES, Reserve
from restride.bench.rows import VARIANTS, Row, Taken
from restride.bench.steps import Index, Pad, Write
from restride.bench.suite import Options, Run, buffer
from restride.bench.timing import FAR, FEW, LEAST, best, best_kept, peak

FLIP = Case("flip", "t", (200, 300), "f4", (Index(np.s_[::-1, ::-1]),))
FRAME = Case("frame", "t", (20, 30), "f4", (Pad(((1, 1), (2, 2)), "edge"),))
REGION = Case("region", "t", (2, 3), "f4", (Write((4, 5), (1, 1)),))
QUICK = Options(budget_s=1e-4, most_bytes=1 << 30, keep=3)


class Other(Restride):
    """A contender named after no library, whose calls a test may bend."""

    name = "other"

    def __init__(self, bend: Callable[[Any], Any]) -> None:
        self.bend = bend

    def fresh(self, case: Case, x: Any) -> Call:
        call = super().fresh(case, x)
        return lambda: self.bend(call())


class Wrong(Other):
    """Restride with a wrong result."""

    name = "restride"


def refuse(_: Any) -> Any:
    raise NotImplementedError("not here\nand more")


def test_every_variant_is_timed_for_whoever_can() -> None:
    rows = list(Run([NumPy(), Restride()], QUICK).rows([FLIP, FRAME, REGION]))
    flip, frame, region = rows
    assert set(flip.taken) == {"fresh", "out", "no pool", "kept"}
    for variant in ("fresh", "out", "kept"):
        assert set(flip.taken[variant]) == {"numpy", "restride"}
    assert set(flip.taken["no pool"]) == {"restride"}
    assert set(frame.taken["out"]) == {"restride"}, "np.pad has no out="
    assert set(region.taken) == {"fresh"}, "a write is in place"
    assert all(t.seconds > 0 for c in flip.taken.values() for t in c.values())
    assert flip.vs("no pool") == flip.peers()["numpy"] / flip.own("no pool")
    assert flip.of_limit() == flip.limit_s / flip.own()


def test_the_pool_is_as_it_was_after_a_run() -> None:
    before = rs.pool.limit()
    list(Run([NumPy(), Restride()], QUICK).rows([FRAME]))
    assert rs.pool.limit() == before


@pytest.mark.skipif(not engine_exists("native"), reason="NumPy's engine has no pool")
def test_no_pool_means_none() -> None:
    seen: dict[int, int] = {}

    def note_limit(made: Any) -> Any:
        seen[rs.pool.limit()] = 1
        return made

    class Watched(Wrong):
        pass

    list(Run([NumPy(), Watched(note_limit)], QUICK).rows([FRAME]))
    assert 0 in seen


def test_a_peer_with_other_bits_is_left_out_and_named() -> None:
    rows = list(Run([NumPy(), Other(np.negative), Restride()], QUICK).rows([FLIP]))
    assert rows[0].refused == {"other": "its result has other bits"}
    assert "other" not in rows[0].taken["fresh"]


def test_a_peer_that_refuses_is_left_out_in_its_own_words() -> None:
    rows = list(Run([NumPy(), Other(refuse), Restride()], QUICK).rows([FLIP]))
    assert rows[0].refused == {"other": "not here"}


@pytest.mark.parametrize("bend", [np.negative, lambda y: y[:1], lambda y: y.T.copy()])
def test_a_wrong_result_of_restride_stops_the_run(bend: Callable[[Any], Any]) -> None:
    with pytest.raises(BenchError, match=r"frame: restride's result is not NumPy's"):
        list(Run([NumPy(), Wrong(bend)], QUICK).rows([FRAME]))


def test_cases_too_large_or_too_late_are_left_out_and_named() -> None:
    small = Run([NumPy(), Restride()], Options(1e-4, most_bytes=1000))
    assert list(small.rows([FLIP])) == []
    assert "GB of memory" in small.left_out["flip"]
    late = Run([NumPy(), Restride()], Options(1e-4, deadline_s=-1))
    assert list(late.rows([FLIP])) == []
    assert late.left_out == {"flip": "the time was up"}


def test_results_are_not_kept_where_memory_is_short() -> None:
    options = Options(1e-4, most_bytes=FLIP.needed_bytes, keep=1000)
    assert "kept" not in next(Run([NumPy(), Restride()], options).rows([FLIP])).taken


class Copying(Other):
    """A contender that holds a copy of what it is given."""

    copies = True


def test_a_peer_whose_copies_do_not_fit_is_left_out_and_named() -> None:
    contenders = [NumPy(), Copying(lambda y: y), Restride()]
    options = Options(1e-4, most_bytes=FLIP.needed_bytes + FLIP.source_bytes, keep=1)
    row = next(Run(contenders, options).rows([FLIP]))
    assert set(row.taken["fresh"]) == {"numpy", "restride"}
    assert "GB of memory" in row.refused["other"]


def test_results_are_kept_by_the_fastest_first() -> None:
    asked = []

    class Slow(Other):
        def rest(self) -> None:
            asked.append("slow")

    class Quick(Restride):
        def rest(self) -> None:
            asked.append("restride")

    def slowly(made: Any) -> Any:
        pause(2e-3)
        return made

    next(Run([NumPy(), Slow(slowly), Quick()], QUICK).rows([FLIP]))
    before, after = asked[: asked.index("restride")], asked[asked.index("restride") :]
    assert set(before) == {"slow"}, "singly, in the order given"
    assert after[-1] == "slow", "kept, the slow one is the last"


def test_a_document_is_plain_and_reads_back() -> None:
    told = measured([FLIP, FRAME], [NumPy(), Restride()], QUICK, lambda _: None)
    again = json.loads(json.dumps(told, allow_nan=False))
    assert rows_of(again) == rows_of(told)
    assert again["machine"]["processor"]
    assert again["versions"]["numpy"] == np.__version__
    assert again["versions"]["restride"] == rs.__version__
    assert again["rows"][0]["figures"]["fresh"]["peer"] == "numpy"


def test_the_part_on_one_processor_is_one() -> None:
    """A process of its own tells its threads through the case's figures."""
    words = ["restride", "bench", "--one-thread", "--json", "--budget", "1e-3"]
    alone = one_thread_rows([*words, "--only", "small pad reflect"])
    assert [set(row.taken) for row in alone] == [{"one thread"}]
    rows = [Row("small pad reflect 1 3x3", "small", 1, 1, None), Row("x", "t", 1, 1, 1)]
    join(rows, alone)
    assert rows[0].own("one thread") == alone[0].own("one thread")
    assert rows[0].vs("one thread") == alone[0].vs("one thread")
    assert rows[1].own("one thread") is None
    with pytest.raises(BenchError, match="one processor"):
        one_thread_rows(["restride", "bench", "--group", "none such", "--json"])


def test_pinning_leaves_one_processor_and_one_thread() -> None:
    code = (
        "from restride.bench.pinning import pin; import sys; pin();"
        "assert 'numpy' not in sys.modules;"
        "import os, restride; print(len(os.sched_getaffinity(0)), restride.threads())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.split() == ["1", "1"], told.stderr


# ------------------------------------------------------------------------- measuring


def pause(seconds: float) -> None:
    stop = perf_counter() + seconds
    while perf_counter() < stop:
        pass


class Clock:
    """Time that passes where it is told to, whatever else the machine has to do."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        """What a call of so many seconds does."""
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What the timing reads."""
    made = Clock()
    monkeypatch.setattr(timing, "perf_counter", made)
    return made


def test_the_fastest_call_counts(clock: Clock) -> None:
    pauses = cycle([3e-3, 1e-3, 4e-3])
    assert best(lambda: clock.pause(next(pauses)), 0.3) == pytest.approx(1e-3)


@pytest.mark.parametrize(
    ("beside_s", "calls"),
    [(None, 1 + LEAST), (1.0, 1 + LEAST), (1e-4, 3)],
    ids=["alone", "near", "far"],
)
def test_a_peer_far_behind_is_called_less(
    clock: Clock, beside_s: float | None, calls: int
) -> None:
    count = [0]

    def call() -> None:
        count[0] += 1
        clock.pause(2e-3)

    assert best(call, 1e-6, beside_s) == pytest.approx(2e-3)
    assert count[0] == calls


def test_who_was_only_once_far_behind_is_called_as_often_as_others(
    clock: Clock,
) -> None:
    pauses = cycle([9e-3, 9e-3, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4])
    count = [0]

    def call() -> None:
        count[0] += 1
        clock.pause(next(pauses))

    assert best(call, 1e-6, 1e-3) == pytest.approx(1e-4)
    assert count[0] == 1 + LEAST


def test_only_a_slow_peer_far_behind_keeps_fewer_results() -> None:
    run, other = Run([NumPy(), Restride()], Options(keep=32)), Other(np.copy)
    row = Row("a", "t", 1, 1, None)
    for name, once in (("numpy", 1.0), ("other", 1.1 * FAR), ("restride", 9.0 * FAR)):
        row.note("fresh", name, Taken(once, 0))
    keeps = [run._keep(row, who) for who in (other, Restride(), NumPy())]
    assert keeps == [FEW, 32, 32], "not of restride, however slow it is"
    for name in ("numpy", "other"):
        row.note("fresh", name, Taken(row.peers()[name] * 1e-3, 0))
    assert run._keep(row, other) == 32, "they take no time"


def test_the_reserve_is_free_while_it_is_lent() -> None:
    reserve, before, size = Reserve(1 << 30), resident(), 2 * PIECE_BYTES
    with reserve.lent(size):
        assert reserve.held_bytes == 0
        assert resident() - before < size // 2
    assert reserve.held_bytes == size
    assert resident() - before > size // 2
    with reserve.lent(1):
        assert reserve.held_bytes == size - PIECE_BYTES, "no more than is asked for"
    assert reserve.held_bytes == size, "what the host gave is kept"
    reserve.let_go()
    assert reserve.held_bytes == 0
    modest = Reserve(PIECE_BYTES)
    with modest.lent(size):
        pass
    assert modest.held_bytes == PIECE_BYTES, "no more than it may"


def resident() -> int:
    """Bytes of this process that are in memory."""
    pages = Path("/proc/self/statm")
    if not pages.exists():
        pytest.skip("this system does not tell what is resident")
    return int(pages.read_text().split()[1]) * PAGE_BYTES


def test_the_time_left_follows_the_work_left() -> None:
    pace = Pace([work(case) for case in (REGION, FRAME, FLIP)])
    assert pace.left_s(9.0) is None, "nothing is known before the first"
    assert pace.step() == "under a minute left"
    assert pace.left_s(60.0) == pytest.approx(120.0, rel=0.01), "small cases are equal"
    assert work(Case("large", "t", (30_000, 30_000), "u1", FLIP.steps)) > 10
    pace.step()
    pace.step()
    assert pace.left_s(60.0) == 0


def test_a_short_call_is_timed_in_batches() -> None:
    count = [0]

    def call() -> None:
        count[0] += 1

    assert best(call, 1e-3) < 5e-6
    assert count[0] > 100


def test_kept_results_are_alive_together() -> None:
    alive, most = [0], [0]

    class Result:
        def __init__(self) -> None:
            alive[0] += 1
            most[0] = max(most[0], alive[0])

        def __del__(self) -> None:
            alive[0] -= 1

    assert best_kept(Result, 32, 1e-3) > 0
    assert most[0] == 32
    assert alive[0] == 0


def test_peak_memory_is_that_of_the_body() -> None:
    with peak() as told:
        np.ones(96 << 20, np.uint8)
    if told.bytes is None:
        pytest.skip("this system's count cannot be reset")
    assert 90 << 20 < told.bytes < 200 << 20
    with peak() as little:
        np.ones(1 << 20, np.uint8)
    assert little.bytes is not None
    assert little.bytes < 64 << 20


def test_the_limits_buffers_do_not_hinder_each_other() -> None:
    a, b = buffer(1000, 0), buffer(1000, PAGE_BYTES // 2)
    assert (a.size, b.size) == (1000, 1000)
    assert (b.ctypes.data - a.ctypes.data) % PAGE_BYTES == PAGE_BYTES // 2


# --------------------------------------------------------------------------- telling


def example() -> Row:
    row = Row("a", "t", 100, 100, 1.0, 3.0)
    row.taken["fresh"] = {
        "numpy": Taken(4.0, 5_000_000),
        "torch": Taken(3.0, 7_000_000),
        "restride": Taken(2.0, 1_000_000),
    }
    row.taken["no pool"] = {"restride": Taken(4.0, None)}
    row.taken["one thread"] = {"numpy": Taken(9.0, 0), "restride": Taken(6.0, 0)}
    return row


def test_figures_of_a_row() -> None:
    row = example()
    assert (row.peer(), row.vs(), row.of_limit()) == ("torch", 1.5, 0.5)
    assert (row.vs("no pool"), row.of_limit("no pool")) == (0.75, 0.25)
    assert (row.vs("one thread"), row.of_limit("one thread")) == (1.5, 0.5)
    assert row.vs("out") is None
    assert [v for v in VARIANTS if row.own(v)] == ["fresh", "no pool", "one thread"]


def test_lines_of_a_row() -> None:
    row = example()
    assert cells(row) == ("a", "1 s", "torch", "3 s", "2 s", "1.50", "0.50")
    assert cells(row, "one thread")[1:3] == ("3 s", "numpy")
    assert time_cell(row, "no pool") == "4 s (0.75)"
    assert time_cell(row, "out") == "-"
    assert memory_cell(row, "fresh") == "1 MB / 7 MB"
    assert memory_cell(row, "no pool") == "- / 7 MB"


def test_the_summary_names_who_is_slower() -> None:
    fast, slow = example(), example()
    slow.name, slow.taken["fresh"] = "b", {**slow.taken["fresh"]}
    slow.taken["fresh"]["restride"] = Taken(6.0, 0)
    lines = summary([fast, slow])
    assert "2 cases" in lines[0]
    assert "geometric mean 0.87, worst 0.50 (b); slower in 1 (b)" in lines[0]
    assert "geometric mean 0.29, worst 0.17 (b)" in lines[1]
    assert summary([Row("c", "t", 1, 1, None)]) == []
