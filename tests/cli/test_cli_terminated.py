"""SIGTERM ends a run of the tool as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_tool import Tool

from restride.blocks.sources import FileSource

CHILD = """
import os, signal, sys
from restride.blocks.targets import FileTarget
from restride.cli import main
write = FileTarget.write
def stopping(self, *words):
    write(self, *words)
    os.kill(os.getpid(), signal.SIGTERM)
FileTarget.write = stopping
sys.exit(main(["run", "x.npy", "flip", "0", "-o", "y.npy", "--max-bytes", "4000"]))
"""


def test_nothing_is_left_and_the_code_says_so(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((100, 100)))
    (tmp_path / "y.npy").write_bytes(b"keep")
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 143, done.stderr
    assert done.stderr == "restride: error: interrupted; no output was changed.\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.npy", "y.npy"]
    assert (tmp_path / "y.npy").read_bytes() == b"keep"


def test_who_handles_it_keeps_it(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    read = FileSource.read

    def told(self: FileSource, *words: object) -> object:
        os.kill(os.getpid(), signal.SIGTERM)
        return read(self, *words)

    monkeypatch.setattr(FileSource, "read", told)
    before = signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    try:
        code = tool("run", "a.npy", "flip", "0", "-o", "o.npy", "--max-bytes", "96")[0]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert code == 0
    assert seen
    assert signal.getsignal(signal.SIGTERM) is before
