"""Tables of cases run from the command line: mismatches, then the counts."""

from __future__ import annotations

import click

from restride.cli.show import emit, emit_json, one_line, progress
from restride.conform import Report
from restride.conform import run as run_tables

__all__ = ["run"]

MISMATCH = 1
"""Exit code where a case fails; what cannot be read has another."""


def run(
    files: tuple[str, ...],
    golden: str | None,
    product: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Run the tables, print what was found, and end with 1 where a case failed."""
    with progress("cases") as tell:
        report = run_tables(
            files,
            product=product,
            golden=golden,
            seed=seed,
            progress=lambda done, all_: tell(f"case {done + 1} of {all_}"),
        )
    if as_json:
        emit_json(report.to_json())
    else:
        _print(report)
    if not report.ok:
        raise click.exceptions.Exit(MISMATCH)


def _print(report: Report) -> None:
    for line in report.lines():
        emit(one_line(line))
    emit(one_line(report.summary()))
    if report.products:
        emit(one_line(report.ran()))
    emit(one_line(report.checks()))
