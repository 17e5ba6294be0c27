"""NumPy's own tests of `pad`, with ours in its place: a plugin for pytest.

Run as ``python -m pytest -p numpy_own_tests --pyargs numpy.lib.tests.test_arraypad``.
Only the test module's own name `np` is replaced, so NumPy itself stays as it is.  At
the end one line of JSON tells the outcomes, and how many calls each mode had.
"""

from __future__ import annotations

import json
from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from restride.dialects import numpy as ours

MODULE = "numpy.lib.tests.test_arraypad"

OUTCOMES: Counter[str] = Counter()
MOVED: Counter[str] = Counter()
HANDED_OVER: Counter[str] = Counter()


class StandIn(ModuleType):
    """NumPy, but for `pad`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
        """Ours; a call that reaches NumPy's own is counted as handed over."""
        handed = Counter()

        def numpys(*args: Any, **given: Any) -> Any:
            handed["calls"] += 1
            return kept(*args, **given)

        kept = np.pad
        np.pad = numpys
        try:
            result = ours.pad(array, pad_width, mode, **kwargs)
        finally:
            np.pad = kept
        (HANDED_OVER if handed else MOVED)[str(mode)] += 1
        return result


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the stand-in where the tests look for `np`."""
    for item in items:
        module = item.getparent(pytest.Module)
        assert module is not None
        assert module.obj.__name__ == MODULE
        module.obj.np = StandIn("numpy")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.outcome] += 1


def pytest_unconfigure() -> None:
    told = {"outcomes": OUTCOMES, "moved": MOVED, "handed_over": HANDED_OVER}
    print("\n" + json.dumps(told))
