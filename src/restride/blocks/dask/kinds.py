"""What tasks of one kind do: all but the numbers in which their blocks differ.

Of chunks of random lengths hardly two make equal blocks, but what is done for them
differs in a few numbers only.  So a task holds its kind, which many share, and a cell
of numbers for each component of the chain; the worker that runs it puts them together.

>>> AxisKind((None, 3)).told((4, 1, 5, 2, 3))
((4, 3), Place(reads=((1, 5),), chunks=((0, 2), (2, 5))))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.cells import Cell
from restride.blocks.dask.gather import Array, Form, Job, Place, make
from restride.blocks.intervals import Intervals
from restride.layout.chain import Chain

__all__ = ["NOWHERE", "AxisKind", "Kind", "laid_out", "make_of", "moved"]

NOWHERE = Place((), ())
"""Of a block that reads nothing."""


class AxisKind(NamedTuple):
    """A kind along one component of a chain.

    A cell of it is: elements of the block along its leading axis, then the range from
    the first to the last position that it reads, counted from the first chunk that it
    reads, then the lengths of those chunks.  Less where less says it: () where the kind
    does, the first number where nothing is read, the first and the last of a chunk read
    whole.
    """

    counts: tuple[int | None, ...]
    """Elements of the block along its result axes; None where the cell says so."""
    place: Place | None = None
    """None: the cell says it."""
    apart: Intervals = ()
    """What is read, from the first position on, where that is not all between."""

    def told(self, cell: Cell) -> tuple[tuple[int, ...], Place]:
        """Elements of a block along its result axes, and what it reads."""
        count, *read = cell or (0,)
        counts = tuple([count if n is None else n for n in self.counts])
        if self.place is not None:
            return counts, self.place
        if len(read) == 1:
            read = [0, *read, *read]
        low, high, *met = read
        return counts, Place(moved(self.apart, low) or ((low, high),), laid_out(met))


class Kind(NamedTuple):
    """What blocks of one kind have in common."""

    chain: Chain
    """Its front serves each of them; its constants are bytes of the dtype."""
    dtype: np.dtype[Any]
    along: tuple[AxisKind, ...]
    """Of each component."""
    reads: tuple[int, ...]
    """Of each source axis, the component that leads to it; () where none is read."""
    rows: tuple[int, ...]
    """Of each result axis, its place among those of the components in a row."""

    def job(self, cells: tuple[Cell, ...]) -> Job:
        """What is done for the block of some cells, one per component."""
        found = [along.told(c) for along, c in zip(self.along, cells, strict=True)]
        counts = [n for some, _ in found for n in some]
        form = Form(self.chain, self.dtype, tuple([counts[k] for k in self.rows]))
        return Job(form, tuple([found[k][1] for k in self.reads]))


def make_of(kind: Kind, cells: tuple[Cell, ...], *chunks: Any) -> Array:
    """One block of a result: see :func:`restride.blocks.dask.gather.make`."""
    return make(_job(kind, cells), *chunks)


_job = lru_cache(1024)(Kind.job)
"""Of chunks of one length, most blocks have equal cells."""


def laid_out(lengths: Sequence[int]) -> Intervals:
    """The ranges of chunks of these lengths, but for those of no element."""
    if len(lengths) == 1:
        return ((0, lengths[0]),)
    edges = pairwise(accumulate(lengths, initial=0))
    return tuple([(low, high) for low, high in edges if low < high])


def moved(reads: Intervals, by: int) -> Intervals:
    """The same intervals where positions are counted from elsewhere."""
    return tuple([(low + by, high + by) for low, high in reads])
