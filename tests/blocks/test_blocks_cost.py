"""Sums over a grid, told from a few boxes, are what a loop over all boxes gives."""

from __future__ import annotations

import time
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_blocks_restrict import drawn, filled, numbered, numbered_view

import restride as rs
from restride.blocks import Restriction
from restride.blocks.cost import cost
from restride.blocks.grid import Grid, grid
from restride.blocks.totals import Totals
from restride.layout import Chain


def looped(chain, boxes):
    """Elements read, and the most that one box holds, by looking at every box."""
    restricted = Restriction(chain)
    read, most = 0, 0
    for box in boxes:
        block = restricted(box)
        here = prod(sum(b - a for a, b in i) for i in block.reads)
        between = sum(m.size for m in block.chain.maps[:-1])
        read += here
        most = max(most, here + between + prod(b - a for a, b in box))
    return read, most


@given(drawn(), st.lists(st.integers(1, 5), min_size=8, max_size=8))
@settings(max_examples=100, deadline=None)
def test_sums_are_those_of_a_loop(case, sizes):
    chain = filled(case[0].view(numbered(case[0].shape)))
    boxes = Grid(chain.shape, tuple(sizes[: len(chain.shape)]))
    assert len(list(boxes)) == len(boxes)
    total = Totals(chain).over(boxes)
    read, most = looped(chain, boxes)
    assert total.is_exact
    assert total.read == read
    assert sum(total.most) >= most


