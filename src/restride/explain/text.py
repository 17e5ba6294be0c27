"""A chain told in words: plain ASCII, or painted for a terminal.

>>> from restride.explain.scene import scene
>>> from restride.layout import Chain
>>> shown = scene(Chain.identity((3,)).pad(((1, 2),), "reflect"))
>>> print("\\n".join(lines(shown)))
(3,) -> (6,)  one pass, no cut
  y[i] = x[a(i)]
    a(i)  0..1  1 - i
          2..3  i - 1
          4..5  5 - i
  reads x[0:3]; elements: 3 read, 6 written
  x      y
  0 1 2  1 0 1 2 1 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product, zip_longest
from textwrap import TextWrapper
from typing import Any

from restride.explain.formula import function_name
from restride.explain.terminal.look import Look
from restride.explain.units import human_bytes

__all__ = [
    "indented",
    "lines",
    "painted",
    "side_by_side",
    "wrapped",
]

INDENT = 3
"""Columns that a step's lines stand under its heading."""

PIECES_SHOWN = 12
"""Pieces of one axis listed before the rest is only counted."""


def painted(told: Iterable[str], look: Look) -> Iterator[str]:
    """Plain lines broken to the width; headings and cuts stand out."""
    for line in told:
        stands_out = not line.startswith(" ") or line.lstrip().startswith("CUT:")
        for part in wrapped(line, look.width):
            yield look.bold(part) if stands_out else part


def wrapped(line: str, width: int | None) -> list[str]:
    """A line in parts of at most `width`, broken at spaces where there are some.

    Examples
    --------
    >>> wrapped("  y[i] = x[2*i + 3]", 14)
    ['  y[i] = x[2*i', '      + 3]']
    """
    if width is None or len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    hang = " " * min(indent + 4, max(0, width - 8))
    made = TextWrapper(
        width, subsequent_indent=hang, drop_whitespace=True, break_on_hyphens=False
    )
    return made.wrap(line)


def indented(told: Iterable[str], by: int = INDENT) -> Iterator[str]:
    """Lines moved to the right, under what they belong to."""
    return (f"{'':{by}}{line}".rstrip() for line in told)


def lines(shown: dict[str, Any]) -> Iterator[str]:
    """One scene, line by line, as plain text."""
    yield _heading(shown)
    for m in shown["maps"]:
        yield from _map_lines(m)
    yield from _grid_lines(shown)


def _heading(shown: dict[str, Any]) -> str:
    shapes = f"{_shape(shown['source_shape'])} -> {_shape(shown['shape'])}"
    cuts = shown["cuts"]
    passes = "one pass, no cut"
    if cuts:
        passes = f"{cuts + 1} passes, {cuts} cut{'s' if cuts > 1 else ''}"
    return f"{shapes}  {passes}"


def _map_lines(m: dict[str, Any]) -> Iterator[str]:
    if m["read_as"] is not None:
        yield f"  {m['source']} is read row-major as {_shape(m['read_as'])}"
    yield f"  {m['formula']}"
    for r, axis in enumerate(m["axes"]):
        if not axis["is_affine"]:
            yield from _piece_lines(axis, function_name(r), len(m["constants"]) > 1)
    yield from _constant_lines(m)
    yield f"  {_traffic(m)}"
    yield from _cut_lines(m)
    if m["result_as"] is not None:
        yield f"  y is then read row-major as {_shape(m['result_as'])}, at no cost"


def _cut_lines(m: dict[str, Any]) -> Iterator[str]:
    size = "" if m["bytes"] is None else f", {human_bytes(m['bytes'])}"
    if m["materialises"] and "partial" in m:
        count = m["elements_written"]
        yield f"  CUT: {count} elements are written first, as scratch{size}"
    elif m["materialises"]:
        yield f"  CUT: {m['result']} {_shape(m['shape'])} is written first{size}"
    for band in m["bands"]:
        box = ", ".join(f"{a}:{b}" for a, b in band["box"])
        how = "past the cut, from its source" if band["direct"] else "from scratch"
        yield f"    {m['result']}[{box}]  {how}"


def _piece_lines(axis: dict[str, Any], name: str, numbered: bool) -> Iterator[str]:
    shown = axis["pieces"][:PIECES_SHOWN]
    spans = [f"{p['first']}..{p['first'] + p['count'] - 1}" for p in shown]
    width = max(len(s) for s in spans)
    head = f"{name}({axis['index']})"
    for span, piece in zip(spans, shown, strict=True):
        yield f"    {head}  {span:<{width}}  {_rule(piece, axis, numbered)}"
        head = " " * len(head)
    rest = axis["piece_count"] - len(shown)
    if rest:
        yield f"    {head}  and {rest} more pieces"


def _rule(piece: dict[str, Any], axis: dict[str, Any], numbered: bool) -> str:
    if "fill" not in piece:
        return "the source" if axis["source_axis"] is None else str(piece["rule"])
    number = f"  (#{piece['fill']})" if numbered else ""
    return f"constant {piece['constant']}{number}"


def _constant_lines(m: dict[str, Any]) -> Iterator[str]:
    if m["background"] is not None:
        yield f"    elsewhere constant {m['constants'][m['background']]}"
    if len(m["constants"]) > 1:
        yield "    where two constants meet, the higher # stands"


def _traffic(m: dict[str, Any]) -> str:
    counts = f"elements: {m['elements_read']} read, {m['elements_written']} written"
    if m["reads"] is None:
        return counts
    ranges = ", ".join(f"{a}:{b}" for a, b in m["reads"])
    return f"reads {m['source']}[{ranges}]; {counts}"


def _grid_lines(shown: dict[str, Any]) -> Iterator[str]:
    """Source and result side by side, elements numbered row-major."""
    grid = shown["grid"]
    if grid is None:
        return
    result = [_cell(c) for c in grid["result"]]
    yield from side_by_side(
        grid["source"], shown["source_shape"], result, shown["shape"]
    )


def side_by_side(
    before: Sequence[Any],
    before_shape: Sequence[int],
    after: Sequence[Any],
    after_shape: Sequence[int],
) -> list[str]:
    """Two small arrays as rows next to each other, under x and y."""
    left = ["x", *_rows(before, before_shape)]
    right = ["y", *_rows(after, after_shape)]
    width = max(len(row) for row in left)
    pairs = zip_longest(left, right, fillvalue="")
    return [f"  {a:<{width}}  {b}".rstrip() for a, b in pairs]


def _cell(cell: Any) -> str:
    return f"[{cell['constant']}]" if isinstance(cell, dict) else str(cell)


def _rows(cells: Sequence[Any], shape: Sequence[int]) -> list[str]:
    """Cells as rows of the last axis, with an empty row between planes."""
    width = max(len(str(c)) for c in cells)
    if not shape:
        return [str(cells[0])]
    rows: list[str] = []
    step = shape[-1]
    lead = list(product(*(range(n) for n in shape[:-1])))
    for k, index in enumerate(lead):
        if k and len(shape) > 2 and index[-1] == 0:
            rows.append("")
        row = cells[k * step : (k + 1) * step]
        rows.append(" ".join(f"{c!s:>{width}}" for c in row))
    return rows


def _shape(shape: Sequence[int]) -> str:
    return str(tuple(shape))
