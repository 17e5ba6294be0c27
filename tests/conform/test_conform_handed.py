"""The vendors' own cases, all of them, through the tool's library door."""

from __future__ import annotations

from pathlib import Path

import pytest

from restride.conform import Report, run

CASES = Path(__file__).parent.parent / "cases"

TABLES = {
    "atb.json": (61, {"definition": 25, "status": 36}),
    "aclnn_pad.json": (188, {"data": 20, "definition": 96, "shape": 8, "status": 64}),
    "tensorflow.json": (2500, {"data": 1639, "status": 861}),
}
"""Cases of each table, and how they are checked."""


@pytest.fixture(scope="module", params=sorted(TABLES))
def report(request: pytest.FixtureRequest) -> tuple[str, Report]:
    return request.param, run(CASES / request.param)


def test_every_case_passes_and_none_is_skipped(report: tuple[str, Report]) -> None:
    name, found = report
    assert list(found.lines()) == []
    assert found.reasons == {}
    assert found.count("passed") == TABLES[name][0]


def test_cases_are_checked_as_well_as_they_can_be(report: tuple[str, Report]) -> None:
    name, found = report
    assert found.checked == TABLES[name][1]
