"""A system that gives no more memory, as one sentence about what to lower."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from restride.engines.run import memory_bytes
from restride.errors import UnsupportedError

__all__ = ["ChunkMemoryError", "cache_bytes", "lacks_memory", "told_of_memory"]

LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""Where Linux tells a container how much memory it may have, files' pages included."""

SAID = ("not enough memory", "can't start new thread")
"""What codecs, and threads without room for a stack, say in an error of no kind."""


class ChunkMemoryError(MemoryError):
    """Too little memory for a chunk, which its text names."""


def lacks_memory(error: BaseException) -> bool:
    """True where an error means that there was no more memory.

    Examples
    --------
    >>> lacks_memory(MemoryError()), lacks_memory(RuntimeError("no such codec"))
    (True, False)
    """
    if isinstance(error, RuntimeError):
        return any(words in str(error) for words in SAID)
    return isinstance(error, MemoryError)


def cache_bytes() -> int:
    """Bytes that the system may keep of files: its memory, or what a container has."""
    found = [memory_bytes()]
    for place in LIMITS:
        with suppress(OSError, ValueError):  # not there, or "max"
            found.append(int(Path(place).read_text()))
    return max(0, min(found))


@contextmanager
def told_of_memory(max_bytes: int) -> Iterator[None]:
    """Turn such an error into one that says what to lower.

    Raises
    ------
    UnsupportedError
        There was too little memory for `max_bytes` of blocks.
    """
    try:
        yield
    except Exception as error:
        if not lacks_memory(error):
            raise
        where = str(error) if isinstance(error, ChunkMemoryError) else ""
    else:
        return
    # A damaged index of a shard asks for any number of bytes.
    other = f" Or a chunk of {where} is damaged and asks for too much." if where else ""
    # Out of the handler, so that the blocks its frames hold are let go of.
    raise UnsupportedError(
        f"max_bytes = {max_bytes} is too much: the system gave no more memory beside "
        f"what the process holds; give less, such as {max_bytes // 2}, or raise the "
        f"limit on the process (ulimit -d, ulimit -v).{other}"
    )
