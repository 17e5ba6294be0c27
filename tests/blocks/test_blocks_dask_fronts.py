"""Blocks of unequal lengths share a chain; what lies between two reads stays there."""

from __future__ import annotations

from itertools import product
from typing import Any

import dask.array as da
import numpy as np
import pytest
from chunked import cut

import restride as rs

ROWS = ((1,) * 7, (2, 3, 2), (7,))
COLUMNS = ((3, 1), (1, 1, 2), (2, 2))


@pytest.mark.parametrize("rows", ROWS)
def test_windows_of_rows_apart_over_unequal_columns(rows: tuple[int, ...]) -> None:
    x = np.arange(28).reshape(7, 4)
    asked = product(COLUMNS, (0, 1), (2, 3), (1, 2), (1, 2, 3))
    for columns, axis, size, step, dilation in asked:
        if dilation * (size - 1) >= x.shape[axis]:
            continue
        made = rs.dask.windows(cut(x, (rows, columns)), size, step, dilation, axis=axis)
        want = rs.windows(x, size, step, dilation, axis=axis)
        np.testing.assert_array_equal(made.compute(scheduler="sync"), want)


def test_columns_beside_two_rows_far_apart() -> None:
    x = np.arange(6)
    made = rs.dask.view(da.from_array(x, chunks=6)).reshape((2, 3))
    want = rs.view(x).reshape((2, 3)).pad(((0, 0), (3, 3)), "edge").copy()
    got = made.pad(((0, 0), (3, 3)), "edge").copy()
    np.testing.assert_array_equal(got.compute(scheduler="sync"), want)


@pytest.mark.parametrize("rows", [(1,) * 7, (2, 3, 2), (7,)])
def test_windows_apart_after_a_cut_and_turned(rows: tuple[int, ...]) -> None:
    x = np.arange(42).reshape(7, 6)

    def steps(v: Any) -> Any:
        padded = v.pad(((1, 1), (1, 1)), "symmetric")
        return padded.windows((2, 2), (1, 1), (2, 3)).transpose(2, 0, 3, 1)

    made = steps(rs.dask.view(cut(x, (rows, (3, 1, 2))))).copy()
    want = steps(rs.view(x)).copy()
    np.testing.assert_array_equal(made.compute(scheduler="sync"), want)
