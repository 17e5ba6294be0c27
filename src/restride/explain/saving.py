"""A picture or page into a file: whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex
from typing import Any

from restride.errors import UnsupportedError

__all__ = ["save"]


def save(content: str | bytes, path: Any) -> None:
    """Write `content` beside `path`, then put it in its place; text as UTF-8.

    Raises
    ------
    UnsupportedError
        There is no such directory, it takes no file of that name, or what stands there
        is no file: a device or a pipe would be replaced, not written to.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target = Path(os.path.realpath(os.fspath(path)))
        beside = target.with_name(f".restride-{token_hex(8)}.tmp")
    except (TypeError, ValueError) as error:
        raise UnsupportedError(f"{path!r} names no file ({error}).") from None
    try:
        special = target.exists() and not target.is_file()
    except (OSError, ValueError):
        special = False
    if special:
        raise UnsupportedError(f"{path} exists and is not a file; give another name.")
    try:
        beside.write_bytes(data)
        beside.replace(target)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UnsupportedError(f"{path}: cannot be written ({why}).") from None
    finally:
        _forget(beside)


def _forget(beside: Path) -> None:
    """Remove what is left of a file that was not put in its place."""
    try:
        beside.unlink(missing_ok=True)
    except (OSError, ValueError):
        return
