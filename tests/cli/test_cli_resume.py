"""Runs into Zarr arrays that end early, go on, or are refused: what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tool import Tool, assert_refused

pytest.importorskip("zarr")

from restride.blocks.zarr import unfinished
from restride.blocks.zarr.target import ZarrTarget

X = np.arange(200 * 100, dtype="u2").reshape(200, 100)
RUN = ["run", "x.npy", "flip", "0", "-o", "r.zarr", "--chunks", "20,100"]
RUN += ["--max-bytes", "60000"]


def interrupted(tool: Tool, after: int) -> tuple[int, str, str]:
    """A run that Ctrl-C ends after so many blocks."""
    np.save("x.npy", X)
    write, seen = ZarrTarget.write, []

    def stopping(self: ZarrTarget, *words: Any) -> None:
        if len(seen) == after:
            raise KeyboardInterrupt
        seen.append(words)
        write(self, *words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unfinished, "SYNC_S", 0.0)
        patch.setattr(ZarrTarget, "write", stopping)
        return tool(*RUN)


def test_ctrl_c_says_how_to_go_on(tool: Tool) -> None:
    code, out, err = interrupted(tool, 2)
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert "no output was changed" in err
    assert "--resume" in err
    code, _, err = tool(*RUN, "--resume")
    assert (code, err.count("\n")) == (0, 1)
    assert "blocks were there" in err


def test_ctrl_c_before_a_block_is_done(tool: Tool) -> None:
    code, _, err = interrupted(tool, 0)
    assert code == 130
    assert "--resume" not in err
    assert not list(Path().glob(".r.zarr*"))


def test_nothing_to_resume_is_told(tool: Tool) -> None:
    np.save("x.npy", X)
    code, _, err = tool(*RUN, "--resume")
    assert (code, err.count("\n")) == (0, 1)
    assert "--resume: no unfinished run of r.zarr is there; all is made\n" in err
    code, _, err = tool(*RUN, "--resume")
    assert code == 0
    assert err.endswith("all is made, and what is there is replaced\n")


def test_a_refusal_is_one_line(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worth a note before the work is not said where there will be none."""
    interrupted(tool, 2)
    monkeypatch.setattr("restride.cli.blockwise.MANY_BLOCKS", 1)
    assert_refused(tool(*RUN), "an unfinished run is in")
    code, _, err = tool(*RUN, "--resume")
    assert code == 0
    assert "blocks of" in err


def test_the_default_is_named_as_such(tool: Tool) -> None:
    np.lib.format.open_memmap("x.npy", "w+", "u1", (9000, 9000))
    words = ["run", "x.npy", "flip", "0", "-o", "r.zarr", "--chunks"]
    said = "max_bytes = 256000000, the default, is too little"
    assert_refused(tool(*words, "9000,9000"), said)
