"""Read ahead, move, write behind: three blocks at work at once, and no more.

The system calls and the engine let other threads run, so a thread that reads and one
that writes are enough to keep a disk and a processor busy together.  Each block has
one of two rooms for what is read and one of two for what is made, so memory is that
of two blocks, whatever the number of blocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from restride.blocks.forecast import AT_ONCE

__all__ = ["pipeline"]

Group = TypeVar("Group")
Item = TypeVar("Item")
Read = TypeVar("Read")
Made = TypeVar("Made")


def pipeline(
    groups: Iterable[Group],
    expect: Callable[[Group], None],
    items: Callable[[Group], Iterable[Item]],
    read: Callable[[Item, int], Read],
    move: Callable[[Read, int], Made],
    write: Callable[[Made], int],
    told: Callable[[int], None],
) -> None:
    """``write(move(read(item, room), room))`` for the items of each group, overlapping.

    Moves run here, in order; reads and writes each in a thread of their own, in order
    too.  In one more, a group is expected while the one before it is read.  `told` is
    called here with what each write returns.  What any of them raises is raised here,
    once no thread is at work any more.
    """
    with _threads(3) as (expecter, reader, writer):
        coming = _expected(groups, expecter, expect)
        rooms = enumerate(item for group in coming for item in items(group))
        ahead = _ahead(reader, rooms, read)
        writing: deque[Future[int]] = deque()
        for number, found in ahead:
            if len(writing) == AT_ONCE:
                told(writing.popleft().result())
            made = move(found, number % AT_ONCE)
            writing.append(writer.submit(write, made))
            while writing and writing[0].done():
                told(writing.popleft().result())
        for future in writing:
            told(future.result())


def _ahead(
    reader: ThreadPoolExecutor,
    rooms: Iterator[tuple[int, Item]],
    read: Callable[[Item, int], Read],
) -> Iterator[tuple[int, Read]]:
    """Each item read, while the one after it is being read."""
    ahead: deque[tuple[int, Future[Read]]] = deque()

    def begin() -> None:
        for number, item in islice(rooms, 1):
            ahead.append((number, reader.submit(read, item, number % AT_ONCE)))

    begin()
    while ahead:
        number, future = ahead.popleft()
        found = future.result()
        begin()
        yield number, found


def _expected(
    groups: Iterable[Group], thread: ThreadPoolExecutor, expect: Callable[[Group], None]
) -> Iterator[Group]:
    """The groups, each given once it is fetched; the one after it is on its way then.

    What is read before it is fetched is read from the disk in short stretches.
    """
    coming: deque[tuple[Group, Future[None]]] = deque()
    for group in groups:
        coming.append((group, thread.submit(expect, group)))
        if len(coming) > 1:
            yield _arrived(*coming.popleft())
    while coming:
        yield _arrived(*coming.popleft())


def _arrived(group: Group, fetched: Future[None]) -> Group:
    fetched.result()
    return group


@contextmanager
def _threads(count: int) -> Iterator[list[ThreadPoolExecutor]]:
    """Executors of one thread each; all are idle when this ends."""
    threads = [ThreadPoolExecutor(1) for _ in range(count)]
    try:
        yield threads
    finally:
        # A second Ctrl-C must not let a thread write to a file that is then closed,
        # whose number another file may have by then.
        while threads:
            if _ended(threads[-1]):
                threads.pop()


def _ended(thread: ThreadPoolExecutor) -> bool:
    try:
        thread.shutdown(cancel_futures=True)
    except KeyboardInterrupt:
        return False
    return True
