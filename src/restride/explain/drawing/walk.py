"""The walk of a straight map over memory, drawn: a strip, an offset, a bow per stride.

The fastest axis bows above the strip; every other one runs under it on a level of its
own, labelled with its index and stride.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from restride.explain.drawing.grids import CELL_HEIGHT, cell_item, pale_first
from restride.explain.drawing.items import (
    GREY,
    WHITE,
    Box,
    Drawing,
    Item,
    Line,
    Words,
    arc,
    moved,
    sheet,
    words_width,
)
from restride.explain.elide import kept
from restride.explain.palette import Rgb, colour, tint
from restride.explain.reached import Reached
from restride.explain.walk import hops, visited

__all__ = ["walk_drawing"]

RISE, LEVEL = 20.0, 22.0
"""Height of a bow over the strip, and between the levels of two axes under it."""

MOST_LEVELS = 5
"""Axes whose stride is drawn under the strip; all strides are written over it."""


NEUTRAL: Rgb = (225, 225, 225)
"""Of a cell that is read and holds no element of the source."""

Held = Callable[[int], int | None]
"""The source element that a cell of the strip holds, if any."""


class Strip:
    """The flat source of a walk as one row of cells, elided to a width."""

    def __init__(
        self,
        walk: dict[str, Any],
        reached: Reached,
        held: Held,
        source_shape: tuple[int, ...],
        width: float,
    ) -> None:
        digits = "0" * len(str(walk["elements"] - 1))
        self.cell = max(28.0, words_width(digits, 12) + 8)
        places = int(width // self.cell)
        self.shown = kept(walk["elements"], places, _joints(walk))
        self.at = {k: (i + 0.5) * self.cell for i, k in enumerate(self.shown)}
        self.reached, self.held = reached, held
        self.source_shape, self.name = source_shape, walk["name"]

    def items(self, y: float) -> list[Item]:
        """Its cells, tinted where they are read."""
        made: list[Item] = []
        for i, element in enumerate(self.shown):
            told = "" if element is None else f"{self.name}: element {element}"
            box = Box(i * self.cell, y, self.cell, CELL_HEIGHT, told=told)
            made += cell_item(box, element, self._fill(element))
        return pale_first(made)

    def _fill(self, element: int | None) -> Rgb | None:
        if element is None or not self.reached.reads(element):
            return None
        holds = self.held(element)
        return NEUTRAL if holds is None else colour(tint(holds, self.source_shape))

    def middle(self, element: int) -> float | None:
        """Where the middle of an element is; None where it is not shown."""
        return self.at.get(element)


def walk_drawing(
    walk: dict[str, Any],
    reached: Reached,
    held: Held,
    source_shape: tuple[int, ...],
    width: float,
) -> Drawing:
    """The strip with its arrows.

    Parameters
    ----------
    walk : dict
        As :func:`restride.explain.walk.walk_of` gives it.
    reached : Reached
        Which of its cells are read.
    held : callable
        Which source element a cell of it holds: itself, where the strip is the source.
    source_shape : tuple of int
        Extents of the source, for the tints.
    width : float
        Most pixels the strip takes.
    """
    strip = Strip(walk, reached, held, source_shape, width)
    bows = hops(walk)[: MOST_LEVELS + 1]
    top = 22.0 + (2 * RISE if bows else 6.0)
    items: list[Item] = [Words(0, 12, _strides(walk), 12)]
    items += strip.items(top)
    grounds: list[Item] = []
    below = top + CELL_HEIGHT
    lowest = below
    for level, (axis, pairs) in enumerate(bows):
        label = f"{walk['indices'][axis]}: {walk['strides'][axis]:+d}"
        found = [(strip.middle(a), strip.middle(b)) for a, b in pairs]
        places = [(a, b) for a, b in found if a is not None and b is not None]
        if level == 0:
            items += _bows(places, label, top)
        elif places:
            lowest = below + LEVEL * level
            items += _bracket(*places[0], below, lowest)
            grounds += _label(sum(places[0]) / 2, lowest, label)
    items += grounds
    items += _offset(strip, walk["offset"], lowest + 20)
    return _shifted(items)


def _bows(
    places: Sequence[tuple[float, float]], label: str, y: float
) -> Iterator[Item]:
    """Arrows over the strip, the first one labelled at its crest."""
    for begin, end in places:
        yield Line(arc(begin, end, y, -RISE), has_head=True)
    for begin, end in places[:1]:
        yield Words((begin + end) / 2, y - RISE - 4, label, 11, "middle")


def _bracket(begin: float, end: float, y: float, level: float) -> Iterator[Item]:
    """An arrow under the strip: down, along its level, and up."""
    corners = ((begin, y), (begin, level), (end, level), (end, y))
    yield Line(corners, has_head=True)


def _label(middle: float, level: float, label: str) -> Iterator[Item]:
    """Words on a level, on white ground, so that lines pass behind them."""
    wide = words_width(label, 11) + 4
    yield Box(middle - wide / 2, level - 6, wide, 12, WHITE, None)
    yield Words(middle, level + 4, label, 11, "middle")


def _offset(strip: Strip, offset: int, y: float) -> Iterator[Item]:
    """An arrow from the first element to where the walk starts."""
    place = strip.middle(offset)
    if place is None or offset == 0:
        return
    start = strip.cell * 0.08
    yield Line(((start, y - 5), (start, y + 5)), GREY)
    yield Line(((start, y), (place, y)), GREY, has_head=True)
    yield Words(place + 8, y + 4, f"offset {offset}", 11, ink=GREY)


def _strides(walk: dict[str, Any]) -> str:
    strides = ", ".join(map(str, walk["strides"]))
    return (
        f"{walk['formula']}   offset {walk['offset']}, "
        f"stride{'' if len(walk['strides']) == 1 else 's'} ({strides})"
    )


def _joints(walk: dict[str, Any]) -> Iterator[int]:
    """Elements to keep in sight: where the drawn arrows start and end, then more."""
    for _, pairs in hops(walk):
        for pair in pairs[:1]:
            yield from pair
    yield from visited(walk)


def _shifted(items: list[Item]) -> Drawing:
    """Moved right where a label begins left of the strip."""
    left = 0.0
    for item in items:
        if isinstance(item, Words) and item.anchor == "middle":
            left = min(left, item.x - words_width(item.text, item.size) / 2)
    return sheet([moved(item, -left, 0) for item in items])
