"""Put a directory in another's place: at once where the system can."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

__all__ = ["put", "sync"]

AT_HERE = -100
"""AT_FDCWD of Linux: names are as seen from here."""

EXCHANGE = 2
"""RENAME_EXCHANGE of Linux, renameat2(2)."""

NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)
"""What is answered where two names cannot be exchanged."""


def put(new: Path, target: Path) -> None:
    """Rename `new` to `target`; what was there has the name `new` afterwards.

    Where two names cannot be exchanged at once, the old one is moved away first.

    Raises
    ------
    OSError
        Both are as they were.
    """
    if not target.exists():
        new.rename(target)
    elif not _exchanged(new, target):
        aside = new.with_name(f"{new.name}-old")
        target.rename(aside)
        try:
            new.rename(target)
        except BaseException:
            aside.rename(target)
            raise
        aside.rename(new)


def _exchanged(one: Path, other: Path) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    names = os.fsencode(one), os.fsencode(other)
    if libc.renameat2(AT_HERE, names[0], AT_HERE, names[1], EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in NO_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), str(other))


def sync(folder: Path) -> None:
    """Bring all that was written to the file system of `folder` to its disk.

    Raises
    ------
    OSError
        It did not get there.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syncfs"):
        os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if libc.syncfs(handle):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
    finally:
        os.close(handle)
