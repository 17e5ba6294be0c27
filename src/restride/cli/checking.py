"""``check``: what a target does with a model's nodes that move elements."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from restride.blocks.beside import check_target, replace
from restride.cli.show import emit, emit_json, progress
from restride.models import Report, check_model

__all__ = ["run"]

REFUSED = 1
"""Exit code where a node is refused; what cannot be read has another."""


def run(model: str, target: str, html: str | None, as_json: bool) -> None:
    """Check the model, print what was found, and end with 1 where a node is refused."""
    page = None if html is None else Path(html)
    if page is not None:
        check_target(page)
    with progress(f"checking {model}"):
        report = check_model(model, target)
    if page is not None:
        _write(page, report)
    if as_json:
        emit_json(report.to_dict())
    else:
        emit("\n".join(_printed(line) for line in report.lines()))
    if not report.ok:
        raise click.exceptions.Exit(REFUSED)


def _printed(line: str) -> str:
    """A line as it is; names of a model may hold anything."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


def _write(page: Path, report: Report) -> None:
    text = report.html().encode("utf-8", "replace")

    def fill(stream: BinaryIO) -> None:
        stream.write(text)

    replace(page, fill)
