"""What a run in blocks costs, told before the work: exact, and never box by box.

>>> from restride.blocks.grid import grid
>>> from restride.layout import Chain
>>> chain = Chain.identity((1000, 1000)).pad([(8, 8), (0, 0)], "wrap")
>>> told = cost(chain, 4, grid(chain, 4, 1_000_000))
>>> told.blocks, told.bytes_read, told.bytes_written, told.amplification
(9, 4064000, 4064000, 1.016)
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from restride.blocks.boxes import Grid
from restride.blocks.totals import Totals
from restride.layout.chain import Chain

__all__ = ["Cost", "cost"]


class Cost(NamedTuple):
    """Bytes and tasks of one run in blocks."""

    blocks: int
    """Boxes of the grid."""
    bytes_read: int
    """Of the source, by all blocks together."""
    bytes_written: int
    """Of the result."""
    amplification: float
    """Bytes read over what the result needs, read once: 1.0 is the least."""
    peak_bytes: int
    """No block holds more: its source part, what stands between, and its result."""
    tasks: int
    """One per block: it reads its part, makes it and writes it."""
    is_exact: bool
    """False where bytes read are told from every so many blocks."""


def cost(chain: Chain, itemsize: int, grid: Grid) -> Cost:
    """What making the result of `chain` by the boxes of `grid` costs.

    Parameters
    ----------
    chain : Chain
        What is to be made.
    itemsize : int
        Bytes of one element.
    grid : Grid
        The boxes, e.g. from :func:`restride.blocks.grid.grid`.

    Notes
    -----
    `amplification` compares with the same chain as one block, or with the blocks
    where they read less (a step too long to read over).
    """
    totals = Totals(chain)
    total = totals.over(grid)
    whole = totals.over(Grid(chain.shape, tuple([n or 1 for n in chain.shape])))
    needed = min(total.read, whole.read)
    return Cost(
        blocks=len(grid),
        bytes_read=total.read * itemsize,
        bytes_written=prod(chain.shape) * itemsize,
        amplification=total.read / needed if needed else 1.0,
        peak_bytes=sum(total.most) * itemsize,
        tasks=len(grid),
        is_exact=total.is_exact,
    )
