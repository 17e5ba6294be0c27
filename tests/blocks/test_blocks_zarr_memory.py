"""Zarr in bounded memory: processes that the system holds down, as they are started."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import restride as rs
from restride.blocks.zarr import few_threads
from restride.cli import main

zarr = pytest.importorskip("zarr")

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


def child(folder: Path, code: str) -> list[str]:
    """What a process says that runs `code` in `folder`."""
    # One thread for linear algebra, which has more on larger machines, each with
    # memory of its own that the limit counts too.
    words = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=words,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.split("\n")


USUAL = """
import resource
resource.setrlimit(resource.RLIMIT_DATA, (400_000_000, 400_000_000))
import restride as rs
def turned(v):
    return v.pad(3, "wrap").transpose()
def framed(v):
    return v.pad(3, "wrap")
rs.run_blocks(turned, "x.zarr", "y.zarr")
rs.run_blocks(framed, "x.zarr", "y.npy")
rs.run_blocks(turned, "y.npy", "z.zarr")
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""


@linux
def test_what_is_usual_runs_in_400_mb_of_data(tmp_path):
    """Sharded and compressed to the same, to .npy and from it: 144 MB a side."""
    n = 6000
    row = np.arange(n, dtype="<f4") % 1000
    x = np.broadcast_to(row, (n, n)) + (np.arange(n, dtype="<f4") * 1000)[:, None]
    layout = {"chunks": (500, 500), "shards": (1500, 1000)}
    zarr.create_array(str(tmp_path / "x.zarr"), data=x, **layout)
    peak = int(child(tmp_path, USUAL)[0]) << 10
    assert peak < 350_000_000
    framed, k = np.load(tmp_path / "y.npy", mmap_mode="r"), n // 2
    assert np.array_equal(framed[k], np.pad(x[k - 3], 3, "wrap"))
    made = zarr.open_array(str(tmp_path / "y.zarr"))
    assert made.shards is not None
    assert np.array_equal(made[:, k], framed[k])
    assert np.array_equal(made[2], np.pad(x[:, n - 1], 3, "wrap"))
    again = zarr.open_array(str(tmp_path / "z.zarr"))
    assert again.shape == (n + 12, n + 12)
    assert np.array_equal(again[3:-3, k + 3], framed[k])


LESS = """
import resource, numpy as np, restride as rs
rs.run_blocks([], np.ones((9, 9)), "warm.zarr")
rs.run_blocks([], "warm.zarr", "warm.zarr")
status = open("/proc/self/status").read()
most = (int(status.split("VmData:")[1].split()[0]) << 10) + 90_000_000
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
def turned(v):
    return v.pad(3, "wrap").transpose()
try:
    rs.run_blocks(turned, "x.zarr", "y.zarr", max_bytes=MAX_BYTES, resume=True)
except rs.RestrideError as error:
    print(type(error).__name__, error)
"""


@linux
@pytest.mark.parametrize("layout", [{}, {"shards": (1500, 1500)}])
def test_too_little_memory_says_what_to_lower(tmp_path, layout):
    """The 256 MB that are usual do not fit into 90 MB; 40 MB do."""
    x = np.arange(6000 * 4500, dtype="<i4").reshape(6000, 4500) >> 8
    zarr.create_array(str(tmp_path / "x.zarr"), data=x, chunks=(500, 500), **layout)
    said = child(tmp_path, LESS.replace("MAX_BYTES", "256e6"))
    assert said[0].startswith("UnsupportedError max_bytes = 256000000 is too much")
    assert "128000000" in said[0]
    assert child(tmp_path, LESS.replace("MAX_BYTES", "40e6")) == [""]
    made = zarr.open_array(str(tmp_path / "y.zarr"))
    assert np.array_equal(made[3:6, 3:-3], x[:, :3].T)


@pytest.mark.parametrize("processors", [2, 64])
def test_shards_of_16_mb_fit_into_what_is_usual(
    tmp_path, monkeypatch, capsys, processors
):
    """Planned only: nothing of it is there."""
    monkeypatch.setattr(few_threads.os, "cpu_count", lambda: processors)
    layout = {"chunks": (500, 1000), "shards": (2000, 2000)}
    place = str(tmp_path / "x.zarr")
    zarr.create_array(place, shape=(12_000, 12_000), dtype="f4", **layout)
    words = ["run", place, "pad", "8", "--mode", "wrap", "transpose", "1,0"]
    words += ["-o", str(tmp_path / "y.zarr"), "--dry-run", "--max-bytes", "256MB"]
    assert main([*words, "--chunks", "500,1000", "--shards", "2000,2000"]) == 0
    assert "max_bytes 256.00 MB" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (MemoryError("Unable to allocate 9 GiB"), "max_bytes = 5000 is too much"),
        (RuntimeError("can't start new thread"), "such as 2500"),
        (RuntimeError("Zstd error: Allocation error : not enough memory"), "ulimit"),
        (RuntimeError("Zstd error: Data corruption"), "cannot be read"),
    ],
)
def test_what_codecs_say_without_memory(tmp_path, monkeypatch, raised, told):
    zarr.create_array(str(tmp_path / "x.zarr"), data=np.ones((9, 9)), chunks=(5, 5))

    async def refused(array, selection):
        raise raised

    monkeypatch.setattr(zarr.AsyncArray, "getitem", refused)
    with pytest.raises(rs.RestrideError, match=told) as caught:
        rs.run_blocks([], tmp_path / "x.zarr", tmp_path / "y.npy", max_bytes=5000)
    assert "\n" not in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["x.zarr"]


def test_few_threads_on_a_large_machine(tmp_path, monkeypatch):
    """The package alone would have as many as there are processors, and four."""
    monkeypatch.setattr(few_threads.os, "cpu_count", lambda: 64)
    before = threading.active_count()
    seen: list[int] = []
    target = rs.zarr.target(tmp_path / "y.zarr", chunks=(8, 8))

    def told(done: int, total: int) -> None:
        seen.append(threading.active_count() - before)

    x = np.ones((200, 200))
    rs.run_blocks(lambda v: v.pad(1), x, target, max_bytes=60_000, progress=told)
    assert max(seen) <= few_threads.MOST_THREADS + few_threads.WAITING + 1
    assert threading.active_count() <= before + 1


def test_inside_a_running_event_loop(tmp_path):
    zarr.create_array(str(tmp_path / "p.zarr"), data=np.full((4, 5), 7.0))

    async def work() -> None:
        write = rs.SetValue((1, 1), (5, 6)), tmp_path / "p.zarr"
        rs.run_blocks([write], np.zeros((8, 8)), tmp_path / "y.zarr")

    asyncio.run(work())
    got = zarr.open_array(str(tmp_path / "y.zarr"))[...]
    assert got[1:5, 1:6].tolist() == [[7.0] * 5] * 4
    assert got.sum() == 140
