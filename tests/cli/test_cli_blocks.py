"""The tool in blocks: the same files, and one line for everything that goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tool import A, Tool, assert_refused, listing, run_ok

from restride.blocks.sources import FileSource
from restride.cli import blockwise

BLOCKS = ["--max-bytes", "96"]


def test_the_same_file_as_without_blocks(tool: Tool) -> None:
    steps = ["pad", "1,2", "--mode", "reflect", "slice", "::-1, 1:", "transpose", "1,0"]
    whole = run_ok(tool, "a.npy", *steps)
    code, said, err = tool("run", "a.npy", *steps, *BLOCKS, "-o", "b.npy")
    assert (code, err) == (0, "")
    assert "moved in blocks in" in said
    assert Path("b.npy").read_bytes() == Path("o.npy").read_bytes()
    np.testing.assert_array_equal(np.load("b.npy"), whole)


def test_raw_data_in_blocks(tool: Tool) -> None:
    A.tofile("a.bin")
    words = ["--dtype", "<f4", "--shape", "3,4", "flip", "1", "-o", "o.bin"]
    assert tool("run", "a.bin", *words, *BLOCKS)[0] == 0
    assert Path("o.bin").read_bytes() == np.ascontiguousarray(A[:, ::-1]).tobytes()


def test_a_large_file_goes_in_blocks_by_itself(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blockwise, "memory_bytes", lambda: 100)
    code, said, _ = tool("run", "a.npy", "flip", "0", "-o", "o.npy")
    assert code == 0
    assert "moved in blocks in" in said
    np.testing.assert_array_equal(np.load("o.npy"), A[::-1])
    said = tool("run", "a.npy", "flip", "0", "-o", "o.npz")[1]  # no blocks there
    assert "in blocks" not in said


def test_what_overlapping_blocks_read_again_is_told(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[int] = []
    read = FileSource.read

    def counted(self: FileSource, *words: Any) -> Any:
        part = read(self, *words)
        parts.append(part.nbytes)
        return part

    monkeypatch.setattr(FileSource, "read", counted)
    words = ["run", "a.npy", "windows", "2,2", *BLOCKS, "-o", "o.npy", "--json"]
    told = json.loads(tool(*words)[1])
    assert told["bytes_read"] == sum(parts) > A.nbytes
    assert told["bytes_written"] == 2 * 3 * 2 * 2 * A.itemsize


def test_what_it_will_cost(tool: Tool) -> None:
    words = ["run", "a.npy", "flip", "0", *BLOCKS, "-o", "o.npy"]
    assert "blocks of" in tool(*words, "--dry-run")[1]
    assert "o.npy" not in listing()
    assert "blocks" in json.loads(tool(*words, "--json")[1])["seconds"]


REFUSED = {
    "kind of input": (["p.npz", *BLOCKS, "-o", "o.npy"], ["--max-bytes", "p.npz"]),
    "kind of output": (["a.npy", *BLOCKS, "-o", "o.npz"], ["--max-bytes", "o.npz"]),
    "number": (["a.npy", "--max-bytes", "x", "-o", "o.npy"], ["--max-bytes x"]),
    "too little": (["a.npy", "--max-bytes", "1", "-o", "o.npy"], ["too little"]),
    "resume": (["a.npy", "--resume", "-o", "o.npy"], ["resume", "leave"]),
    "set-value": (
        [
            *["a.npy", *BLOCKS, "-o", "o.npy"],
            *["set-value", "a.npy", "--starts", "0,0", "--ends", "3,4"],
        ],
        ["--max-bytes", "set-value"],
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(tool: Tool, why: str) -> None:
    np.savez("p.npz", A)
    words, parts = REFUSED[why]
    before = listing()
    assert_refused(tool("run", *words), *parts)
    assert listing() == before


def test_very_many_blocks_are_told_before_the_work(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blockwise, "MANY_BLOCKS", 11)
    code, _, err = tool("run", "a.npy", "flip", "0", "--max-bytes", "16", "-o", "o.npy")
    assert code == 0
    assert err.count("\n") == 1
    assert "--max-bytes 16 makes 12 blocks of (1, 1), and 256MB, the default, 1" in err
    np.testing.assert_array_equal(np.load("o.npy"), A[::-1])


def test_bytes_without_their_unit(tool: Tool) -> None:
    np.save("big.npy", np.zeros((1500, 1600), "u1"))
    words = ["run", "big.npy", "flip", "0", "-o", "o.npy", "--max-bytes"]
    said = "makes 2,400,000 blocks", "more than 2,000,000 are not begun", "256MB"
    assert_refused(tool(*words, "4"), "--max-bytes 4 ", *said)
    assert "o.npy" not in listing()
    assert tool(*words, "4MB")[0] == 0
    assert_refused(tool(*words, "-4MB"), "--max-bytes -4MB", "is positive")
