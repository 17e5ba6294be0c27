"""The pool of result buffers and the threads, as callers meet them.

What needs a setting made before the first import, or a process that forks, runs in a
process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import restride as rs

pytestmark = pytest.mark.skipif(
    rs.engine() != "native", reason="the NumPy engine has neither pool nor threads"
)

MIB = 1 << 20
LARGE = (1500, 1000)
"""Six megabytes of float32: enough for a call to be shared out among threads."""


@pytest.fixture
def limit() -> Iterator[int]:
    """The pool's limit as it was, set back afterwards; the pool starts empty."""
    before = rs.pool.limit()
    rs.pool.clear()
    yield before
    rs.pool.limit(before)
    rs.pool.clear()


def resident_bytes() -> int:
    """Memory of this process that is really there."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ran(code: str, **environment: str) -> str:
    """What `code` prints in a process of its own; one that hangs fails the test."""
    start = "import os, threading, numpy as np, restride as rs\n"
    # Python warns of a fork beside threads; that is what is tested.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", start + code]
    told = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


# -------------------------------------------------------------------------- the pool


def test_the_limit_is_kept_while_many_threads_let_results_go(limit: int) -> None:
    rs.pool.limit(8 * MIB)
    most = [0]

    def turn(k: int) -> None:
        source = np.full((1 + k % 5) * MIB, k % 251, np.uint8)
        kept = [rs.slice(source, "::-1") for _ in range(3)]
        assert all(y[0] == y[-1] == k % 251 for y in kept)
        del kept
        most[0] = max(most[0], rs.pool.stats()["held_bytes"])

    with ThreadPoolExecutor(6) as crew:
        list(crew.map(turn, range(30)))
    assert 0 < most[0] <= 8 * MIB


def test_a_lower_limit_lets_go_at_once(limit: int) -> None:
    kept = [rs.slice(np.zeros(2 * MIB, np.uint8), "...") for _ in range(6)]
    del kept
    held = rs.pool.stats()["held_bytes"]
    assert held >= 12 * MIB
    rs.pool.limit(held // 2)
    assert rs.pool.stats()["held_bytes"] <= held // 2
    rs.pool.limit(0)
    assert rs.pool.stats()["held_buffers"] == 0


@pytest.mark.usefixtures("limit")
def test_a_buffer_is_used_again_and_not_while_it_is_in_use() -> None:
    x = np.arange(3 * MIB, dtype=np.uint8)
    first = rs.slice(x, "...")
    second = rs.slice(x, "...")
    assert not np.shares_memory(first, second)
    at = first.ctypes.data
    del first
    third = rs.slice(x, "::-1")
    assert third.ctypes.data == at
    assert np.array_equal(second, x)


@pytest.mark.usefixtures("limit")
def test_a_view_of_a_result_keeps_its_buffer() -> None:
    corner = rs.slice(np.full((2000, 2000), 5, np.uint8), "...")[:3, :3]
    rs.pool.clear()
    for _ in range(4):
        rs.slice(np.zeros((2000, 2000), np.uint8), "...")
    assert (corner == 5).all()


@pytest.mark.usefixtures("limit")
def test_an_emptied_pool_gives_memory_back_to_the_system() -> None:
    wanted = 192 * MIB
    source = np.zeros(16 * MIB, np.uint8)
    kept = [rs.slice(source, "...") for _ in range(12)]
    full = resident_bytes()
    del kept
    assert resident_bytes() > full - wanted // 4, "the pool holds what was let go"
    rs.pool.clear()
    assert resident_bytes() < full - wanted * 3 // 4


@pytest.mark.usefixtures("limit")
def test_results_live_on_after_the_pool_was_emptied() -> None:
    kept = [rs.slice(np.full(MIB, k, np.uint8), "...") for k in range(20)]
    for k in range(0, 20, 2):
        kept[k] = rs.slice(kept[k], "::-1")
    rs.pool.clear()
    others = [rs.slice(np.full(MIB, 99, np.uint8), "...") for _ in range(20)]
    assert [int(y.min()) for y in kept] == [int(y.max()) for y in kept]
    assert [int(y[0]) for y in kept] == list(range(20))
    assert all((y == 99).all() for y in others)
    assert rs.pool.stats()["live_buffers"] >= 40


def test_a_result_larger_than_the_limit_is_not_held(limit: int) -> None:
    rs.pool.limit(MIB)
    del_me = rs.slice(np.zeros(4 * MIB, np.uint8), "...")
    del del_me
    assert rs.pool.stats()["held_bytes"] == 0


@pytest.mark.usefixtures("limit")
def test_with_the_pool_off_results_come_from_the_c_library() -> None:
    """What the pool maps begins a header after a page, and the C library's does not."""
    source = np.zeros(3 * MIB, np.uint8)

    def places() -> set[int]:
        kept = [rs.slice(source, "...") for _ in range(5)]
        return {result.ctypes.data % 4096 for result in kept}

    assert places() == {64}
    rs.pool.limit(0)
    assert places() != {64}
    assert rs.pool.stats()["held_bytes"] == 0


