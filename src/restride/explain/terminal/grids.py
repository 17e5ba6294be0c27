"""Panels as lines for a terminal: cells tinted by their source, constants hatched.

>>> from restride.explain.panels import panels
>>> from restride.layout import Chain
>>> chain = Chain.identity((2, 3)).pad(((0, 0), (1, 0)), "constant")
>>> print("\\n".join(grid_lines(panels(chain), (2, 3), Look(width=40))))
x (2, 3)   y (2, 4)
   0 1 2        0   1   2   3
0  0 1 2   0  ░0░   0   1   2
1  3 4 5   1  ░0░   3   4   5
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from restride.explain.palette import tint
from restride.explain.panels import Room, plane_name, reads_of
from restride.explain.terminal.look import Look

__all__ = ["grid_lines", "room_of"]

BETWEEN = "   "
"""Between blocks that stand side by side."""

MOST_CELL = 8
"""Longest constant written out; a longer one ends in dots."""

MOST_COLUMNS, MOST_ROWS, MOST_PLANES = 32, 12, 4
"""Most of a grid that is shown, however wide and high the terminal is."""


class Block(NamedTuple):
    """Lines of one width, colour codes not counted."""

    width: int
    lines: list[str]


def room_of(look: Look, elements: int) -> Room:
    """How many cells fit side by side that number `elements` elements."""
    cell = max(3, len(str(max(elements - 1, 0)))) + 1
    label = len(str(elements)) + 2
    fits = ((look.width or 80) - label) // cell
    return Room(MOST_ROWS, max(3, min(fits, MOST_COLUMNS)), MOST_PLANES)


def grid_lines(
    panels: Sequence[dict[str, Any]], source_shape: Sequence[int], look: Look
) -> Iterator[str]:
    """The panels one beside the other, as far as the width goes.

    Parameters
    ----------
    panels : sequence of dict
        As :func:`restride.explain.panels.panels` gives them.
    source_shape : sequence of int
        Extents of the source, whose rows the tints tell apart.
    look : Look
        The terminal, without what the lines are indented by.
    """
    drawn = _Drawn(tuple(source_shape), look)
    blocks = [block for panel in panels for block in drawn.blocks(panel)]
    for row in _rows(blocks, look.width or 80):
        yield from _beside(row)


def _rows(blocks: Sequence[Block], width: int) -> Iterator[list[Block]]:
    """As many blocks in a row as fit."""
    row: list[Block] = []
    used = 0
    for block in blocks:
        extra = block.width + (len(BETWEEN) if row else 0)
        if row and used + extra > width:
            yield row
            row, used, extra = [], 0, block.width
        row.append(block)
        used += extra
    if row:
        yield row


def _beside(row: Sequence[Block]) -> Iterator[str]:
    blank = [" " * block.width for block in row]
    for parts in zip_longest(*(block.lines for block in row)):
        cells = [b if p is None else p for p, b in zip(parts, blank, strict=True)]
        yield BETWEEN.join(cells).rstrip()


class _Drawn:
    """Blocks of cells over one source, for one look."""

    def __init__(self, source_shape: tuple[int, ...], look: Look) -> None:
        self.source_shape = source_shape
        self.look = look
        self.most = look.width or 80
        self.dots = "…" if look.is_unicode else "..."

    def blocks(self, panel: dict[str, Any]) -> Iterator[Block]:
        """One block per plane; the first has the array's name over it."""
        heading = f"{panel['name']} {tuple(panel['shape'])}"
        if not panel["planes"]:
            yield self._block([(heading, heading)])
        for k, plane in enumerate(panel["planes"]):
            titles = ["" if k else heading]
            if plane["at"]:
                titles.append(f"{panel['name']}{plane_name(plane)}")
            yield self._plane(plane, titles)
        if panel["hidden"]:
            more = f"{self.dots} {panel['hidden']} more"
            yield self._block([("", ""), (more, self.look.dim(more))])

    def _plane(self, plane: dict[str, Any], titles: Sequence[str]) -> Block:
        texts = [[self._text(cell) for cell in row] for row in plane["cells"]]
        heads = [self._label(k) for k in plane["columns"]]
        sides = [
            self._label(k) if len(plane["rows"]) > 1 or k is not None else ""
            for k in plane["rows"]
        ]
        width = max(len(t) for row in [heads, *texts] for t in row)
        side = max(map(len, sides))
        made = [(title, self.look.bold(title)) for title in titles]
        if plane["columns"] != [None]:
            head = f"{'':>{side}} " + "".join(f" {h:>{width}}" for h in heads)
            made.append((head, self.look.dim(head)))
        rows = zip(sides, plane["cells"], texts, reads_of(plane), strict=True)
        for label, cells, shown, read in rows:
            plain = [f" {t:>{width}}" for t in shown]
            painted = [
                self._painted(*one) for one in zip(plain, cells, read, strict=True)
            ]
            label = f"{label:>{side}} "
            made.append(
                (label + "".join(plain), self.look.dim(label) + "".join(painted))
            )
        return self._block(made)

    def _block(self, made: Sequence[tuple[str, str]]) -> Block:
        """Lines given plain and painted, filled up to one width."""
        cut = [
            (p[: self.most], q if len(p) <= self.most else p[: self.most])
            for p, q in made
        ]
        width = max(len(p) for p, _ in cut)
        return Block(width, [q + " " * (width - len(p)) for p, q in cut])

    def _label(self, position: int | None) -> str:
        return self.dots if position is None else str(position)

    def _text(self, cell: Any) -> str:
        if cell is None:
            return self.dots
        if isinstance(cell, int):
            return str(cell)
        if "kept" in cell:
            return str(cell["kept"])
        value = str(cell["constant"])
        if not value.isprintable() or len(value) > MOST_CELL:
            value = ascii(value)[1:-1][: MOST_CELL - len(self.dots)] + self.dots
        return f"░{value}░" if self.look.is_unicode else f"[{value}]"

    def _painted(self, text: str, cell: Any, read: bool) -> str:
        if isinstance(cell, int) and read:
            return self.look.tinted(text, tint(cell, self.source_shape))
        return self.look.dim(text)
