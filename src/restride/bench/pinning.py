"""Keep a process on one processor; needs nothing that counts processors when loaded."""

from __future__ import annotations

import os

__all__ = ["pin"]


def pin() -> None:
    """Keep this process on the first processor it may use, as ``taskset -c`` does.

    To be called before NumPy and others load: they count the processors then.
    """
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
