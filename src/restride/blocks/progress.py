"""How far the work is: told to a callable, or shown as a bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from restride.checks import shown
from restride.errors import DTypeError

__all__ = ["Told", "reported"]

Told = Callable[[int, int], None]
"""Called with the bytes of the result that are written, and with those of all of it."""

PATIENCE_S = 1.0
"""Seconds of work before a bar shows: less would only flicker."""


@contextmanager
def reported(
    progress: Any, what: str, total_bytes: int
) -> Iterator[Callable[[int], None]]:
    """Gives what is called with the bytes that each write added.

    `progress` is None, True for a bar with rate and time left on a terminal, or a
    callable.

    Raises
    ------
    DTypeError
        It is none of these.
    """
    if progress is None or progress is False:
        yield lambda more: None
    elif progress is True:
        bar = _Bar(what, total_bytes)
        try:
            yield bar.add
        finally:
            bar.stop()
    elif callable(progress):
        done = 0

        def tell(more: int) -> None:
            nonlocal done
            done += more
            progress(done, total_bytes)

        yield tell
    else:
        raise DTypeError(
            f"progress = {shown(progress)}; give None, True, or a callable that "
            "takes the bytes done and the bytes in all."
        )


class _Bar:
    """A bar on stderr, shown after a second and only where stderr is a terminal."""

    def __init__(self, what: str, total_bytes: int) -> None:
        self.what, self.total, self.done = what, total_bytes, 0
        self.begin = time.monotonic()
        self.shown: Any = None
        self.silent = not sys.stderr.isatty()

    def add(self, more: int) -> None:
        self.done += more
        if self.silent:
            return
        if self.shown is None and time.monotonic() - self.begin > PATIENCE_S:
            self._show()
        if self.shown is not None:
            self.shown.update(self.shown.task_ids[0], completed=self.done)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.shown.add_task(self.what, total=self.total)
        self.shown.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self.shown is not None:
            self.shown.stop()
