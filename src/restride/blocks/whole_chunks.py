"""What is read where a source is kept in chunks, each unpacked whole for every block.

>>> from restride.layout import Chain
>>> chain = Chain.identity((100,)).pad([(5, 5)], "edge")
>>> elements_unpacked(chain, Grid((110,), (30,)), (10,))
(130, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import NamedTuple

from restride.blocks.boxes import Grid
from restride.blocks.intervals import Intervals, length, merged
from restride.blocks.restrict import Block, restriction
from restride.layout.chain import Chain
from restride.layout.index_map import Axis

__all__ = ["Walk", "elements_unpacked", "unpacked", "walks"]

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


class Walk(NamedTuple):
    """How positions along an axis walk the chunks of a source."""

    unit: int
    """Fewest positions that walk whole chunks; 1 where the axis walks none."""
    edge: int
    """The first position, less than `unit`, that lies in another chunk than the one
    before it; so do those `unit` further on."""


def walks(chain: Chain, chunks: Sequence[int]) -> list[Walk] | None:
    """Per result axis, by its longest run; None where a map reads another shape.

    Examples
    --------
    >>> made = Chain.identity((90, 80)).pad([(0, 0), (3, 0)], "edge")
    >>> walks(made.transpose((1, 0)), (30, 20))
    [Walk(unit=20, edge=3), Walk(unit=30, edge=0)]
    """
    found, before = [Walk(chunk, 0) for chunk in chunks], chain.source_shape
    for m in chain.maps:
        if m.source_shape != before:
            return None
        found = [
            Walk(1, 0) if a.source is None else _walk(found[a.source], m.base, a)
            for a in m.axes
        ]
        before = m.shape
    if before != chain.shape:
        return None
    bounds = zip(found, chain.shape, strict=True)
    return [walk if walk.unit <= n else Walk(max(1, n), 0) for walk, n in bounds]


def _walk(walk: Walk, base: Sequence[int], axis: Axis) -> Walk:
    """The same of an axis that walks one of which `walk` is known."""
    pairs = zip(axis.map.ends, axis.map.pieces, strict=True)
    live = [(p.count, end, p) for end, p in pairs if p.fill is None and p.step]
    if not live or axis.source is None:
        return Walk(1, 0)
    count, end, piece = max(live, key=lambda run: run[0])
    begin, step = base[axis.source] + piece.begin, abs(piece.step)
    if piece.step > 0:  # up to the next edge: the first position at it or beyond
        ahead = -(-((walk.edge - begin) % walk.unit) // step)
    else:  # down to the edge before: the first position below it
        ahead = (begin - walk.edge) % walk.unit // step + 1
    unit = walk.unit // gcd(walk.unit, step)
    return Walk(unit, (end - count + ahead) % unit)


def _rounded(intervals: Intervals, extent: int, chunk: int) -> int:
    """Positions of the chunks that intervals touch; the last chunk ends with the axis.

    Examples
    --------
    >>> _rounded(((3, 4), (8, 9)), 9, 5)
    9
    """
    ends = [(a - a % chunk, min(extent, b + -b % chunk)) for a, b in intervals]
    return length(merged(ends))