def test_a_result_made_while_the_pool_was_off_is_not_held_later(limit: int) -> None:
    """It has no room to spare, which buffers of the pool have."""
    rs.pool.limit(0)
    result = rs.slice(np.zeros(3 * MIB + 5, np.uint8), "...")
    rs.pool.limit(limit)
    del result
    assert rs.pool.stats()["held_bytes"] == 0


# ----------------------------------------------------------------------- the threads


def test_one_thread_by_the_environment() -> None:
    """Then no thread is ever started, so `fork` and profilers meet one only."""
    code = (
        f"x = np.arange({LARGE[0] * LARGE[1]}, dtype='f4').reshape{LARGE}\n"
        "y = rs.view(x).transpose().pad(2, 'reflect').copy()\n"
        "assert np.array_equal(y, np.pad(x.T, 2, 'reflect'))\n"
        "print(rs.threads(), len(os.listdir('/proc/self/task')))"
    )
    quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    assert ran(code, RESTRIDE_THREADS="1", **quiet) == "1 1"
    # The same with two starts one: so the count above tells something.
    assert ran(code, RESTRIDE_THREADS="2", **quiet) == "2 2"


@pytest.mark.parametrize(
    ("asked", "told"), [("3", 3), ("100000", 256), ("0", 0), ("two", 0), ("", 0)]
)
def test_the_environment_says_how_many_threads(asked: str, told: int) -> None:
    """What is no number of threads counts as unset: one per processor allowed."""
    wanted = told or len(os.sched_getaffinity(0))
    assert ran("print(rs.threads())", RESTRIDE_THREADS=asked) == str(wanted)


def test_threads_follow_the_processors_allowed() -> None:
    code = (
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nprint(rs.threads())"
    )
    assert ran(code, RESTRIDE_THREADS="") == "1"


CROWDED = f"""
import time
before = {{int(t) for t in os.listdir('/proc/self/task')}}
rs.threads(2)
x = np.arange({LARGE[0] * LARGE[1]}, dtype='f4').reshape{LARGE}
rs.pad(x, 1)
(worker,) = {{int(t) for t in os.listdir('/proc/self/task')}} - before
time.sleep(0.2)  # a worker that was late for the call may be about to move
allowed = os.sched_getaffinity(0)
mine = min(allowed)
os.sched_setaffinity(0, {{mine}})
"""
"""A process whose first thread stays on one processor, and its worker's number."""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_a_worker_may_run_afterwards_where_it_might_before() -> None:
    """It leaves the caller's processor, and only for the moment."""
    code = CROWDED + (
        "for _ in range(100):\n"
        "    os.sched_setaffinity(worker, {mine})\n"  # there it is, and may leave
        "    os.sched_setaffinity(worker, allowed)\n"
        "    assert np.array_equal(rs.pad(x, 1), np.pad(x, 1))\n"
        "end = time.monotonic() + 10\n"  # a late one may be on its way now
        "while os.sched_getaffinity(worker) != allowed and time.monotonic() < end:\n"
        "    pass\n"
        "print(os.sched_getaffinity(worker) == allowed)"
    )
    assert ran(code) == "True"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_a_worker_held_on_one_processor_stays_there() -> None:
    code = CROWDED + (
        "os.sched_setaffinity(worker, {mine})\n"
        "for _ in range(20):\n"
        "    assert np.array_equal(rs.pad(x, 1), np.pad(x, 1))\n"
        "print(os.sched_getaffinity(worker) == {mine})"
    )
    assert ran(code) == "True"


