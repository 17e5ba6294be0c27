"""Profiles, counts in the summary, and the engines as a fixture."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from samples import ENGINES, Counts, engine_exists, under

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile("dev", max_examples=60, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=SLOW,
)
settings.register_profile(
    "nightly", max_examples=5000, deadline=None, suppress_health_check=SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


COUNTS = pytest.StashKey[Counts]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = {}


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many settings each exhaustive test went through."""
    counts = config.stash[COUNTS]
    if counts:
        terminalreporter.section("settings compared with the oracle")
        for name, count in counts.items():
            terminalreporter.write_line(f"{count:>9,}  {name}")
        terminalreporter.write_line(f"{sum(counts.values()):>9,}  in all")


@pytest.fixture(scope="session")
def counts(request: pytest.FixtureRequest) -> Counts:
    """Where a test leaves its number of settings for the summary."""
    return request.config.stash[COUNTS]


@pytest.fixture(params=ENGINES, ids=lambda p: f"{p[0]}-{p[1]}")
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test once per engine and number of threads."""
    name, threads = request.param
    if not engine_exists(name):
        pytest.skip(f"the {name} engine is not built")
    with under(name, threads):
        yield name
