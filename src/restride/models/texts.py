"""Names that models hold, as text of one line."""

from __future__ import annotations

from typing import Any

__all__ = ["as_text", "shortened"]


def as_text(name: Any) -> str:
    """A name as text; protobuf gives bytes where a model's is no UTF-8.

    Examples
    --------
    >>> as_text(b"\\xab1")
    '\\\\xab1'
    """
    if isinstance(name, bytes):
        return name.decode("utf-8", "backslashreplace")
    return str(name)


def shortened(name: str, most: int = 120) -> str:
    """`name` in one line, its end kept where it is long."""
    text = "".join(c if c.isprintable() else "?" for c in name)
    return text if len(text) <= most else f"...{text[3 - most :]}"
