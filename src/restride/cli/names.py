"""Names of files that are written: what they end in says what is in them."""

from __future__ import annotations

from pathlib import Path

from restride.errors import UnsupportedError

__all__ = ["PAGE", "check_suffix"]

PAGE = (".html", ".htm", ".xhtml")


def check_suffix(option: str, name: str | None, allowed: tuple[str, ...]) -> None:
    """Refuse a name that promises something else than is written.

    Raises
    ------
    UnsupportedError
        It ends in none of those `allowed`.

    Examples
    --------
    >>> check_suffix("--html", "page.html", PAGE)
    """
    if name is not None and Path(name).suffix.lower() not in allowed:
        raise UnsupportedError(
            f"{option} {name}: its name does not end in {' or '.join(allowed)}; give "
            "one that does."
        )
