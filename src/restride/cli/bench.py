"""``bench``: measure cases, and print them as a table or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from rich import box
from rich.table import Table

from restride.bench.case import Case
from restride.bench.cases import GROUPS, USUAL, cases
from restride.bench.contender import NumPy, Restride
from restride.bench.document import grown, measured, rows_of
from restride.bench.guard import read_guard, watch
from restride.bench.picture import roofline
from restride.bench.report import HEADINGS, cells, memory_cell, summary, time_cell
from restride.bench.rows import VARIANTS, Row
from restride.bench.suite import Options
from restride.blocks.beside import check_target, replace
from restride.checks import as_bytes
from restride.cli.show import emit, emit_json, note, render
from restride.errors import ShapeError
from restride.explain.names import check_suffix
from restride.explain.units import human_bytes

__all__ = ["Asked", "bench"]


@dataclass(frozen=True)
class Asked:
    """The options of the command."""

    groups: tuple[str, ...]
    only: str
    budget: float
    minutes: float | None
    most_bytes: str | None
    list_cases: bool
    fresh_only: bool
    one_thread: bool
    growth: bool
    picture: str | None
    guard: str | None
    as_json: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The groups: "all" stands for every one, none for the usual."""
        for name in self.groups:
            if name != "all" and name not in GROUPS:
                raise ShapeError(
                    f"--group {name} is not known; give {', '.join(GROUPS)} or all."
                )
        return tuple(GROUPS) if "all" in self.groups else self.groups or USUAL

    @property
    def options(self) -> Options:
        """How long and how much the run may take."""
        if not 0 < self.budget < 3600:
            raise ShapeError(
                f"--budget {self.budget}: above 0 and below 3600 seconds is allowed."
            )
        words: dict[str, Any] = {"budget_s": self.budget}
        if self.minutes is not None:
            if not self.minutes > 0:
                raise ShapeError(f"--minutes {self.minutes}: above 0 is allowed.")
            words["deadline_s"] = self.minutes * 60
        if self.most_bytes is not None:
            words["most_bytes"] = as_bytes(self.most_bytes, "--most-bytes")
        if self.one_thread or self.fresh_only:
            words["variants"] = ("one thread" if self.one_thread else "fresh",)
        return Options(**words)

    @property
    def again(self) -> list[str] | None:
        """The command of the same cases on one processor, if that is asked for."""
        if self.one_thread or self.fresh_only:
            return None
        words = ["restride", "bench", "--one-thread", "--json", "--only", self.only]
        words += ["--budget", str(self.budget)]
        words += [word for name in self.groups for word in ("--group", name)]
        for name, value in (("minutes", self.minutes), ("most-bytes", self.most_bytes)):
            words += [] if value is None else [f"--{name}", str(value)]
        return words


def bench(asked: Asked) -> None:
    """Do what the options ask for."""
    check_suffix("--picture", asked.picture, (".svg",))
    options, chosen = asked.options, cases(asked.names, asked.only)
    if asked.list_cases:
        emit("\n".join(f"{case.group:10} {case.name}" for case in chosen))
        return
    if asked.guard is not None:
        rows = watch(read_guard(asked.guard), _contenders(), asked.budget, note)
        told: dict[str, Any] = {"rows": [row.as_json() for row in rows]}
    else:
        if asked.picture is not None:
            check_target(Path(asked.picture))
        _check_measured(asked, chosen, options)
        told = measured(chosen, _contenders(), options, note, asked.again)
        told |= grown(options, note) if asked.growth else {}
        if asked.picture is not None:
            _draw(Path(asked.picture), told)
    if asked.as_json:
        emit_json(told)
    else:
        _show(told)


def _check_measured(asked: Asked, chosen: Sequence[Case], options: Options) -> None:
    """Refuse, before hours of work, what would measure or draw nothing."""
    fitting = [c for c in chosen if c.needed_bytes <= options.most_bytes]
    if chosen and not fitting:
        least = human_bytes(min(c.needed_bytes for c in chosen))
        raise ShapeError(
            f"--most-bytes {asked.most_bytes or options.most_bytes} leaves out every "
            f"case; the smallest needs {least}."
        )
    if asked.picture is not None and all(c.is_small for c in fitting):
        raise ShapeError(
            "--picture draws bytes per second, and of cases this small none are told; "
            "add --group core."
        )


def _contenders() -> tuple[NumPy, Restride]:
    return NumPy(), Restride()


def _draw(path: Path, told: dict[str, Any]) -> None:
    text = roofline(rows_of(told), f"{told['machine']['processor']}, {told['date']}")

    def write(stream: BinaryIO) -> None:
        stream.write(text.encode())

    replace(path, write)


def _show(told: dict[str, Any]) -> None:
    """Everything that was measured, for people."""
    rows = rows_of(told)
    variants = [v for v in VARIANTS if any(row.own(v) is not None for row in rows)]
    if variants:
        _show_main(rows, variants)
    if len(variants) > 1:
        emit("\nrestride's time, and how many times longer the fastest peer takes")
        _show_variants(rows, variants, time_cell)
        emit("\npeak memory while it was timed: restride / the fastest peer")
        _show_variants(rows, variants, memory_cell)
    for axis, found in told.get("growth", {}).items():
        emit(f"\ntime over a plain copy of the same bytes, by {axis}")
        for g in found:
            emit(f"  {g['at']:12} {g['what']:16} {g['over_copy']:.2f}")
    for name, taken in told.get("overhead", {}).items():
        emit(f"  {name:50} {taken * 1e6:10.2f} us")
    for name, why in told.get("left_out", {}).items():
        emit(f"left out: {name}: {why}")


def _show_main(rows: Sequence[Row], variants: Sequence[str]) -> None:
    """Limit, peer and restride in the first variant; sums of all."""
    main = _table(*HEADINGS)
    for row in rows:
        main.add_row(*cells(row, variants[0]))
    emit(render(main))
    for variant in variants:
        emit("\n".join(summary(rows, variant)))


def _show_variants(
    rows: Sequence[Row], variants: Sequence[str], cell: Callable[[Row, str], str]
) -> None:
    table = _table("case", *variants)
    for row in rows:
        table.add_row(row.name, *[cell(row, variant) for variant in variants])
    emit(render(table))


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
