"""The page's style and script: separate files here, one text each in the page.

>>> script().count("restrideExplain")
1
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from restride.explain.palette import HUES, INK, SHADES, Tint, colour, hexed

__all__ = ["embedded_json", "policy", "script", "style", "table_style"]

SCRIPTS = (
    "numbers.js",
    "slicing.js",
    "holding.js",
    "padding.js",
    "striding.js",
    "map.js",
    "elide.js",
    "grid.js",
    "reasons.js",
    "lowering.js",
    "drafts.js",
    "writers.js",
    "onnx.js",
    "texts.js",
    "form.js",
    "picture.js",
    "start.js",
)
"""In this order: a file uses those before it at once, and those after it later."""

COMMENT = re.compile(r"^ *(//.*|/\*\*.*?\*/)\n", re.MULTILINE)
LONG_COMMENT = re.compile(r"^ */\*\*\n(?: *\*.*\n)+? *\*/\n", re.MULTILINE)
"""Comments that stand alone: the page carries none of them."""


@cache
def read(name: str) -> str:
    """The text of a file of the page."""
    found = files("restride.explain.web").joinpath("page", name)
    return found.read_text(encoding="utf-8")


@cache
def script() -> str:
    """All scripts as one, which leaves one name behind: ``restrideExplain``."""
    parts = "\n".join(bare(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def bare(name: str) -> str:
    """A script without its comments."""
    return COMMENT.sub("", LONG_COMMENT.sub("", read(name)))


@cache
def style() -> str:
    """The style sheet of a page."""
    return f"{table_style()}\n{read('style.css')}"


@cache
def table_style() -> str:
    """The style of tables alone, with the palette's colours."""
    return f"{read('tables.css')}\n{_tints()}"


def _tints() -> str:
    """One class per colour; what is written on it is dark on every page."""
    places = [Tint(hue, shade) for hue in range(HUES) for shade in range(SHADES)]
    ink = f'.restride .rs-grids td[class*="rs-tint-"] {{ color: {hexed(INK)}; }}'
    return "\n".join([ink, *map(_rule, places)])


def _rule(place: Tint) -> str:
    name = f"rs-tint-{place.hue}-{place.shade}"
    return (
        f".restride .rs-grids .{name} {{ background-color: {hexed(colour(place))}; }}"
    )


def policy() -> str:
    """What the page may do: run its own script, use its own style, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(script())}'; "
        f"style-src '{_hash(style())}'; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def embedded_json(value: Any) -> str:
    r"""JSON that may stand in a script element, whatever strings it holds.

    Examples
    --------
    >>> embedded_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&'":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
