"""Names as people write them: how they are compared, and what an unknown one raises."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from restride.errors import RestrideError

__all__ = ["UnknownNameError", "plain", "shown", "unknown"]

LONGEST_SHOWN = 60
"""Most characters of what was given that an error repeats."""


class UnknownNameError(RestrideError, LookupError):
    """A name of a product, dtype, format or operator that no table holds.

    Attributes
    ----------
    what : str
        "product", "dtype", "format" or "operator".
    given : str
        What was given.
    known : tuple of str
        The names that would have done.
    """

    def __init__(self, message: str, what: str, given: str, known: Iterable[str]):
        super().__init__(message)
        self.what = what
        self.given = given
        self.known = tuple(known)


def plain(text: str) -> str:
    """`text` without case, width and spaces.

    Examples
    --------
    >>> plain("Atlas A2　推理")
    'atlasa2推理'
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def shown(given: object) -> str:
    """What was given, short enough for a message."""
    try:
        text = " ".join(repr(given).split())  # an array's has several lines
    except Exception:  # a caller's own __repr__ may do anything
        text = f"a {type(given).__name__}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def unknown(
    what: str, given: object, known: Iterable[str], hint: str = ""
) -> UnknownNameError:
    """The error for a name that no table holds; it lists those that do."""
    names = tuple(known)
    listed = ", ".join(names)
    message = f"{what} {shown(given)} is not known; known are {listed}.{hint}"
    return UnknownNameError(message, what, shown(given), names)
