"""``check``: what a target does with a model's nodes that move elements."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

from restride.blocks.beside import check_target, replace
from restride.checks import printable
from restride.cli.show import emit, emit_json, progress
from restride.errors import FileError, ShapeError, UnsupportedError
from restride.explain.names import PAGE, check_suffix
from restride.models import Report, check_model, run_nodes

__all__ = ["run"]

REFUSED = 1
"""Exit code where a node is refused; what cannot be read has another."""


def run(
    model: str,
    target: str | None,
    html: str | None,
    with_run: bool,
    inputs: str | None,
    as_json: bool,
) -> None:
    """Check the model, print what was found, and end with 1 where a node is refused.

    Or where one that was run gives something else.
    """
    if target is None:
        raise click.UsageError(
            "check needs --target: onnxruntime, tensorrt, tflite, coreml, or an Ascend "
            "product such as A2; 'restride targets' lists those."
        )
    if inputs is not None and not with_run:
        raise ShapeError("--inputs are for --run; give both.")
    check_suffix("--html", html, PAGE)
    page = None if html is None else Path(html)
    if page is not None:
        check_target(page)
    with progress(f"checking {model}"):
        report = check_model(model, target)
        ran = run_nodes(model, _read(inputs)) if with_run else None
    if page is not None:
        _write(page, report)
    if as_json:
        more = {} if ran is None else {"run": ran.to_dict()}
        emit_json(report.to_dict() | more)
    else:
        lines = [*report.lines(), *([] if ran is None else ["", *ran.lines()])]
        emit("\n".join(map(printable, lines)))
    if not report.ok or (ran is not None and not ran.ok):
        raise click.exceptions.Exit(REFUSED)


def _read(inputs: str | None) -> dict[str, Any] | None:
    """The arrays of a .npz file by name."""
    if inputs is None:
        return None
    if Path(inputs).exists() and not Path(inputs).is_file():
        raise UnsupportedError(f"--inputs {inputs} is not a file.")
    try:
        with np.load(inputs, allow_pickle=False) as held:
            return dict(held.items())
    except FileNotFoundError:
        raise FileError(f"--inputs {inputs}: No such file or directory.") from None
    except (OSError, ValueError, EOFError, AttributeError, TypeError):
        raise UnsupportedError(
            f"--inputs {inputs} is no .npz file of plain arrays by name; "
            "numpy.savez writes one."
        ) from None


def _write(page: Path, report: Report) -> None:
    text = report.html().encode("utf-8", "replace")

    def fill(stream: BinaryIO) -> None:
        stream.write(text)

    replace(page, fill)
