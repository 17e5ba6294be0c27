"""Panels as drawings: grids of cells with positions along their sides.

Element numbers stand in the cells; an element of the source that is read, and every
cell that holds it, has the same tint.  Constants are hatched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from restride.explain.drawing.items import (
    GREY,
    LIGHT,
    WHITE,
    Box,
    Drawing,
    Item,
    Words,
    printable,
    sheet,
    words_width,
)
from restride.explain.palette import INK, Rgb, colour, tint
from restride.explain.panels import plane_name, reads_of

__all__ = ["CELL_HEIGHT", "cell_item", "cell_text", "pale_first", "panel_drawings"]

CELL_HEIGHT = 24.0
LEAST_CELL = 28.0
TEXT, LABEL, HEADING = 12.0, 10.0, 13.0
"""Sizes of what stands in cells, beside them, and over a grid."""

MOST_CELL = 9
"""Longest constant written out in a cell."""


def panel_drawings(
    panel: dict[str, Any], source_shape: Sequence[int]
) -> Iterator[Drawing]:
    """A drawing per plane of a panel; the first has the array's name over it."""
    heading = f"{panel['name']} {tuple(panel['shape'])}"
    if not panel["planes"]:
        yield sheet([Words(0, HEADING, f"{heading}  empty", HEADING, bold=True)])
    for k, plane in enumerate(panel["planes"]):
        titles = [heading if k == 0 else ""]
        if plane["at"]:
            titles.append(f"{panel['name']}{plane_name(plane)}")
        yield _plane(panel, plane, titles, tuple(source_shape))
    if panel["hidden"]:
        more = f"... {panel['hidden']} more"
        yield sheet([Words(0, 4 * HEADING, more, TEXT, ink=GREY)])


def _plane(
    panel: dict[str, Any],
    plane: dict[str, Any],
    titles: Sequence[str],
    source_shape: tuple[int, ...],
) -> Drawing:
    texts = [[cell_text(cell) for cell in row] for row in plane["cells"]]
    heads = [_label(k) for k in plane["columns"]]
    has_rows, has_columns = plane["rows"] != [None], plane["columns"] != [None]
    sides = [_label(k) if has_rows else "" for k in plane["rows"]]
    longest = max(len(t) for row in texts for t in row)
    width = max(LEAST_CELL, words_width("0" * longest, TEXT) + 10)
    width = max(width, *(words_width(h, LABEL) + 4 for h in heads))
    left = max(words_width(s, LABEL) for s in sides) + (6 if has_rows else 0)
    items: list[Item] = [
        Words(left, HEADING * (1 + 1.5 * k), title, HEADING, bold=k == 0)
        for k, title in enumerate(titles)
        if title
    ]
    top = HEADING * 1.5 * len(titles) + 4
    if has_columns:
        top += LABEL + 2
        for c, text in enumerate(heads):
            middle = left + (c + 0.5) * width
            items.append(Words(middle, top - 4, text, LABEL, "middle", GREY))
    rows = zip(sides, plane["cells"], reads_of(plane), strict=True)
    for r, (side, cells, read) in enumerate(rows):
        y = top + r * CELL_HEIGHT
        if side:
            items.append(Words(left - 6, y + 16, side, LABEL, "end", GREY))
        for c, (cell, is_read) in enumerate(zip(cells, read, strict=True)):
            told = _told(panel["name"], plane, r, c, cell)
            box = Box(left + c * width, y, width, CELL_HEIGHT, told=told)
            tinted = is_read and isinstance(cell, int)
            fill = colour(tint(cell, source_shape)) if tinted else None
            items += cell_item(box, cell, fill)
    return sheet(pale_first(items))


def pale_first(items: Sequence[Item]) -> list[Item]:
    """Pale boxes before all else, so that they hide no edge of a neighbour."""
    return sorted(items, key=lambda i: not (isinstance(i, Box) and i.edge == LIGHT))


def cell_item(box: Box, cell: Any, fill: Rgb | None) -> list[Item]:
    """A cell's box in its colour, None for a pale one, and what stands in it."""
    middle, line = box.x + box.width / 2, box.y + box.height / 2 + 4
    text = cell_text(cell)
    if cell is None:
        return [Words(middle, line, text, TEXT, "middle", GREY)]
    if fill is not None:
        return [box._replace(fill=fill), Words(middle, line, text, TEXT, "middle")]
    if isinstance(cell, dict) and "constant" in cell:
        wide = words_width(text, TEXT) + 4
        ground = Box(middle - wide / 2, box.y + 5, wide, box.height - 10, WHITE, None)
        words = Words(middle, line, text, TEXT, "middle", INK)
        return [box._replace(hatched=True), ground, words]
    pale = box._replace(fill=WHITE, edge=LIGHT)
    return [pale, Words(middle, line, text, TEXT, "middle", GREY)]


def cell_text(cell: Any) -> str:
    """What is written in a cell."""
    if cell is None:
        return "..."
    if isinstance(cell, int):
        return str(cell)
    if "kept" in cell:
        return str(cell["kept"])
    return printable(str(cell["constant"]), MOST_CELL)


def _told(name: str, plane: dict[str, Any], row: int, column: int, cell: Any) -> str:
    """``y[0, 2] = x element 5``, for who points at the cell."""
    if cell is None:
        return ""
    ends = [k for k in (plane["rows"][row], plane["columns"][column]) if k is not None]
    index = ", ".join(map(str, [*plane["at"], *ends]))
    here = f"{name}[{index}]"
    if isinstance(cell, int):
        return f"{here}: element {cell}"
    if "kept" in cell:
        return f"{here}: not written"
    return f"{here}: constant {cell_text(cell)}"


def _label(position: int | None) -> str:
    return "..." if position is None else str(position)
