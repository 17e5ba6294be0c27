"""Colours that tie a cell of a result to its cell of the source.

Each row of the source has a hue, and along it the shade falls; a source of one axis
has a hue per element.  The hues are in pairs of light and dark, so that neighbouring
rows differ in grey too, and tests/explain/ measures them as readers who see fewer
colours do: no two hues of a shade come closer than 12 units of CIE L*a*b*.

>>> tint(5, (3, 4)), colour(tint(5, (3, 4)))
(Tint(hue=1, shade=0), (238, 183, 112))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["HUES", "INK", "SHADES", "Rgb", "Tint", "colour", "hexed", "tint"]

Rgb = tuple[int, int, int]

INK: Rgb = (20, 20, 20)
"""What is written on every tint: at least 7 times darker, as small text needs."""

SCALE = (
    ("#dce1fe", "#c2cdfe", "#a6b9ff"),
    ("#eeb770", "#d9a45e", "#c4924d"),
    ("#b9f2a4", "#a6de91", "#93ca7f"),
    ("#99c4fe", "#6eb2fe", "#559feb"),
    ("#fddadc", "#fdbfc4", "#ffa2ab"),
    ("#60d5aa", "#4bc297", "#33ae85"),
)
"""Shades by hue.  Lightness 90 and 78 in turn, 7 less per shade, chroma up to 45."""

HUES, SHADES = len(SCALE), len(SCALE[0])


class Tint(NamedTuple):
    """A place in the palette."""

    hue: int
    shade: int


def tint(element: int, shape: Sequence[int]) -> Tint:
    """The tint of the source element with this row-major number.

    Parameters
    ----------
    element : int
    shape : sequence of int
        Extents of the source.
    """
    if len(shape) < 2:
        return Tint(element % HUES, element // HUES % SHADES)
    row, column = divmod(element, shape[-1])
    return Tint(row % HUES, column * SHADES // shape[-1])


def colour(place: Tint) -> Rgb:
    """Red, green and blue of a tint, 0 to 255."""
    text = SCALE[place.hue][place.shade]
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def hexed(rgb: Rgb) -> str:
    """A colour as ``#rrggbb``.

    Examples
    --------
    >>> hexed((20, 20, 20))
    '#141414'
    """
    return "#{:02x}{:02x}{:02x}".format(*rgb)
