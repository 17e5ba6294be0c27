"""How far the work is: a bar on a terminal, after a second; nothing elsewhere."""

from __future__ import annotations

import io
import os
import pty
import sys
from contextlib import suppress

import numpy as np
import pytest

import restride as rs
from restride.blocks import progress

X = np.zeros((64, 1000), "u1")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def work(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    out = np.empty_like(X)
    rs.run_blocks([], X, out, max_bytes=8000, progress=True)
    return stream.getvalue()


def test_a_bar_with_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", -1)
    shown = work(monkeypatch, Terminal())
    assert "moving blocks" in shown
    assert "kB" in shown
    assert "/s" in shown
    assert ":0" in shown  # the time left


def test_no_bar_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, Terminal()) == ""


def test_no_bar_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", -1)
    assert work(monkeypatch, io.StringIO()) == ""


def all_of(terminal: int) -> str:
    """What was written to a terminal that is closed at its other end."""
    shown = b""
    with suppress(OSError):  # how Linux says that nothing more will come
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    os.close(terminal)
    return shown.decode()


def test_a_real_terminal_is_clean_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", -1)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        rs.run_blocks([], X, np.empty_like(X), max_bytes=8000, progress=True)
        stream.flush()
        shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "moving blocks" in shown
    assert shown.endswith("\x1b[2K")  # the line of the bar is wiped
