"""How large a box may be: its source part and its result inside a number of bytes.

The box grows where the shorter of two runs is: the run of neighbours it writes, and
the run of neighbours it reads.  So a chain that keeps the order of axes is made by
whole rows, and a transpose by boxes that are about square in bytes, which is what
both a file read and a file written are fast with.

>>> from restride.layout import Chain
>>> grid(Chain.identity((1000, 1000)), 4, 80_000).block
(10, 1000)
>>> grid(Chain.identity((1000, 1000)).transpose((1, 0)), 4, 80_000).block
(125, 67)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from restride.blocks.boxes import Grid
from restride.blocks.totals import MOST_VISITS, Totals
from restride.checks import as_index, as_shape
from restride.errors import ShapeError
from restride.layout.chain import Chain

__all__ = ["Grid", "as_bytes", "grid", "read_order"]

GLANCES = 16
"""Boxes looked at per size tried, where sums do not fall apart."""

FACTORS = (2.0, 1.25, 1.05)
"""How fast a box grows, until it no longer fits."""


def grid(
    chain: Chain,
    itemsize: int,
    max_bytes: float,
    align: Sequence[int] | None = None,
    at_once: int = 1,
) -> Grid:
    """Boxes that tile the result of `chain`, each within `max_bytes`.

    Parameters
    ----------
    chain : Chain
        What is to be made.
    itemsize : int
        Bytes of one element.
    max_bytes : int or float
        Bound on a box's source part, what stands between, and its result together;
        a whole number, as 256e6.
    align : sequence of int, optional
        Chunk extents of the target, in elements: boxes begin and end on chunks.
    at_once : int, optional
        Boxes in memory at a time, which `max_bytes` is for.

    Raises
    ------
    ShapeError
        Not even the smallest box (one element, or one chunk) fits; or `align` is not
        one extent of at least 1 per result axis.

    Examples
    --------
    >>> chain = Chain.identity((1000, 1000))
    >>> grid(chain, 4, 1_000_000, align=(64, 64)).block
    (64, 1000)
    """
    unit = _unit(chain.shape, align)
    totals = Totals(chain)

    def needs(block: Sequence[int], visits: int = GLANCES) -> int:
        boxes = Grid(chain.shape, tuple(block))
        return at_once * itemsize * sum(totals.over(boxes, visits).most)

    limit = as_bytes(max_bytes)
    _check(unit, needs(unit), limit)
    rough = limit // (4 * at_once * itemsize)  # as if a box read as much as it holds
    block = _grown(chain, unit, unit, lambda tried: prod(tried) <= rough)
    if needs(block) > limit:
        block = list(unit)
    block = _grown(chain, block, unit, lambda tried: needs(tried) <= limit)
    while needs(block, MOST_VISITS) > limit:
        if block == list(unit):
            _check(unit, needs(unit, MOST_VISITS), limit)
        block = _halved(block, unit)
    evened = _evened(chain.shape, block, unit)
    fits = needs(evened, MOST_VISITS) <= limit
    return Grid(chain.shape, tuple(evened if fits else block))


def as_bytes(value: Any, name: str = "max_bytes") -> int:
    """A number of bytes as an int; a float without a fraction, as 256e6, is one too.

    Examples
    --------
    >>> as_bytes(256e6)
    256000000
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return as_index(value, name)


def _check(unit: tuple[int, ...], needed: int, limit: int) -> None:
    if needed > limit:
        raise ShapeError(
            f"max_bytes = {limit} is too little: the smallest box of the result, "
            f"{unit}, takes {needed} bytes with what it reads; give at least that."
        )


def _unit(shape: tuple[int, ...], align: Sequence[int] | None) -> tuple[int, ...]:
    """The smallest box: an element, or a chunk of the target."""
    if align is None:
        return (1,) * len(shape)
    unit = as_shape(align, "align")
    if len(unit) != len(shape) or 0 in unit:
        raise ShapeError(
            f"align = {unit} must give one extent of at least 1 for each of the "
            f"{len(shape)} axes of the result."
        )
    return tuple([max(1, min(u, n)) for u, n in zip(unit, shape, strict=True)])


def _grown(
    chain: Chain,
    block: Sequence[int],
    unit: Sequence[int],
    fits: Callable[[Sequence[int]], bool],
) -> list[int]:
    """The box grown, first fast and then closely, where it is short of neighbours."""
    block = list(block)
    written, read = _rows(len(block)), read_order(chain)
    for factor in FACTORS:
        is_growing = True
        while is_growing:
            is_growing = False
            for axis in _wanted(block, chain.shape, written, read):
                tried = list(block)
                tried[axis] = _larger(
                    block[axis], chain.shape[axis], unit[axis], factor
                )
                if fits(tried):
                    block, is_growing = tried, True
                    break
    return block


def _larger(now: int, most: int, unit: int, factor: float) -> int:
    grown = max(now + unit, int(now * factor))
    return min(most, grown - grown % unit)


def _wanted(
    block: Sequence[int], shape: Sequence[int], *orders: Sequence[int]
) -> list[int]:
    """Axes to lengthen, best first: those that end the shorter run of neighbours."""
    ranked: list[tuple[int, int]] = []
    rest: list[int] = []
    for order in orders:
        run = 1
        short = [axis for axis in order if block[axis] < shape[axis]]
        for axis in order:
            run *= block[axis]
            if block[axis] < shape[axis]:
                break
        ranked += [(run, axis) for axis in short[:1]]
        rest += short[1:]
    return list(dict.fromkeys([axis for _, axis in sorted(ranked)] + rest))


def read_order(chain: Chain) -> list[int]:
    """Result axes from those that walk neighbours of the source outward."""
    order: list[int] | None = None
    for m in chain.maps:
        sources = list(reversed(range(len(m.source_shape))))
        if order is not None and len(order) == len(sources):
            sources = order
        order = []
        for source in sources:
            walkers = [r for r, axis in enumerate(m.axes) if axis.source == source]
            order += sorted(walkers, key=lambda r: abs(m.axes[r].map.step))
        order += [r for r, axis in enumerate(m.axes) if axis.source is None]
    found = order or []
    return found if len(found) == len(chain.shape) else _rows(len(chain.shape))


def _rows(rank: int) -> list[int]:
    return list(reversed(range(rank)))


def _halved(block: Sequence[int], unit: Sequence[int]) -> list[int]:
    """Half as long along the axis of most units."""
    units = [b // u for b, u in zip(block, unit, strict=True)]
    axis = units.index(max(units))
    halved = list(block)
    halved[axis] = max(1, units[axis] // 2) * unit[axis]
    return halved


def _evened(
    shape: Sequence[int], block: Sequence[int], unit: Sequence[int]
) -> list[int]:
    """As many boxes, of sizes as equal as whole units allow."""
    found = []
    for n, b, u in zip(shape, block, unit, strict=True):
        count = max(1, -(-n // b))
        even = -(-n // count)
        found.append(max(u, min(b, even + -even % u)))
    return found
