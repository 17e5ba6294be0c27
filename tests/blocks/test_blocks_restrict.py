"""A box of a chain is a chain over less: the laws, on drawn chains and all modes.

What a chain means is told by the oracle, which visits single cells; what a block may
read is told by running it over a source whose other cells hold something else.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from math import prod
from unittest.mock import patch

import chains
import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import restride as rs
from restride.blocks import Restriction, parts, restrict
from restride.lazy import View

LIMITS = (
    (parts, "LEAST_SKIPPED", parts.LEAST_SKIPPED),
    (parts, "LEAST_SKIPPED", 1),
    (sys.modules["restride.blocks.restrict"], "MOST_SPANS", 2),
)
"""As shipped; skipping all that is not read; reading whole rows of a flat source."""


def compact(x, block):
    """The source part of a block: its intervals laid end to end."""
    if block.flat:
        x = x.reshape(-1)
    for axis, intervals in enumerate(block.reads):
        kept = [k for low, high in intervals for k in range(low, high)]
        x = np.take(x, np.array(kept, np.intp), axis)
    return x


def run(x, block):
    """A block, made of its part of `x` alone."""
    return View(compact(x, block), block.chain).copy()


def numbered(shape):
    return np.arange(1, prod(shape) + 1, dtype=np.int32).reshape(shape)


def defined(chain, x):
    """The result by definition, cells as int32; a constant is negative."""
    cells = [int(v) for v in x.reshape(-1)]
    t = chain.define(oracle.Tensor(x.shape, cells))
    whole = [-7 if isinstance(c, (bytes, type(None))) else c for c in t.cells]
    return np.array(whole, np.int32).reshape(t.shape)


@st.composite
def drawn(draw, most=5):
    """A chain over int32 and how its result is split along each axis."""
    chain = draw(chains.chains(most))
    chain = chain._replace(dtype=np.dtype(np.int32), layout="C")
    return chain, draw(st.integers(0, 2**30))


def some_box(shape, seed):
    rng = np.random.default_rng(seed)
    ends = [sorted(rng.integers(0, n + 1, 2).tolist()) for n in shape]
    return tuple((a, b) for a, b in ends)


def filled(view):
    """The view with every constant -7, which is what `defined` puts."""
    from restride.layout.constant import Constant

    maps = [m.refilled((Constant(-7),) * len(m.fills)) for m in view.chain.maps]
    return view.chain._replace(maps=tuple(maps))


def part(whole, box):
    return whole[tuple(slice(a, b) for a, b in box)]


@pytest.mark.parametrize("limit", LIMITS, ids=("shipped", "skipping", "rows"))
@given(drawn())
@settings(max_examples=100, deadline=None)
def test_a_box_equals_that_box_of_the_whole(limit, case):
    with patch.object(*limit):
        check_boxes(*case)


def check_boxes(chain, seed):
    x = numbered(chain.shape)
    whole = defined(chain, x)
    made = filled(chain.view(x))
    assert made.shape == whole.shape
    restricted = Restriction(made)
    for k in range(4):
        box = some_box(made.shape, seed + k)
        block = restricted(box)
        check_form(x, block)
        np.testing.assert_array_equal(run(x, block), part(whole, box), strict=True)


def check_form(x, block):
    """Intervals sorted, apart and inside; the chain over them makes the box."""
    extents = (x.size,) if block.flat else x.shape
    assert len(block.reads) == len(extents)
    assert len({intervals == () for intervals in block.reads}) <= 1
    for intervals, n in zip(block.reads, extents, strict=True):
        assert all(low < high for low, high in intervals)
        assert all(a[1] < b[0] for a, b in pairwise(intervals))
        assert not intervals or (intervals[0][0] >= 0 and intervals[-1][1] <= n)
    lengths = tuple(sum(b - a for a, b in i) for i in block.reads)
    assert block.chain.source_shape == lengths
    assert block.chain.shape == tuple(b - a for a, b in block.box)


def test_a_wrap_seam_is_two_intervals():
    chain = numbered_view(10).pad([[3, 3]], "wrap").chain
    assert restrict(chain, [(1, 6)]).reads == (((0, 3), (8, 10)),)
    assert restrict(chain, [(4, 6)]).reads == (((1, 3),),)


def numbered_view(*shape):
    return rs.view(numbered(shape))


def test_a_transpose_reads_the_turned_box():
    chain = numbered_view(4, 100).transpose().chain
    assert restrict(chain, [(10, 20), (1, 2)]).reads == (((1, 2),), ((10, 20),))


def test_only_constants_read_nothing():
    block = restrict(numbered_view(4, 4).pad(3).chain, [(0, 3), (0, 10)])
    assert block.reads == ((), ())
    assert block.chain.source_shape == (0, 0)
    assert run(numbered((4, 4)), block).tolist() == [[0] * 10] * 3


def test_a_long_step_reads_each_row_and_a_short_one_all_between():
    rows = numbered_view(99, 8192)[::9].chain
    block = restrict(rows, [(2, 4), (0, 8192)])
    assert block.reads[0] == ((18, 19), (27, 28))
    cells = numbered_view(100)[::10].chain
    assert restrict(cells, [(2, 5)]).reads == (((20, 41),),)


def test_windows_far_apart_read_only_themselves():
    frames = numbered_view(100_000).windows(2, 10_000).chain
    block = restrict(frames, [(1, 3), (0, 2)])
    assert block.reads == (((10_000, 10_002), (20_000, 20_002)),)
    assert block.chain.cuts == 0
    overlapping = numbered_view(100).windows(3).chain
    assert restrict(overlapping, [(5, 8), (0, 3)]).reads == (((5, 10),),)


def test_strides_that_carry_read_spans_of_the_flat_source():
    x = numbered((100, 200))
    chain = rs.view(x).as_strided((3, 10), (4321, 7)).chain
    block = restrict(chain, [(1, 3), (0, 10)])
    assert block.flat
    assert block.reads == (((4321, 4321 + 64), (8642, 8642 + 64)),)
    assert (run(x, block) == x.reshape(-1)[block_positions()]).all()


def block_positions():
    return np.array([[i * 4321 + j * 7 for j in range(10)] for i in (1, 2)])


def test_a_reshape_that_merges_is_made_by_rows():
    x = numbered((6, 5))
    chain = rs.view(x).transpose().reshape(30).chain
    assert restrict(chain, [(6, 18)]).chain.cuts == 0
    block = restrict(chain, [(7, 9)])
    assert block.reads == (((0, 6),), ((1, 2),))
    assert run(x, block).tolist() == x.T.reshape(-1)[7:9].tolist()


@pytest.mark.parametrize(
    "box",
    [
        [],
        [(0, 1)],
        [(0, 1), (0, 5)],
        [(0, 1), (-1, 2)],
        [(0, 1), (2, 1)],
        [(0, 1), (0, 1, 2)],
        [(0, 1), (0, 2**70)],
        [(0, 1), (0, 1.5)],
        [(0, 1), 3],
        "ab",
        None,
        [None, None],
    ],
)
def test_a_box_outside_is_refused(box):
    with pytest.raises(rs.RestrideError, match="box"):
        restrict(numbered_view(3, 4).chain, box)


def test_many_boxes_of_one_chain_are_fast():
    """Every axis is asked once, so a thousand boxes cost what their parts do."""
    chain = numbered_view(64, 64, 64).pad(5, "reflect").transpose(2, 0, 1).chain
    made = Restriction(chain)
    boxes = [
        ((a, a + 8), (b, b + 8), (c, c + 8))
        for a in range(0, 72, 8)
        for b in range(0, 72, 8)
        for c in range(0, 72, 8)
    ]
    blocks = [made(box) for box in boxes]
    assert len({id(block.chain) for block in blocks}) <= 5**3
    assert sum(len(lane._known) for lane in made.lanes) == 3 * 9
