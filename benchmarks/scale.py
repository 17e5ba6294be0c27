"""A petabyte padded and cut into tiles: what it costs, from counts and measurements.

python -m benchmarks.scale             the figures of docs/scale.md
python -m benchmarks.scale --side 100  the same job over 100 x 100 boxes, in seconds

Nothing is read or written: the source is a Dask array of zeros that are never made.
Counts come from `restride.blocks`; the graph is built and materialised for real, and
its tasks run on two local workers at a small size; the run itself is simulated.
"""

from __future__ import annotations

import argparse
import json
import pickle
import resource
import sys
import time
from collections.abc import Iterator
from heapq import heapreplace
from random import Random
from typing import Any, NamedTuple

from restride.blocks import Grid, Restriction, cost
from restride.layout import Chain

TILE = 1024
"""Cells along a side that a tile keeps."""

RIM = 64
"""Cells around them that it shares with its neighbours."""

ITEMSIZE = 4
"""Bytes of a cell: float32."""

CHUNK = 4096
"""Cells along a side of a stored chunk of the source: 67 MB."""

MOST_RUN = 1_000_000
"""Boxes that the simulation runs one by one."""

BYTES_PER_SECOND = 1e9
"""Assumed: what one worker reads from the store, or writes to it."""

LATENCY_S = 0.05
"""Assumed: until the first byte of a request comes."""

DOCUMENTED_US = 300.0
"""Dask's own figure for its scheduler is "a few hundred microseconds on every task":
distributed.dask.org/en/stable/limitations.html, seen 2026-11-30."""


class Job(NamedTuple):
    """A square of cells, mirrored outwards by the rim and cut into tiles."""

    side: int
    """Boxes along each axis."""
    tiles: int
    """Tiles along each side of a box."""

    @property
    def cells(self) -> int:
        """Extent of the source."""
        return self.side * self.tiles * TILE

    @property
    def chain(self) -> Chain:
        """The source mirrored and cut into tiles."""
        wide = TILE + 2 * RIM
        mirrored = Chain.identity((self.cells,) * 2).pad([(RIM, RIM)] * 2, "reflect")
        return mirrored.windows([wide] * 2, [TILE] * 2, [1] * 2, [0, 1])

    @property
    def line(self) -> Chain:
        """The same along one axis alone."""
        mirrored = Chain.identity((self.cells,)).pad([(RIM, RIM)], "reflect")
        return mirrored.windows([TILE + 2 * RIM], [TILE], [1], [0])

    @property
    def grid(self) -> Grid:
        """Its boxes."""
        wide = TILE + 2 * RIM
        return Grid(self.chain.shape, (self.tiles, self.tiles, wide, wide))


def counted(job: Job, chunk: int = CHUNK) -> dict[str, Any]:
    """Bytes and tasks, exactly; stored chunks touched, and what they hold."""
    start = time.perf_counter()
    told = cost(job.chain, ITEMSIZE, job.grid)
    seconds = time.perf_counter() - start
    touched = chunks_touched(job, chunk) ** 2
    return {
        "source_bytes": job.cells**2 * ITEMSIZE,
        "boxes": told.blocks,
        "bytes_read": told.bytes_read,
        "bytes_written": told.bytes_written,
        "amplification": told.amplification,
        "box_bytes": told.peak_bytes,
        "chunk": chunk,
        "chunks_read": touched,
        "bytes_fetched": touched * chunk**2 * ITEMSIZE,
        "seconds_to_count": seconds,
    }


