"""What each source axis gives to the result, and what constants stand at its ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from restride.export.nodes import INDEX_BYTES, NODE_BYTES, Node, Operand, Table
from restride.layout.axis import AxisMap, Piece
from restride.layout.index_map import IndexMap

__all__ = ["Core", "Take", "core_of", "runs_of", "takes_of"]

Shape = tuple[int, ...]
Side = tuple[tuple[int, int], ...]
"""(fill number, count) from the core outward."""


class Core(NamedTuple):
    """A result axis without its constants."""

    map: AxisMap | None
    """What stands between the constants; None: constants stand inside too."""
    sides: tuple[Side, Side]
    """Constants before and after, each reading outward."""


def core_of(axis: AxisMap) -> Core:
    """The axis parted from constants that pads, weakest first, can put at its ends.

    Examples
    --------
    >>> core_of(AxisMap([Piece(2, fill=1), Piece(3, 0, 1), Piece(1, fill=0)]))
    Core(map=AxisMap(0:1 x3), sides=(((1, 2),), ((0, 1),)))
    """
    pieces = list(axis.pieces)
    before = _ends(pieces)
    pieces.reverse()
    after = _ends(pieces)
    pieces.reverse()
    inside = any(p.fill is not None for p in pieces)
    rising = all(
        [f for f, _ in side] == sorted(f for f, _ in side) for side in (before, after)
    )
    if inside or not pieces or not rising:
        return Core(None, ((), ()))
    return Core(AxisMap(pieces), (before, after))


def _ends(pieces: list[Piece]) -> Side:
    """Takes the constants off the front; the last taken stands next to the core."""
    side = []
    while pieces and pieces[0].fill is not None:
        piece = pieces.pop(0)
        side.append((piece.fill or 0, piece.count))
    return tuple(reversed(side))


class Take(NamedTuple):
    """What one source axis gives."""

    labels: tuple[int, ...]
    """Result axes made of it, in order; none: one position is taken and dropped."""
    map: AxisMap | None
    """Positions along it; None: several axes walk it, see `table`."""
    extents: tuple[int, ...]
    """Extents of those result axes, without constants at their ends."""
    table: Operand = None
    """Positions where the walks do not split one range."""


def split_walk(steps: Sequence[int], counts: Sequence[int]) -> list[int] | None:
    """The order in which walks of one axis, read row-major, are one walk; or None.

    Examples
    --------
    >>> split_walk([1, 4], [4, 3]), split_walk([1, 2], [3, 2])
    ([1, 0], None)
    """
    order = sorted(range(len(steps)), key=lambda k: -abs(steps[k]))
    last = order[-1]
    run = 1
    for k in reversed(order):
        if steps[k] != steps[last] * run:
            return None
        run *= counts[k]
    return order


def walk_table(begin: int, steps: Sequence[int], counts: Sequence[int]) -> Operand:
    """Positions of several walks over one axis, one table axis for each.

    A long table is written as the sum of one short table a walk.
    """
    shape = tuple(counts)
    if prod(shape) * INDEX_BYTES > NODE_BYTES:
        return _sum(begin, steps, shape)
    starts = [begin]
    for step, count in zip(steps[:-1], counts[:-1], strict=True):
        starts = [at + k * step for at in starts for k in range(count)]
    return Table(shape, tuple((at, steps[-1], counts[-1]) for at in starts))


def _sum(begin: int, steps: Sequence[int], shape: Shape) -> Operand:
    total: Operand = None
    for axis, (step, n) in enumerate(zip(steps, shape, strict=True)):
        extents = (*[1] * axis, n, *[1] * (len(shape) - axis - 1))
        part = Table(extents, ((begin if axis == 0 else 0, step, n),))
        if total is None:
            total = part
        else:
            reached = (*shape[: axis + 1], *[1] * (len(shape) - axis - 1))
            total = Node("Add", (total, part), (), reached)
    return total


def runs_of(axis: AxisMap, slots: dict[int, int]) -> Table:
    """All positions of an axis; `slots` tells where each constant was put.

    Examples
    --------
    >>> runs_of(AxisMap([Piece(2, 1, 1), Piece(1, fill=0)]), {0: 3})
    Table(shape=(3,), runs=((1, 1, 2), (3, 0, 1)))
    """
    runs = [
        (p.begin, p.step, p.count) if p.fill is None else (slots[p.fill], 0, p.count)
        for p in axis.pieces
    ]
    return Table((axis.extent,), tuple(runs))


def takes_of(m: IndexMap, cores: Sequence[Core]) -> list[Take]:
    """What each source axis gives, in the source's order."""
    return [_take(m, cores, s) for s in range(len(m.source_shape))]


def _take(m: IndexMap, cores: Sequence[Core], source: int) -> Take:
    walkers = [r for r, axis in enumerate(m.axes) if axis.source == source]
    base = m.base[source]
    if not walkers:
        return Take((), AxisMap.affine(1, base, 0), ())
    if len(walkers) == 1:
        core = cores[walkers[0]].map
        if core is None:  # constants stand between: positions are chosen at the end
            n = m.source_shape[source]
            return Take((walkers[0],), AxisMap.identity(n), (n,))
        return Take((walkers[0],), core.shifted(base), (core.extent,))
    steps = [m.axes[r].map.step for r in walkers]
    counts = [m.axes[r].map.extent for r in walkers]
    begin = base + sum(m.axes[r].map.pieces[0].begin for r in walkers)
    order = split_walk(steps, counts)
    if order is None:
        table = walk_table(begin, steps, counts)
        return Take(tuple(walkers), None, tuple(counts), table)
    whole = AxisMap.affine(prod(counts), begin, steps[order[-1]])
    return Take(
        tuple(walkers[k] for k in order), whole, tuple(counts[k] for k in order)
    )
