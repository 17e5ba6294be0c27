"""What is read where a source is kept in chunks, each unpacked whole for every block.

>>> from restride.layout import Chain
>>> chain = Chain.identity((100,)).pad([(5, 5)], "edge")
>>> elements_unpacked(chain, Grid((110,), (30,)), (10,))
(130, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from restride.blocks.boxes import Grid
from restride.blocks.intervals import Intervals, length, merged
from restride.blocks.restrict import Block, restriction
from restride.layout.axis import AxisMap
from restride.layout.chain import Chain

__all__ = ["elements_unpacked", "unpacked", "walking_units"]

MOST_VISITS = 1 << 11
"""Most boxes looked at; every so many of them where there are more."""


def elements_unpacked(
    chain: Chain, boxes: Grid, chunks: Sequence[int]
) -> tuple[int, bool]:
    """Elements of the chunks that all boxes read, and whether that is exact."""
    total = len(boxes)
    if not total:
        return 0, True
    made, visits = restriction(chain), min(total, MOST_VISITS)
    last = max(1, visits - 1)
    blocks = [made(boxes.box(k * (total - 1) // last)) for k in range(visits)]
    read = sum([unpacked(b, chain.source_shape, chunks) for b in blocks])
    is_exact = total <= MOST_VISITS and not any(b.flat for b in blocks)
    return read * total // visits, is_exact


def unpacked(block: Block, shape: Sequence[int], chunks: Sequence[int]) -> int:
    """Elements of one block's chunks; whole rows of chunks where it reads flat."""
    reads = block.reads
    if block.flat and shape:
        row = max(1, prod(shape[1:]))
        rows = merged([(a // row, -(-b // row)) for a, b in reads[0]])
        reads = (rows, *[((0, n),) for n in shape[1:]])
    axes = zip(reads, shape, chunks, strict=False)
    return prod([_rounded(r, n, c) for r, n, c in axes])


def walking_units(chain: Chain, chunks: Sequence[int]) -> list[int] | None:
    """Per result axis the fewest positions that walk whole chunks of the source.

    1 where an axis walks none; None where something is read with another shape.

    Examples
    --------
    >>> made = Chain.identity((90, 80)).transpose((1, 0))
    >>> walking_units(made, (30, 20))
    [20, 30]
    """
    units, before = list(chunks), chain.source_shape
    for m in chain.maps:
        if m.source_shape != before:
            return None
        units = [
            1 if a.source is None else _walked(units[a.source], a.map) for a in m.axes
        ]
        before = m.shape
    if before != chain.shape:
        return None
    return [max(1, min(u, n)) for u, n in zip(units, chain.shape, strict=True)]


def _walked(unit: int, m: AxisMap) -> int:
    """Positions of the longest run of an axis that walk whole units."""
    live = [(p.count, p.step) for p in m.pieces if p.fill is None and p.step]
    return unit // gcd(unit, max(live)[1]) if live else 1


def _rounded(intervals: Intervals, extent: int, chunk: int) -> int:
    """Positions of the chunks that intervals touch; the last chunk ends with the axis.

    Examples
    --------
    >>> _rounded(((3, 4), (8, 9)), 9, 5)
    9
    """
    ends = [(a - a % chunk, min(extent, b + -b % chunk)) for a, b in intervals]
    return length(merged(ends))
