"""How large a box may be: its source part and its result inside a number of bytes.

The box grows where the shorter of two runs is: the run of neighbours it writes, and
the run of neighbours it reads.  So a chain that keeps the order of axes is made by
whole rows, and a transpose by boxes that are long both ways.  A short run that is read
is fetched together with its neighbours (see :mod:`restride.blocks.order`), so it counts
some times as long.

>>> from restride.layout import Chain
>>> grid(Chain.identity((1000, 1000)), 4, 80_000).block
(10, 1000)
>>> grid(Chain.identity((1000, 1000)).transpose((1, 0)), 4, 80_000).block
(32, 250)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import lcm, prod
from typing import NamedTuple

from restride.blocks.boxes import Grid
from restride.blocks.enough import TooLittleError
from restride.blocks.rungs import Rungs
from restride.blocks.totals import MOST_VISITS, Totals
from restride.blocks.whole_chunks import elements_unpacked, walks
from restride.checks import as_bytes, as_shape
from restride.errors import ShapeError
from restride.layout.chain import Chain

__all__ = ["Grid", "grid", "read_order"]

GLANCES = 16
"""Boxes looked at per size tried, where sums do not fall apart."""

READ_AGAIN = 1.25
"""Reading so many times more than is made, or than other boxes do, is worth boxes
with shorter runs of neighbours."""

FETCHED_TIMES = 8
"""A run that is read counts so many times as long, ..."""

FETCHED_BYTES = 64 << 10
"""... until it counts this much: a longer one is worth no more than it is."""

FACTORS = (2.0, 1.25, 1.05)
"""How fast a box grows, until it no longer fits."""


def grid(
    chain: Chain,
    itemsize: int,
    max_bytes: float | str,
    align: Sequence[int] | None = None,
    at_once: int = 1,
    held_bytes: int = 0,
    chunks: Sequence[int] | None = None,
) -> Grid:
    """Boxes that tile the result of `chain`, each within `max_bytes`.

    Parameters
    ----------
    chain : Chain
        What is to be made.
    itemsize : int
        Bytes of one element.
    max_bytes : int, float or str
        Bound on a box's source part, what stands between, and its result together;
        a whole number, as 256e6 or "256MB".
    align : sequence of int, optional
        Chunk extents of the target, in elements: boxes begin and end on chunks.
    at_once : int, optional
        Boxes in memory at a time, which `max_bytes` is for.
    held_bytes : int, optional
        Of `max_bytes`, what packing and unpacking chunks takes.
    chunks : sequence of int, optional
        Extents of the source's chunks, which are unpacked whole: boxes end with them
        where that lowers what is read.

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
    allowed = as_bytes(max_bytes, "max_bytes")

    def maker(unit: Sequence[int] | None) -> _Maker:
        fetched = 0 if align or chunks else FETCHED_BYTES // itemsize
        return _Maker(chain, at_once * itemsize, allowed, unit, held_bytes, fetched)

    usual = maker(align)
    found = _made(usual, chain)
    if chunks is None or 0 in chain.shape:
        return found
    return _ending_with(chunks, found, usual, maker, chain)


def _made(maker: _Maker, chain: Chain) -> Grid:
    """Boxes with long runs of neighbours, unless others read much less."""
    written = Order(_rows(len(chain.shape)))
    read = Order(read_order(chain), maker.fetched)
    found = maker.grid(written, read)
    if maker.read(found) > READ_AGAIN * prod(chain.shape):
        other = min(maker.grid(read), maker.grid(written), key=maker.read)
        if maker.read(found) > READ_AGAIN * maker.read(other):
            return other
    return found


def _ending_with(
    chunks: Sequence[int],
    found: Grid,
    usual: _Maker,
    maker: Callable[[Sequence[int]], _Maker],
    chain: Chain,
) -> Grid:
    """Boxes that end with chunks of the source, where these read less.

    First the boxes `found`, cut down to whole chunks: their runs are as long.  Then
    boxes made of whole chunks, or of the largest parts of them that fit.  Either begin
    with a shorter one where chunks do not begin with the result.
    """
    walked = walks(chain, chunks)
    if walked is None:
        return found

    def read(boxes: Grid) -> int:
        return elements_unpacked(chain, boxes, chunks)[0]

    least, now = read(Grid(chain.shape, chain.shape)), read(found)
    if now <= least:
        return found
    edges = [walk.edge for walk in walked] if usual.is_free else []
    parts = [lcm(a, walk.unit) for a, walk in zip(usual.unit, walked, strict=True)]
    cut = [b - b % u if b >= u else b for b, u in zip(found.block, parts, strict=True)]
    for other in _begun(Grid(chain.shape, tuple(cut)), edges):
        if other != found and usual.takes(other) and read(other) < now:
            found, now = other, read(other)
    if now > READ_AGAIN * least:
        whole = _of_parts(parts, usual, maker, chain)
        begun = [] if whole is None else _begun(whole, edges)
        other = min(filter(usual.takes, begun), key=read, default=found)
        if now > READ_AGAIN * read(other):
            return other
    return found


def _begun(boxes: Grid, edges: Sequence[int]) -> list[Grid]:
    """The same boxes, and those whose ends fall on `edges`."""
    if not any(edges):
        return [boxes]
    first = [edge % b for edge, b in zip(edges, boxes.block, strict=True)]
    whole = zip(first, boxes.block, boxes.extents, strict=True)
    first = [0 if b >= n else f for f, b, n in whole]
    return [boxes, Grid(boxes.extents, boxes.block, tuple(first))]


