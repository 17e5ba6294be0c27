"""Printing: results on stdout, notes and errors as single lines on stderr."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from restride.checks import printable

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["emit", "emit_json", "note", "one_line", "progress", "render"]

TABLE_WIDTH = 100
"""Columns a table may take: the same on a terminal as in a file."""

PATIENCE_S = 1.0
"""Seconds of work before progress shows: less would only flicker."""


def emit(text: str) -> None:
    """A result, on stdout."""
    _write(sys.stdout, text)


def emit_json(document: dict[str, Any]) -> None:
    """A result for machines, on stdout."""
    _write(sys.stdout, json.dumps(document, indent=2, allow_nan=False))


def note(text: str) -> None:
    """One line for people, on stderr."""
    _write(sys.stderr, f"restride: {one_line(text)}")


def render(table: Table) -> str:
    """A table as plain text, without colours and blank lines."""
    import io

    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=TABLE_WIDTH, color_system=None).print(table)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    return "\n".join(line for line in lines if line)


def one_line(text: str) -> str:
    """`text` with line breaks as spaces and control characters spelled out.

    Examples
    --------
    >>> one_line("a\\n  b\\x1b")
    'a b\\\\x1b'
    """
    return printable(" ".join(text.split()))


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    safe = text.encode(encoding, "backslashreplace").decode(encoding)
    stream.write(safe + "\n")
    stream.flush()


@contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show that `what` goes on: only on a terminal, and only after a second.

    Gives what changes the text shown.
    """
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    spinner = _Spinner(what)
    timer = threading.Timer(PATIENCE_S, spinner.start)
    timer.daemon = True
    timer.start()
    try:
        yield spinner.tell
    finally:
        timer.cancel()
        spinner.stop()


class _Spinner:
    """A line on the terminal that moves and counts seconds until stopped."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown: Any = None
        self.done = False
        self.lock = threading.Lock()

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        with self.lock:
            if self.done:
                return
            console = Console(stderr=True)
            self.shown = Progress(*columns, console=console, transient=True)
            self.shown.add_task(self.what, total=None)
            self.shown.start()

    def tell(self, text: str) -> None:
        with self.lock:
            self.what = text
            if self.shown is not None:
                self.shown.update(self.shown.task_ids[0], description=text)

    def stop(self) -> None:
        with self.lock:
            self.done = True
            if self.shown is not None:
                self.shown.stop()