@given(drawn(), st.integers(1, 4000), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_a_grid_tiles_and_every_box_fits(case, limit, aligned):
    chain = filled(case[0].view(numbered(case[0].shape)))
    align = (aligned,) * len(chain.shape) if aligned else None
    try:
        boxes = grid(chain, 4, limit, align)
    except rs.RestrideError:
        smallest = Grid(
            chain.shape, tuple(min(aligned or 1, n or 1) for n in chain.shape)
        )
        assert sum(Totals(chain).over(smallest).most) * 4 > limit
        return
    assert looped(chain, boxes)[1] * 4 <= limit
    written = np.zeros(chain.shape, int)
    for number, box in enumerate(boxes):
        assert boxes.box(number) == box
        written[tuple(slice(a, b) for a, b in box)] += 1
    assert (written == 1).all()
    if align:
        assert all(a % aligned == 0 for box in boxes for a, _ in box)


@given(drawn(), st.lists(st.integers(1, 5), min_size=8, max_size=8), st.data())
@settings(max_examples=60, deadline=None)
def test_so_they_are_where_the_first_box_is_shorter(case, sizes, data):
    chain = filled(case[0].view(numbered(case[0].shape)))
    block = tuple(sizes[: len(chain.shape)])
    first = tuple([data.draw(st.integers(0, b - 1)) for b in block])
    boxes = Grid(chain.shape, block, first)
    written = np.zeros(chain.shape, int)
    for number, box in enumerate(boxes):
        assert boxes.box(number) == box
        for (low, _), b, f in zip(box, block, first, strict=True):
            assert low in (0, f) or (low - f) % b == 0
        written[tuple(slice(a, b) for a, b in box)] += 1
    assert (written == 1).all()
    assert len(list(boxes)) == len(boxes)
    total = Totals(chain).over(boxes)
    read, most = looped(chain, boxes)
    assert total.read == read
    assert sum(total.most) >= most


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_a_million_boxes_cost_milliseconds(mode):
    chain = Chain.identity((100_000, 100_000)).pad([(30, 70), (999, -899)], mode)
    boxes = Grid(chain.shape, (101, 101))
    assert len(boxes) > 900_000
    start = time.perf_counter()
    told = cost(chain, 4, boxes)
    assert time.perf_counter() - start < 0.5  # 2 ms where nothing else runs
    assert told.is_exact
    axes = [Chain.identity((100_000,)).pad([p], mode) for p in ((30, 70), (999, -899))]
    sums = [looped(c, Grid(c.shape, (101,)))[0] for c in axes]
    assert told.bytes_read == 4 * prod(sums)
    assert told.tasks == told.blocks == len(boxes)


def test_windows_over_a_pad_are_summed_in_closed_form():
    chain = Chain.identity((400_000_000,)).pad([(200, 200)], "reflect")
    chain = chain.windows([400], [160], [1], [0])
    assert chain.cuts == 1
    boxes = Grid(chain.shape, (2, 400))
    assert len(boxes) > 1_000_000
    start = time.perf_counter()
    told = cost(chain, 4, boxes)
    assert time.perf_counter() - start < 0.5
    assert told.is_exact
    assert 1.749 < told.amplification < 1.751  # 560 read of every 320


def test_strides_that_carry_tell_their_amplification():
    x = numbered_view(1000, 1000)
    turned = x.as_strided((500, 500), (1, 2000)).chain
    assert Restriction(turned).flat or turned.maps[0].source_shape == (1000, 1000)
    carried = x.as_strided((700, 700), (1, 1001)).chain
    told = cost(carried, 4, Grid(carried.shape, (10, 700)))
    assert told.is_exact
    assert told.amplification > 60  # 70 blocks, and each spans nearly all


@pytest.mark.parametrize(
    "bad",
    [
        {"max_bytes": 7},
        {"max_bytes": -1},
        {"max_bytes": 2.5},
        {"max_bytes": None},
        {"max_bytes": float("nan")},
        {"max_bytes": float("inf")},
        {"align": (0, 1)},
        {"align": (1,)},
        {"align": "ab"},
        {"align": (2**70, 2**70), "max_bytes": 100},
    ],
)
def test_what_cannot_be_tiled_is_refused(bad):
    given_ = {"max_bytes": 1000, "align": None} | bad
    with pytest.raises(rs.RestrideError):
        grid(Chain.identity((30, 40)), 4, **given_)


def test_rows_stay_whole_and_a_transpose_is_long_both_ways():
    rows = Chain.identity((60_000, 50_000)).pad([(9, 9), (9, 9)], "wrap")
    block = grid(rows, 4, 256_000_000).block
    assert block[1] == 50_018
    assert 500 < block[0] < 640
    turned = grid(rows.transpose((1, 0)), 4, 256_000_000).block
    assert 3 < turned[1] / turned[0] < 12
    assert 0.7 * 32_000_000 < prod(turned) <= 32_000_000


def test_an_empty_result_has_no_box():
    boxes = grid(Chain.identity((0, 3)), 4, 100)
    assert len(boxes) == 0
    assert list(boxes) == []
    told = cost(Chain.identity((0, 3)), 4, boxes)
    assert (told.blocks, told.bytes_read, told.amplification) == (0, 0, 1.0)


def test_boxes_that_read_much_again_are_turned():
    carried = numbered_view(1200, 1000).as_strided((1100, 1000), (1, 1001)).chain
    boxes = grid(carried, 4, 1_000_000)
    assert boxes.block[0] == 1100
    assert cost(carried, 4, boxes).amplification < 1.01


@given(drawn(), st.data())
@settings(max_examples=100, deadline=None)
def test_merged_axes_are_summed_as_a_loop_does(case, data):
    chain = filled(case[0].view(numbered(case[0].shape)))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(chain.shape)))))
    ends = [0, *cuts, len(chain.shape)]
    merged = [prod(chain.shape[a:b]) for a, b in pairwise(ends)]
    chain = chain.reshape(tuple(merged))
    sizes = []
    for a, b in pairwise(ends):
        inner = max(1, prod(chain.maps[-1].shape[a + 1 : b]))
        parts = [k for k in range(1, inner + 1) if inner % k == 0] + [2 * inner]
        sizes.append(data.draw(st.sampled_from(parts)))
    boxes = Grid(chain.shape, tuple(sizes))
    total = Totals(chain).over(boxes)
    read, most = looped(chain, boxes)
    assert total.is_exact
    assert total.read == read
    assert sum(total.most) >= most


@pytest.mark.parametrize(
    "shape", [(3002**3,), (3002, 3002 * 3002), (3002 * 3002, 3002)]
)
@pytest.mark.parametrize("mode", ["constant", "reflect", "wrap"])
def test_a_merge_of_many_elements_is_planned_at_once(shape, mode):
    chain = Chain.identity((3000, 3000, 3000)).pad([(1, 1)] * 3, mode).reshape(shape)
    start = time.perf_counter()
    boxes = grid(chain, 4, 160_000_000)
    told = cost(chain, 4, boxes)
    assert time.perf_counter() - start < 1  # 4 ms where nothing else runs, 20 s before
    assert told.is_exact
    assert told.amplification < 1.01
    rows = [boxes.box(k) for k in (0, 1, len(boxes) // 2, len(boxes) - 1)]
    made = Restriction(chain)
    held = [looped(chain, [box])[1] for box in rows]
    assert max(held) * 4 <= 160_000_000
    assert made(rows[1]).chain.source_shape[1:] == (3000, 3000)
