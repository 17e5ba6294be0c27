"""Three operators on the public algebra: plan, adjoint and explanation for free."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from rehearsal.roll import Roll
from rehearsal.space_to_batch import SpaceToBatch
from rehearsal.tile import Tile

import restride as rs
from restride.explain.subject import explain

HERE = Path(__file__).parent / "rehearsal"


def roll_by_definition(x, shift, axis):
    return {
        k: tuple(
            (i - shift) % n if a == axis else i
            for a, (i, n) in enumerate(zip(k, x.shape, strict=True))
        )
        for k in product(*map(range, x.shape))
    }


def tile_by_definition(x, repeats):
    shape = [n * r for n, r in zip(x.shape, repeats, strict=True)]
    return {
        k: tuple(i % n for i, n in zip(k, x.shape, strict=True))
        for k in product(*map(range, shape))
    }


def space_to_batch_by_definition(x, block, pads):
    batch, n, rest = x.shape
    count = (pads[0] + n + pads[1]) // block
    read = {}
    for b, k, c in product(range(block * batch), range(count), range(rest)):
        at = k * block + b // batch - pads[0]
        read[b, k, c] = (b % batch, at, c) if 0 <= at < n else None
    return read


CASES = [
    (Roll(2, 1), (3, 5), lambda x: roll_by_definition(x, 2, 1)),
    (Roll(-7, 0), (3, 5), lambda x: roll_by_definition(x, -7, 0)),
    (Tile((2, 3)), (2, 3), lambda x: tile_by_definition(x, (2, 3))),
    (
        SpaceToBatch(2, (1, 2)),
        (2, 5, 3),
        lambda x: space_to_batch_by_definition(x, 2, (1, 2)),
    ),
]


@pytest.mark.parametrize(("operator", "shape", "definition"), CASES)
def test_result_adjoint_and_explanation(engine, operator, shape, definition):
    x = np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(np.float32)
    read = definition(x)
    plan = rs.plan(operator, shape, x.dtype)
    y = plan(x)
    gradient = np.arange(y.size, dtype=np.float32).reshape(y.shape)
    back = plan.adjoint()(gradient)
    assert y.shape == tuple(max(k) + 1 for k in zip(*read, strict=True))
    wanted = np.zeros_like(x)
    for k, source in read.items():
        assert y[k] == (0 if source is None else x[source])
        if source is not None:
            wanted[source] += gradient[k]
    np.testing.assert_array_equal(back, wanted)
    assert f"{shape} -> {y.shape}" in explain(operator.chain(shape))


def test_each_is_small():
    for name in ("roll", "tile", "space_to_batch"):
        text = (HERE / f"{name}.py").read_text()
        assert text.count("\n") <= 40, name
        modules = [n.module for n in ast.walk(ast.parse(text)) if hasattr(n, "module")]
        assert [m for m in modules if m.startswith("restride")] == ["restride.layout"]
