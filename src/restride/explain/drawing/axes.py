"""An axis that bends, drawn: its positions, what each reads, an arrow per piece.

Over the cells of a result axis stand its positions, in the cells the positions of the
source axis, and above each straight piece an arrow that points the way the source is
walked: to the left in a mirror, without a head where one position is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from restride.explain.drawing.grids import CELL_HEIGHT, cell_item
from restride.explain.drawing.items import (
    GREY,
    Box,
    Drawing,
    Item,
    Line,
    Words,
    sheet,
    words_width,
)
from restride.explain.elide import kept
from restride.explain.formula import function_name

__all__ = ["axis_drawing"]

PIECES_TOLD = 8
"""Pieces whose rule is written out before the rest is only counted."""


def axis_drawing(m: dict[str, Any], r: int, width: float) -> Drawing:
    """Result axis `r` of a map of a scene, at most `width` pixels wide.

    Parameters
    ----------
    m : dict
        An entry of a scene's ``maps``.
    r : int
        A result axis whose ``is_affine`` is False.
    width : float
    """
    axis = m["axes"][r]
    pieces = axis["pieces"]
    extent = axis["extent"]
    cell = max(28.0, words_width(_widest(axis), 12) + 8)
    joints = [p["first"] for p in pieces[1:]]
    shown = kept(extent, int(width // cell), joints)
    place = {k: i for i, k in enumerate(shown)}
    items: list[Item] = [Words(0, 12, _heading(m, axis, r), 12)]
    top = 54.0
    for i, k in enumerate(shown):
        text = "..." if k is None else str(k)
        items.append(Words((i + 0.5) * cell, top - 4, text, 10, "middle", GREY))
        box = Box(i * cell, top, cell, CELL_HEIGHT)
        items += cell_item(box, _stands(pieces, k), None)
    for piece in pieces:
        items += _arrow(piece, place, cell, top - 18)
    for line, text in enumerate(_rules(axis, width)):
        items.append(Words(0, top + CELL_HEIGHT + 16 + 15 * line, text, 11, ink=GREY))
    return sheet(items)


def _heading(m: dict[str, Any], axis: dict[str, Any], r: int) -> str:
    name = f"{function_name(r)}({axis['index']})"
    if axis["source_axis"] is None:
        return f"{name}: constants along axis {r} of {m['result']}"
    return (
        f"{name}: position on axis {axis['source_axis']} of {m['source']} "
        f"at each position of axis {r} of {m['result']}"
    )


def _stands(pieces: list[dict[str, Any]], k: int | None) -> Any:
    """The source position or constant at result position k."""
    if k is None:
        return None
    piece = next(p for p in pieces if p["first"] <= k < p["first"] + p["count"])
    if "fill" in piece:
        return {"constant": piece["constant"]}
    return int(piece["begin"] + piece["step"] * (k - piece["first"]))


def _widest(axis: dict[str, Any]) -> str:
    tips = [str(axis["extent"] - 1)]
    for piece in axis["pieces"]:
        if "fill" in piece:
            tips.append(str(piece["constant"])[:9])
        else:
            last = piece["begin"] + piece["step"] * (piece["count"] - 1)
            tips += [str(piece["begin"]), str(last)]
    return max(tips, key=len)


def _arrow(
    piece: dict[str, Any], place: dict[int | None, int], cell: float, y: float
) -> Iterator[Item]:
    """A line over a piece whose ends are both shown."""
    first, last = piece["first"], piece["first"] + piece["count"] - 1
    if "fill" in piece or first not in place or last not in place or first == last:
        return
    begin, end = (place[first] + 0.2) * cell, (place[last] + 0.8) * cell
    if piece["step"] < 0:
        begin, end = end, begin
    yield Line(((begin, y), (end, y)), has_head=piece["step"] != 0)
    yield Line(((begin, y - 4), (begin, y + 4)))
    if piece["step"] == 0:
        yield Line(((end, y - 4), (end, y + 4)))


def _rules(axis: dict[str, Any], width: float) -> list[str]:
    """The pieces as ranges and rules, on as many lines as they need."""
    told = [
        f"{p['first']}..{p['first'] + p['count'] - 1}: "
        + (f"constant {p['constant']!s:.12}" if "fill" in p else _rule(p, axis))
        for p in axis["pieces"][:PIECES_TOLD]
    ]
    rest = axis["piece_count"] - PIECES_TOLD
    if rest > 0:
        told.append(f"and {rest} more pieces")
    rows = [""]
    for text in told:
        longer = f"{rows[-1]}    {text}" if rows[-1] else text
        if rows[-1] and words_width(longer, 11) > width:
            rows.append(text)
        else:
            rows[-1] = longer
    return rows


def _rule(piece: dict[str, Any], axis: dict[str, Any]) -> str:
    return "the source" if axis["source_axis"] is None else str(piece["rule"])
