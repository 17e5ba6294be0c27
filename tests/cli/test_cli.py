"""Every operator and command of the tool does what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cli_tool import (
    A,
    S,
    Tool,
    run_ok,
)

import restride as rs

VIEWS: dict[str, tuple[list[str], Callable[[rs.View], rs.View]]] = {
    "nothing": ([], lambda v: v),
    "slice": (["slice", "::2, ::-1"], lambda v: v["::2, ::-1"]),
    "slice -1": (["slice", "-1"], lambda v: v[-1]),
    "slice from the end": (["slice", ":-3:-1"], lambda v: v[:-3:-1]),
    "slice name": (["slice", "x[None, ..., 0]"], lambda v: v[None, ..., 0]),
    "strided-slice": (
        [
            "strided-slice",
            "--begin",
            "-1,0",
            "--end",
            "0,0",
            "--strides",
            "-1,2",
            "--begin-mask",
            "2",
            "--end-mask",
            "3",
        ],
        lambda v: v["-1::-1, ::2"],
    ),
    "pad": (["pad", "2"], lambda v: v.pad(2)),
    "pad, value": (
        ["pad", "1,2", "--value", "-1.5"],
        lambda v: v.pad((1, 2), "constant", -1.5),
    ),
    "pad, options first": (
        ["pad", "--mode", "reflect", "2"],
        lambda v: v.pad(2, "reflect"),
    ),
    "pad, table": (
        ["pad", "[[1,2],[3,-4]]", "--mode=symmetric"],
        lambda v: v.pad([[1, 2], [3, -4]], "symmetric"),
    ),
    "pad, strict": (
        ["pad", "1,2", "--mode", "edge", "--strict"],
        lambda v: v.pad((1, 2), "edge"),
    ),
    "pad, values": (
        ["pad", "1", "--value", "[[1,2],[3,4]]"],
        lambda v: v.pad(1, "constant", [[1, 2], [3, 4]]),
    ),
    "pad, axes": (
        ["pad", "-1,2", "--axes", "-1", "--mode", "edge"],
        lambda v: v.pad((-1, 2), "edge", axes=-1),
    ),
    "pad, negative": (["pad", "-1"], lambda v: v.pad(-1)),
    "pad, columns": (
        ["pad", "[[1,2],[3,4]]", "--paddings-not-contiguous"],
        lambda v: v.pad([[1, 2], [3, 4]], paddings_contiguous=False),
    ),
    "as-strided": (
        ["as-strided", "--size", "2,2", "--stride", "2,3", "--offset", "0"],
        lambda v: v.as_strided((2, 2), (2, 3)),
    ),
    "as-strided back": (
        ["as-strided", "--size", "3", "--stride", "-2", "--offset", "9"],
        lambda v: v.as_strided((3,), (-2,), 9),
    ),
    "transpose": (["transpose", "-1,0"], lambda v: v.transpose(-1, 0)),
    "windows": (
        ["windows", "2,2", "--step", "1", "--dilation", "1,2", "--axis", "0,1"],
        lambda v: v.windows((2, 2), 1, (1, 2), axis=(0, 1)),
    ),
    "windows, one": (["windows", "2", "--axis", "-1"], lambda v: v.windows(2, axis=-1)),
    "flip": (["flip", "-1"], lambda v: v.flip(-1)),
    "reshape": (["reshape", "-1,2"], lambda v: v.reshape(-1, 2)),
    "broadcast": (["broadcast", "2,3,4"], lambda v: v.broadcast_to((2, 3, 4))),
    "chain": (
        [
            "pad",
            "3",
            "--mode",
            "reflect",
            "slice",
            "::2",
            "transpose",
            "1,0",
            "flip",
            "0",
        ],
        lambda v: v.pad(3, "reflect")["::2"].transpose(1, 0).flip(0),
    ),
    "chain with a cut": (
        ["pad", "1", "--mode", "wrap", "windows", "2,2", "slice", "-1"],
        lambda v: v.pad(1, "wrap").windows((2, 2))[-1],
    ),
}


@pytest.mark.parametrize(("words", "same"), VIEWS.values(), ids=VIEWS)
def test_operator_is_the_library_s(
    tool: Tool, words: list[str], same: Callable[[rs.View], rs.View]
) -> None:
    made = run_ok(tool, "a.npy", *words)
    want = same(rs.view(A)).copy()
    assert made.dtype == want.dtype
    np.testing.assert_array_equal(made, want, strict=True)


@pytest.mark.parametrize(("words", "same"), VIEWS.values(), ids=VIEWS)
def test_explain_and_dry_run_say_the_shape(
    tool: Tool, words: list[str], same: Callable[[rs.View], rs.View]
) -> None:
    seen = same(rs.view(A))
    code, out, _ = tool("explain", "--shape", "3,4", *words, "--json")
    told = json.loads(out)
    assert code == 0
    assert tuple(told["output"]["shape"]) == seen.shape
    assert told["cuts"] == seen.cuts
    assert (told["bytes_read"], told["bytes_written"]) == (
        rs.plan(seen).bytes_read,
        rs.plan(seen).bytes_written,
    )
    code, out, _ = tool("run", "a.npy", *words, "--dry-run")
    assert code == 0
    assert f"output  {seen.shape} float32" in out


def test_options_of_the_whole_may_stand_anywhere(tool: Tool) -> None:
    for args in (
        ["run", "-o", "o.npy", "a.npy", "pad", "3", "slice", "::2"],
        ["run", "a.npy", "-o", "o.npy", "pad", "3", "slice", "::2"],
        ["run", "a.npy", "pad", "3", "--output=o.npy", "slice", "::2"],
        ["run", "a.npy", "pad", "3", "slice", "::2", "-o", "o.npy"],
    ):
        Path("o.npy").unlink(missing_ok=True)
        assert tool(*args)[0] == 0
        np.testing.assert_array_equal(np.load("o.npy"), np.pad(A, 3)[::2])


def test_set_value_last_is_no_cut(tool: Tool) -> None:
    code, out, err = tool(
        "run",
        "a.npy",
        "flip",
        "0",
        "set-value",
        "s.npy",
        "--starts",
        "1,2",
        "--ends",
        "3,4",
        "-o",
        "o.npy",
        "--json",
    )
    want = A[::-1].copy()
    want[1:3, 2:4] = S
    assert (code, err) == (0, "")
    np.testing.assert_array_equal(np.load("o.npy"), want)
    assert json.loads(out)["cuts"] == 0
    np.testing.assert_array_equal(np.load("a.npy"), A)


def test_set_value_in_the_middle_is_a_cut_and_said_so(tool: Tool) -> None:
    code, out, err = tool(
        "run",
        "a.npy",
        "pad",
        "1",
        "set-value",
        "s.npy",
        "--starts",
        "4,5",
        "--ends",
        "-1,-1",
        "--strides",
        "-3,-4",
        "slice",
        "::-1",
        "-o",
        "o.npy",
        "--json",
    )
    want = np.pad(A, 1)
    want[4::-3, 5::-4] = S
    assert code == 0
    np.testing.assert_array_equal(np.load("o.npy"), want[::-1])
    assert err.startswith("restride: cut: 'slice ::-1' follows 'set-value s.npy")
    assert "120 bytes are written first" in err
    assert json.loads(out)["cuts"] == 1


def test_set_value_twice_copies_once(tool: Tool) -> None:
    words = ["set-value", "s.npy", "--starts", "0,0", "--ends", "2,2"]
    _, out, err = tool("run", "a.npy", *words, *words, "-o", "o.npy", "--json")
    assert err == ""
    assert [p.get("writes", False) for p in json.loads(out)["plan"]] == [
        False,
        True,
        True,
    ]


def test_a_cut_is_said_on_stderr(tool: Tool) -> None:
    _, _, err = tool(
        "run", "a.npy", "pad", "1", "--mode", "edge", "windows", "2,2", "-o", "o.npy"
    )
    assert err.startswith(
        "restride: cut: 'windows 2,2' has no map over what came before"
    )
    assert err.count("\n") == 1
