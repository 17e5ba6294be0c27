"""A drawing as SVG text, written by hand so that a picture needs no library.

>>> from restride.explain.drawing.items import Drawing, Words
>>> svg(Drawing(40, 20, (Words(5, 15, "a < b"),)), "t", "d").splitlines()[-2]
'<text x="5" y="15" font-size="12" fill="#141414">a &lt; b</text>'
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from restride.explain.drawing.items import Box, Drawing, Item, Line, Words, arrow_head
from restride.explain.palette import Rgb, hexed

__all__ = ["svg"]

FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"

HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#ffffff"/>'
    '<line x1="0" y1="0" x2="0" y2="6" stroke="#8a8a8a" stroke-width="1.6"/>'
    "</pattern></defs>"
)


def svg(drawing: Drawing, title: str, told: str) -> str:
    """The picture as one SVG file's text.

    Parameters
    ----------
    drawing : Drawing
    title, told : str
        Its name, and what it shows in words, for those who cannot see it.
    """
    width, height = _number(drawing.width), _number(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">'
    )
    named = f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    items = [line for item in drawing.items for line in _item(item)]
    return "\n".join([head, named, HATCH, ground, *items, "</svg>", ""])


def _item(item: Item) -> Iterator[str]:
    if isinstance(item, Box):
        yield _box(item)
    elif isinstance(item, Words):
        yield _words(item)
    else:
        yield from _line(item)


def _box(box: Box) -> str:
    fill = "url(#hatch)" if box.hatched else _colour(box.fill)
    edge = "" if box.edge is None else f' stroke="{hexed(box.edge)}"'
    where = f'x="{_number(box.x)}" y="{_number(box.y)}"'
    size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
    told = f"<title>{escape(box.told)}</title></rect>" if box.told else ""
    return f'<rect {where} {size} fill="{fill}"{edge}' + (f">{told}" if told else "/>")


def _words(words: Words) -> str:
    where = f'x="{_number(words.x)}" y="{_number(words.y)}"'
    style = f'font-size="{_number(words.size)}" fill="{hexed(words.ink)}"'
    more = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
    more += ' font-weight="bold"' if words.bold else ""
    more += ' xml:space="preserve"' if "  " in words.text else ""
    return f"<text {where} {style}{more}>{escape(words.text)}</text>"


def _line(line: Line) -> Iterator[str]:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in line.points)
    style = f'fill="none" stroke="{hexed(line.ink)}" stroke-width="{line.width}"'
    yield f'<polyline points="{points}" {style}/>'
    if line.has_head:
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in arrow_head(line))
        yield f'<polygon points="{corners}" fill="{hexed(line.ink)}"/>'


def _colour(rgb: Rgb | None) -> str:
    return "none" if rgb is None else hexed(rgb)


def _number(value: float) -> str:
    """A length with at most one decimal.

    Examples
    --------
    >>> _number(5.0), _number(5.25)
    ('5', '5.2')
    """
    return f"{value:.1f}".removesuffix(".0")
