"""bench: what it measures, prints, draws and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_tool import Tool, assert_refused

QUICK = ("bench", "--budget", "1e-3", "--only", "small pad", "--fresh-only")


def test_the_cases_are_listed(tool: Tool) -> None:
    code, out, err = tool("bench", "--list", "--group", "all")
    assert (code, err) == (0, "")
    assert "core       flip [::-1, ::-1]\n" in out
    assert len(out.splitlines()) > 100


def test_a_table_and_its_sums(tool: Tool) -> None:
    code, out, err = tool(*QUICK)
    assert code == 0
    assert "small pad constant 1 3x3" in out
    assert "fresh: 2 cases, vs the fastest peer: geometric mean" in out
    assert err.startswith("restride: 1/2 small pad constant 1 3x3: ")


def test_machines_get_a_document(tool: Tool) -> None:
    code, out, _ = tool(*QUICK, "--json")
    told = json.loads(out)
    assert code == 0
    assert [row["name"] for row in told["rows"]] == [
        "small pad constant 1 3x3",
        "small pad reflect 1 3x3",
    ]
    assert told["rows"][0]["figures"]["fresh"]["vs"] > 0


def test_a_picture_has_dots(tool: Tool) -> None:
    words = ("bench", "--budget", "1e-3", "--group", "sizes", "--only", "flip 4 KiB")
    assert tool(*words, "--fresh-only", "--picture", "roof.svg")[0] == 0
    drawn = Path("roof.svg").read_text()
    assert drawn.startswith("<svg")
    assert "flip 4 KiB: " in drawn


def test_one_thread_is_a_variant_of_its_own(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_setaffinity", lambda pid, allowed: None)
    code, out, _ = tool(*QUICK[:-1], "--one-thread", "--json")
    assert code == 0
    assert set(json.loads(out)["rows"][0]["taken"]) == {"one thread"}


def guard(ratio: float) -> str:
    name = "small pad reflect 1 3x3"
    return f"margin = 0.5\n[[case]]\nname = '{name}'\nfigure = 'vs'\nratio = {ratio}\n"


def test_the_guard_passes_or_fails_by_its_figures(tool: Tool) -> None:
    Path("good.toml").write_text(guard(0.01))
    Path("never.toml").write_text(guard(1e9))
    code, out, _ = tool("bench", "--budget", "1e-3", "--guard", "good.toml")
    assert code == 0
    assert "small pad reflect 1 3x3" in out
    code, out, err = tool("bench", "--budget", "1e-3", "--guard", "never.toml")
    assert (code, out) == (2, "")
    assert "slower than stored, 3 times over: small pad reflect 1 3x3: vs is" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--group", "fast"], "--group fast is not known; give core"),
        (["--only", "qqq"], "'qqq' in its name"),
        (["--budget", "0"], "--budget 0.0: above 0"),
        (["--budget", "nan"], "--budget nan"),
        (["--minutes", "0"], "--minutes 0.0: above 0"),
        (["--minutes", "nan"], "--minutes nan"),
        (["--most-bytes", "lots"], "--most-bytes lots: give a number"),
        (["--most-bytes", "infGB"], "--most-bytes infGB: give a number"),
        (["--picture", "nowhere/roof.svg"], "nowhere is not a directory"),
        (["--guard", "nowhere.toml"], "nowhere.toml: No such file"),
    ],
)
def test_what_cannot_be_done_is_refused(
    tool: Tool, words: list[str], said: str
) -> None:
    assert_refused(tool("bench", *words), said)
