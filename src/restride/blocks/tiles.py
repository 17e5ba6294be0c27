"""How large a block is along each axis: long stretches in both files.

A disk wants long stretches.  In the result they run along its last axes, in the
source along the result axes that walk the source's last axes; under a transpose these
are others.  So a tile starts as one element and grows, doubling, along the axis that
makes the shorter of the two stretches longer, while it fits into the bytes allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from restride.blocks.restrict import Block, restrict
from restride.layout.chain import Chain

__all__ = ["block_bytes", "boxes", "group", "halves", "tile"]

LONG_BYTES = 128 << 10
"""Stretches that a disk reads about as fast as it can."""

MOST_TOGETHER = 8
"""Most blocks fetched together: they are in the system's cache until they are read."""

Box = tuple[tuple[int, int], ...]


def tile(
    chain: Chain,
    itemsize: int,
    max_bytes: int,
    align: Sequence[int] | None = None,
    by_columns: bool = False,
) -> tuple[int, ...]:
    """Extents of a block of the result that fits into `max_bytes` with its source.

    Multiples of `align`, where one multiple fits.  `by_columns`: the source's first
    axis is the one whose neighbours lie together.
    """
    shape = chain.shape
    unit = [min(a, n) for a, n in zip(align or [1] * len(shape), shape, strict=True)]
    extents = [max(1, a) for a in unit]
    order = _by_source(chain, by_columns), list(reversed(range(len(shape))))
    open_axes = {r for r, n in enumerate(shape) if extents[r] < n}
    while open_axes:
        axis = _next(order, shape, extents, open_axes)
        for wanted in _growths(extents[axis], shape[axis], unit[axis]):
            grown = [*extents[:axis], wanted, *extents[axis + 1 :]]
            if _middle_bytes(chain, grown, itemsize) <= max_bytes:
                extents = grown
                break
        else:
            open_axes.discard(axis)
        if extents[axis] == shape[axis]:
            open_axes.discard(axis)
    return tuple(extents)


def _growths(extent: int, n: int, unit: int) -> list[int]:
    """What an extent may grow to: twice as much, or a little more."""
    steps = [extent * 2, extent + extent // 2, extent + extent // 4]
    grown = [min(n, max(unit, s // unit * unit)) for s in steps]
    return [g for g in grown if g > extent]


def _next(
    order: tuple[list[int], list[int]],
    shape: Sequence[int],
    extents: Sequence[int],
    open_axes: set[int],
) -> int:
    """The axis whose growth makes the shorter of the two stretches longer."""
    found = []
    for axes in order:
        run = 1
        for axis in axes:
            run *= extents[axis]
            if axis in open_axes:
                found.append((run, axis))
                break
            if extents[axis] < shape[axis]:
                run = 1 << 62  # it cannot grow any more
    return min(found, key=lambda pair: pair[0])[1] if found else max(open_axes)


def _by_source(chain: Chain, by_columns: bool) -> list[int]:
    """Result axes by the source axis they walk, the fastest one first."""
    m = chain.maps[0]
    if len(chain.maps) > 1 or m.shape != chain.shape:
        return list(reversed(range(len(chain.shape))))
    walked = [(a.source, r) for r, a in enumerate(m.axes) if a.source is not None]
    walked.sort(key=lambda pair: (pair[0], pair[1]), reverse=not by_columns)
    return [r for _, r in walked]


def _middle_bytes(chain: Chain, extents: Sequence[int], itemsize: int) -> int:
    """Bytes of the block of these extents in the middle of the result."""
    box = []
    for n, most in zip(chain.shape, extents, strict=True):
        low = (n - most) // 2
        box.append((low, low + most))
    return block_bytes(restrict(chain, box), itemsize)


def block_bytes(block: Block, itemsize: int) -> int:
    """Bytes in memory while a block runs: what is read, made between, and made."""
    between = [prod(m.shape) for m in block.chain.maps]
    return (block.elements_read + sum(between)) * itemsize


def group(
    chain: Chain, extents: Sequence[int], itemsize: int, by_columns: bool = False
) -> tuple[int, ...]:
    """Extents of blocks run one after the other, whose reads are fetched together.

    Where blocks are short along the axis that walks the source's neighbours, several
    in that direction make the stretches of the source long enough.
    """
    run = itemsize
    together = list(extents)
    for axis in _by_source(chain, by_columns):
        run *= extents[axis]
        if extents[axis] < chain.shape[axis]:
            count = min(-(-LONG_BYTES // run), MOST_TOGETHER)
            together[axis] = min(extents[axis] * count, chain.shape[axis])
            break
    return tuple(together)


def boxes(
    shape: Sequence[int], extents: Sequence[int], low: Sequence[int] | None = None
) -> Iterator[Box]:
    """Boxes of these extents that tile `shape` from `low` on, the last axis fastest.

    >>> list(boxes((3, 2), (2, 2)))
    [((0, 2), (0, 2)), ((2, 3), (0, 2))]
    """
    per_axis = [
        [(a + k, a + min(k + step, n)) for k in range(0, n, step)]
        for a, n, step in zip(low or [0] * len(shape), shape, extents, strict=True)
    ]
    return product(*per_axis)


def halves(box: Box) -> tuple[Box, Box] | None:
    """The box in two along its first axis that has more than one element."""
    for axis, (low, high) in enumerate(box):
        if high - low > 1:
            middle = (low + high) // 2
            first, second = (low, middle), (middle, high)
            return (
                (*box[:axis], first, *box[axis + 1 :]),
                (*box[:axis], second, *box[axis + 1 :]),
            )
    return None
