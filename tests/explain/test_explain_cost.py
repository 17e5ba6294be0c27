"""The cost line counts what is moved, and a share is told only where it means much."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from explained import VIEWS, view

import restride as rs
from restride.cli import main
from restride.explain.cost import Cost, cost_of
from restride.explain.picture import compose
from restride.explain.scene import scene
from restride.explain.subject import Reading, Writing, explain
from restride.explain.units import human_bytes
from restride.limit import LEAST_BYTES, MOST_BYTES, copy_seconds

MEGABYTE = 1_000_000
every = pytest.mark.parametrize("seen", VIEWS.values(), ids=VIEWS)


@every
def test_the_last_line_is_what_the_plan_moves(seen: rs.View) -> None:
    plan = rs.plan(seen)
    told = seen.explain().splitlines()[-1]
    read, written = human_bytes(plan.bytes_read), human_bytes(plan.bytes_written)
    assert told.startswith(f"cost: {read} read, {written} written; {plan.cuts + 1} cop")
    assert f"{plan.cuts} cut" in told
    assert told.endswith("cut" if plan.cuts == 1 else "cuts")


def test_without_a_dtype_no_bytes_are_told() -> None:
    assert "cost" not in explain(view(3).chain)
    assert cost_of([scene(view(3).chain)]) is None


def test_a_time_is_told_from_a_megabyte_on() -> None:
    small, large = Cost(499_999, 500_000, 1, 0), Cost(500_000, 500_000, 1, 0)
    asked: list[int] = []

    def limit(nbytes: int) -> float:
        asked.append(nbytes)
        return 0.002

    assert small.line(limit).endswith("0 cuts")
    assert "plain copy" not in small.done(1.0, limit)
    assert not asked
    assert large.line(limit).endswith("0 cuts; a plain copy takes 2.00 ms")
    assert asked == [MEGABYTE]
    assert ", a plain copy takes 2.00 ms, 0 cuts" in large.done(0.008, limit)
    assert "plain copy" not in large.line()


def test_several_runs_are_added_up() -> None:
    region = rs.SetValue((0,), (3,)).region((8,))
    dtype = np.dtype("u1")
    shown = [
        Reading(view(8).pad(2, "reflect").windows(3).chain, dtype).scene(),
        Writing(region, (1,), dtype).scene(),
    ]
    cost = cost_of(shown)
    assert cost is not None
    assert (cost.read, cost.written) == (
        shown[0]["bytes_read"] + 1,
        shown[0]["bytes_written"] + 3,
    )
    assert (cost.copies, cost.cuts) == (3, 1)
    assert "3 copies, 1 cut" in cost.line()


def test_the_limit_is_measured_and_kept() -> None:
    times = [copy_seconds(n) for n in (LEAST_BYTES, 4 * LEAST_BYTES)]
    assert 0 < times[0] < times[1] < 1
    assert copy_seconds(LEAST_BYTES) == times[0]
    assert copy_seconds(LEAST_BYTES // 2) == times[0] / 2
    most = copy_seconds(MOST_BYTES)
    assert copy_seconds(MOST_BYTES * 1000) == most * 1000
    assert copy_seconds(0) == 0


def test_a_large_view_tells_its_time_at_the_limit() -> None:
    seen = rs.view(np.zeros(MEGABYTE, "u1"))["::-1"]
    told = seen.explain().splitlines()[-1]
    assert re.search(r"1 copy, 0 cuts; a plain copy takes \d+\.\d\d ms$", told)


def test_a_picture_tells_bytes_and_no_time() -> None:
    text = compose([Reading(view(500, 500)["::-1"].chain, np.dtype("f8"))]).svg()
    assert "cost: 2.00 MB read, 2.00 MB written; 1 copy, 0 cuts<" in text


def test_the_tool_tells_the_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = str(tmp_path / "a.npy"), str(tmp_path / "b.npy")
    np.save(source, np.zeros(MEGABYTE, "u1"))
    assert main(["run", source, "flip", "0", "-o", out]) == 0
    done = capsys.readouterr().out
    assert re.search(
        r"2\.00 MB moved in 1 copy in \S+ ms \(1\.00 MB read, 1\.00 MB written\), "
        r"a plain copy takes \d+\.\d\d ms, 0 cuts$",
        done.strip(),
    )
    assert main(["run", source, "slice", ":9", "-o", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["copies"], told["bytes_read"]) == (1, 9)
    assert told["seconds_at_copy_limit"] is None


def test_the_tool_explains_the_cost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--shape", "4", "pad", "1"]) == 0
    told = capsys.readouterr().out.rstrip().splitlines()[-1]
    assert told == "cost: 16 B read, 24 B written; 1 copy, 0 cuts"
    words = ["--shape", "1000,1000", "pad", "1", "slice", "1:"]
    assert main(["explain", *words]) == 0
    assert re.search(
        r"\ncost: 4\.00 MB read, 4\.01 MB written; 1 copy, 0 cuts; a plain copy "
        r"takes \S+ ms\n$",
        capsys.readouterr().out,
    )
