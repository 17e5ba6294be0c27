"""Bytes and seconds as people read them.

>>> human_bytes(999), human_bytes(1_500_000), human_seconds(0.00125)
('999 B', '1.50 MB', '1.25 ms')
"""

from __future__ import annotations

__all__ = ["human_bytes", "human_seconds"]


def human_bytes(count: int) -> str:
    """A number of bytes with a unit, in powers of ten.

    Examples
    --------
    >>> human_bytes(0), human_bytes(123_456)
    ('0 B', '123.46 kB')
    """
    if count < 1000:
        return f"{count} B"
    value, unit = float(count), "B"
    for bigger in ("kB", "MB", "GB", "TB", "PB", "EB"):
        if value < 1000:
            break
        value, unit = value / 1000, bigger
    return f"{value:.2f} {unit}"


def human_seconds(seconds: float) -> str:
    """A time in milliseconds, as long as it is short.

    Examples
    --------
    >>> human_seconds(0.01), human_seconds(12.345)
    ('10.00 ms', '12.35 s')
    """
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"
