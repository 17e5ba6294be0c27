"""What a file is to the tool: a source known from its header, or a sink."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from restride.errors import UnsupportedError

__all__ = ["Array", "Sink", "Source", "check_memory"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Source:
    """What stands in a file, known from its header."""

    name: str
    """As the user wrote it."""
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    load: Callable[[], Array]
    """Reads the data."""

    @property
    def size_bytes(self) -> int:
        """Bytes of the data."""
        return prod(self.shape) * self.dtype.itemsize


@dataclass(frozen=True)
class Sink:
    """Where a result goes."""

    name: str
    """As the user wrote it."""
    check: Callable[[tuple[int, ...], np.dtype[Any]], None]
    """Refuses a result the format cannot hold."""
    save: Callable[[Array], None]
    """Replaces the file, whole or not at all."""
    note: str = ""
    """What the user should know about the format."""


def check_memory(name: str, size_bytes: int) -> None:
    """Refuse what this machine's memory cannot hold: asking for it may kill us.

    Raises
    ------
    UnsupportedError
        More bytes than there is physical memory.
    """
    try:
        most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return
    if 0 < most < size_bytes:
        raise UnsupportedError(
            f"{name} takes {size_bytes:,} bytes and this machine has {most:,}; "
            "slice it first."
        )
