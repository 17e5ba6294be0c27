"""The same drawing as a PNG file, through Pillow, with the font Pillow brings.

Pictures in print need dots, so it is drawn at twice the size.
"""

from __future__ import annotations

import importlib
import io
from typing import Any

from restride.errors import UnsupportedError
from restride.explain.drawing.items import WHITE, Box, Drawing, Line, Words, arrow_head
from restride.explain.palette import Rgb

__all__ = ["png"]

SCALE = 2
"""Dots per pixel of the drawing."""

FINE = 2
"""Drawn so much larger still and then averaged, so that lines are smooth."""

HATCH: Rgb = (138, 138, 138)
HATCH_EVERY = 8.5


def png(drawing: Drawing) -> bytes:
    """The picture as the bytes of a PNG file.

    Raises
    ------
    UnsupportedError
        Pillow is not installed.
    """
    pillow, pen = _pillow("Image"), _pillow("ImageDraw")
    size = round(drawing.width * SCALE), round(drawing.height * SCALE)
    image = pillow.new("RGB", (size[0] * FINE, size[1] * FINE), WHITE)
    canvas = _Canvas(pen.Draw(image))
    for item in drawing.items:
        canvas.draw(item)
    image = image.resize(size, pillow.Resampling.BOX)
    stream = io.BytesIO()
    image.save(stream, "PNG", dpi=(96 * SCALE, 96 * SCALE))
    return stream.getvalue()


class _Canvas:
    """Items drawn with Pillow's pen, all lengths scaled."""

    def __init__(self, pen: Any) -> None:
        self.pen = pen
        self.by = SCALE * FINE
        self.fonts: dict[float, Any] = {}

    def draw(self, item: Box | Words | Line) -> None:
        if isinstance(item, Box):
            self._box(item)
        elif isinstance(item, Words):
            self._words(item)
        else:
            self._line(item)

    def _box(self, box: Box) -> None:
        corners = self._dots([(box.x, box.y), (box.x + box.width, box.y + box.height)])
        self.pen.rectangle(corners, fill=WHITE if box.hatched else box.fill)
        if box.hatched:
            self._hatch(box)
        if box.edge is not None:
            self.pen.rectangle(corners, outline=box.edge, width=self.by)

    def _hatch(self, box: Box) -> None:
        """Lines from the upper right to the lower left, cut at the box's edges."""
        at = HATCH_EVERY / 2
        while at < box.width + box.height:
            right = min(at, box.width), max(0.0, at - box.width)
            left = max(0.0, at - box.height), min(at, box.height)
            ends = [(box.x + x, box.y + y) for x, y in (right, left)]
            self.pen.line(self._dots(ends), fill=HATCH, width=round(1.6 * self.by))
            at += HATCH_EVERY

    def _words(self, words: Words) -> None:
        font = self._font(words.size)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
        (where,) = self._dots([(words.x, words.y)])
        thick = round(self.by * 0.35) if words.bold else 0
        self.pen.text(
            where, words.text, words.ink, font, anchor=anchor, stroke_width=thick
        )

    def _line(self, line: Line) -> None:
        width = round(line.width * self.by)
        self.pen.line(self._dots(line.points), line.ink, width, joint="curve")
        if line.has_head:
            self.pen.polygon(self._dots(arrow_head(line)), fill=line.ink)

    def _font(self, size: float) -> Any:
        if size not in self.fonts:
            self.fonts[size] = _pillow("ImageFont").load_default(size * self.by)
        return self.fonts[size]

    def _dots(self, points: Any) -> list[tuple[float, float]]:
        return [(x * self.by, y * self.by) for x, y in points]


def _pillow(name: str) -> Any:
    try:
        return importlib.import_module(f"PIL.{name}")
    except ImportError:
        raise UnsupportedError(
            "a .png picture needs Pillow, which is not installed; install "
            "restride[image], or write .svg, which needs nothing."
        ) from None
