"""What is drawn and written of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from restride.bench import overhead as costs
from restride.bench.cases import GROUPS, cases
from restride.bench.contender import NumPy, Restride
from restride.bench.document import measured
from restride.bench.growth import growth
from restride.bench.picture import HEIGHT, STEM, WIDTH, roofline
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
    stems = [s for s in tree.iter(f"{SVG}line") if s.get("stroke") == STEM]
    assert len(stems) == 2, "a pair of dots is joined"
    assert {(s.get("x1"), s.get("x2")) for s in stems} == {
        (dots[k].get("cx"), dots[k].get("cx")) for k in (0, 1)
    }
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
        "bytes": [one("flip", "4 MB", 2.0), one("flip", "4000 MB", 3.0)],
        "rank": [one("flip", "rank 2", 1.0)],
        "threads": [one("flip", "1 threads", 4.0), one("flip", "2 threads", 2.0)],
    }
    told["overhead"] = {"plan(x)": 3e-7}
    page.write(tmp_path, told)
    text = "\n".join(lines_of((tmp_path / "benchmarks.md").read_text()))
    for case in chosen:
        assert text.count(f"| {case.name} |") >= 2, "times and repeats"
    for part in (
        told["machine"]["processor"],
        told["date"],
        f"numpy {np.__version__}",
        "- huge: it needs 9.0 GB of memory",
        "| case | 4 MB | 4 GB |",
        "| flip | 2.00 | 3.00 |",
        "| flip | 2 | 2.00 | 1.00 |",
        "| plan(x) | 0.30 |",
        "(pictures/roofline.svg)",
    ):
        assert part in text
    assert (tmp_path / "pictures" / "roofline.svg").read_text().startswith("<svg")


def told_of(rows: list[Row]) -> dict[str, Any]:
    """A run's document around these rows."""
    told = measured(cases(("small",), "pad"), [NumPy()], QUICK, lambda _: None)
    return told | {"rows": [row.as_json() for row in rows], "left_out": {}}


QUICK = Options(1e-4, variants=("fresh",))


def lines_of(text: str) -> list[str]:
    """Lines with plain spaces only."""
    return text.replace("\N{NO-BREAK SPACE}", " ").splitlines()


def test_the_page_sums_up_names_the_slower_and_compares_without_the_pool(
    page: Any,
) -> None:
    fast = row("fast", 4 * 10**6, 1e-3, 8e-3, 1e-3)
    slow = row("slow", 4 * 10**6, 1e-3, 2e-3, 4e-3)
    fast.taken["no pool"] = {"restride": Taken(4e-3, 0)}
    slow.taken["no pool"] = {"restride": Taken(8e-3, 0)}
    slow.refused = {"torch": "not here", "jax": "not here"}
    fast.refused = {"torch": "not here"}
    lines = lines_of(page.page(told_of([fast, slow])))
    means = "| {} | 2 | {} | {} | {} | {} | {} |".format
    assert means("fresh", "2.00", 1, "0.50", "0.50", "0.25") in lines
    assert means("no pool", "0.71", 1, "0.18", "0.25", "0.12") in lines
    assert means("core", "2.00", 1, "0.50", "0.50", "0.25") in lines
    assert "| slow | fresh | 4 ms | 2 ms numpy | 0.50 | 0.25 |" in lines
    assert "| slow | no pool | 8 ms | 2 ms numpy | 0.25 | 0.12 |" in lines
    assert not [t for t in lines if t.startswith("| fast | fresh")]
    assert "| 1 MB and more | 2 | 2.00 | 0.71 | - | - | 1 |" in lines
    assert "| fast | 1 ms | **8 ms** | 1 ms | 8.00 | 1.00 |" in lines
    assert "| fast | 4 ms (2.00) |" in lines
    assert '- torch, "not here": fast; slow' in lines
    assert '- jax, "not here": slow' in lines


def test_the_page_of_a_run_without_losses_says_so(page: Any) -> None:
    lines = lines_of(page.page(told_of([ROWS[0]])))
    assert "None, in any variant." in lines
    assert "- nothing" in lines


def test_every_group_has_words(page: Any) -> None:
    assert set(page.ABOUTS) == set(GROUPS)
    assert set(page.SHOWN) <= set(GROUPS)


def test_every_table_has_as_many_cells_in_each_line(page: Any) -> None:
    told = measured(cases(("small",)), [NumPy(), Restride()], QUICK, lambda _: None)
    widths, table = [], []
    for line in [*page.page(told).splitlines(), ""]:
        if line.startswith("|"):
            table.append(len(line.split("|")))
        elif table:
            widths.append(set(table))
            table = []
    assert len(widths) >= 4
    assert all(len(found) == 1 for found in widths)


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
