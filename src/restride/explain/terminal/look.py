"""What a terminal can show, and how text is painted for it.

Colour is used where there is a terminal that has it.  ``NO_COLOR`` turns it off
whatever else is said; ``FORCE_COLOR`` turns it on where there is no terminal, ``TERM``
and ``COLORTERM`` say how many colours there are, and ``TERM=dumb`` has none.

>>> look_of(False, {"FORCE_COLOR": "1", "COLUMNS": "60"})
Look(colours=16, width=60, is_unicode=True)
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import NamedTuple, TextIO

from restride.explain.palette import INK, Rgb, Tint, colour

__all__ = ["PLAIN", "Look", "look_of", "look_on"]

WIDTH = 80
"""Columns taken where nobody says how many there are."""

NARROWEST, WIDEST = 20, 400

SIXTEEN = (47, 43, 42, 46, 45, 44)
"""Backgrounds of a terminal of 16 colours, one per hue: white, yellow, green, cyan,
magenta, blue.  All are read under black."""

LEVELS = (0, 95, 135, 175, 215, 255)
"""Strengths of each of the three colours in the cube of 256 (xterm's)."""

FULL = 1 << 24


class Look(NamedTuple):
    """How text may be shown: PLAIN has no colour and no width."""

    colours: int = 0
    """0, 16, 256 or 2**24."""
    width: int | None = None
    """Columns of the terminal; None: lines are left as long as they are."""
    is_unicode: bool = True
    """True where shades and the ellipsis can be printed."""

    def narrower(self, by: int) -> Look:
        """The same for lines that are moved to the right."""
        if self.width is None:
            return self
        return self._replace(width=max(self.width - by, NARROWEST - by))

    def bold(self, text: str) -> str:
        """What is read first."""
        return self._styled("1", text)

    def dim(self, text: str) -> str:
        """What is only there to be looked up."""
        return self._styled("2", text)

    def tinted(self, text: str, place: Tint) -> str:
        """Text on a tint of the palette."""
        if self.colours == 16:
            return self._styled(f"30;{SIXTEEN[place.hue]}", text)
        return self._styled(f"{self._ink()};{self._ground(colour(place))}", text)

    def _ink(self) -> str:
        return f"38;2;{INK[0]};{INK[1]};{INK[2]}" if self.colours == FULL else "38;5;16"

    def _ground(self, rgb: Rgb) -> str:
        if self.colours == FULL:
            return "48;2;{};{};{}".format(*rgb)
        return f"48;5;{_in_cube(rgb)}"

    def _styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours and text else text


PLAIN = Look()


def look_of(
    is_terminal: bool,
    environment: Mapping[str, str],
    columns: int | None = None,
    encoding: str | None = "utf-8",
) -> Look:
    """How text may be shown where `is_terminal` says there is a terminal or not.

    Parameters
    ----------
    is_terminal : bool
    environment : mapping
        As ``os.environ``.
    columns : int, optional
        Of the terminal; COLUMNS in the environment comes first.
    encoding : str, optional
        Of the stream that is written to.

    Notes
    -----
    The conventions of no-color.org and force-color.org, seen 2026-11: both variables
    count when they are not empty.  ``FORCE_COLOR=0`` is read as no wish for colour,
    2 and 3 as 256 colours and all, as many tools do.
    """
    forced = environment.get("FORCE_COLOR", "")
    asked = forced not in ("", "0", "false")
    if environment.get("NO_COLOR") or not (is_terminal or asked) or forced == "0":
        return PLAIN if not is_terminal else Look(0, _width(environment, columns))
    colours = _colours(environment, forced)
    unicode = (encoding or "").lower().replace("-", "") == "utf8"
    return Look(colours, _width(environment, columns), unicode)


def look_on(stream: TextIO, asked: bool = False) -> Look:
    """How text may be shown on `stream`; colours at all events where `asked`."""
    is_terminal = stream.isatty()
    columns = shutil.get_terminal_size((0, 0)).columns if is_terminal else None
    found = look_of(is_terminal, os.environ, columns, getattr(stream, "encoding", None))
    if not asked or found.colours:
        return found
    wish = {**os.environ, "NO_COLOR": "", "FORCE_COLOR": "1"}
    return look_of(is_terminal, wish, columns, getattr(stream, "encoding", None))


def _colours(environment: Mapping[str, str], forced: str) -> int:
    term = environment.get("TERM", "")
    if term == "dumb" and not forced:
        return 0
    if forced == "3" or environment.get("COLORTERM") in ("truecolor", "24bit"):
        return FULL
    if forced == "2" or "256" in term:
        return 256
    return FULL if term.endswith("-direct") else 16


def _width(environment: Mapping[str, str], columns: int | None) -> int:
    told = environment.get("COLUMNS", "")
    usable = told.isascii() and told.isdigit() and len(told) < 6 and int(told) > 0
    wide = int(told) if usable else columns or WIDTH
    return min(max(wide, NARROWEST), WIDEST)


def _in_cube(rgb: Rgb) -> int:
    """The nearest of the 216 colours of the cube."""
    at = [min(range(6), key=lambda k: abs(LEVELS[k] - part)) for part in rgb]
    return 16 + 36 * at[0] + 6 * at[1] + at[2]
