"""Random chains, writes and gradients on the native engine, against the oracle.

``make sanitize`` runs this with the core under ASan and UBSan; it is no pytest file.
Every round has a seed of its own: ``python tests/sanitize_run.py --only N`` repeats
round N.  The oracle moves the numbers of the cells, so one walk of it judges any dtype.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import count
from math import prod
from typing import Any

import chains
import ml_dtypes
import numpy as np
import oracle
from samples import DTYPES, LAYOUTS, fresh, raw

import restride as rs

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

CELLS = (12, 60, 400, 3000)
"""Most cells on the way in a round of each size; the oracle visits each in Python."""

WIDE_CELLS = 60_000
"""Cells of a round large enough to be shared out among threads."""

WIDE_EVERY = 40
SUMMED = ["i1", "u2", "i4", "i8", "f4", "f8", "c8", "c16", "?", "f2"]
GRADIENTS = [*map(np.dtype, SUMMED), np.dtype(ml_dtypes.bfloat16)]


# ----------------------------------------------------------------------- the chains


def random_shape(rng: random.Random, most: int, rank: int = 4) -> Shape:
    """Up to `rank` extents, the last often long, of at most `most` cells in all."""
    shape: list[int] = []
    for _ in range(rng.randint(0, rank)):
        left = most // max(prod(shape), 1)
        roof = min(left, rng.choice([1, 3, 9, 70, 700]))
        shape.append(rng.randint(1, max(roof, 1)))
    if shape and rng.random() < 0.03:
        shape[rng.randrange(len(shape))] = 0
    rng.shuffle(shape)
    return tuple(shape)


def index_step(rng: random.Random, shape: Shape) -> chains.Step:
    entries: list[Any] = []
    for n in shape:
        if n and rng.random() < 0.15:
            entries.append(rng.randint(-n, n - 1))
            continue
        begin, end = (rng.choice([None, rng.randint(-n - 2, n + 2)]) for _ in range(2))
        entries.append(slice(begin, end, rng.choice([None, -1, 1, 2, -3, 5])))
    if rng.random() < 0.3:
        entries.insert(rng.randint(0, len(entries)), None)
    return chains.indexed(tuple(entries))


def pad_step(rng: random.Random, shape: Shape) -> chains.Step:
    mode = rng.choice(oracle.MODES)
    pads = []
    for n in shape:
        before = rng.randint(-n // 2, rng.choice([2, 9, 2 * n + 3]))
        after = rng.randint(-n // 2, rng.choice([2, 9, 2 * n + 3]))
        still = rng.random() < 0.3 or (n == 0 and mode != "constant")
        pads.append((0, 0) if still else (before, max(after, -n - before)))
    return chains.padded(pads, mode, None, -1)


def transpose_step(rng: random.Random, shape: Shape) -> chains.Step:
    return chains.transposed(tuple(rng.sample(range(len(shape)), len(shape))))


def window_step(rng: random.Random, shape: Shape) -> chains.Step:
    usable = [axis for axis, n in enumerate(shape) if n]
    axes = rng.sample(usable, rng.randint(0, min(2, len(usable))))
    size = [rng.randint(1, min(shape[a], 7)) for a in axes]
    dilation = [
        rng.randint(1, max(1, (shape[a] - 1) // max(n - 1, 1)))
        for a, n in zip(axes, size, strict=True)
    ]
    return chains.windowed(size, [rng.randint(1, 4) for _ in axes], dilation, axes)


def strided_step(rng: random.Random, shape: Shape) -> chains.Step:
    cells, low, high = prod(shape), 0, 0
    if not cells:
        return chains.strided((0,), (1,), 0)
    size, stride = [], []
    for _ in range(rng.randint(0, 4)):
        n = rng.randint(1, rng.choice([3, 20]))
        most = (cells - 1 - (high - low)) // max(n - 1, 1)
        step = rng.randint(-most, most)
        size.append(n)
        stride.append(step)
        low, high = low + min(step * (n - 1), 0), high + max(step * (n - 1), 0)
    offset = rng.randint(-low, cells - 1 - high)
    return chains.strided(tuple(size), tuple(stride), offset)


def reshape_step(rng: random.Random, shape: Shape) -> chains.Step:
    extents = list(shape)
    if len(extents) > 1 and rng.random() < 0.5:
        at = rng.randrange(len(extents) - 1)
        extents[at : at + 2] = [extents[at] * extents[at + 1]]
    elif extents:
        at = rng.randrange(len(extents))
        n = extents[at]
        first = rng.choice([k for k in range(1, min(n, 40) + 1) if n % k == 0] or [1])
        extents[at : at + 1] = [first, n // first]
    return chains.reshaped(tuple(extents))


def broadcast_step(rng: random.Random, shape: Shape) -> chains.Step:
    wide = [rng.randint(1, 9) if n == 1 else n for n in shape]
    return chains.broadcast((*[rng.randint(1, 3)] * rng.randint(0, 1), *wide))


STEPS = (
    index_step,
    pad_step,
    transpose_step,
    window_step,
    strided_step,
    reshape_step,
    broadcast_step,
)


def random_steps(
    rng: random.Random, shape: Shape, most: int
) -> tuple[list[chains.Step], oracle.Tensor]:
    """Up to five steps that stay small, and the numbers of the cells they select."""
    t, steps = oracle.numbered(shape), []
    for _ in range(rng.randint(1, 5)):
        step = rng.choice(STEPS)(rng, t.shape)
        made = step.define(t)
        if len(made.cells) <= 3 * most and len(made.shape) <= 7:
            steps.append(step)
            t = made
    return steps, t


# ------------------------------------------------------------------ three questions


def selected(x: Array, t: oracle.Tensor) -> bytes:
    """The bytes of the cells that `t` numbers; -1 is zero bytes."""
    data = np.frombuffer(raw(x) + bytes(x.itemsize), np.dtype((np.void, x.itemsize)))
    return data[np.array(t.cells, np.intp)].tobytes()


def check_copy(rng: random.Random, view: Any, x: Array, t: oracle.Tensor) -> str:
    """The chain's copy, fresh and into an array of some other layout."""
    expected = selected(x, t)
    if rng.random() < 0.5:
        got = view.copy()
    else:
        got = fresh(t.shape, x.dtype, rng.choice(LAYOUTS[:5]), 7)
        view.copy(out=got)
    if got.shape == t.shape and raw(got) == expected:
        return ""
    return f"copy gave {got.shape}, {raw(got)[:40]!r}, not {t.shape}, {expected[:40]!r}"