def _of_parts(
    parts: list[int],
    usual: _Maker,
    maker: Callable[[Sequence[int]], _Maker],
    chain: Chain,
) -> Grid | None:
    """Boxes of multiples of `parts`, halved until one fits."""
    while parts != list(usual.unit):
        with suppress(ShapeError):
            return _made(maker(parts), chain)
        parts = _halved(parts, usual.unit, even_first=True)
    return None


class Order(NamedTuple):
    """Axes from those that walk neighbours outward, of the result or of the source."""

    axes: Sequence[int]
    fetched: int = 0
    """Elements up to which a run counts `FETCHED_TIMES` as long."""

    def worth(self, run: int) -> int:
        """What a run of so many neighbours counts as.

        >>> [Order((0,), 100).worth(run) for run in (1, 10, 20, 200)]
        [8, 80, 100, 200]
        """
        return max(run, min(FETCHED_TIMES * run, self.fetched))


class _Maker:
    """Finds the largest boxes that fit."""

    def __init__(
        self,
        chain: Chain,
        itemsize: int,
        allowed: int,
        align: Sequence[int] | None,
        held: int,
        fetched: int,
    ) -> None:
        self.fetched = fetched
        self.shape, self.totals = chain.shape, Totals(chain)
        self.itemsize, self.limit, self.held = itemsize, allowed - held, held
        self.unit = _unit(chain.shape, align)
        self.is_free = align is None
        self.rungs = [
            Rungs(unit, self.totals.rows(axis) if self.is_free else ())
            for axis, unit in enumerate(self.unit)
        ]
        self._check(GLANCES)

    def grid(self, *orders: Order) -> Grid:
        """Boxes grown along the axes that `orders` name first."""
        rough = self.limit // (4 * self.itemsize)  # as if it read as much as it holds
        block = self._grown(self.unit, orders, lambda tried: prod(tried) <= rough)
        if not self._fits(block):
            block = list(self.unit)
        block = self._grown(block, orders, self._fits)
        while not self._fits(block, MOST_VISITS):
            if block == list(self.unit):
                self._check(MOST_VISITS)
            block = _halved(block, self.unit)
            pairs = zip(self.rungs, block, strict=True)
            block = [rungs.below(b) for rungs, b in pairs]
        evened = _evened(self.shape, block, self.rungs)
        if self._fits(evened, MOST_VISITS):
            block = evened
        return Grid(self.shape, tuple(block))

    def takes(self, boxes: Grid) -> bool:
        """True where boxes fit."""
        return self._needs(boxes, MOST_VISITS) <= self.limit

    def read(self, boxes: Grid) -> int:
        """Elements that all boxes read."""
        return self.totals.over(boxes).read

    def _needs(self, boxes: Grid, visits: int) -> int:
        return self.itemsize * sum(self.totals.over(boxes, visits).most)

    def _fits(self, block: Sequence[int], visits: int = GLANCES) -> bool:
        return self._needs(Grid(self.shape, tuple(block)), visits) <= self.limit

    def _check(self, visits: int) -> None:
        needed = self._needs(Grid(self.shape, self.unit), visits)
        if needed > self.limit:
            allowed = self.limit + self.held
            raise TooLittleError(allowed, self.unit, needed, self.held)

    def _grown(
        self,
        block: Sequence[int],
        orders: Sequence[Order],
        fits: Callable[[Sequence[int]], bool],
    ) -> list[int]:
        """The box grown, first fast and then closely, where neighbours are few."""
        block = list(block)
        for factor in FACTORS:
            while True:
                larger = self._larger(block, orders, factor)
                found = next((tried for tried in larger if fits(tried)), None)
                if found is None:
                    break
                block = found
        return block

    def _larger(
        self, block: list[int], orders: Sequence[Order], factor: float
    ) -> Iterator[list[int]]:
        """Boxes longer along one axis, the most wanted first."""
        for axis in _wanted(block, self.shape, *orders):
            now, rungs = block[axis], self.rungs[axis]
            grown = max(rungs.above(now), rungs.below(int(now * factor)))
            grown = min(self.shape[axis], grown)
            yield [*block[:axis], grown, *block[axis + 1 :]]


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


def _wanted(block: Sequence[int], shape: Sequence[int], *orders: Order) -> list[int]:
    """Axes to lengthen, best first: those that end the shorter run of neighbours."""
    ranked: list[tuple[int, int]] = []
    rest: list[int] = []
    for order in orders:
        run = 1
        short = [axis for axis in order.axes if block[axis] < shape[axis]]
        for axis in order.axes:
            run *= block[axis]
            if block[axis] < shape[axis]:
                break
        ranked += [(order.worth(run), axis) for axis in short[:1]]
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


def _halved(
    block: Sequence[int], unit: Sequence[int], even_first: bool = False
) -> list[int]:
    """Half as long along the axis of most units, of an even number if there is one."""
    units = [b // u for b, u in zip(block, unit, strict=True)]
    even = [n for n in units if n % 2 == 0]
    axis = units.index(max(even if even_first and even else units))
    halved = list(block)
    halved[axis] = max(1, units[axis] // 2) * unit[axis]
    return halved


def _evened(
    shape: Sequence[int], block: Sequence[int], rungs: Sequence[Rungs]
) -> list[int]:
    """As many boxes, of sizes as equal as the rungs allow."""
    found = []
    for n, b, along in zip(shape, block, rungs, strict=True):
        count = max(1, -(-n // b))
        even = -(-n // count)
        found.append(min(b, along.above(even - 1)))
    return found
