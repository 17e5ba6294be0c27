"""What one task of a region write does: a chunk of the destination, written to.

All of this runs in a worker and knows nothing of Dask.  Chunks that are written alike
share a kind; each has a cell of numbers for every axis (`write_cells`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.cells import Cell
from restride.blocks.dask.gather import Array, Place, checked, part_of
from restride.blocks.dask.kinds import laid_out

__all__ = ["Put", "PutKind", "put_of"]

ONE = Place(((0, 1),), ((0, 1),))
"""The only position of an axis of the source."""


class Put(NamedTuple):
    """What is written to one chunk."""

    shape: tuple[int, ...]
    """Of the chunk."""
    inside: tuple[slice, ...]
    """The cells written."""
    filled: tuple[int, ...]
    """Extents of what fills them, along the chunk's axes."""
    places: tuple[Place, ...]
    """What is read of the source, along its axes."""
    dtype: np.dtype[Any]


class PutKind(NamedTuple):
    """What all chunks of a region write have in common."""

    dtype: np.dtype[Any]
    axes: tuple[tuple[int, int | None], ...]
    """Of each axis of the destination the step of the walk, and the axis of the source
    that fills it; None: one position."""
    rank: int
    """Axes of the source."""

    def put(self, cells: tuple[Cell, ...]) -> Put:
        """What is written to the chunk of some cells, one per axis."""
        inside, filled, places = [], [1] * len(cells), [ONE] * self.rank
        for s, (step, row) in enumerate(self.axes):
            _, begin, count, *read = cells[s]
            end = begin + count * step
            inside.append(slice(begin, end if end >= 0 else None, step))
            if row is not None:
                low, filled[s], *met = read
                places[row] = Place(((low, low + filled[s]),), laid_out(met))
        shape = tuple([cell[0] for cell in cells])
        return Put(shape, tuple(inside), tuple(filled), tuple(places), self.dtype)


_put = lru_cache(1024)(PutKind.put)
"""Of chunks of one length, most have equal cells."""


def put_of(kind: PutKind, cells: tuple[Cell, ...], before: Any, *chunks: Any) -> Array:
    """One chunk of the destination with what is written to it.

    Parameters
    ----------
    kind : PutKind
    cells : tuple of tuple of int
        One per axis of the destination.
    before : ndarray or None
        The chunk as it was; None where all of it is written.
    *chunks : ndarray
        Those of the source that are read, last axis fastest.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        A chunk is not what the Dask array said it would be.
    """
    does = _put(kind, cells)
    boxes = product(*[place.chunks for place in does.places])
    given = [
        checked(chunk, box, does.dtype)
        for chunk, box in zip(chunks, boxes, strict=True)
    ]
    if before is None:
        made = np.empty(does.shape, does.dtype)
    else:
        box = [(0, n) for n in does.shape]
        made = checked(before, box, does.dtype).copy()
    inside: Any = (*does.inside, ...)
    made[inside] = part_of(does.places, given).reshape(does.filled)
    return made
