"""Replace a file whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from restride.errors import UnsupportedError

__all__ = ["check_target", "replace"]


def check_target(path: Path) -> None:
    """Refuse an output that cannot be replaced, before any work is done.

    Raises
    ------
    UnsupportedError
        Its directory does not exist or takes no files, or it is no regular file.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise UnsupportedError(
            f"output {path}: {target.parent} is not a directory; make it first."
        )
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        raise UnsupportedError(
            f"output {path} exists and is not a file; give another name."
        )
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UnsupportedError(
            f"output {path}: directory {target.parent} cannot be written; "
            "give another place."
        )


def replace(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Let `write` fill a new file beside `path`, then put it in its place.

    The new file is on the disk before the old one goes; after a failure the old one
    is as it was and the new one is gone.  A link is followed, permissions are kept.
    """
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".restride-{uuid.uuid4().hex}.tmp")
    try:
        with beside.open("xb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _sync_directory(directory: Path) -> None:
    """Make the new name itself last, where the system can."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
