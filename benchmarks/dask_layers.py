"""What graphs of `restride.dask` cost beside those of dask.array: build, make, cull.

python -m benchmarks.dask_layers          measure, print a table in Markdown

Times are of this process alone (processor time), the least of several; "make" is
building the collection and asking for all of its own tasks.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import dask
import dask.array as da
from dask.array.lib.stride_tricks import sliding_window_view

import restride as rs

BLOCKS = 100
ROUNDS = 7


class Case(NamedTuple):
    """One operation in both words; `theirs` is None where dask.array has none."""

    name: str
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any] | None


CASES = (
    Case("x[::-1, 1:]", lambda x: rs.dask.slice(x, "::-1, 1:"), lambda x: x[::-1, 1:]),
    Case("x[::2, 5:]", lambda x: rs.dask.slice(x, "::2, 5:"), lambda x: x[::2, 5:]),
    Case("pad 3, constant", lambda x: rs.dask.pad(x, 3), lambda x: da.pad(x, 3)),
    Case(
        "pad 3, reflect",
        lambda x: rs.dask.pad(x, 3, "reflect"),
        lambda x: da.pad(x, 3, mode="reflect"),
    ),
    Case(
        "pad 25, wrap",
        lambda x: rs.dask.pad(x, 25, "wrap"),
        lambda x: da.pad(x, 25, mode="wrap"),
    ),
    Case("transpose", lambda x: rs.dask.view(x).transpose().copy(), lambda x: x.T),
    Case(
        "windows (3, 3)",
        lambda x: rs.dask.windows(x, (3, 3)),
        lambda x: sliding_window_view(x, (3, 3)),
    ),
    Case(
        "pad, then windows",
        lambda x: rs.dask.view(x).pad(3, "reflect").windows((3, 3)).copy(),
        lambda x: sliding_window_view(da.pad(x, 3, mode="reflect"), (3, 3)),
    ),
    Case(
        "write x[5:-5:2, 7]",
        lambda x: rs.dask.assign(x, "5:-5:2, 7", 1.0),
        lambda x: written(x.copy()),
    ),
    Case(
        "as_strided (990, 50)",
        lambda x: rs.dask.as_strided(x, (990, 50), (1000, 3), 7),
        None,
    ),
)


def written(x: Any) -> Any:
    """dask.array's own write of the same cells."""
    x[5:-5:2, 7] = 1.0
    return x


def least_seconds(action: Callable[[], object]) -> float:
    """Processor time of the fastest of several runs."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        begin = time.process_time()
        kept = action()
        best = min(best, time.process_time() - begin)
        del kept
    return best


def row(case: Case, x: Any, call: Callable[[Any], Any], whose: str) -> list[str]:
    """One line of the table."""
    given = set(x.dask.layers)

    def own() -> dict[Any, Any]:
        layers = call(x).dask.layers.items()
        made: dict[Any, Any] = {}
        for name, layer in layers:
            if name not in given:
                made.update(layer)
        return made

    def culled() -> object:
        made = call(x)
        return made.dask.cull(dask.core.flatten(made.__dask_keys__()))

    chunks, tasks = call(x).npartitions, len(own())
    per = 1e6 / chunks
    return [
        case.name,
        whose,
        str(chunks),
        f"{tasks / chunks:.1f}",
        f"{least_seconds(lambda: call(x)) * 1e3:.2f}",
        f"{least_seconds(own) * per:.1f}",
        f"{least_seconds(culled) * per:.1f}",
    ]


def rows() -> Iterator[list[str]]:
    """Every case, ours and theirs."""
    x = da.zeros((BLOCKS * 10,) * 2, chunks=10)
    for case in CASES:
        yield row(case, x, case.ours, "restride")
        if case.theirs is not None:
            yield row(case, x, case.theirs, "dask")


def large() -> Iterator[str]:
    """What building costs over a million chunks, on two axes and on one."""
    for x, call in (
        (da.zeros((10_000, 10_000), chunks=10), lambda x: rs.dask.pad(x, 3, "wrap")),
        (da.zeros(10_000_000, chunks=10), lambda x: rs.dask.pad(x, 3, "wrap")),
    ):
        call(x)
        ms = 1e3 * least_seconds(partial(call, x))
        yield f"pad of {x.npartitions} chunks, {x.ndim} axes: built in {ms:.2f} ms"


def main() -> None:
    """Print the table."""
    heads = ["operation", "by", "chunks", "tasks per chunk", "build, ms"]
    heads += ["make, us per chunk", "cull, us per chunk"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for cells in rows():
        print("| " + " | ".join(cells) + " |", flush=True)
    for line in large():
        print(line)


if __name__ == "__main__":
    main()
