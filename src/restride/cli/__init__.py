"""The command line tool; it parses and prints only.

Everything that goes wrong ends in one line on stderr and exit code 2, and no output
file is touched before its replacement is whole (see :mod:`restride.blocks.beside`).
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

__all__ = ["main"]

FAILED = 2
"""Exit code of everything refused."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""

TERMINATED = 143
"""Exit code after SIGTERM, as shells have it: 128 + SIGTERM."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on `argv` (default: the process's own); returns the exit code."""
    import click

    from restride.cli.app import app

    args = list(sys.argv[1:] if argv is None else argv)
    asked_to_end: list[int] = []
    try:
        with warnings.catch_warnings(), _ended_like_ctrl_c(asked_to_end):
            # Cuts and what else is worth saying become notes of one line.
            warnings.simplefilter("ignore")
            with app.make_context("restride", args) as ctx:
                app.invoke(ctx)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, click.Abort) as stop:
        code = TERMINATED if asked_to_end else INTERRUPTED
        return _fail(str(stop) or "interrupted; no output was changed.", code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except click.ClickException as error:
        return _fail(_usage_text(error))
    except MemoryError:
        return _fail("not enough memory for the result; slice the input first.")
    except OSError as error:
        return _fail(_os_text(error))
    except (ValueError, OverflowError, EOFError, RecursionError) as error:
        picture = getattr(error, "picture", "") if "--verbose" in args else ""
        return _fail(str(error) or type(error).__name__, picture=picture)


@contextmanager
def _ended_like_ctrl_c(seen: list[int]) -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does, so that nothing unfinished is left.

    One that was ignored or handled before stays so; `seen` is told of each.
    """

    def end(number: int, _: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    try:
        is_ours = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        if is_ours:
            signal.signal(signal.SIGTERM, end)
    except ValueError:  # not in the main thread, which alone handles signals
        is_ours = False
    try:
        yield
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _usage_text(error: click.ClickException) -> str:
    """What click found wrong, and where the rules are told."""
    text, ctx = error.format_message(), getattr(error, "ctx", None)
    if ctx is None:
        return text
    return f"{text} See '{ctx.command_path.replace(' INPUT', '')} --help'."


def _os_text(error: OSError) -> str:
    """What the system said, and of which file."""
    text = error.strerror or str(error)
    return text if error.filename is None else f"{error.filename}: {text}."


def _fail(message: str, code: int = FAILED, picture: str = "") -> int:
    from restride.cli.show import note

    note(f"error: {message}")
    if picture:
        sys.stderr.write(f"{picture}\n")
    return code
