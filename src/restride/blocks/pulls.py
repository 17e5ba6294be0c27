"""Which bytes of a row-major file hold a product of intervals, in few long reads.

A file is fastest in long stretches.  So the axes are parted in three: *outer* ones
are walked index by index, one axis is read in stretches of whole rows, and the axes
inside it are read whole and cropped in memory, where what is cropped away is little.

>>> for pull in pulls((4, 6), [((1, 3),), ((0, 6),)], 1): print(pull.begin, pull.rows)
6 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from restride.blocks.intervals import Intervals, length

__all__ = ["Pull", "Slices", "alike", "pulls"]

SKIPPED_BYTES = 16 << 10
"""Bytes of a row that are read though nobody wants them: fewer reads cost less."""

SKIPPED_SHARE = 0.1
"""The same as a share of the row, whichever is more."""

STRETCH_BYTES = 4 << 20
"""Longest row that is read to be cropped, and bytes of such rows read at once."""

Slices = tuple[slice, ...]


class Pull(NamedTuple):
    """One stretch of the file, and which of its elements go where."""

    begin: int
    """Element of the file it begins at."""
    rows: int
    """Rows of the axis it runs along."""
    row_shape: tuple[int, ...]
    """Extents of the file in one row."""
    crops: tuple[tuple[Slices, Slices], ...]
    """(part of each row, where it goes) pairs; () where whole rows are wanted, which
    lie as they are in the file from `at` on."""
    at: int
    """First element of the result that whole rows fill."""
    place: tuple[int | slice, ...]
    """Indices of the result along the outer axes and along the one of the rows."""


def pulls(
    shape: Sequence[int], reads: Sequence[Intervals], itemsize: int
) -> Iterator[Pull]:
    """The stretches that hold the product of `reads` of a row-major file of `shape`.

    In the order of the file; the result they fill is row-major, with the extents of
    the intervals laid end to end.
    """
    if not shape:
        yield Pull(0, 1, (), (), 0, ())
        return
    counts = [length(r) for r in reads]
    if 0 in counts:
        return
    axis = _axis(shape, counts, itemsize)
    row_shape = tuple(shape[axis + 1 :])
    row, kept = prod(row_shape), prod(counts[axis + 1 :])
    crops = () if row == kept else tuple(_crops(reads[axis + 1 :]))
    most = max(1, STRETCH_BYTES // max(row * itemsize, 1)) if crops else 1 << 62
    at = 0
    outer = [[i for a, b in r for i in range(a, b)] for r in reads[:axis]]
    for where, index in zip(
        product(*[range(n) for n in counts[:axis]]), product(*outer), strict=True
    ):
        first = 0
        for n, i in zip(shape, index, strict=False):
            first = first * n + i
        first *= shape[axis]
        done = 0
        for low, high in reads[axis]:
            for a in range(low, high, min(most, high - low)):
                n = min(most, high - a)
                place: tuple[int | slice, ...] = (*where, slice(done, done + n))
                yield Pull((first + a) * row, n, row_shape, crops, at, place)
                at, done = at + n * kept, done + n


def alike(
    shape: Sequence[int], reads: Sequence[Intervals], itemsize: int
) -> tuple[int, list[int]] | None:
    """The same where the stretches are all alike and nothing is cropped.

    Their length and where each begins, in elements; None where it is not so.  They
    fill the result one after the other.

    Examples
    --------
    >>> alike((4, 6), [((1, 3),), ((0, 2),)], 1 << 20)
    (2, [6, 12])
    """
    counts = [length(r) for r in reads]
    axis = _axis(shape, counts, itemsize) if shape and 0 not in counts else 0
    row, kept = prod(shape[axis + 1 :]), prod(counts[axis + 1 :])
    if not shape or 0 in counts or row != kept or len(reads[axis]) != 1:
        return None
    starts, stride = [reads[axis][0][0] * row], shape[axis] * row
    for outer in reversed(range(axis)):
        places = [i * stride for a, b in reads[outer] for i in range(a, b)]
        starts = [place + start for place in places for start in starts]
        stride *= shape[outer]
    return counts[axis] * row, starts


def _axis(shape: Sequence[int], counts: Sequence[int], itemsize: int) -> int:
    """The first axis whose rows are worth reading whole."""
    row, kept = itemsize, itemsize
    axis = len(shape) - 1
    while axis > 0:
        row, kept = row * shape[axis], kept * counts[axis]
        skipped = row - kept
        if skipped and row > STRETCH_BYTES:
            break
        if skipped > max(SKIPPED_BYTES, row * SKIPPED_SHARE):
            break
        axis -= 1
    return axis


def _crops(reads: Sequence[Intervals]) -> Iterator[tuple[Slices, Slices]]:
    """The parts of a row that are wanted, and where each goes."""
    per_axis: list[list[tuple[slice, slice]]] = []
    for intervals in reads:
        done, parts = 0, []
        for a, b in intervals:
            parts.append((slice(a, b), slice(done, done + b - a)))
            done += b - a
        per_axis.append(parts)
    for chosen in product(*per_axis):
        yield tuple([c[0] for c in chosen]), tuple([c[1] for c in chosen])
