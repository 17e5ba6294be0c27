"""explain, encode, decode, help, and the process itself."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from cli_tool import (
    Tool,
    start,
)

import restride as rs
from restride.cli import show
from restride.cli.values import integers, numbers


def test_explain_tells_each_operator_and_the_whole(tool: Tool) -> None:
    code, out, err = tool(
        "explain", "a.npy", "pad", "1", "--mode", "reflect", "windows", "2,2"
    )
    assert (code, err) == (0, "")
    assert "1. pad 1 --mode reflect" in out
    assert "2. windows 2,2" in out
    assert "y[i, j] = x[a(i), b(j)]" in out
    assert "y[i, j, k, l] = x[i + k, j + l]" in out
    assert out.rstrip().endswith("; 2 copies, 1 cut")
    assert "CUT: " in out


def test_explain_of_a_region_write(tool: Tool) -> None:
    words = ["set-value", "s.npy", "--starts", "1,0", "--ends", "3,2"]
    code, out, _ = tool("explain", "a.npy", *words)
    assert code == 0
    assert "y[i + 1, j] = src[i, j]" in out
    assert "s0 s1  6  7" in out
    told = json.loads(tool("explain", "a.npy", *words, "--json")[1])
    assert told["mappings"][0]["region_shape"] == [2, 2]


def test_encode_the_documented_example(tool: Tool) -> None:
    index = "foo[1, 2:4, None, ..., :-3:-1, :]"
    code, out, err = tool("encode", index, "--shape", "5,5,5,5,5,5")
    assert (code, err) == (0, "")
    assert [line.split(None, 1) for line in out.splitlines()] == [
        ["begin", "1, 2, 0, 0, 0, 0"],
        ["end", "2, 4, 0, 0, -3, 0"],
        ["strides", "1, 1, 1, 1, -1, 1"],
        ["begin_mask", "48  entries 4, 5"],
        ["end_mask", "32  entries 5"],
        ["ellipsis_mask", "8   entries 3"],
        ["new_axis_mask", "4   entries 2"],
        ["shrink_axis_mask", "1   entries 0"],
        ["final", "shape       (2, 1, 5, 5, 2, 5)"],
    ]


@pytest.mark.parametrize(
    "index", ["foo[1, 2:4, None, ..., :-3:-1, :]", "-1", "()", ":-3:-1", "..., None"]
)
def test_decode_goes_back(tool: Tool, index: str) -> None:
    told = json.loads(tool("encode", index, "--json")[1])
    args = []
    for name in ("begin", "end", "strides"):
        args += [f"--{name}", ",".join(map(str, told[name]))]
    for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis"):
        args += [f"--{name.replace('_', '-')}-mask", str(told[f"{name}_mask"])]
    code, out, err = tool("decode", *args)
    assert (code, err) == (0, "")
    assert out.strip() == told["index"]
    again = json.loads(tool("decode", *args, "--json")[1])
    assert again == told


def test_decode_tells_the_final_shape(tool: Tool) -> None:
    _, out, _ = tool("decode", "--begin", "-1", "--end", "0", "--shape", "3,4")
    assert out == "[-1:0]\nfinal shape (0, 4)\n"


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["--help"], ["restride run photo.png", "explain", "encode", "decode"]),
        ([], ["restride run photo.png"]),
        (["run"], ["INPUT [OPERATOR ...]... -o OUTPUT", "as-strided"]),
        (["run", "--help"], ["INPUT [OPERATOR ...]... -o OUTPUT", "as-strided"]),
        (["run", "pad", "--help"], ["WIDTH", "--mode"]),
        (["run", "a.npy", "pad", "-h"], ["WIDTH", "--mode"]),
        (["explain"], ["[INPUT] [OPERATOR ...]..."]),
        (["explain", "pad", "--help"], ["WIDTH", "--mode"]),
        (["encode", "--help"], ["INDEX", "--shape"]),
        (["decode", "--help"], ["--shrink-axis-mask"]),
    ],
)
def test_help(tool: Tool, args: list[str], parts: list[str]) -> None:
    code, out, err = tool(*args)
    assert (code, err) == (0, "")
    for part in parts:
        assert part in out


def test_a_process_of_its_own(tool: Tool) -> None:
    assert tool("--version") == (0, f"restride {rs.__version__}\n", "")
    done = start("--version")
    assert (done.returncode, done.stdout) == (0, f"restride {rs.__version__}\n")
    done = start("run", "a.npy", "pad", "x", "-o", "o.npy")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    done = start("run", "a.npy", "flip", "-1", "-o", "o.npy")
    assert (done.returncode, done.stderr) == (0, "")


def test_version_loads_no_numpy() -> None:
    code = (
        "import sys; from restride.cli import main; main(['--version']);"
        "print([m for m in ('numpy', 'rich', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1] == "[]"


def test_a_reader_that_stops(tool: Tool) -> None:
    assert tool is not None
    command = f"'{sys.executable}' -m restride explain --shape 3,4 pad 9 | head -0"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def appears(told: Terminal, text: str) -> bool:
    deadline = time.monotonic() + 10
    while text not in told.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    return text in told.getvalue()


def test_progress_shows_on_a_terminal_and_only_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")  # on a dumb one nothing is drawn
    told, before = Terminal(), threading.active_count()
    monkeypatch.setattr(sys, "stderr", told)
    with show.progress("short"):
        pass
    assert told.getvalue() == ""
    monkeypatch.setattr(show, "PATIENCE_S", 0.0)
    with show.progress("long work") as tell:
        assert appears(told, "long work")
        tell("case 7 of 9")
        assert appears(told, "case 7 of 9")
    assert threading.active_count() <= before + 1  # a timer may still be ending


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("1,2", (1, 2)),
        ("1,", (1,)),
        ("(1, 2)", (1, 2)),
        ("[[1,2],[3,4]]", ((1, 2), (3, 4))),
        ("[]", ()),
        ("1e3", 1000.0),
        ("2j", 2j),
        ("True", True),
        ("-inf", -float("inf")),
    ],
)
def test_numbers(text: str, value: Any) -> None:
    found = numbers(text, "x")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text", ["", "1 2", "[1", "1]", "[1)", "--", "a", "1,,2", "[,]"]
)
def test_not_numbers(text: str) -> None:
    if text == "":
        assert numbers(text, "x") == ()
        return
    with pytest.raises(rs.ShapeError, match="is not a number"):
        numbers(text, "x")
    with pytest.raises(rs.ShapeError):
        integers(text, "x")
