"""A first call with new parameters: its steps in Python are counted, not timed.

Times vary by a factor of three with what else the machine does; the number of Python
functions called does not, and most of a first call's time is theirs (about 0.5 us
each).  The bounds are a tenth above what was counted on CPython 3.11 when they were
set; later versions call fewer, since comprehensions are no functions there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import restride as rs
from restride.engines import run
from restride.layout.axis import AxisMap

pytestmark = pytest.mark.skipif(run.name() != "native", reason="needs the extension")

First = Callable[[Any, int], Any]
"""A call over an array of two axes that has new parameters for each number."""

SOURCE = np.ones((3, 4), np.float32)

CALLS: dict[str, tuple[int, First]] = {
    "pad constant": (64, lambda x, k: rs.pad(x, [[k, 2], [3, 1]])),
    "pad reflect": (66, lambda x, k: rs.pad(x, [[k, 2], [3, 1]], "reflect")),
    "slice": (57, lambda x, k: rs.slice(x, (slice(k, None), slice(13, 1, -2)))),
    "slice an index": (52, lambda x, k: rs.slice(x, (k, slice(2, 9)))),
    "strided_slice": (78, lambda x, k: rs.strided_slice(x, [k, 13], [9, 1], [1, -2])),
    "as_strided": (77, lambda x, k: rs.as_strided(x, (3, 4), (k, 2), 5)),
    "windows": (75, lambda x, k: rs.windows(x, (k, 3), (1, 2))),
    "set_value": (70, lambda x, k: rs.set_value(x, SOURCE, (k, 2), (k + 3, 6))),
    "assign": (68, lambda x, k: rs.assign(x, (slice(k, k + 3), slice(4)), SOURCE)),
}


def python_calls(call: Callable[[], Any]) -> int:
    """Python functions called on the way, the first one included."""
    count = 0

    def note(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count - 1  # `call` itself


def counted(shape: tuple[int, int], first: First) -> int:
    """Calls of one with new parameters, after two others."""
    AxisMap.affine.cache_clear()
    x = np.zeros(shape, np.float32)
    for k in (1, 2):
        first(x, k)
    before = run.counter()
    count = python_calls(lambda: first(x, 3))
    assert run.counter() == before + 1
    return count


@pytest.mark.parametrize("shape", [(12, 14), (1300, 700)])
@pytest.mark.parametrize("name", CALLS)
def test_a_first_call_takes_few_steps(name: str, shape: tuple[int, int]) -> None:
    """However large the array is."""
    most, first = CALLS[name]
    assert counted(shape, first) <= most


def test_a_second_call_takes_none() -> None:
    x = np.zeros((12, 14))
    again = [[1, 2], [3, 5]]
    rs.pad(x, again)
    assert python_calls(lambda: rs.pad(x, again)) == 0
