"""One picture of one or more subjects: arrays, the walk between them, what it costs.

It is composed here, of drawings that stand beside and under one another, and written
by :mod:`restride.explain.drawing.svg` or :mod:`restride.explain.drawing.png`.

>>> from restride.explain.subject import Reading
>>> from restride.layout import Chain
>>> made = compose([Reading(Chain.identity((2, 3)).transpose((1, 0)))])
>>> made.title, "x[0, 1]: element 1" in made.svg()
('(2, 3) -> (3, 2)', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from restride.explain.cells import taken, traced, unravel
from restride.explain.cost import cost_of
from restride.explain.drawing.axes import axis_drawing
from restride.explain.drawing.grids import panel_drawings
from restride.explain.drawing.items import (
    GREY,
    Drawing,
    Item,
    Line,
    Words,
    printable,
    sheet,
    words_width,
)
from restride.explain.drawing.png import png
from restride.explain.drawing.svg import svg
from restride.explain.drawing.walk import walk_drawing
from restride.explain.names import PICTURE, check_suffix
from restride.explain.panels import Room, region_index
from restride.explain.reached import Reached
from restride.explain.saving import save
from restride.explain.subject import Subject, Writing
from restride.explain.walk import walk_of
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts

__all__ = ["Picture", "compose"]

MARGIN, GAP, BELOW = 24.0, 36.0, 26.0
"""Around the picture, between drawings beside one another, and under them."""

WIDTH = 912.0
"""Most pixels between the margins: a page in print."""

LEAST = 420.0

ROOM = Room(rows=12, columns=14, planes=4)

LEGEND = (
    "In a cell of a grid: the row-major number of its element of the source, in that "
    "element's colour; in a strip of memory: its own number. Hatched: a constant. "
    "White: not read, or not written."
)


@dataclass(frozen=True)
class Picture:
    """A drawing with its name, ready to be written."""

    drawing: Drawing
    title: str
    told: str
    """What it shows, in words."""

    def svg(self) -> str:
        """As the text of an SVG file."""
        return svg(self.drawing, self.title, self.told)

    def png(self) -> bytes:
        """As the bytes of a PNG file.

        Raises
        ------
        UnsupportedError
            Pillow is not installed.
        """
        return png(self.drawing)

    def save(self, path: Any) -> None:
        """Write a file, whole or not at all, as its suffix says.

        Raises
        ------
        UnsupportedError
            The suffix is neither .svg nor .png, Pillow is missing for a .png, or the
            file cannot be written.
        """
        kind = check_suffix("picture", path, PICTURE)
        save(self.png() if kind == ".png" else self.svg().encode(), path)


def compose(subjects: Sequence[Subject], steps: Sequence[str] = ()) -> Picture:
    """The picture of what `subjects` do, one under the other.

    Parameters
    ----------
    subjects : sequence of Reading or Writing
        In the order they run.
    steps : sequence of str
        What the caller wrote, told at the head.
    """
    title = _title(subjects)
    page = _Page()
    page.under(_words([title], 16, bold=True), 8)
    if steps:
        told = [printable(step) for step in steps]
        if len(told) > 1:
            told = [f"{k}. {step}" for k, step in enumerate(told, 1)]
        page.under(_words(told, 12), 14)
    for subject in subjects:
        for drawing in _subject(subject):
            page.under(drawing, BELOW)
    cost = cost_of(subject.scene() for subject in subjects)
    if cost is not None:
        page.under(_words([cost.line()], 12), 10)
    page.under(_words(_broken(LEGEND, 10, page.width), 10, GREY), 0)
    spoken = "; ".join([*map(printable, steps), *_formulas(subjects)])
    return Picture(page.drawing(), title, spoken)


class _Page:
    """Drawings under one another."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.y = MARGIN
        self.width = LEAST

    def under(self, drawing: Drawing, gap: float) -> None:
        self.items += drawing.at(MARGIN, self.y)
        self.y += drawing.height + gap
        self.width = max(self.width, drawing.width)

    def drawing(self) -> Drawing:
        return Drawing(self.width + 2 * MARGIN, self.y + MARGIN, tuple(self.items))


def _title(subjects: Sequence[Subject]) -> str:
    if len(subjects) == 1 and isinstance(subjects[0], Writing):
        cells = subjects[0].region
        return f"{cells.shape} written into {cells.source_shape}"
    first, last = subjects[0], subjects[-1]
    begin = (
        first.region.source_shape if isinstance(first, Writing) else first.source_shape
    )
    end = last.region.source_shape if isinstance(last, Writing) else last.chain.shape
    return f"{begin} -> {end}"


