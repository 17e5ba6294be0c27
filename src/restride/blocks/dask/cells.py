"""Cells for many chunks at once: rows of plain numbers, which tasks hold as tuples.

>>> from restride.blocks.dask.lengths import Lengths
>>> edges = Edges(Lengths.of((3, 5, 7)))
>>> some = np.array([0, 0, 1])
>>> celled([np.array([9, 9, 8])], edges, some, np.array([0, 0, 2]))
[(9, 3), (9, 3), (8, 5, 7)]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

import numpy as np

from restride.blocks.dask.edges import Edges, Numbers

__all__ = ["Cell", "celled", "zipped"]

Cell = tuple[int, ...]

FEW_MET = 4
"""Of so few chunks that each block reads, the lengths are told column by column."""


def celled(
    told: Sequence[Numbers], edges: Edges, first: Numbers, last: Numbers
) -> list[Cell]:
    """The rows of some columns, each followed by the lengths of chunks first .. last.

    There is at least one row.
    """
    further = last - first
    if (further == further[0]).all():
        return _alike(told, edges, first, int(further[0]))
    found: list[Cell] = [()] * len(further)
    for n in set(further.tolist()):
        which = np.flatnonzero(further == n)
        cells = _alike([values[which] for values in told], edges, first[which], n)
        for k, cell in zip(which.tolist(), cells, strict=True):
            found[k] = cell
    return found


def _alike(
    told: Sequence[Numbers], edges: Edges, first: Numbers, further: int
) -> list[Cell]:
    """The same where each has as many chunks after the first."""
    if further < FEW_MET:
        return zipped([*told, *[edges.lengths(first + k) for k in range(further + 1)]])
    rows: Any = zip(*[values.tolist() for values in (*told, first)], strict=True)
    return [(*row, *edges.lengths_between(k, k + further)) for *row, k in rows]


def zipped(columns: Sequence[Numbers]) -> list[Cell]:
    """The rows of some columns; equal neighbours are one tuple.

    >>> zipped([np.array([1, 1, 2]), np.array([5, 5, 5])])
    [(1, 5), (1, 5), (2, 5)]
    """
    count = len(columns[0])
    is_new = np.ones(count, bool)
    is_new[1:] = False
    for values in columns:
        is_new[1:] |= values[1:] != values[:-1]
    new = np.flatnonzero(is_new)
    rows = zip(*[values[new].tolist() for values in columns], strict=True)
    if len(new) == count:
        return list(rows)
    times = np.diff(new, append=count).tolist()
    return list(chain.from_iterable(map(repeat, rows, times)))