def chunks_touched(job: Job, chunk: int) -> int:
    """Chunks that all boxes read along one axis, a chunk once for each of them."""
    restriction = Restriction(job.line)
    wide = TILE + 2 * RIM
    total = 0
    for tiles in job.grid.ranges(0):
        reads = restriction((tiles, (0, wide))).reads[0]
        total += len({k for a, b in reads for k in range(a // chunk, -(-b // chunk))})
    return total


def built(job: Job) -> dict[str, Any]:
    """The graph of the job in Dask: seconds and bytes to build and to materialise."""
    import dask
    import dask.array as da

    edge = job.tiles * TILE
    source = da.zeros((job.cells,) * 2, chunks=edge, dtype="f4")
    wide = TILE + 2 * RIM
    tiled(da.zeros(8, chunks=4), 4, 1, 1).copy()  # so that loading is not counted
    with dask.config.set({"array.chunk-size": "8GiB"}):
        start = time.perf_counter()
        made = tiled(source, wide, TILE, RIM).copy()
        seconds = time.perf_counter() - start
    ours = [layer for layer in made.dask.layers.values() if hasattr(layer, "recipe")]
    sent = sum(len(pickle.dumps(layer)) for layer in ours)
    before, start = _resident(), time.perf_counter()
    tasks = sum(len(layer.tasks) for layer in ours)
    spent = time.perf_counter() - start
    return {
        "chunks": made.npartitions,
        "tasks_per_chunk": (tasks + source.npartitions) / made.npartitions,
        "tasks": tasks,
        "seconds_to_build": seconds,
        "bytes_sent": sent,
        "us_per_task": spent / tasks * 1e6,
        "bytes_per_task": (_resident() - before) / tasks,
    }


def tiled(x: Any, wide: int, step: int, rim: int) -> Any:
    """The job over a Dask array, as a view."""
    import restride as rs

    rims = [[rim, rim]] * x.ndim
    return rs.dask.view(x).pad(rims, "reflect").windows((wide,) * x.ndim, step)


def scheduled(side: int) -> dict[str, Any]:
    """The same graph over cells too small to matter, run by two local workers.

    So what is left is what a task costs the process of the scheduler, which here also
    makes the graph.
    """
    import dask.array as da
    from distributed import Client, LocalCluster, wait

    words = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**words) as two, Client(two):
        wait(tiled(da.zeros((16, 16), chunks=8), 6, 4, 1).copy().persist())
        made = tiled(da.zeros((side * 8,) * 2, chunks=8), 6, 4, 1).copy()
        tasks = len(made.dask)
        wall, spent = time.perf_counter(), time.process_time()
        kept = made.persist()
        wait(kept)
        spent, wall = time.process_time() - spent, time.perf_counter() - wall
        return {
            "tasks": tasks,
            "scheduler_us_per_task": spent / tasks * 1e6,
            "wall_us_per_task": wall / tasks * 1e6,
        }


def simulated(
    boxes: int, box_bytes: float, scheduler_us: float, workers: int
) -> dict[str, Any]:
    """A run of `boxes` boxes, box by box: one scheduler hands them to idle workers.

    A box takes its bytes at the worker's speed and twice the latency, more or less by
    half at random; before it starts the scheduler spends its time on it, one box
    after the other.
    """
    random = Random(0)
    usual = box_bytes / BYTES_PER_SECOND + 2 * LATENCY_S
    run = min(boxes, MOST_RUN)
    idle_from = [0.0] * workers
    clock = busy = 0.0
    for _ in range(run):
        clock = max(clock, idle_from[0] - scheduler_us * 1e-6) + scheduler_us * 1e-6
        spent = usual * (0.5 + random.random())
        heapreplace(idle_from, clock + spent)
        busy += spent
    wall = max(idle_from)
    return {
        "workers": workers,
        "hours": wall * boxes / run / 3600,
        "scheduler_busy": run * scheduler_us * 1e-6 / wall,
        "workers_busy": busy / (wall * workers),
    }


def _resident() -> int:
    """Bytes this process held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _run(side: int, small: int) -> Iterator[tuple[str, Any]]:
    """All figures, one after the other."""
    sides = [(job.tiles, job) for job in _jobs(side)]
    for tiles, job in sides:
        yield f"boxes of {tiles} x {tiles} tiles", counted(job)
    main = Job(side, 16)
    for chunk in (256, 1024):
        yield f"stored chunks of {chunk} x {chunk}", counted(main, chunk)
    graph = built(main)
    yield "graph", graph
    load = scheduled(small)
    yield "scheduler", load
    per_chunk = graph["tasks_per_chunk"]
    for tiles, job in sides:
        told = counted(job, 256)
        moved = (told["bytes_fetched"] + told["bytes_written"]) / told["boxes"]
        for task_us in (DOCUMENTED_US, load["scheduler_us_per_task"]):
            for workers in (100, 1000, 10_000):
                run = simulated(told["boxes"], moved, per_chunk * task_us, workers)
                yield f"run, {tiles} x {tiles} tiles, {task_us:.0f} us a task", run


def _jobs(side: int) -> list[Job]:
    """The same source in larger and in smaller boxes."""
    return [Job(side * 16 // tiles, tiles) for tiles in (32, 16, 4)]


def _rounded(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main() -> None:
    """Print the figures as JSON, a line each."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.scale",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--side", type=int, default=1000, help="boxes along an axis")
    parser.add_argument(
        "--small", type=int, default=30, help="of the graph that is run"
    )
    given = parser.parse_args()
    for name, figures in _run(given.side, given.small):
        rounded = {k: _rounded(v) for k, v in figures.items()}
        sys.stdout.write(f"{name}: {json.dumps(rounded)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
