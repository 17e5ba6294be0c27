"""The main job on a real photograph: chains of steps, each run as one pass.

Writes pictures into ``out/`` and prints what was done, how fast, and how that
compares with a plain copy of as many bytes measured in the same process.

Run it with ``make demo``, or ``python examples/demo.py [DIRECTORY]``.
"""

from __future__ import annotations

import shlex
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table

import restride as rs

Array = np.ndarray[Any, Any]

TILES = 8
"""Times are taken over the photo repeated so often each way: 50 MB, beyond caches."""

RUNS = 9
"""Timed runs; the median is reported."""


@dataclass(frozen=True)
class Job:
    """One chain: what it is called, what it does, and its command line."""

    name: str
    what: str
    chain: Callable[[Array], rs.View]
    command: str
    """Operators as typed, or empty where the tool has no single command for it."""


def frame(x: Array) -> rs.View:
    """Crop the middle, mirror it left to right, and grow it by reflection."""
    edge = x.shape[0] // 8
    cropped = rs.view(x)[edge:-edge, edge:-edge].flip(1)
    return cropped.pad([[edge, edge], [edge, edge], [0, 0]], "reflect")


def patches(x: Array) -> rs.View:
    """Tiles of 64 x 64 with 16 more pixels on each side, mirrored at the borders."""
    n = x.shape[0] // 64
    padded = rs.view(x).pad([[16, 16], [16, 16], [0, 0]], "reflect")
    cut = padded.windows((96, 96), step=64, axis=(0, 1))
    return cut.transpose(0, 3, 1, 4, 2).reshape(n * 96, n * 96, 3)


