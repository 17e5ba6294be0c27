"""A regular file to read from by position, and whether it stayed what it was."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any

from restride.checks import printable
from restride.errors import FileError

__all__ = ["Opened", "check_name", "told_of"]

MOST_PER_CALL = 1 << 30
"""Bytes asked of one system call: Linux gives at most 2**31 - 4096."""

MOST_EXPECTED = 128 << 10
"""Bytes the system fetches at one word: its read-ahead, of which this is the least."""


@contextmanager
def told_of(what: str) -> Iterator[None]:
    """Turn what the system says into one sentence about `what`, as a `FileError`."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        made = FileError(f"{printable(what)}: {error.strerror or error}.")
        made.errno = error.errno
        raise made from None


def check_name(what: str) -> None:
    """Refuse a name that no system takes.

    Raises
    ------
    FileError
        It has a byte that ends names, or a letter that has no bytes.
    """
    if "\0" in what:
        shown = printable(what.replace("\0", "\\0"))
        raise FileError(f"{shown}: a name cannot hold a null byte.")
    try:
        os.fsencode(what)
    except UnicodeEncodeError:
        raise FileError(
            f"{printable(what)}: a name cannot hold half a letter (a surrogate)."
        ) from None


class Opened:
    """A regular file, opened once: a file renamed over it later is not seen.

    Raises
    ------
    FileError
        No such file, no right to read it, or no regular file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        check_name(f"input {self.name}")
        with told_of(f"input {self.name}"):
            # Without O_NONBLOCK, opening a pipe waits for whoever writes into it.
            self.fd = os.open(self.name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(self.fd)
        if not stat.S_ISREG(found.st_mode):
            self.close()
            raise FileError(
                f"input {self.name}: Is a {_kind(found.st_mode)}, which cannot be read "
                "by position; give a regular file."
            )
        self.size_bytes = found.st_size
        self._state = _state(found)

    @property
    def identity(self) -> str:
        """Where it lies, its size and the time of its last change."""
        return f"{os.path.realpath(self.name)} {self._state}"

    def read(self, room: Any, at_byte: int) -> None:
        """Fill `room`, a writable buffer of bytes, from `at_byte` on.

        Raises
        ------
        FileError
            The file ends before, or cannot be read.
        """
        room = memoryview(room).cast("B")
        while len(room):
            with told_of(f"input {self.name}"):
                got = os.preadv(self.fd, [room[:MOST_PER_CALL]], at_byte)
            if got == 0:
                raise FileError(
                    f"input {self.name} ends at byte {at_byte} and had "
                    f"{self.size_bytes}: it was cut short meanwhile; run again when "
                    "nothing writes to it."
                )
            room, at_byte = room[got:], at_byte + got

    def read_each(self, room: Any, starts: Iterable[int], size_bytes: int) -> None:
        """Fill `room` from stretches of `size_bytes` that begin at `starts`.

        One call to the system each, with as little as can be between two of them.

        Raises
        ------
        FileError
            The file ends before, or cannot be read.
        """
        room, fd, read, done = memoryview(room).cast("B"), self.fd, os.preadv, 0
        with told_of(f"input {self.name}"):
            for at_byte in starts:
                part = room[done : done + size_bytes]
                if read(fd, (part,), at_byte) != size_bytes:
                    self.read(part, at_byte)  # the rest, or why there is none
                done += size_bytes

    def expect(self, at_byte: int, size_bytes: int) -> None:
        """Ask the system to fetch these bytes meanwhile."""
        for at in range(at_byte, at_byte + size_bytes, MOST_EXPECTED):
            most = min(MOST_EXPECTED, at_byte + size_bytes - at)
            advise(self.fd, at, most, "POSIX_FADV_WILLNEED")

    def check_unchanged(self) -> None:
        """Refuse a file that somebody wrote to since it was opened.

        Raises
        ------
        FileError
            Its size or the time of its last change is another.
        """
        if _state(os.fstat(self.fd)) != self._state:
            raise FileError(
                f"input {self.name} changed while it was read, so the result would be "
                "of two states of it; run again when nothing writes to it."
            )

    def close(self) -> None:
        """Let go of the file."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> Opened:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def advise(fd: int, at_byte: int, size_bytes: int, advice: str) -> None:
    """Advise the system of how a file is used; where it takes no advice, nothing."""
    if size_bytes > 0 and hasattr(os, advice):
        with suppress(OSError):
            os.posix_fadvise(fd, at_byte, size_bytes, getattr(os, advice))


def _kind(mode: int) -> str:
    kinds = {
        "directory": stat.S_ISDIR,
        "pipe": stat.S_ISFIFO,
        "socket": stat.S_ISSOCK,
    }
    return next((name for name, asked in kinds.items() if asked(mode)), "device")


def _state(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns
