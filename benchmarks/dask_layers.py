"""What graphs of `restride.dask` cost beside those of dask.array: build, make, cull.

python -m benchmarks.dask_layers          measure, print a table in Markdown
python -m benchmarks.dask_layers pad      only the operations with this in their name
python -m benchmarks.dask_layers "" make  only what making costs, of all of them
python -m benchmarks.dask_layers beside   only what stands beside the table

Times are of this process alone (processor time), the least of several, ours and
theirs in turn; "make" is asking a collection for all of its own tasks, "compute" all
that ``dask.compute`` does, building included, before it runs the first task.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from dask._task_spec import TaskRef
from dask.array.lib.stride_tricks import sliding_window_view

import restride as rs
from restride.blocks import Restriction

BLOCKS = 100
ROUNDS = 5
WHATS = "build", "make", "build and make", "cull", "compute"


class Case(NamedTuple):
    """One operation in both words; `theirs` is None where dask.array has none."""

    name: str
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any] | None
    axes: int = 2
    lengths: tuple[int, int] = (10, 10)
    """The least and the most elements of a chunk along each axis, drawn at random."""

    def source(self) -> Any:
        """An array of 10,000 chunks."""
        low, high = self.lengths
        rng = np.random.default_rng(1)
        count = BLOCKS ** (2 // self.axes)
        drawn = rng.integers(low, high + 1, (self.axes, count))
        chunks = tuple([tuple(along.tolist()) for along in drawn])
        return da.zeros(tuple(map(sum, chunks)), chunks=chunks)


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
        "pad, windows, pad, windows",
        lambda x: twice(rs.dask.view(x)).copy(),
        None,
    ),
    Case(
        "one axis: x[3:-3]",
        lambda x: rs.dask.slice(x, "3:-3"),
        lambda x: x[3:-3],
        1,
    ),
    Case(
        "one axis: x[::-7]",
        lambda x: rs.dask.slice(x, "::-7"),
        lambda x: x[::-7],
        1,
    ),
    Case(
        "one axis: pad 25, wrap",
        lambda x: rs.dask.pad(x, 25, "wrap"),
        lambda x: da.pad(x, 25, mode="wrap"),
        1,
    ),
    Case(
        "one axis: windows 3",
        lambda x: rs.dask.windows(x, 3),
        lambda x: sliding_window_view(x, 3),
        1,
    ),
    Case(
        "one axis: write x[::2]",
        lambda x: rs.dask.assign(x, "::2", 1.0),
        lambda x: every_second(x.copy()),
        1,
    ),
    Case(
        "as_strided (990, 50)",
        lambda x: rs.dask.as_strided(x, (990, 50), (1000, 3), 7),
        None,
    ),
)


def of_any_lengths() -> Iterator[Case]:
    """Some of the cases again over chunks of which hardly two are alike."""
    for axes, name, long in ((1, "one axis", 10_000), (2, "two axes", 1_000)):
        for lengths in ((5, 15), (long // 2, long // 2 * 3)):
            whose = f"{name}, {lengths[0]} to {lengths[1]}"
            words = axes, lengths
            part, step = (slice(3, -3),) * axes, (slice(None, None, -7),) * axes
            yield Case(f"{whose}: x[3:-3]", *both_of(part), *words)
            yield Case(f"{whose}: x[::-7]", *both_of(step), *words)
            yield Case(
                f"{whose}: pad 25, wrap",
                lambda x: rs.dask.pad(x, 25, "wrap"),
                lambda x: da.pad(x, 25, mode="wrap"),
                *words,
            )
            yield Case(
                f"{whose}: pad, windows 3",
                lambda x: rs.dask.view(x).pad(3).windows((3,) * x.ndim).copy(),
                None,
                *words,
            )
            yield Case(
                f"{whose}: write x[::2]",
                lambda x: rs.dask.assign(x, (slice(None, None, 2),) * x.ndim, 1.0),
                None,
                *words,
            )


def both_of(index: tuple[slice, ...]) -> tuple[Callable[[Any], Any], ...]:
    """A slice in both words."""
    return lambda x: rs.dask.slice(x, index), lambda x: x[index]


def written(x: Any) -> Any:
    """dask.array's own write of the same cells."""
    x[5:-5:2, 7] = 1.0
    return x


def every_second(x: Any) -> Any:
    """The same along one axis."""
    x[::2] = 1.0
    return x


def twice(v: Any) -> Any:
    """A chain with three cuts."""
    first = v.pad(3, "reflect").windows(3, axis=0)
    return first.pad(((1, 1), (1, 1), (0, 0)), "edge").windows(3, axis=1)


def seconds(action: Callable[[], object]) -> float:
    """Processor time of one run."""
    gc.collect()
    begin = time.process_time()
    kept = action()
    took = time.process_time() - begin
    del kept
    return took


class Graphs(NamedTuple):
    """One operation over one array, in one library's words."""

    x: Any
    call: Callable[[Any], Any]

    def build(self) -> Any:
        """The collection alone."""
        return self.call(self.x)

    def make(self) -> dict[Any, Any]:
        """The collection, and all of its own tasks."""
        return self.tasks(self.build())

    def tasks(self, collection: Any) -> dict[Any, Any]:
        """All tasks of a collection but the source's."""
        given = set(self.x.dask.layers)
        made: dict[Any, Any] = {}
        for name, layer in collection.dask.layers.items():
            if name not in given:
                made.update(layer)
        return made

    def action(self, what: str) -> Callable[[], object]:
        """What is measured under a name; what it begins with is not."""
        if what == "make":
            return partial(self.tasks, self.build())
        named = {"build": self.build, "build and make": self.make}
        named |= {"cull": self.cull, "compute": self.compute}
        return named[what]

    def cull(self) -> object:
        """Dask's culling of the whole graph."""
        made = self.call(self.x)
        return made.dask.cull(dask.core.flatten(made.__dask_keys__()))

    def compute(self) -> object:
        """Dask's optimising of the whole graph, as a dict of tasks."""
        (made,) = dask.optimize(self.call(self.x))
        return dict(made.__dask_graph__())


def rows_of(case: Case, x: Any, whats: Sequence[str]) -> Iterator[list[str]]:
    """The lines of a case, ours and theirs, measured in turn."""
    both = {"restride": Graphs(x, case.ours)}
    if case.theirs is not None:
        both["dask"] = Graphs(x, case.theirs)
    least: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        for what in whats:
            for whose, graphs in both.items():
                took = seconds(graphs.action(what))
                least[whose, what] = min(least.get((whose, what), took), took)
    for whose, graphs in both.items():
        chunks, tasks = graphs.call(x).npartitions, len(graphs.make())
        yield [
            case.name,
            whose,
            str(chunks),
            f"{tasks / chunks:.1f}",
            f"{least[whose, 'build'] * 1e3:.2f}",
            *[f"{least[whose, what] * 1e6 / chunks:.1f}" for what in whats[1:]],
        ]


def rows(wanted: str, whats: Sequence[str]) -> Iterator[list[str]]:
    """Every case whose name has `wanted` in it."""
    for case in (*CASES, *of_any_lengths()):
        if wanted in case.name:
            yield from rows_of(case, case.source(), whats)


def wide() -> Iterator[str]:
    """A flat reading whose chunks each meet hundreds of the source's."""
    x = da.zeros((1000, 2000), chunks=(1000, 10))
    with dask.config.set({"array.chunk-size": "64kB"}):
        y = rs.dask.view(x).reshape(-1)[::3].copy()
    layer = y.dask.layers[y.name]
    took = min([seconds(layer.recipe.maker().all) for _ in range(ROUNDS)])
    reads = sum([len(task.dependencies) for task in layer.values()])
    keys = [(x.name, 0, k) for k in range(200)]
    floor = min([seconds(lambda: bare(keys, len(layer))) for _ in range(ROUNDS)])
    yield (
        f"flat reading of {reads} chunks by {len(layer)}: {took * 1e6 / reads:.2f} us "
        f"per chunk read, of which Dask's references alone {floor * 1e6 / reads:.2f}"
    )


def bare(keys: list[Any], count: int) -> list[Any]:
    """What tasks hold for Dask to know that they read these keys."""
    return [([TaskRef(key) for key in keys], frozenset(keys)) for _ in range(count)]


def large() -> Iterator[str]:
    """What building costs over a million chunks, on two axes and on one."""
    rs.dask.pad(da.zeros(20, chunks=10), 3)  # so that loading is not counted
    drawn = tuple(np.random.default_rng(1).integers(5, 16, 1_000_000).tolist())
    sources = {
        "in rows and columns": da.zeros((10_000, 10_000), chunks=10),
        "on one axis": da.zeros(10_000_000, chunks=10),
        "of any lengths": da.zeros(sum(drawn), chunks=(drawn,)),
    }
    for how, x in sources.items():
        took = 1e3 * seconds(partial(rs.dask.pad, x, 3, "wrap"))
        again = least(partial(rs.dask.pad, x, 3, "wrap"))
        made = rs.dask.pad(x, 3, "wrap")
        looked = 1e3 * seconds(lambda made=made: made.chunks)
        words = made.dask, made.name, made.chunks
        floor = least(partial(da.Array, *words, meta=made._meta))
        yield (
            f"pad of {x.npartitions} chunks {how}: built in {took:.2f} ms, "
            f"again in {again:.2f}; its chunks written down in {looked:.2f}; "
            f"dask.array.Array of the same chunks alone {floor:.2f}"
        )


def least(action: Callable[[], object]) -> float:
    """Milliseconds, the least of several."""
    return 1e3 * min([seconds(action) for _ in range(ROUNDS)])


def cut() -> Iterator[str]:
    """Chains that are cut: tasks for each chunk, and what they make twice."""
    for blocks, size in ((100, 10), (10, 100)):
        v = rs.dask.view(da.zeros((blocks * size,) * 2, chunks=size))
        for name, chain in (
            ("pad, windows", v.pad(3, "reflect").windows((3, 3))),
            ("pad, windows, pad, windows", twice(v)),
            ("pad, flat, transpose", v.pad(3).reshape(2, -1).transpose()),
        ):
            made = chain.copy()
            layers = [a for a in made.dask.layers.values() if hasattr(a, "recipe")]
            tasks = sum(map(len, layers)) / made.npartitions
            yield (
                f"{name} over chunks of {size} x {size}: {chain.chain.cuts} cuts, "
                f"{tasks:.2f} tasks a chunk, made {made_again(layers):.2f} times; "
                f"built in {least(chain.copy):.2f} ms"
            )


def made_again(layers: list[Any]) -> float:
    """Elements that tasks make before cuts, over those of each step once."""
    again = once = 0
    for layer in layers:
        recipe = layer.recipe
        restriction = Restriction(recipe.chain)
        once += sum(m.size for m in recipe.chain.maps[:-1])
        for index in recipe.indices():
            block = restriction(recipe.box(index))
            again += sum(m.size for m in block.chain.maps[:-1])
    return again / once if once else 1.0


def main() -> None:
    """Print the table."""
    wanted, only = [*sys.argv[1:], "", ""][:2]
    whats = WHATS[:3] if only == "make" else WHATS
    heads = ["operation", "by", "chunks", "tasks per chunk", "build, ms"]
    heads += [f"{what}, us per chunk" for what in whats[1:]]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for cells in rows(wanted, whats):
        print("| " + " | ".join(cells) + " |", flush=True)
    if wanted in ("", "beside"):
        for line in (*large(), *cut(), *wide()):
            print(line)


if __name__ == "__main__":
    main()