FORKS = f"""
rs.threads(2)
x = np.arange({LARGE[0] * LARGE[1]}, dtype='f4').reshape{LARGE}

def right():
    made = rs.view(x).transpose().pad(1, 'edge').copy()
    return np.array_equal(made, np.pad(x.T, 1, 'edge'))

def tasks():
    return len(os.listdir('/proc/self/task'))
"""


def test_a_child_and_its_parent_both_copy_with_threads() -> None:
    code = FORKS + (
        "kept = rs.slice(x, '::-1')\n"
        "assert right()\n"
        "before = tasks()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    alone = tasks()\n"
        "    good = right() and right() and np.array_equal(kept, x[::-1])\n"
        "    del kept\n"
        "    rs.pool.clear()\n"
        "    os._exit(0 if good and alone == 1 and tasks() == 2 else 1)\n"
        "good = all(right() for _ in range(5))\n"
        "status = os.waitpid(child, 0)[1]\n"
        "print(status, good, np.array_equal(kept, x[::-1]), tasks() == before)"
    )
    assert ran(code, OPENBLAS_NUM_THREADS="1") == "0 True True True"


def test_children_born_in_the_middle_of_a_copy_work() -> None:
    """The crew's and the pool's locks may be held by a thread the child lacks.

    All is loaded before: Python's own import locks do not outlive such a fork.
    """
    code = FORKS + (
        "assert right()\n"
        "stop = []\n"
        "def busy():\n"
        "    while not stop:\n"
        "        rs.slice(x, '::-1, ::-1')\n"
        "workers = [threading.Thread(target=busy) for _ in range(2)]\n"
        "for w in workers: w.start()\n"
        "states = []\n"
        "for _ in range(6):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os._exit(0 if right() else 1)\n"
        "    states.append(os.waitpid(child, 0)[1])\n"
        "stop.append(1)\n"
        "for w in workers: w.join()\n"
        "print(set(states), right())"
    )
    assert ran(code) == "{0} True"


def test_a_childs_child_copies_too() -> None:
    code = FORKS + (
        "assert right()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    assert right()\n"
        "    grandchild = os.fork()\n"
        "    if grandchild == 0:\n"
        "        os._exit(0 if right() else 1)\n"
        "    os._exit(os.waitpid(grandchild, 0)[1] >> 8)\n"
        "print(os.waitpid(child, 0)[1])"
    )
    assert ran(code) == "0"


@pytest.mark.usefixtures("limit")
def test_many_python_threads_make_large_results_at_once() -> None:
    """One has the crew, the others work alone; every answer is whole."""
    before = rs.threads()
    wrong: list[int] = []
    start = threading.Barrier(8)

    def work(number: int) -> None:
        x = np.arange(LARGE[0] * LARGE[1], dtype=np.float32).reshape(LARGE) + number
        wanted = np.pad(x, 1, "symmetric")[:, ::-1]
        start.wait()
        for _ in range(6):
            made = rs.view(x).pad(1, "symmetric")[:, ::-1].copy()
            if not np.array_equal(made, wanted):
                wrong.append(number)

    crew = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    try:
        rs.threads(2)
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
    finally:
        rs.threads(before)
    assert not wrong
