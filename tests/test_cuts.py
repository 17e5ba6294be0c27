"""Which ordered pairs of steps stay one map: a table, and an extra cut fails."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from restride.layout import Chain

SHAPE = (4, 6, 8)
TABLE = tomllib.loads((Path(__file__).parent / "cuts.toml").read_text())["cuts"]


def rows(c: Chain, entry: object) -> Chain:
    return c.select([entry, *[(0, 1, n) for n in c.shape[entry is not None :]]])


def strides(c: Chain) -> list[int]:
    inner = 1
    steps = []
    for n in reversed(c.shape):
        steps.insert(0, inner)
        inner *= n
    return steps


STEPS = {
    "slice": lambda c: rows(c, (0, 2, (c.shape[0] + 1) // 2)),
    "flip": lambda c: c.select([(n - 1, -1, n) for n in c.shape]),
    "drop": lambda c: rows(c, 0),
    "new_axis": lambda c: rows(c, None),
    "crop": lambda c: c.pad([(0, 0)] * (len(c.shape) - 1) + [(-1, -1)], "constant"),
    "pad_constant": lambda c: c.pad([(1, 1)] * len(c.shape), "constant"),
    "pad_edge": lambda c: c.pad([(1, 1)] * len(c.shape), "edge"),
    "pad_reflect": lambda c: c.pad([(1, 1)] * len(c.shape), "reflect"),
    "pad_symmetric": lambda c: c.pad([(1, 1)] * len(c.shape), "symmetric"),
    "pad_wrap": lambda c: c.pad([(1, 1)] * len(c.shape), "wrap"),
    "transpose": lambda c: c.transpose(tuple(reversed(range(len(c.shape))))),
    "broadcast": lambda c: c.broadcast_to((2, *c.shape)),
    "windows": lambda c: c.windows((2,), (1,), (1,), (len(c.shape) - 1,)),
    "split": lambda c: c.reshape((*c.shape[:-1], c.shape[-1] // 2, 2)),
    "merge": lambda c: c.reshape((*c.shape[:-2], c.shape[-2] * c.shape[-1])),
    "strided_by_axis": lambda c: c.as_strided(
        tuple(reversed(c.shape)), tuple(reversed(strides(c))), 0
    ),
    "strided_across": lambda c: c.as_strided((2,), (strides(c)[-2] + 1,), 0),
}


def test_the_table_names_every_ordered_pair():
    assert set(TABLE) == set(STEPS)
    assert all(set(row) == set(STEPS) for row in TABLE.values())


@pytest.mark.parametrize("first", STEPS)
def test_no_pair_cuts_more_often_than_the_table_says(first):
    start = STEPS[first](Chain.identity(SHAPE))
    if len(start.shape) < 2 or start.shape[-1] % 2:
        start = Chain.identity(SHAPE).as_strided((2, 3, 4), (49, 9, 2), 0)
        assert first == "strided_across"
    for second, step in STEPS.items():
        assert step(start).cuts == TABLE[first][second], (first, second)
