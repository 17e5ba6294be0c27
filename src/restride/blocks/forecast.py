"""The plan of a run in blocks, in words and as plain data, before any work.

>>> from restride.layout import Chain
>>> chain = Chain.identity((6000, 5000)).transpose((1, 0))
>>> print("\\n".join(forecast(chain, 4, 24e6).lines()))
32 blocks of (313, 3000), 16 x 2 along the axes, 2 in memory at a time
  120.00 MB read, 1.00 times what is needed; 120.00 MB written
  at most 15.02 MB of blocks in memory (max_bytes 24.00 MB); 32 tasks
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from restride.blocks.cost import Cost, cost
from restride.blocks.grid import Grid, grid
from restride.blocks.whole_chunks import elements_unpacked
from restride.checks import as_bytes
from restride.explain.units import human_bytes
from restride.layout.chain import Chain

__all__ = ["AT_ONCE", "Forecast", "forecast"]

AT_ONCE = 2
"""Blocks in memory at a time, what they read and what they make: while one moves, the
next is read where the one before was, and that one is written."""


class Forecast(NamedTuple):
    """What a run in blocks will do."""

    grid: Grid
    cost: Cost
    max_bytes: int
    """Bytes allowed for the blocks in memory at any time."""
    held_bytes: int = 0
    """Of these, what packing and unpacking chunks takes."""
    least_bytes: int = 0
    """What one block for everything would read, whole chunks of the source too."""

    @property
    def peak_bytes(self) -> int:
        """Bytes of the blocks in memory at a time."""
        return min(AT_ONCE, self.cost.blocks) * self.cost.peak_bytes + self.held_bytes

    def lines(self) -> Iterator[str]:
        """It in words, line by line."""
        blocks, told = self.cost.blocks, self.cost
        along = " x ".join(map(str, self.grid.shape)) or "1"
        at_once = min(AT_ONCE, blocks)
        yield (
            f"{_count(blocks, 'block')} of {self.grid.block}, {along} along the axes, "
            f"{at_once} in memory at a time"
        )
        about = "" if told.is_exact else "about "
        yield (
            f"  {about}{human_bytes(told.bytes_read)} read, "
            f"{told.amplification:.2f} times what is needed; "
            f"{human_bytes(told.bytes_written)} written"
        )
        yield (
            f"  at most {human_bytes(self.peak_bytes)} of blocks in memory (max_bytes "
            f"{human_bytes(self.max_bytes)}); {_count(told.tasks, 'task')}"
        )

    def document(self) -> dict[str, Any]:
        """It as plain data that JSON can hold."""
        return {
            **self.cost._asdict(),
            "block": list(self.grid.block),
            "grid": list(self.grid.shape),
            "at_once": AT_ONCE,
            "peak_bytes": self.peak_bytes,
            "max_bytes": self.max_bytes,
        }


def forecast(
    chain: Chain,
    itemsize: int,
    max_bytes: float | str,
    *,
    align: Sequence[int] | None = None,
    held_bytes: int = 0,
    chunks: Sequence[int] | None = None,
) -> Forecast:
    """The plan of making the result of `chain` in blocks, with its costs.

    Parameters
    ----------
    chain : Chain
        What is to be made.
    itemsize : int
        Bytes of one element.
    max_bytes : int, float or str
        Bytes allowed for the blocks in memory at any time, which are two.
    align : sequence of int, optional
        Extents that blocks are multiples of: a shard or chunk of the target.
    held_bytes : int, optional
        Of `max_bytes`, what packing and unpacking chunks takes.
    chunks : sequence of int, optional
        Extents of the source's chunks, which are read whole.

    Raises
    ------
    ShapeError, DTypeError
        Not even blocks of one element fit, or `max_bytes` is no number of bytes.
    """
    allowed = as_bytes(max_bytes, "max_bytes")
    boxes = grid(chain, itemsize, allowed, align, AT_ONCE, held_bytes, chunks)
    told = cost(chain, itemsize, boxes)
    needed = int(told.bytes_read / told.amplification)
    if chunks is None:
        return Forecast(boxes, told, allowed, held_bytes, needed)
    read, is_exact = elements_unpacked(chain, boxes, chunks)
    told = told._replace(
        bytes_read=read * itemsize,
        amplification=read * itemsize / needed if needed else 1.0,
        is_exact=told.is_exact and is_exact,
    )
    one = Grid(chain.shape, tuple([n or 1 for n in chain.shape]))
    least = elements_unpacked(chain, one, chunks)[0]
    return Forecast(boxes, told, allowed, held_bytes, least * itemsize)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
