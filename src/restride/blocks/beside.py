"""Replace a file whole or not at all: written beside it, then put in its place.

The new file is on the disk before the old one goes.  While it is written it is
locked, so that what a process left behind when it was killed is told from what a
living one is writing, and is removed by the next one that writes there.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import uuid
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from restride.blocks.opened import MOST_PER_CALL, advise, check_name, told_of
from restride.errors import UnsupportedError
from restride.explain.units import human_bytes

try:
    import fcntl
except ImportError:  # a system without such locks: nothing stale is removed there
    fcntl = None  # type: ignore[assignment]

__all__ = ["Beside", "check_target", "replace"]

CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
"""What a file system answers that knows no way to reserve room."""

PREFIX, SUFFIX = ".restride-", ".tmp"
"""Of the names of unfinished files."""


def check_target(path: Path) -> None:
    """Refuse an output that cannot be replaced, before any work is done.

    Raises
    ------
    UnsupportedError
        Its directory does not exist or takes no files, or it is no regular file.
    FileError
        No system takes the name, or its links lead in a circle.
    """
    check_name(f"output {path}")
    with told_of(f"output {path}"):
        _check_place(path, Path(os.path.realpath(path)))


def _check_place(path: Path, target: Path) -> None:
    if target.is_symlink():  # realpath leaves a circle of links as it is
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
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


class Beside:
    """An unfinished file beside `path`: ``commit()`` puts it there, ``abort()`` not.

    A link is followed, and the permissions of a file that is there are kept.

    Raises
    ------
    UnsupportedError, FileError
        `path` cannot be replaced.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        check_target(Path(self.name))
        self.target = Path(os.path.realpath(self.name))
        with self.told():
            remove_stale(self.target.parent)
            self.path, self.fd = _unfinished(self.target.parent)

    def told(self) -> AbstractContextManager[None]:
        """Where the system's errors become sentences about the output."""
        return told_of(f"output {self.name}")

    def reserve(self, size_bytes: int) -> None:
        """Take the room on the disk now, so that a full one is met before the work.

        Raises
        ------
        FileError
            There is not enough.
        """
        if not size_bytes:
            return
        with self.told():
            disk = os.statvfs(self.path)
            free = disk.f_bavail * disk.f_frsize
            if free < size_bytes:  # not even for a moment
                reason = os.strerror(errno.ENOSPC)
                needs = f"{human_bytes(size_bytes)} needed, {human_bytes(free)} free"
                raise OSError(errno.ENOSPC, f"{reason}: {needs}")
            try:
                os.posix_fallocate(self.fd, 0, size_bytes)
            except OSError as error:
                if error.errno not in CANNOT_RESERVE:
                    raise
                os.ftruncate(self.fd, size_bytes)

    def write(self, data: Any, at_byte: int) -> None:
        """Write all of `data`, a buffer of bytes, at `at_byte`.

        Raises
        ------
        FileError
            The system does not take it.
        """
        data = memoryview(data).cast("B")
        while len(data):
            with self.told():
                done = os.pwritev(self.fd, [data[:MOST_PER_CALL]], at_byte)
            data, at_byte = data[done:], at_byte + done

    def write_each(self, data: Any, starts: Iterable[int], size_bytes: int) -> None:
        """Write `data` in stretches of `size_bytes` that begin at `starts`.

        One call to the system each, with as little as can be between two of them.

        Raises
        ------
        FileError
            The system does not take it.
        """
        data, fd, write, done = memoryview(data).cast("B"), self.fd, os.pwritev, 0
        with self.told():
            for at_byte in starts:
                part = data[done : done + size_bytes]
                got = write(fd, (part,), at_byte)
                if got != size_bytes:
                    self.write(part[got:], at_byte + got)
                done += size_bytes

    def hand_over(self, at_byte: int, size_bytes: int) -> None:
        """Let the system write these bytes to the disk meanwhile."""
        advise(self.fd, at_byte, size_bytes, "POSIX_FADV_DONTNEED")

    def commit(self) -> None:
        """Put the file in its place, once it is on the disk.

        Raises
        ------
        FileError
            The disk or the directory refuses; the old file is as it was.
        """
        try:
            with self.told():
                os.fsync(self.fd)
                if self.target.exists():
                    shutil.copymode(self.target, self.path)
                self.path.replace(self.target)
        except BaseException:
            self.abort()
            raise
        os.close(self.fd)
        _sync_directory(self.target.parent)

    def abort(self) -> None:
        """Remove the unfinished file."""
        self.path.unlink(missing_ok=True)
        os.close(self.fd)


def replace(
    path: Path, write: Callable[[BinaryIO], None], least_bytes: int = 0
) -> None:
    """Let `write` fill a new file beside `path`, then put it in its place.

    It writes `least_bytes` or more: room for so many is taken first.
    """
    beside = Beside(path)
    try:
        beside.reserve(least_bytes)
        with beside.told(), open(beside.fd, "wb", closefd=False) as stream:
            write(stream)
    except BaseException:
        beside.abort()
        raise
    beside.commit()


def remove_stale(directory: Path) -> None:
    """Remove the unfinished files of processes that are gone: nobody locks them."""
    if fcntl is None:
        return
    for path in directory.glob(f"{PREFIX}*{SUFFIX}"):
        try:
            fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except OSError:
            pass  # a living process writes it, or it is not ours to remove
        finally:
            os.close(fd)


def _unfinished(directory: Path) -> tuple[Path, int]:
    """A new, empty, locked file in `directory`."""
    while True:
        path = directory / f"{PREFIX}{uuid.uuid4().hex}{SUFFIX}"
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        if fcntl is None:
            return path, fd
        with suppress(OSError):  # a disk without locks has no stale files removed
            fcntl.flock(fd, fcntl.LOCK_EX)
        if os.fstat(fd).st_nlink:  # else another took it for stale before the lock
            return path, fd
        os.close(fd)


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
