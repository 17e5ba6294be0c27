"""What a picture is made of: boxes, words and lines, wherever it is drawn.

All lengths are in pixels of an unscaled SVG.  Words are set in a font of one width, so
that where they end is known before anything is drawn.

>>> words_width("offset", 10)
36.0
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from restride.explain.palette import INK, Rgb

__all__ = [
    "GREY",
    "LIGHT",
    "WHITE",
    "Box",
    "Drawing",
    "Item",
    "Line",
    "Words",
    "arc",
    "arrow_head",
    "moved",
    "printable",
    "sheet",
    "words_width",
]

GREY: Rgb = (95, 95, 95)
"""Of labels: 6 times darker than paper."""

WHITE: Rgb = (255, 255, 255)
"""Paper, and the ground that words on other things stand on."""

LIGHT: Rgb = (170, 170, 170)
"""Of the lines between cells that are not read."""

HEAD = 7.0
"""Length of an arrow's head."""

WIDE = 0.6
"""Width of a letter over its size, in fonts of one width."""


class Box(NamedTuple):
    """A rectangle, usually a cell."""

    x: float
    y: float
    width: float
    height: float
    fill: Rgb | None = None
    edge: Rgb | None = INK
    hatched: bool = False
    told: str = ""
    """What a reader who points at it, or has it read out, is told."""


class Words(NamedTuple):
    """One line of text; (x, y) is where its baseline starts, ends or has its middle."""

    x: float
    y: float
    text: str
    size: float = 12
    anchor: str = "start"
    ink: Rgb = INK
    bold: bool = False


class Line(NamedTuple):
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    ink: Rgb = INK
    width: float = 1.4
    has_head: bool = False
    """True where an arrow's head stands at the last point."""


Item = Box | Words | Line


@dataclass(frozen=True)
class Drawing:
    """Items on a sheet of a size."""

    width: float
    height: float
    items: tuple[Item, ...]

    def at(self, x: float, y: float) -> list[Item]:
        """Its items on a larger sheet."""
        return [moved(item, x, y) for item in self.items]


def moved(item: Item, x: float, y: float) -> Item:
    """The item elsewhere."""
    if isinstance(item, Line):
        return item._replace(points=tuple((a + x, b + y) for a, b in item.points))
    return item._replace(x=item.x + x, y=item.y + y)


def words_width(text: str, size: float) -> float:
    """Pixels that a text takes."""
    return len(text) * size * WIDE


def arc(
    begin: float, end: float, y: float, rise: float
) -> tuple[tuple[float, float], ...]:
    """A bow from one place on a line to another; `rise` below 0 goes up."""
    middle = (begin + end) / 2
    corners = ((begin, y), (middle, y + 2 * rise), (end, y))
    return tuple(_between(corners, k / 12) for k in range(13))


def _between(corners: Sequence[tuple[float, float]], t: float) -> tuple[float, float]:
    """A point of the quadratic curve with these corners."""
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
    x = sum(w * c[0] for w, c in zip(weights, corners, strict=True))
    y = sum(w * c[1] for w, c in zip(weights, corners, strict=True))
    return x, y


def arrow_head(line: Line) -> list[tuple[float, float]]:
    """The corners of the head at the last point of a line."""
    (ax, ay), (bx, by) = line.points[-2], line.points[-1]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
    dx, dy = (bx - ax) / length * HEAD, (by - ay) / length * HEAD
    side = 0.42
    return [
        (bx, by),
        (bx - dx - dy * side, by - dy + dx * side),
        (bx - dx + dy * side, by - dy - dx * side),
    ]


def printable(text: str, most: int = 120) -> str:
    """A caller's text as one line that every font and file can hold.

    Examples
    --------
    >>> printable("a\\x00\\nb")
    'a\\\\x00\\\\nb'
    """
    safe = "".join(
        c if c.isprintable() and c.isascii() else ascii(c)[1:-1] for c in text
    )
    return safe if len(safe) <= most else safe[: most - 3] + "..."


def sheet(items: Sequence[Item]) -> Drawing:
    """A sheet just large enough for its items."""
    corners = [corner for item in items for corner in _ends(item)]
    right = max((x for x, _ in corners), default=0.0)
    lower = max((y for _, y in corners), default=0.0)
    return Drawing(right, lower, tuple(items))


def _ends(item: Item) -> Iterable[tuple[float, float]]:
    """Corners at the right and lower end of an item."""
    if isinstance(item, Line):
        return item.points
    if isinstance(item, Box):
        return ((item.x + item.width, item.y + item.height),)
    share = {"start": 1.0, "middle": 0.5, "end": 0.0}[item.anchor]
    wide = words_width(item.text, item.size)
    return ((item.x + wide * share, item.y + item.size * 0.25),)
