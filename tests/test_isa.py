"""Every path of the kernels, forced by RESTRIDE_ISA, passes the engine's own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

native = pytest.importorskip("restride._native")

HERE = Path(__file__).parent
PATHS = ["scalar", "baseline", "avx2"]


def told(isa: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "RESTRIDE_ISA": isa}
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def chosen(isa: str) -> str:
    run = told(isa, "-c", "from restride import _native; print(_native._isa)")
    return run.stdout.strip()


def test_a_path_can_be_forced() -> None:
    assert [chosen(isa) for isa in PATHS[:2]] == PATHS[:2]
    assert chosen("avx2") in ("avx2", "baseline")
    assert chosen("no such path") == chosen("") == native._isa


@pytest.mark.parametrize("isa", PATHS)
def test_the_engine_on_a_forced_path(isa: str) -> None:
    if chosen(isa) != isa:
        pytest.skip(f"this processor has no {isa}")
    if native._isa == isa and "RESTRIDE_ISA" not in os.environ:
        pytest.skip(f"{isa} is what the whole suite runs on")
    options = ["-q", "-x", "-p", "no:cacheprovider"]
    run = told(isa, "-m", "pytest", *options, str(HERE / "test_native_programs.py"))
    assert run.returncode == 0, run.stdout[-2000:]
