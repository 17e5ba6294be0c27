"""Names of files that are written: what they end in says what is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from restride.checks import shown
from restride.errors import UnsupportedError

__all__ = ["PAGE", "check_suffix"]

PAGE = (".html", ".htm", ".xhtml")


def check_suffix(option: str, name: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a name that promises something else than is written; None is no name.

    Raises
    ------
    UnsupportedError
        It ends in none of those `allowed`.

    Examples
    --------
    >>> check_suffix("--html", "page.html", PAGE)
    """
    if name is None:
        return
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
