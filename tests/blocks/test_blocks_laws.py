"""Laws of tilings: the union is the whole, and nothing is read for nothing."""

from __future__ import annotations

import random
from itertools import product
from math import prod
from unittest.mock import patch

import chains
import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_blocks_restrict import defined, drawn, filled, numbered, numbered_view, run

from restride.blocks import Grid, Restriction, parts

ALONE = (
    chains.draw_index,
    chains.draw_pad,
    chains.draw_transpose,
    chains.draw_flip,
    chains.draw_broadcast,
)
"""Steps after which each source axis is walked by one result axis at most."""


@given(drawn(), st.lists(st.integers(1, 4), min_size=8, max_size=8))
@settings(max_examples=100, deadline=None)
def test_the_blocks_of_a_tiling_make_the_whole(case, sizes):
    chain, _ = case
    x = numbered(chain.shape)
    made = filled(chain.view(x))
    whole = np.zeros(made.shape, np.int32)
    restricted = Restriction(made)
    for box in Grid(made.shape, tuple(sizes[: len(made.shape)])):
        whole[tuple(slice(a, b) for a, b in box)] = run(x, restricted(box))
    np.testing.assert_array_equal(whole, defined(chain, x))


@st.composite
def walked_alone(draw):
    """A chain of slices, pads and the like, and a box of its result."""
    shape = draw(chains.shapes)
    steps, t = [], oracle.Tensor(shape, [b""] * oracle.size_of(shape))
    for _ in range(draw(st.integers(0, 5))):
        step = draw(st.sampled_from(ALONE))(draw, t.shape, np.dtype(np.int32))
        made = step.define(t)
        if len(made.cells) <= chains.MOST_CELLS and len(made.shape) <= 6:
            steps, t = [*steps, step], made
    chain = chains.Chain(shape, np.dtype(np.int32), "C", tuple(steps))
    return chain, tuple(_range(draw, n) for n in t.shape)


def _range(draw, n):
    low = draw(st.integers(0, n))
    return low, draw(st.integers(low, n))


def positions_read(chain, box):
    """Per source axis the positions that the cells of a box come from."""
    t = chain.define(oracle.numbered(chain.shape))
    found = [set() for _ in chain.shape]
    for index in product(*(range(a, b) for a, b in box)):
        cell = t.cells[oracle.position(t.shape, index)]
        if isinstance(cell, int):
            for axis, k in enumerate(np.unravel_index(cell, chain.shape)):
                found[axis].add(int(k))
    return found


def listed(intervals):
    return {k for low, high in intervals for k in range(low, high)}


@given(walked_alone())
@settings(max_examples=150, deadline=None)
def test_exactly_the_positions_needed_are_read(case):
    chain, box = case
    made = chain.view(numbered(chain.shape)).chain
    assert made.cuts == 0
    needed = positions_read(chain, box)
    with patch.object(parts, "LEAST_SKIPPED", 1):
        exact = Restriction(made)(box)
    assert [listed(r) for r in exact.reads] == needed
    shipped = Restriction(made)(box)
    for axis, intervals in enumerate(shipped.reads):
        assert listed(intervals) >= needed[axis]
        if needed[axis]:
            assert intervals[0][0] == min(needed[axis])
            assert intervals[-1][1] == max(needed[axis]) + 1


@given(drawn())
@settings(max_examples=100, deadline=None)
def test_any_chain_reads_all_it_needs_and_stays_between_its_ends(case):
    chain, seed = case
    made = chain.view(numbered(chain.shape)).chain
    rng = random.Random(seed)
    ends = [sorted((rng.randint(0, n), rng.randint(0, n))) for n in made.shape]
    block = Restriction(made)(tuple(map(tuple, ends)))
    needed = positions_read(chain, ends)
    if block.flat:
        return  # spans of the flat reading: the results tell, in test_blocks_restrict
    for axis, intervals in enumerate(block.reads):
        assert listed(intervals) >= needed[axis]
        if made.cuts == 0 and needed[axis] and made.maps[0].shape == made.shape:
            assert intervals[0][0] == min(needed[axis])
            assert intervals[-1][1] == max(needed[axis]) + 1


@st.composite
def padded(draw):
    """Extents, widths of any sign, a step over the result, and sizes of boxes."""
    mode = draw(st.sampled_from(oracle.MODES))
    shape, pads, steps, sizes = [], [], [], []
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 9))
        before = draw(st.integers(-n, 25))
        pads.append([before, draw(st.integers(max(-n - before, -n), 25))])
        shape.append(n)
        steps.append(draw(st.sampled_from((1, 1, -1, 2, -3, 5))))
        sizes.append(draw(st.integers(1, 12)))
    return mode, tuple(shape), pads, steps, sizes


@given(padded(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_boxes_together_read_the_source_and_what_the_mode_repeats(case, is_skipping):
    mode, shape, pads, steps, sizes = case
    view = numbered_view(*shape).pad(pads, mode)[
        tuple(slice(None, None, s) for s in steps)
    ]
    repeated = [0 if mode == "constant" else max(0, a) + max(0, b) for a, b in pads]
    most = [n + extra for n, extra in zip(shape, repeated, strict=True)]
    with patch.object(parts, "LEAST_SKIPPED", 1 if is_skipping else 4096):
        restricted = Restriction(view.chain)
        blocks = list(map(restricted, Grid(view.shape, tuple(sizes))))
    assert sum(block.elements_read for block in blocks) <= prod(most)


@pytest.mark.parametrize("mode", oracle.MODES)
@pytest.mark.parametrize("width", [(1000, 3000), (0, 50), (-5, 77), (12, -7)])
def test_pads_much_wider_than_the_axis_keep_the_law(mode, width):
    view = numbered_view(11).pad([width], mode)
    restricted = Restriction(view.chain)
    for size in (1, 2, 7, 11, 100, 5000):
        blocks = list(map(restricted, Grid(view.shape, (size,))))
        read = sum(block.elements_read for block in blocks)
        repeated = 0 if mode == "constant" else sum(max(0, w) for w in width)
        assert read <= 11 + repeated
        assert all(block.elements_read <= 11 for block in blocks)
