"""Which file is under an array's memory: the system knows, a memory map only its name.

The name a map was made with may belong to another file by now.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from restride.arrays import owner_of
from restride.blocks.beside import CANNOT_RESERVE
from restride.blocks.opened import told_of

__all__ = ["file_under", "reserve_under", "shows"]

Array = np.ndarray[Any, Any]

MAPS = Path("/proc/self/maps")
"""Linux: "low-high rights offset device inode name", a line per stretch of memory."""

GONE = " (deleted)"
"""After the name of a file that has none any more."""


def file_under(array: Array) -> str | None:
    """The present name of the file that `array` is a map of.

    None where it maps none, the file has no name any more, or the system cannot tell.

    Examples
    --------
    >>> file_under(np.arange(3)) is None
    True
    """
    address = array.ctypes.data
    try:
        lines = os.fsdecode(MAPS.read_bytes()).splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split(maxsplit=5)
        low, high = [int(end, 16) for end in fields[0].split("-")]
        if low <= address < high:
            name = fields[5] if len(fields) == 6 else ""
            return name if name.startswith("/") and not name.endswith(GONE) else None
    return None


def reserve_under(array: Array) -> None:
    """Take the room of a sparse file under `array`: a page without ends the process.

    Raises
    ------
    FileError
        The disk is full.
    """
    owner = owner_of(array)
    if type(owner) is not np.memmap or not owner.size:
        return
    name = file_under(owner)
    if name is None or not os.access(name, os.W_OK):
        return
    with told_of(f"target {name}"), Path(name).open("r+b") as file:
        found = os.fstat(file.fileno())
        if found.st_blocks * 512 >= found.st_size:
            return
        try:
            os.posix_fallocate(file.fileno(), owner.offset, owner.nbytes)
        except OSError as error:
            if error.errno not in CANNOT_RESERVE:
                raise


def shows(array: Array, fd: int) -> bool:
    """True where `array` is a map of the file that is open as `fd`."""
    name = file_under(array)
    try:
        return name is not None and os.path.samestat(Path(name).stat(), os.fstat(fd))
    except OSError:
        return False
