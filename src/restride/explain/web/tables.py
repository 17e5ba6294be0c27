"""Arrays of a picture as plain HTML tables: no script, and nothing but classes.

>>> from restride.explain.panels import panels
>>> from restride.layout import Chain
>>> drawn = panels(Chain.identity((2,)).pad(((1, 0),), "constant"))
>>> tables(drawn, (2,)).count("<td")
5
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from restride.explain.palette import tint
from restride.explain.panels import plane_name, reads_of

__all__ = ["cell_count", "numbers_in", "tables", "tint_class"]

NAMES = {"x": "Source", "y": "Result", "src": "Written (src)"}
"""What arrays are called over their tables; others keep their letter."""

Panel = dict[str, Any]


def tables(panels: Sequence[Panel], source: Sequence[int], keyed: bool = False) -> str:
    """The panels as figures side by side.

    Parameters
    ----------
    panels : sequence of dict
        As :func:`restride.explain.panels.panels` gives them.
    source : sequence of int
        Extents of the source, whose rows the colours tell apart.
    keyed : bool
        Also give each cell a class ``k`` and its source number, so that a style sheet
        can light cells that belong together.
    """
    drawn = _Drawn(source, keyed)
    return f'<div class="rs-grids">{"".join(map(drawn.figure, panels))}</div>'


def cell_count(panels: Sequence[Panel]) -> int:
    """How many cells `tables` would write."""
    return sum(len(row) for p in panels for at in p["planes"] for row in at["cells"])


def numbers_in(panels: Sequence[Panel]) -> list[int]:
    """The source elements that any of the panels shows, each once."""
    rows = [row for p in panels for plane in p["planes"] for row in plane["cells"]]
    return sorted({c for row in rows for c in row if isinstance(c, int)})


def tint_class(element: int, shape: Sequence[int]) -> str:
    """The class of a source element's colour.

    Examples
    --------
    >>> tint_class(5, (3, 4))
    'rs-tint-1-0'
    """
    found = tint(element, shape)
    return f"rs-tint-{found.hue}-{found.shade}"


class _Drawn:
    """Tables over one source."""

    def __init__(self, source: Sequence[int], keyed: bool) -> None:
        self.source = tuple(source)
        self.keyed = keyed

    def figure(self, panel: Panel) -> str:
        """One array: its name and shape over the tables of its planes."""
        title = NAMES.get(panel["name"]) or str(panel["name"])
        head = f"<strong>{title}</strong> {tuple(panel['shape'])}"
        body = "".join(self._planes(title, panel))
        return (
            f'<figure class="rs-figure"><figcaption>{head}</figcaption>{body}</figure>'
        )

    def _planes(self, title: str, panel: Panel) -> Iterator[str]:
        if not panel["planes"]:
            yield '<p class="rs-note">no elements</p>'
        for plane in panel["planes"]:
            name = plane_name(plane)
            label = f"{title} {tuple(panel['shape'])} {name}".strip()
            caption = f'<div class="rs-plane-name">{name}</div>' if name else ""
            rows = "".join(f"<tr>{''.join(line)}</tr>" for line in self._lines(plane))
            rows = _heads(plane) + rows
            table = f'<table aria-label="{escape(label, quote=True)}">{rows}</table>'
            yield f'<div class="rs-plane">{caption}{table}</div>'
        if panel["hidden"]:
            yield f'<p class="rs-note">and {panel["hidden"]} more planes</p>'

    def _lines(self, plane: dict[str, Any]) -> Iterator[list[str]]:
        marked = zip(plane["cells"], reads_of(plane), strict=True)
        for r, (row, marks) in enumerate(marked):
            cells = [self._cell(*one) for one in zip(row, marks, strict=True)]
            yield [_head(plane["rows"][r]), *cells] if _has_rows(plane) else cells

    def _cell(self, cell: Any, is_read: bool) -> str:
        if cell is None:
            return '<td class="rs-gap">⋯</td>'
        if isinstance(cell, int):
            return self._element(cell, is_read)
        if "kept" in cell:
            return f'<td class="rs-unread">{cell["kept"]}</td>'
        text = escape(str(cell["constant"])[:40], quote=True)
        return f'<td class="rs-constant">{text}</td>'

    def _element(self, cell: int, is_read: bool) -> str:
        kinds = [tint_class(cell, self.source) if is_read else "rs-unread"]
        if self.keyed:
            kinds.append(f"k{cell}")
        return f'<td class="{" ".join(kinds)}">{cell}</td>'


def _heads(plane: dict[str, Any]) -> str:
    """The numbers of the columns, where there are any."""
    if plane["columns"] == [None]:
        return ""
    corner = "<th></th>" if _has_rows(plane) else ""
    return f"<tr>{corner}{''.join(map(_head, plane['columns']))}</tr>"


def _head(position: int | None) -> str:
    return f"<th>{'⋯' if position is None else position}</th>"


def _has_rows(plane: dict[str, Any]) -> bool:
    """True where rows have numbers: an array of one axis has the row None alone."""
    return bool(plane["rows"] != [None])
