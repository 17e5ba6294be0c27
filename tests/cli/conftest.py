"""The tool in a directory of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cli_tool import (
    A,
    S,
    Tool,
    U,
)

from restride.cli import main


@pytest.fixture
def tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Tool:
    """Runs the tool in a directory of its own: code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("s.npy", S)
    np.save("u.npy", U)

    def run(*args: str) -> tuple[int, str, str]:
        code = main(args)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run
