"""Quiet frameworks, and a last line that says which were compared with."""

from __future__ import annotations

import os

import pytest
from sets import COMPARED, FRAMEWORKS, installed

# Read once, when a framework is first imported: processors only, and no banners.
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def pytest_unconfigure(config: pytest.Config) -> None:
    """After pytest's own summary: the sets compared, and the frameworks skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    for name, count in COMPARED.items():
        reporter.write_line(f"{count:>7,} sets  {name}")
    missing = [name for name in FRAMEWORKS if not installed(name)]
    reporter.write_line(
        f"{len(FRAMEWORKS) - len(missing)} frameworks, {len(missing)} skipped"
        + (f" (not installed: {', '.join(missing)})" if missing else "")
    )