def phases(x: Array) -> rs.View:
    """Every second pixel of every second row, in all four ways, side by side."""
    rows, columns, colours = x.shape
    split = rs.view(x).reshape(rows // 2, 2, columns // 2, 2, colours)
    return split.transpose(1, 0, 3, 2, 4).reshape(rows, columns, colours)


def carpet(x: Array) -> rs.View:
    """Half the size, turned a quarter to the left, and repeated outwards."""
    half = rs.view(x)["::2, ::2"].transpose(1, 0, 2).flip(0)
    edge = x.shape[0] // 4
    return half.pad([[edge, edge], [edge, edge], [0, 0]], "wrap")


JOBS = (
    Job(
        "frame",
        "crop, flip, reflect pad",
        frame,
        "slice 64:-64,64:-64 flip 1 pad [[64,64],[64,64],[0,0]] --mode reflect",
    ),
    Job(
        "patches",
        "tiles with a halo: reflect pad, windows",
        patches,
        "pad [[16,16],[16,16],[0,0]] --mode reflect windows 96,96 --step 64 "
        "--axis 0,1 transpose 0,3,1,4,2 reshape 768,768,3",
    ),
    Job(
        "phases",
        "polyphase: four half-size pictures",
        phases,
        "reshape 256,2,256,2,3 transpose 1,0,3,2,4 reshape 512,512,3",
    ),
    Job(
        "carpet",
        "half size, quarter turn, wrap pad",
        carpet,
        "slice ::2,::2 transpose 1,0,2 flip 0 "
        "pad [[128,128],[128,128],[0,0]] --mode wrap",
    ),
)


def photo() -> Array:
    """The photograph that scikit-image ships, 512 x 512 x 3 bytes."""
    spec = find_spec("skimage")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("demo: scikit-image is not installed; pip install scikit-image.")
    path = Path(spec.submodule_search_locations[0]) / "data" / "astronaut.png"
    return np.asarray(Image.open(path).convert("RGB"))


def paste(dst: Array) -> Array:
    """Write a quarter-size mirror image of `dst` into a corner of `dst` itself."""
    quarter = rs.view(dst)["::4, ::-4"]
    rows, columns, colours = quarter.shape
    starts = (dst.shape[0] - rows - 16, dst.shape[1] - columns - 16, 0)
    ends = (starts[0] + rows, starts[1] + columns, colours)
    return rs.set_value(dst, quarter, starts, ends)


def seconds(run: Callable[[], object]) -> float:
    """Median time of `run`, after one run that does not count."""
    run()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def copy_seconds(moved_bytes: int) -> float:
    """np.copyto that reads and writes as many bytes in all, into a ready buffer."""
    source = np.ones(max(1, moved_bytes // 2), np.uint8)
    result = np.empty_like(source)
    result.fill(0)
    return seconds(lambda: np.copyto(result, source))


def row(what: str, shape: str, cuts: int, moved_bytes: int, took: float) -> list[str]:
    """One line of the table."""
    copy = copy_seconds(moved_bytes)
    return [
        what,
        shape,
        str(cuts),
        f"{moved_bytes / 1e6:.1f}",
        f"{took * 1e3:.2f}",
        f"{moved_bytes / took / 1e9:.1f}",
        f"{took / copy:.2f}x",
    ]


def by(shape: tuple[int, ...]) -> str:
    """A shape as people say it: 4096 x 4096 x 3."""
    return " x ".join(map(str, shape))


def chain_row(job: Job, big: Array) -> list[str]:
    """Time one chain over the large picture."""
    seen = job.chain(big)
    out = np.zeros(seen.shape, seen.dtype)
    plan = rs.plan(seen)
    moved = plan.bytes_read + plan.bytes_written
    return row(
        job.what, by(seen.shape), plan.cuts, moved, seconds(lambda: plan(big, out))
    )


def paste_row(big: Array) -> list[str]:
    """Time the region write over the large picture."""
    dst = big.copy()
    cells = (dst.shape[0] // 4) * (dst.shape[1] // 4) * 3
    shape = by((dst.shape[0] // 4, dst.shape[1] // 4, 3))
    return row(
        "region write from itself", shape, 0, 2 * cells, seconds(lambda: paste(dst))
    )


def by_command(job: Job, directory: Path, number: int, console: Console) -> Path:
    """Run the same chain through the command line tool."""
    made = directory / f"{number}_{job.name}.png"
    words = shlex.split(job.command)
    told = shlex.join(["restride", "run", "0_photo.png", *words, "-o", made.name])
    console.print(f"$ {told}", highlight=False, markup=False, soft_wrap=True)
    tool = [sys.executable, "-m", "restride", "run"]
    subprocess.run(
        [*tool, "0_photo.png", *words, "-o", made.name], check=True, cwd=directory
    )
    return made


def contact_sheet(pictures: list[tuple[str, Array]]) -> Array:
    """All pictures in cells of one size, each under its label; larger ones shrunk."""
    font: Any = ImageFont.load_default(20)
    side, gap, band, columns = 512, 16, 36, 3
    rows = -(-len(pictures) // columns)
    shape = rows * (side + band + gap) + gap, columns * (side + gap) + gap, 3
    sheet = np.full(shape, 245, np.uint8)
    corners = []
    for k, (_, x) in enumerate(pictures):
        top = gap + k // columns * (side + band + gap)
        left = gap + k % columns * (side + gap)
        small = fitted(x, side)
        ends = top + band + small.shape[0], left + small.shape[1], 3
        rs.set_value(sheet, small, (top + band, left, 0), ends)
        corners.append((left, top + 4))
    image = Image.fromarray(sheet)
    pen = ImageDraw.Draw(image)
    for (label, _), corner in zip(pictures, corners, strict=True):
        pen.text(corner, label, fill=(20, 20, 20), font=font)
    return np.asarray(image)


def fitted(x: Array, side: int) -> Array:
    """The picture, no larger than `side` each way."""
    image = Image.fromarray(x)
    image.thumbnail((side, side))
    return np.asarray(image)


def main() -> None:
    """Make the pictures, check them against the tool's, and print the table."""
    # The cut of the second chain is meant, and stands in the table.
    warnings.simplefilter("ignore", rs.CutWarning)
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    directory.mkdir(parents=True, exist_ok=True)
    console = Console()
    x = photo()
    pictures = [("0 the photograph", x)]
    Image.fromarray(x).save(directory / "0_photo.png")
    for number, job in enumerate(JOBS, start=1):
        made = by_command(job, directory, number, console)
        result = job.chain(x).copy()
        if not np.array_equal(np.asarray(Image.open(made)), result):
            sys.exit(f"demo: {made} differs from what the library made.")
        pictures.append((f"{number} {job.what}", result))
    pasted = paste(x.copy())
    Image.fromarray(pasted).save(directory / "5_paste.png")
    pictures.append(("5 region write: itself, in a corner", pasted))
    sheet = directory / "contact_sheet.png"
    Image.fromarray(contact_sheet(pictures)).save(sheet)
    report(x, console)
    console.print(f"pictures: {directory}/ (all on one: {sheet})", highlight=False)


def report(x: Array, console: Console) -> None:
    """Print how fast each chain runs over the photo tiled `TILES` times each way."""
    rows, columns, colours = x.shape
    tiles = rs.view(x).reshape(1, rows, 1, columns, colours)
    wide = tiles.broadcast_to((TILES, rows, TILES, columns, colours))
    big = wide.reshape(TILES * rows, TILES * columns, colours).copy()
    table = Table(
        title=f"engine: {rs.engine()}, threads: {rs.threads()}",
        caption=f"Over the photo tiled {TILES} x {TILES}, {by(big.shape)}; median of "
        f"{RUNS} runs into a ready buffer. MB: read + written. time / copy: against "
        "np.copyto of as many bytes into a ready buffer, in this process; 1x is as "
        "fast, less is faster.",
    )
    for name in ("chain", "result", "cuts", "MB", "ms", "GB/s", "time / copy"):
        right = name not in ("chain", "result")
        table.add_column(name, justify="right" if right else "left")
    for job in JOBS:
        table.add_row(*chain_row(job, big))
    table.add_row(*paste_row(big))
    console.print(table)


if __name__ == "__main__":
    main()
