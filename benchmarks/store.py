"""Store what the guard holds restride to: ``python -m benchmarks.store [GUARD.TOML]``.

The cases and figures are those the file names; their ratios become the median of three
runs here and now.  To be run on a quiet machine, after a change that is meant to make
something faster, or that is known to make it slower.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from restride.bench.cases import GROUPS, cases
from restride.bench.contender import NumPy, Restride
from restride.bench.guard import Guard, Stored, figure, read_guard
from restride.bench.suite import Options, Run

DEFAULT = Path(__file__).parent / "guard.toml"
RUNS = 3
BUDGET_S = 0.5


def main() -> None:
    """Measure the cases of the file, and write it again below its comments."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    guard = read_guard(path)
    comments = [t for t in path.read_text().splitlines() if t.startswith("#")]
    body = list(lines(replace(guard, stored=tuple(measured(guard)))))
    path.write_text("\n".join([*comments, *body]) + "\n")


def measured(guard: Guard) -> Iterator[Stored]:
    """The stored ratios as they are now."""
    wanted = {stored.case for stored in guard.stored}
    chosen = [case for case in cases(tuple(GROUPS)) if case.name in wanted]
    runs = []
    for number in range(RUNS):
        say = print if number == RUNS - 1 else lambda _: None
        run = Run([NumPy(), Restride()], Options(BUDGET_S, variants=("fresh",)), say)
        runs.append({row.name: row for row in run.rows(chosen)})
    for stored in guard.stored:
        ratios = [figure(run[stored.case], stored.figure) for run in runs]
        yield replace(stored, ratio=median(r for r in ratios if r is not None))


def lines(guard: Guard) -> Iterator[str]:
    """The file's text after its comments."""
    yield f"margin = {guard.margin}"
    for stored in guard.stored:
        yield ""
        yield "[[case]]"
        yield f'name = "{stored.case}"'
        yield f'figure = "{stored.figure}"'
        yield f"ratio = {stored.ratio:.2f}"


if __name__ == "__main__":
    main()
