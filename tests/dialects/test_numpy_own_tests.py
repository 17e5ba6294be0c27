"""NumPy's own tests of `pad` pass with the dialect's in its place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numpy_own_tests import MODULE

LEAST_PASSED = 400
"""Tests that must have run; NumPy 2.4.6 has 430."""

LEAST_MOVED = {
    "constant": 40,
    "edge": 20,
    "empty": 20,
    "reflect": 30,
    "symmetric": 30,
    "wrap": 30,
}
"""Results that must have come from restride, by mode."""

COMPUTED = {"linear_ramp", "maximum", "mean", "median", "minimum"}
"""Modes that are NumPy's own by design."""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What the run of NumPy's file reports; made once."""
    options = ["-q", "-c", "/dev/null", "-p", "no:cacheprovider", "--pyargs", MODULE]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "numpy_own_tests", *options],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr
    last: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    return last


def test_every_test_of_numpys_passes(told: dict[str, Any]) -> None:
    assert set(told["outcomes"]) == {"passed"}
    assert told["outcomes"]["passed"] >= LEAST_PASSED


def test_modes_that_move_are_moved_by_restride(told: dict[str, Any]) -> None:
    for mode, least in LEAST_MOVED.items():
        assert told["moved"].get(mode, 0) >= least, (mode, told["moved"])


def test_modes_that_compute_are_numpys(told: dict[str, Any]) -> None:
    assert not COMPUTED & set(told["moved"])
    assert set(told["handed_over"]) >= COMPUTED
