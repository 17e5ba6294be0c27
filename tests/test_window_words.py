"""What is said of window parameters that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

import restride as rs

X = np.zeros((4, 5, 6))

WRONG = {
    "size has 1 entry and x has 3 axes; give one for each axis, or name": ((3,), {}),
    "size has 1 entry and axis names 2 axes; give one for each, as size=(3, 3).": (
        (3,),
        {"axis": (1, 2)},
    ),
    "size has 2 entries and axis names 1 axis; give one for each.": (
        ((3, 3),),
        {"axis": 1},
    ),
    "step has 2 entries for 1 axis; give one.": ((3, (1, 1)), {"axis": 0}),
    "dilation has 2 entries for 3 axes; give one for all or one for each.": (
        ((2, 2, 2), 1, (1, 1)),
        {},
    ),
    "step = (-1,); give 1 or more on every axis.": ((3, -1), {"axis": 0}),
    "size = 400.0 is not an integer; give one, or a list.": ((400.0,), {"axis": 0}),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_is_said(said):
    args, words = WRONG[said]
    with pytest.raises((rs.ShapeError, rs.DTypeError)) as error:
        rs.windows(X, *args, **words)
    assert str(error.value).startswith(f"windows: {said}")