def _formulas(subjects: Sequence[Subject]) -> list[str]:
    told = []
    for subject in subjects:
        scene = subject.scene()
        maps = [scene] if "writes" in scene else scene["maps"]
        told += [m["formula"] for m in maps]
    return told


def _subject(subject: Subject) -> Iterator[Drawing]:
    """The drawings of one subject, from top to bottom."""
    scene = subject.scene()
    yield _words(list(_sentences(scene)), 13)
    yield _flow(subject.panels(ROOM), subject.source_shape)
    if isinstance(subject, Writing):
        yield from _written(subject)
        return
    passes = crop_cuts(subject.chain)
    for k, (m, told) in enumerate(zip(passes, scene["maps"], strict=True)):
        yield from _pass(m, told, passes[:k], subject.source_shape)


def _written(subject: Writing) -> Iterator[Drawing]:
    """How a region write walks its destination."""
    region, source_shape = subject.region, subject.source_shape
    walk = walk_of(region, "y")
    if walk is None:
        return

    def held(element: int) -> int:
        index = region_index(region, unravel(element, region.source_shape))
        return taken(index, source_shape)

    yield walk_drawing(walk, Reached(region), held, source_shape, WIDTH)


def _pass(
    m: IndexMap,
    told: dict[str, Any],
    before: Sequence[IndexMap],
    source_shape: tuple[int, ...],
) -> Iterator[Drawing]:
    """How one pass walks its source: straight through memory, or bent per axis."""
    walk = walk_of(m, told["source"])
    if walk is None:
        for r, axis in enumerate(told["axes"]):
            if not axis["is_affine"]:
                yield axis_drawing(told, r, WIDTH)
        return
    if m == IndexMap.identity(m.source_shape):
        return

    def held(element: int) -> int | None:
        found = traced(before, m.source_shape, unravel(element, m.source_shape))
        return found if isinstance(found, int) else None

    yield walk_drawing(walk, Reached(m), held, source_shape, WIDTH)


def _sentences(scene: dict[str, Any]) -> Iterator[str]:
    """The formula of each pass, and each cut."""
    if "writes" in scene:
        yield scene["formula"]
        return
    for m in scene["maps"]:
        if m["read_as"] is not None:
            yield f"{m['source']} is read row-major as {tuple(m['read_as'])}"
        yield m["formula"]
        if m["materialises"]:
            yield f"cut: {m['result']} {tuple(m['shape'])} is written first"
        if m["result_as"] is not None:
            yield f"y is then read row-major as {tuple(m['result_as'])}"


def _flow(panels: Iterable[dict[str, Any]], source_shape: Sequence[int]) -> Drawing:
    """Grids side by side as far as the page goes, an arrow before each new array."""
    items: list[Item] = []
    x = y = tallest = 0.0
    for number, panel in enumerate(panels):
        for k, grid in enumerate(panel_drawings(panel, source_shape)):
            gap = GAP if x else 0.0
            arrow = 44.0 if number and not k and x else 0.0
            if x and x + gap + arrow + grid.width > WIDTH:
                x, y, tallest, gap, arrow = 0.0, y + tallest + BELOW, 0.0, 0.0, 0.0
            if arrow:
                middle = y + (47.0 if len(panel["shape"]) < 2 else 60.0)
                start = x + gap * 0.5
                ends = ((start, middle), (start + 44.0, middle))
                items.append(Line(ends, width=2.4, has_head=True))
            items += grid.at(x + gap + arrow, y)
            x += gap + arrow + grid.width
            tallest = max(tallest, grid.height)
    return sheet(items)


def _words(
    told: Sequence[str], size: float, ink: Any = None, bold: bool = False
) -> Drawing:
    """Lines of text under one another, broken to the page."""
    lines = [part for line in told for part in _broken(line, size, WIDTH)]
    more = {} if ink is None else {"ink": ink}
    return sheet(
        [
            Words(0, size * (1 + 1.4 * k), line, size, bold=bold, **more)
            for k, line in enumerate(lines)
        ]
    )


def _broken(line: str, size: float, width: float) -> list[str]:
    return wrap(line, max(20, int(width / words_width("0", size)))) or [""]
