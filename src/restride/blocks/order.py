"""In which order blocks run: those that read neighbours of the source together."""

from __future__ import annotations

from math import prod

from restride.blocks.boxes import Grid
from restride.blocks.grid import read_order
from restride.layout.chain import Chain
from restride.layout.index_map import Axis, IndexMap

__all__ = ["together", "turned"]

LONG_BYTES = 512 << 10
"""Stretches that a disk reads about as fast as it can."""


def together(
    chain: Chain, grid: Grid, itemsize: int, most_bytes: int
) -> tuple[int, ...]:
    """Extents of a group of boxes whose reads are fetched together.

    Where a box is short along the axis that walks the source's neighbours, several in
    that direction make the stretches of the source long.  Until they are read they are
    in the system's cache, so at most about `most_bytes` of them.

    Examples
    --------
    >>> chain = Chain.identity((9000, 9000)).transpose((1, 0))
    >>> together(chain, Grid((9000, 9000), (1000, 1000)), 4, 32_000_000)
    (8000, 1000)
    """
    found, run = list(grid.block), itemsize
    for axis in read_order(chain):
        n, step = chain.shape[axis], grid.block[axis]
        run *= step
        if step < n:
            most = most_bytes // (prod(grid.block) * itemsize)
            found[axis] = step * max(1, min(-(-LONG_BYTES // run), most))
            break
    return tuple(found)


def turned(chain: Chain) -> Chain:
    """The same reads of the source with its axes in reverse order.

    What lies by columns in a file lies there by rows, seen so.  A chain that reads
    the source flat stays as it is.
    """
    first = chain.maps[0]
    if first.source_shape != chain.source_shape:
        return chain
    last = len(first.source_shape) - 1
    axes = [a if a.source is None else Axis(last - a.source, a.map) for a in first.axes]
    shape = first.source_shape[::-1]
    made = IndexMap.make(shape, axes, first.base[::-1], first.fills, first.background)
    if made is None:
        raise AssertionError("axes renamed bend no more than before")
    return Chain(shape, (made, *chain.maps[1:]), chain.shape)
