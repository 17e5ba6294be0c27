"""On a cluster of two processes: the same results, also when one of them is killed."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest
from chunked import cut
from distributed import Client, LocalCluster

import restride as rs

LIMIT_BYTES = 1_000_000_000
"""Of each worker: its nanny kills a worker that goes beyond."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers of one thread each, as processes."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            memory_limit=LIMIT_BYTES,
        ) as workers,
        Client(workers) as client,
    ):
        yield client


def test_workers_give_what_threads_give(cluster: Client) -> None:
    x = np.arange(400 * 50.0).reshape(400, 50)
    d = cut(x, ((100,) * 4, (25, 25)))
    for made, want in (
        (rs.dask.pad(d, 60, "wrap"), np.pad(x, 60, "wrap")),
        (rs.dask.slice(d, "::-3, 1:"), x[::-3, 1:]),
        (
            rs.dask.as_strided(d, (300, 20), (60, 1), 5),
            rs.as_strided(x, (300, 20), (60, 1), 5),
        ),
        (
            rs.dask.view(d).pad(1, "edge").windows(3, axis=0).copy(),
            rs.view(x).pad(1, "edge").windows(3, axis=0).copy(),
        ),
        (
            rs.dask.set_value(d, [7.0], (90, 20), (110, 30)),
            rs.set_value(x.copy(), [7.0], (90, 20), (110, 30)),
        ),
    ):
        np.testing.assert_array_equal(made.compute(), want, strict=True)
        threads = made.compute(scheduler="threads")
        np.testing.assert_array_equal(threads, want, strict=True)


def dying(block: Any, number: int, mark: str, block_info: Any = None) -> Any:
    """The block; but the first worker that comes to block `number` is killed there."""
    if block_info[0]["chunk-location"] == (number,):
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return block
        os.kill(os.getpid(), signal.SIGKILL)
    return block


def test_a_worker_killed_half_way_changes_nothing(
    cluster: Client, tmp_path: Path
) -> None:
    x = np.arange(10_000)
    mark = tmp_path / "killed"
    lazy = cut(x, ((500,) * 20,)).map_blocks(
        dying, number=10, mark=str(mark), dtype=x.dtype, meta=np.empty(0, x.dtype)
    )
    made = rs.dask.pad(lazy, 3_000, "reflect")
    np.testing.assert_array_equal(
        made.compute(), np.pad(x, 3_000, "reflect"), strict=True
    )
    assert mark.exists()
    cluster.wait_for_workers(2)


@pytest.mark.skipif("FULL" not in os.environ, reason="half a minute; FULL=1 runs it")
def test_six_gigabytes_reduce_under_one(cluster: Client) -> None:
    rows, columns = 75_000, 10_000
    x = da.ones((rows, columns), chunks=(1_000, 2_000))
    x = x * da.arange(rows, chunks=1_000)[:, None]
    assert x.nbytes == 6_000_000_000
    made = rs.dask.view(x).pad(100, "reflect")[::-1].transpose().copy()
    want = int(np.pad(np.arange(rows), 100, "reflect").sum()) * (columns + 200)
    assert float(made.sum().compute()) == want
    peaks = cluster.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert max(peaks.values()) * 1024 < LIMIT_BYTES
    print(peaks)
