"""Which maps of a chain one task runs, where the chain is cut.

A task that makes a chunk of the result can make what stands before a cut too, as far
as its chunk needs it: a box of a chain is a chain.  Neighbours then make some of it
twice, a rim where windows overlap, everything where each chunk reads everything.  So a
map joins the one after it where all tasks together make at most `MOST_MADE` times what
it makes once, and where no task holds more of it than `MOST_HELD` full chunks.  Else
it is a layer of its own, in chunks that are few enough to keep three tasks for each
chunk of the result, as far as their bytes are bounded.

>>> from restride.layout import Chain
>>> chain = Chain.identity((100,)).pad([(1, 1)], "edge").windows([3], [1], [1], [0])
>>> [stage] = stages(chain.maps, (100,), [ChunkAxis.of((50, 50))], 8, 1 << 20)
>>> stage.chain.cuts, [axis.lengths.written() for axis in stage.axes], stage.made_again
(1, [(51, 49), (3,)], 1.0196...)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from restride.blocks.boxes import Grid
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.chunks import Chunks
from restride.blocks.dask.later import Axes, chosen
from restride.blocks.dask.lengths import Lengths
from restride.blocks.totals import Totals
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap

__all__ = ["Stage", "stages"]

MOST_MADE = 2.0
"""Most times that all tasks together make what stands before a cut."""

MOST_HELD = 2
"""Most full chunks that a task holds of it."""

MOST_TASKS = 2
"""Most chunks of all that is kept on the way, for each chunk of the result."""

VISITS = 32
"""Most boxes looked at where what they make is not known from a few kinds."""


class Stage(NamedTuple):
    """Maps that one task runs for each of its chunks: a layer of the graph."""

    chain: Chain
    axes: Axes
    """The chunks of its result."""
    made_again: float = 1.0
    """Elements made before cuts by all tasks together, over those made once."""


def stages(
    maps: Sequence[IndexMap],
    shape: tuple[int, ...],
    source: Sequence[ChunkAxis],
    itemsize: int,
    limit_bytes: int,
) -> list[Stage]:
    """The layers that run `maps` one after the other over a source of `shape`."""
    shapes = [shape, *[m.shape for m in maps]]
    axes = _axes(maps, shapes, source, itemsize, limit_bytes)
    done: list[Stage] = []
    last = len(maps)
    while last > 0:
        stage = _stage(maps, shapes, last, axes[last - 1], itemsize, limit_bytes)
        done.insert(0, stage)
        last -= len(stage.chain.maps)
    return _few(done, itemsize, limit_bytes) if len(done) > 1 else done


def _axes(
    maps: Sequence[IndexMap],
    shapes: Sequence[tuple[int, ...]],
    source: Sequence[ChunkAxis],
    itemsize: int,
    limit_bytes: int,
) -> list[Axes]:
    """The chunks of every map's result, as if each were a layer."""
    found: list[Axes] = []
    for m, shape in zip(maps, shapes, strict=False):
        source = chosen(m, shape, source, itemsize, limit_bytes)
        found.append(source)
    return found


def _stage(
    maps: Sequence[IndexMap],
    shapes: Sequence[tuple[int, ...]],
    last: int,
    axes: Axes,
    itemsize: int,
    limit_bytes: int,
) -> Stage:
    """The maps up to `last` that one task for each chunk runs."""
    first, times = last - 1, 1.0
    grid = _grid(axes)
    while first > 0:
        longer = Chain(shapes[first - 1], tuple(maps[first - 1 : last]), shapes[last])
        told = Totals(longer).over(grid, VISITS)
        once = [m.size for m in longer.maps[:-1]]
        if any(n > MOST_MADE * m for n, m in zip(told.made, once, strict=False)):
            break
        if max(told.most[:-1]) * itemsize > MOST_HELD * limit_bytes:
            break
        first, times = first - 1, sum(told.made) / max(sum(once), 1)
    chain = Chain(shapes[first], tuple(maps[first:last]), shapes[last])
    return Stage(chain, axes, times)


def _grid(axes: Axes) -> Grid:
    """Boxes as many as the chunks may be, of one size, which chunks need not have."""
    sizes = [max(1, -(-axis.extent // axis.bounds[0])) for axis in axes]
    return Grid(tuple([axis.extent for axis in axes]), tuple(sizes))


def _few(done: list[Stage], itemsize: int, limit_bytes: int) -> list[Stage]:
    """The same, where what is kept on the way has few chunks beside the result."""
    *kept, result = done
    most = MOST_TASKS * prod([axis.count for axis in result.axes]) // len(kept)
    coarse = []
    for stage in kept:
        lengths = tuple([axis.lengths for axis in stage.axes])
        lengths = _coarser(lengths, most, itemsize, limit_bytes)
        axes = tuple(map(ChunkAxis, lengths, stage.chain.shape))
        coarse.append(stage._replace(axes=axes))
    return [*coarse, result]


def count(lengths: Chunks) -> int:
    """How many chunks there are."""
    return prod([n.total for n in lengths])


def _coarser(lengths: Chunks, most: int, itemsize: int, limit_bytes: int) -> Chunks:
    """Chunks of which there are at most `most`, if they keep to their bytes."""
    while count(lengths) > max(most, 1):
        side = [n.largest for n in lengths]
        free = [r for r, n in enumerate(lengths) if n.total > 1]
        r = max(free, key=lambda r: lengths[r].total)
        if 2 * prod(side) * itemsize > limit_bytes:
            break
        extent = lengths[r].extent
        pairs = -(-lengths[r].total // 2)
        size = max(1, min(-(-extent // pairs), 2 * side[r]))
        joined = Lengths.even(extent, size)
        if joined.total >= lengths[r].total:
            break
        lengths = (*lengths[:r], joined, *lengths[r + 1 :])
    return lengths
