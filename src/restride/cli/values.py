"""Text of operator arguments to numbers; a grammar of our own, nothing is evaluated.

>>> integers("-1,2", "axis")
(-1, 2)
>>> numbers("[[1,2],[3,4]]", "pad")
((1, 2), (3, 4))
>>> numbers("32", "pad")
32
"""

from __future__ import annotations

import re
from math import isinf
from typing import Any

from restride.errors import ShapeError

__all__ = ["constants", "integers", "numbers", "shape"]

TOKEN = re.compile(r"\s*([\[\](),]|[^\s\[\](),]+)")
WHOLE = re.compile(r"[+-]?\d{1,400}$")
WORDS = {"true": True, "false": False}
DEPTH = 3
"""Deepest nesting of brackets; no operator takes more than pairs in a list."""


def integers(text: str, name: str) -> tuple[int, ...]:
    """Integers separated by commas; brackets around them are allowed."""
    value = numbers(text, name)
    flat = value if isinstance(value, tuple) else (value,)
    if not all(type(v) is int for v in flat):
        raise ShapeError(
            f"{name} '{text}' is not a list of integers; write them as 1,2,3."
        )
    return flat


def shape(text: str, name: str = "--shape") -> tuple[int, ...]:
    """Extents separated by commas; ``()`` or nothing is the shape of one element."""
    found = integers(text, name) if text.strip() else ()
    if any(n < 0 for n in found):
        raise ShapeError(f"{name} '{text}' has a negative extent; 0 is the least.")
    return found


def numbers(text: str, name: str) -> Any:
    """A number, or numbers in lists: ``1``, ``1,2``, ``[[1,2],[3,4]]``."""
    tokens = TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        raise _wrong(text, name)
    reader = Reader(tokens)
    try:
        value = reader.items(0)
    except (IndexError, ValueError):
        raise _wrong(text, name) from None
    if reader.at != len(tokens):
        raise _wrong(text, name)
    return value


def constants(text: str, name: str) -> Any:
    """The same with a number in it: no text at all is more likely a slip than a 0."""
    if not text.strip("[]() ,"):
        raise _wrong(text, name)
    return numbers(text, name)


class Reader:
    """Tokens read from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    def items(self, depth: int) -> Any:
        """Items up to a closing bracket or the end; one bare item is itself."""
        found, comma = [], False
        while self.at < len(self.tokens) and self.tokens[self.at] not in "])":
            found.append(self._item(depth))
            comma = self.at < len(self.tokens) and self.tokens[self.at] == ","
            if not comma:
                break
            self.at += 1
        bare = depth == 0 and len(found) == 1 and not comma
        return found[0] if bare else tuple(found)

    def _item(self, depth: int) -> Any:
        token = self.tokens[self.at]
        self.at += 1
        if token not in ("[", "("):
            return number(token)
        if depth == DEPTH:
            raise ValueError(token)
        inside = self.items(depth + 1)
        if self.tokens[self.at] != {"[": "]", "(": ")"}[token]:
            raise ValueError(token)
        self.at += 1
        return inside


def number(token: str) -> Any:
    """An int where it is written as one, else a bool, a float or a complex.

    Examples
    --------
    >>> number("-0"), number("1e3"), number("true"), number("2j")
    (0, 1000.0, True, 2j)
    """
    if WHOLE.match(token):
        return int(token)
    if token.lower() in WORDS:
        return WORDS[token.lower()]
    try:
        value = float(token)
    except ValueError:
        return complex(token)
    if isinf(value) and "inf" not in token.lower():
        raise ValueError(token)  # too large to be told from infinity
    return value


def _wrong(text: str, name: str) -> ShapeError:
    seen = text if len(text) <= 60 else f"{text[:57]}..."
    return ShapeError(
        f"{name} '{seen}' is not a number or a list of numbers; "
        "write 3, or 1,2, or [[1,2],[3,4]]."
    )
