"""Files larger than memory: restride beside a plain copy of the same file.

    python -m benchmarks.files --gigabytes 12 --rounds 3 --folder /somewhere

Each round drops the caches, copies the source with ``cp --reflink=never`` and syncs
it, drops them again, and runs pad, slice and transpose from the source to a target of
the same size, in a process of its own that may have 400 MB of data (RLIMIT_DATA).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

LIMIT_BYTES = 400_000_000
"""Data that the process may have; the peak of its memory is measured beside it."""

CASES = {
    # 3 axes; the last one stays where it is, so stretches are long on both sides.
    "images": lambda v: v.pad([(1, 1), (2, 2), (8, 8)], "reflect")[
        1:-1, 2:-2, 8:-8
    ].transpose(1, 0, 2),
    # 3 axes; the fast one becomes the slow one.
    "reversed": lambda v: v.pad([(3, 0), (0, 5), (2, 2)], "edge")[
        :-3, 5:, 2:-2
    ].transpose(2, 1, 0),
    # 2 axes of the same extent: no stretch is long on both sides.
    "matrix": lambda v: v.pad([(4, 4), (4, 4)], "wrap")[2:-6, 6:-2].transpose(1, 0),
}


def shape_of(case: str, size_bytes: int) -> tuple[int, ...]:
    """Extents of a float32 array of about `size_bytes`."""
    n = size_bytes // 4
    if case == "matrix":
        return (math.isqrt(n),) * 2
    return max(1, n // (1000 * 1024)), 1000, 1024


def make(path: Path, shape: tuple[int, ...]) -> None:
    """A source of random bytes, in blocks."""
    rng = np.random.default_rng(0)
    block = rng.integers(0, 2**32, 1 << 23, np.uint32)
    with path.open("wb") as stream:
        told = {"descr": "<f4", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(stream, told)
        left = math.prod(shape)
        while left:
            stream.write(np.roll(block, left % 1021)[:left].data)
            left -= min(left, block.size)
        stream.flush()
        os.fsync(stream.fileno())


def drop_caches(*paths: Path) -> None:
    """Read from the disk again: all caches where we may, else those of these files."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        for path in paths:
            fd = os.open(path, os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


def copied(source: Path, target: Path) -> float:
    """Seconds of a plain copy that is on the disk at the end."""
    drop_caches(source)
    start = time.perf_counter()
    subprocess.run(["cp", "--reflink=never", source, target], check=True)
    fd = os.open(target, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)
    seconds = time.perf_counter() - start
    target.unlink()
    return seconds


def moved(source: Path, target: Path, case: str, max_bytes: float) -> dict[str, Any]:
    """The same for restride, in a process of its own."""
    drop_caches(source)
    words = ["--child", str(source), str(target), case, str(max_bytes)]
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.files", *words],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    return json.loads(told.stdout)


def child(source: str, target: str, case: str, max_bytes: str) -> None:
    """Run one case under the limit and say how long and how much."""
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_BYTES, LIMIT_BYTES))
    import restride as rs

    start = time.perf_counter()
    rs.run_blocks(CASES[case], source, target, max_bytes=float(max_bytes))
    seconds = time.perf_counter() - start
    status = Path("/proc/self/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
    print(json.dumps({"seconds": seconds, "peak_bytes": peak}))


def check(source: Path, target: Path, case: str) -> None:
    """Some rows of the result, computed again in memory from the definition."""
    x, y = np.load(source, mmap_mode="r"), np.load(target, mmap_mode="r")
    rng = np.random.default_rng(1)
    at = [rng.integers(0, n, 2000) for n in y.shape]
    back, n = at[::-1], x.shape
    if case == "images":
        wanted = x[at[1], at[0], at[2]]
    elif case == "reversed":
        lows = 3, -5, 0
        index = [
            np.clip(i - low, 0, m - 1) for i, low, m in zip(back, lows, n, strict=True)
        ]
        wanted = x[tuple(index)]
    else:
        wanted = x[(back[0] - 2) % n[0], (back[1] + 2) % n[1]]
    if y.shape != tuple(reversed(n)) and case != "images":
        raise SystemExit(f"{case}: shape {y.shape}")
    if not np.array_equal(y[tuple(at)].view(np.uint32), wanted.view(np.uint32)):
        raise SystemExit(f"{case}: the result is wrong")


def main() -> None:
    """Measure the cases asked for and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("out"))
    parser.add_argument("--case", action="append", choices=list(CASES))
    parser.add_argument("--max-bytes", type=float, default=256e6)
    asked = parser.parse_args()
    asked.folder.mkdir(exist_ok=True)
    source, target = asked.folder / "source.npy", asked.folder / "target.npy"
    for case in asked.case or CASES:
        shape = shape_of(case, int(asked.gigabytes * 1e9))
        make(source, shape)
        copies, moves, peak = [], [], 0
        try:
            for _ in range(asked.rounds):
                copies.append(copied(source, target))
                told = moved(source, target, case, asked.max_bytes)
                moves.append(told["seconds"])
                peak = max(peak, told["peak_bytes"])
                print(
                    f"  cp {copies[-1]:.2f} s, restride {moves[-1]:.2f} s", flush=True
                )
                check(source, target, case)
                target.unlink()
        finally:
            source.unlink()
            target.unlink(missing_ok=True)
        ratio = median(copies) / median(moves)
        print(
            f"{case} {shape}: cp {median(copies):.2f} s, restride {median(moves):.2f} "
            f"s, {ratio:.2f} of its speed, peak {peak / 1e6:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        main()
