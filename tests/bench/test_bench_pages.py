"""What is drawn and written of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from restride.bench import overhead as costs
from restride.bench.cases import cases
from restride.bench.contender import NumPy, Restride
from restride.bench.document import measured
from restride.bench.growth import growth
from restride.bench.picture import HEIGHT, WIDTH, roofline
from restride.bench.rows import Row, Taken
from restride.bench.suite import Options

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def row(name: str, touched: int, limit: float | None, peer: float, own: float) -> Row:
    made = Row(name, "core", touched // 2, touched - touched // 2, limit)
    made.taken["fresh"] = {"numpy": Taken(peer, 9), "restride": Taken(own, 5)}
    return made


ROWS = [
    row("a < b & c", 10**6, 1e-4, 4e-4, 2e-4),
    row("large", 10**9, 1e-1, 9e-1, 2e-1),
    row("small", 100, None, 1e-6, 2e-7),
]


def test_the_picture_has_a_dot_for_each_and_a_roof() -> None:
    tree = ElementTree.fromstring(roofline(ROWS, "here & now"))
    dots = [c for c in tree.iter(f"{SVG}circle") if c.find(f"{SVG}title") is not None]
    assert len(dots) == 4, "two rows have a limit; each has restride and a peer"
    told = [d.find(f"{SVG}title").text for d in dots]
    assert told.count("a < b & c: 5.0 GB/s") == 1
    assert told.count("a < b & c: 2.5 GB/s") == 1
    for dot in dots:
        assert 0 < float(dot.get("cx")) < WIDTH
        assert 0 < float(dot.get("cy")) < HEIGHT
    height = {d.find(f"{SVG}title").text: float(d.get("cy")) for d in dots}
    assert height["a < b & c: 5.0 GB/s"] < height["a < b & c: 2.5 GB/s"], "up is fast"
    roof = next(tree.iter(f"{SVG}polyline")).get("points").split()
    assert len(roof) == 2


def test_a_picture_of_nothing_is_a_picture() -> None:
    assert ElementTree.fromstring(roofline(ROWS[2:], "none")) is not None


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import page

    return page


def test_the_page_shows_every_row_and_where_it_was_run(
    page: Any, tmp_path: Path
) -> None:

    chosen = cases(("small",), "pad")
    told = measured(chosen, [NumPy(), Restride()], Options(1e-3), lambda _: None)
    told["left_out"] = {"huge": "it needs 9.0 GB of memory"}
    told["growth"] = {
        "bytes": [one("flip", "1 MB", 2.0), one("flip", "4 MB", 3.0)],
        "rank": [one("flip", "rank 2", 1.0)],
        "threads": [one("flip", "1 threads", 4.0), one("flip", "2 threads", 2.0)],
    }
    told["overhead"] = {"plan(x)": 3e-7}
    page.write(tmp_path, told)
    text = (tmp_path / "benchmarks.md").read_text()
    for case in chosen:
        assert text.count(f"| {case.name} |") == 3, "times, repeats and memory"
    for part in (
        told["machine"]["processor"],
        told["date"],
        f"numpy {np.__version__}",
        "- huge: it needs 9.0 GB of memory",
        "| flip | 2.00 | 3.00 |",
        "| flip | 2 | 2.00 | 1.00 |",
        "| plan(x) | 0.30 |",
        "(pictures/roofline.svg)",
    ):
        assert part in text
    assert (tmp_path / "pictures" / "roofline.svg").read_text().startswith("<svg")


def one(what: str, at: str, over: float) -> dict[str, Any]:
    return {"what": what, "at": at, "seconds": over, "copy_seconds": 1.0} | {
        "over_copy": over
    }


def test_growth_is_over_a_copy_between_the_same_buffers() -> None:
    found = growth(1e-4, 6_000_000)
    assert {g.at for g in found["bytes"]} == {"1 MB"}
    assert [g.at for g in found["rank"]][::4] == [f"rank {r}" for r in range(2, 9)]
    assert {g.what for g in found["threads"]} >= {"crop", "flip", "transpose"}
    for g in (g for told in found.values() for g in told):
        assert g.over_copy == g.seconds / g.copy_seconds > 0


def test_the_cost_of_calls_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "IMPORTS", 1)
    monkeypatch.setattr(costs, "FIRST_CALLS", 20)
    found = costs.overhead(1e-4)
    assert {"plan(x)", "plan(x, out=y)", "import restride", "first pad of 3x3"} <= set(
        found
    )
    assert all(0 < seconds < 5 for seconds in found.values())