def check_gradient(rng: random.Random, view: Any, x: Array, t: oracle.Tensor) -> str:
    """The adjoint of the chain, which adds each cell to the one it came from."""
    small = [rng.randint(0, 2) for _ in range(64)]
    values = np.resize(np.array(small), t.shape)
    sums = np.zeros(prod(x.shape) + 1, np.int64)
    np.add.at(sums, np.array(t.cells, np.intp), values.ravel())
    if np.abs(sums).max(initial=0) > 100:
        return ""  # what an int8 or bfloat16 would round or wrap is tested elsewhere
    expected = sums[:-1].astype(x.dtype).reshape(x.shape)
    got = rs.plan(view).adjoint()(values.astype(x.dtype))
    return "" if raw(got) == raw(expected) else f"adjoint gave {got}, not {expected}"


def check_write(rng: random.Random, x: Array) -> str:
    """A region write, from a source that may share memory with its target."""
    dst = fresh(x.shape, x.dtype, rng.choice(LAYOUTS[:5]), 3)
    step, entries = rng.choice([1, 1, 2, -1]), []
    for n in x.shape:
        begin = rng.randint(0, max(n - 1, 0))
        entries.append(slice(begin, None, step))
    chosen = oracle.index(oracle.numbered(x.shape), entries)
    source = rs.view(dst)[tuple(entries)].flip()
    if rng.random() < 0.5:
        source = rs.view(fresh(chosen.shape, x.dtype, rng.choice(LAYOUTS), 5))
    cells = np.frombuffer(raw(dst), np.dtype((np.void, x.itemsize))).copy()
    moved = np.frombuffer(raw(source.copy()), cells.dtype)
    if chosen.cells:
        cells[np.array(chosen.cells, np.intp)] = moved
    rs.assign(dst, tuple(entries), source)
    return "" if raw(dst) == cells.tobytes() else f"assign {entries} differs"


# ------------------------------------------------------------------------ the rounds


def one_round(number: int, seed: int) -> str:
    """Nothing where engine and oracle agree, else what differs and on which chain."""
    rng = random.Random(f"{seed}-{number}")
    wide = number % WIDE_EVERY == WIDE_EVERY - 1
    most = WIDE_CELLS if wide else rng.choice(CELLS)
    shape = random_shape(rng, most, 3 if wide else 4)
    rs.threads(rng.randint(1, 4))
    rs.pool.limit(rng.choice([0, 1 << 16, 1 << 28]))
    adds = rng.random() < 0.25
    dtype = rng.choice(GRADIENTS if adds else DTYPES)
    layout = rng.choice(LAYOUTS)
    x = fresh(shape, dtype, layout)
    steps, t = random_steps(rng, shape, most)
    view = rs.view(x)
    for step in steps:
        view = step.apply(view)
    found = (check_gradient if adds else check_copy)(rng, view, x, t)
    found = found or check_write(rng, x)
    where = chains.Chain(shape, dtype, layout, tuple(steps))
    return f"round {number}, seed {seed}: {where}: {found}" if found else ""


def main() -> int:
    """Rounds until the time is up; 1 at the first that differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", type=int, help="repeat this round")
    given = options.parse_args()
    if rs.engine() != "native":
        print("sanitize_run: the native engine is not built", file=sys.stderr)
        return 1
    until, done = time.monotonic() + given.seconds, 0
    rounds = count() if given.only is None else [given.only]
    for number in rounds:
        found = one_round(number, given.seed)
        if found:
            print(found, file=sys.stderr)
            return 1
        done += 1
        if time.monotonic() > until:
            break
    print(f"{done:,} random plans agree with the oracle in {given.seconds:g} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
