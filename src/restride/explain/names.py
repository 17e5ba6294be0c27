"""Names of files that are written: what they end in says what is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from restride.checks import shown
from restride.errors import UnsupportedError

__all__ = ["PAGE", "PICTURE", "check_suffix"]

PAGE, PICTURE = (".html", ".htm", ".xhtml"), (".svg", ".png")


def check_suffix(option: str, name: Any, allowed: tuple[str, ...]) -> str:
    """The suffix of a name, unless it promises something else than is written.

    None is no name, and has the suffix "".

    Raises
    ------
    UnsupportedError
        It ends in none of those `allowed`, or is no name.

    Examples
    --------
    >>> check_suffix("--html", "Page.HTML", PAGE)
    '.html'
    """
    if name is None:
        return ""
    try:
        suffix = Path(name).suffix.lower()
    except (TypeError, ValueError):
        raise UnsupportedError(
            f"{option}: {shown(name)} is no file name; give a str or Path."
        ) from None
    if suffix not in allowed:
        raise UnsupportedError(
            f"{option} {name}: its name does not end in {' or '.join(allowed)}; give "
            "one that does."
        )
    return suffix
