"""Names that models hold, and what others raise, as text of one line."""

from __future__ import annotations

from typing import Any

__all__ = ["as_text", "first_line", "shortened"]


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


def first_line(error: BaseException, most: int = 160) -> str:
    """The first line of what an error says; its type where it says nothing.

    Examples
    --------
    >>> first_line(ValueError("no\\nyes")), first_line(KeyError())
    ('no', 'KeyError')
    """
    lines = str(error).splitlines()
    return lines[0][:most] if lines else type(error).__name__
