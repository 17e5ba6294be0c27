"""The roofline: bytes moved per second over bytes touched, below what a copy reaches.

An SVG written by hand, so that a picture needs no library.  Every case is a dot of
restride and a dot of its fastest peer, joined by a line; the limits, measured beside
them, are the roof.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from restride.bench.rows import Row

__all__ = ["roofline"]

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 56, 36, 44, 52
INK, GRID, ROOF, STEM = "#222222", "#e4e4e4", "#555555", "#b8b8b8"
OWN, PEER = "#0a6b3d", "#d08a2e"
FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="12"'

Dot = tuple[float, float]


class Axes:
    """Logarithmic axes around all dots, by whole powers of ten across and by halves up.

    Examples
    --------
    >>> axes = Axes([(1e6, 10.0), (2e7, 40.0)])
    >>> axes.across, round(axes.x(1e6)), round(axes.x(1e8))
    ((6, 8), 56, 724)
    """

    def __init__(self, dots: Sequence[Dot]) -> None:
        xs, ys = ([log10(d[k]) for d in dots] for k in (0, 1))
        self.across = floor(min(xs)), max(ceil(max(xs)), floor(min(xs)) + 1)
        self.up = floor(min(ys) * 2) / 2, max(ceil(max(ys) * 2), 1) / 2
        if self.up[1] <= self.up[0]:
            self.up = self.up[0], self.up[0] + 0.5

    def x(self, value: float) -> float:
        """Where so many bytes stand."""
        low, high = self.across
        return LEFT + (log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Where so many gigabytes per second stand."""
        low, high = self.up
        share = (log10(value) - low) / (high - low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def roofline(rows: Sequence[Row], title: str) -> str:
    """The picture as SVG text; rows without a limit are left out.

    Parameters
    ----------
    rows : sequence of Row
    title : str
        Of the picture: the machine and the date.
    """
    shown = [r for r in rows if r.limit_s and r.own()]
    if not shown:
        return _frame(title, [])
    roof, own, peers = _dots(shown)
    axes = Axes(roof + own + peers)
    parts = [*_grid(axes), _roof(axes, roof), *(_stem(axes, r) for r in shown)]
    parts += [_dot(axes, r, r.peers()[w], PEER) for r in shown if (w := r.peer())]
    parts += [_dot(axes, r, s, OWN) for r in shown if (s := r.own())]
    return _frame(title, parts + _legend(bool(peers)))


def _dots(rows: Sequence[Row]) -> tuple[list[Dot], list[Dot], list[Dot]]:
    """Of the limits, of restride and of the fastest peers."""
    roof = highest([(_bytes(r), _speed(r, s)) for r in rows if (s := r.limit_s)])
    own = [(_bytes(r), _speed(r, s)) for r in rows if (s := r.own())]
    peers = [(_bytes(r), _speed(r, r.peers()[w])) for r in rows if (w := r.peer())]
    return roof, own, peers


def highest(dots: Sequence[Dot]) -> list[Dot]:
    """The highest dot of every tenth of a power of ten across: a roof, not its noise.

    Examples
    --------
    >>> highest([(100.0, 1.0), (101.0, 3.0), (300.0, 2.0)])
    [(101.0, 3.0), (300.0, 2.0)]
    """
    found: dict[int, Dot] = {}
    for dot in sorted(dots):
        place = int(log10(dot[0]) * 10)
        if place not in found or found[place][1] < dot[1]:
            found[place] = dot
    return list(found.values())


def _bytes(row: Row) -> float:
    return float(row.read_bytes + row.written_bytes)


def _speed(row: Row, seconds: float) -> float:
    """Gigabytes touched per second."""
    return _bytes(row) / seconds / 1e9


def _grid(axes: Axes) -> list[str]:
    parts = []
    for power in range(axes.across[0], axes.across[1] + 1):
        x = axes.x(10.0**power)
        parts.append(_line(x, TOP, x, HEIGHT - BOTTOM, GRID))
        parts.append(_text(x, HEIGHT - BOTTOM + 18, _bytes_text(power), "middle"))
    for value in (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000):
        if axes.up[0] <= log10(value) <= axes.up[1]:
            y = axes.y(value)
            parts.append(_line(LEFT, y, WIDTH - RIGHT, y, GRID))
            parts.append(_text(LEFT - 8, y + 4, f"{value:g}", "end"))
    parts.append(_text(WIDTH / 2, HEIGHT - 10, "bytes read and written", "middle"))
    parts.append(_text(8, TOP - 10, "GB read and written per second", "start"))
    return parts


def _bytes_text(power: int) -> str:
    """1 kB, 10 MB.

    Examples
    --------
    >>> _bytes_text(4), _bytes_text(9)
    ('10 kB', '1 GB')
    """
    units = ("B", "kB", "MB", "GB", "TB")
    return f"{10 ** (power % 3)} {units[min(power // 3, 4)]}"


def _roof(axes: Axes, dots: list[Dot]) -> str:
    points = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in dots)
    style = f'fill="none" stroke="{ROOF}" stroke-width="1.5" stroke-dasharray="5 3"'
    return f'<polyline points="{points}" {style}/>'


def _stem(axes: Axes, row: Row) -> str:
    """From the fastest peer to restride: its length is by how much they differ."""
    own, who = row.own(), row.peer()
    if own is None or who is None:
        return ""
    x, theirs = axes.x(_bytes(row)), row.peers()[who]
    return _line(x, axes.y(_speed(row, theirs)), x, axes.y(_speed(row, own)), STEM)


def _dot(axes: Axes, row: Row, seconds: float, colour: str) -> str:
    speed = _speed(row, seconds)
    x, y = axes.x(_bytes(row)), axes.y(speed)
    told = escape(f"{row.name}: {speed:.1f} GB/s")
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"'
    return f'{circle} fill-opacity="0.75"><title>{told}</title></circle>'


def _legend(with_peers: bool) -> list[str]:
    names = [(OWN, "restride")] + [(PEER, "fastest peer")] * with_peers
    parts, x = [], WIDTH - RIGHT - 330
    for colour, name in names:
        parts.append(f'<circle cx="{x}" cy="{TOP - 14}" r="4" fill="{colour}"/>')
        parts.append(_text(x + 9, TOP - 10, name, "start"))
        x += 20 + 8 * len(name)
    parts.append(_line(x, TOP - 14, x + 26, TOP - 14, ROOF, ' stroke-dasharray="5 3"'))
    parts.append(_text(x + 32, TOP - 10, "plain copy", "start"))
    return parts


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, more: str = ""
) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}"{more}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}"'
    return f"<text {where} {FONT}>{escape(text)}</text>"


def _frame(title: str, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img"><title>{escape(title)}</title>'
    )
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    return "\n".join([head, ground, _text(8, 18, title, "start"), *parts, "</svg>", ""])
