"""The axes of a result, whose chunks are chosen when they are first looked at.

Where the source has a million chunks, no two of them alike, going through their
lengths once takes longer than all else that building an array takes.  Nothing built
asks for them: its shape follows from the map, and its name from the array's.

>>> from restride.layout import Chain
>>> source = [ChunkAxis.of((3, 4) * 5_000)]
>>> (axis,) = chosen(Chain.identity((35_000,)).maps[0], (35_000,), source, 8, 1 << 20)
>>> axis.extent, axis.is_told, axis.count, axis.is_told
(35000, False, 10000, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.chunks import (
    MOST_CHUNKS,
    Chunks,
    bounds,
    choose,
    choose_flat,
)
from restride.blocks.dask.lengths import Lengths
from restride.layout.index_map import IndexMap

__all__ = ["Axes", "chosen"]

Axes = tuple[ChunkAxis, ...]


class Choice:
    """Chunks that are chosen once, when they are asked for."""

    def __init__(self, choose: Callable[[], Chunks]) -> None:
        self._choose = choose

    @cached_property
    def chunks(self) -> Chunks:
        """Of each axis."""
        return self._choose()

    def along(self, axis: int) -> Callable[[], Lengths]:
        """What asks for those of one axis."""
        return lambda: self.chunks[axis]


def chosen(
    m: IndexMap,
    shape: tuple[int, ...],
    source: Sequence[ChunkAxis],
    itemsize: int,
    limit_bytes: int,
) -> Axes:
    """The chunks of a map's result over a source of `shape` cut as `source`.

    They are chosen at once where that costs nothing, or where too many or too long
    ones may have to be refused or split.
    """
    is_flat = m.source_shape != shape
    pick = choose_flat if is_flat else choose

    def ask() -> Chunks:
        return pick(m, source, itemsize, limit_bytes)

    if is_flat or all(axis.is_few for axis in source):
        return tuple(map(ChunkAxis, ask(), m.shape))
    most = bounds(m, source)
    is_small = prod([n for _, n in most]) * itemsize <= limit_bytes
    if not is_small or any(count > MOST_CHUNKS for count, _ in most):
        return tuple(map(ChunkAxis, ask(), m.shape))
    choice = Choice(ask)
    return tuple(
        [
            ChunkAxis.later(choice.along(r), n, told)
            for r, (n, told) in enumerate(zip(m.shape, most, strict=True))
        ]
    )
