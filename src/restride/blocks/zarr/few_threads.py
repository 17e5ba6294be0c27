"""The zarr package's work done by few threads, of which the number is known.

The package has one event loop for the whole process, and as many threads behind it as
the machine has processors and four more.  Each has its stack and keeps memory that it
freed, all of which a limit such as RLIMIT_DATA counts.  So a block's coroutines run
in a loop of their own, whose few threads end with it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

from restride.blocks.zarr.zarr_python import library

__all__ = [
    "WAITING",
    "finished",
    "made_array",
    "opened_array",
    "own_loop_serves",
    "stack_bytes",
    "threads",
]

MOST_THREADS = 4
"""That pack or unpack for one side of a run."""

WAITING = 3
"""Threads of a run beside these: one reads, one writes, one expects."""

USUAL_STACK_BYTES = 8 << 20
"""Of a thread, where the system does not say."""

SERVED = ("LocalStore", "MemoryStore", "ZipStore")
"""Stores that any event loop can use; others may be bound to the package's own."""

Done = TypeVar("Done")


def threads() -> int:
    """Threads that pack or unpack at once: half of the processors, up to a few."""
    return max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2))


def stack_bytes(max_bytes: int, waiting: int = WAITING) -> int:
    """What the stacks of these threads take, and of those that wait for them.

    Of few bytes allowed no more than an eighth, or a 16th where none waits: little of
    a stack is ever touched, so only a limit on what is reserved counts all of it.
    """
    each = USUAL_STACK_BYTES
    if resource is not None:
        asked = resource.getrlimit(resource.RLIMIT_STACK)[0]
        each = each if asked == resource.RLIM_INFINITY else asked
    return min((threads() + waiting) * each, max_bytes // (8 if waiting else 16))


def own_loop_serves(array: Any) -> bool:
    """True where the array's store does not mind in which event loop it is used."""
    return type(getattr(array, "store", None)).__name__ in SERVED


def opened_array(folder: Path, mode: str) -> Any:
    """The Zarr array in a directory."""
    zarr = library()
    work = zarr.api.asynchronous.open_array(store=str(folder), mode=mode)
    return zarr.Array(finished(work))


def made_array(folder: Path, **words: Any) -> Any:
    """A new Zarr array in a directory."""
    zarr = library()
    work = zarr.api.asynchronous.create_array(store=str(folder), **words)
    return zarr.Array(finished(work))


def finished(work: Coroutine[Any, Any, Done]) -> Done:
    """What a coroutine of the package returns, run to its end."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(work)
    with ThreadPoolExecutor(1) as aside:  # one loop to a thread: the caller has its own
        return aside.submit(_run, work).result()


def _run(work: Coroutine[Any, Any, Done]) -> Done:
    with asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(work)


def _loop() -> asyncio.AbstractEventLoop:
    made = asyncio.new_event_loop()
    made.set_default_executor(ThreadPoolExecutor(threads()))
    return made
