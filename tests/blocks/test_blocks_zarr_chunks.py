"""A chunk of a Zarr source is unpacked once per block, and blocks end with chunks."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import restride as rs
from restride.blocks.grid import grid
from restride.blocks.restrict import restrict
from restride.blocks.whole_chunks import walks
from restride.blocks.zarr.flat import scattered
from restride.blocks.zarr.tiles import pieces
from restride.cli import blockwise, main

zarr = pytest.importorskip("zarr")

SHAPE, CHUNKS = (48, 70, 64), (16, 35, 32)
X = np.arange(prod(SHAPE), dtype="<i4").reshape(SHAPE)


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A store of plain chunks, and how often each of their files was read, in bytes."""
    place = tmp_path / "x.zarr"
    made = zarr.create_array(
        str(place), shape=SHAPE, dtype="<i4", chunks=CHUNKS, compressors=None
    )
    made[...] = X
    store, found = zarr.storage.LocalStore, Counter()
    get = store.get

    async def got(self, key, *words, **more):
        read = await get(self, key, *words, **more)
        if key.startswith("c/"):
            found[key] += 1
            found.total_bytes += len(read)
        return read

    found.total_bytes = 0
    monkeypatch.setattr(store, "get", got)
    return place, found


def far_apart(v):
    return v.pad([[3, 4], [0, 0], [0, 0]], "wrap")[::3]


# Rows hold 4480 elements, so of each of these every read row is an interval of its own.
STEPS = {
    "slice ::2": (lambda v: v[::2], X[::2], 12),
    "slice ::4": (lambda v: v[::4], X[::4], 12),
    "slice ::-3": (lambda v: v[::-3], X[::-3], 12),
    "slice 1:40:20": (lambda v: v[1:40:20], X[1:40:20], 8),
    "wrapped": (far_apart, np.pad(X, [(3, 4), (0, 0), (0, 0)], "wrap")[::3], 12),
    "windows": (
        lambda v: v.windows(2, step=8, axis=0),
        np.lib.stride_tricks.sliding_window_view(X, 2, 0)[::8],
        12,
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_block_reads_each_chunk_once(counted, name):
    place, found = counted
    view, want, chunks = STEPS[name]
    out = np.zeros(want.shape, "<i4")
    rs.run_blocks(view, place, out)
    assert np.array_equal(out, want)
    assert len(found) == chunks
    assert set(found.values()) == {1}


def test_spans_read_flat_take_each_chunk_once(counted):
    """Strides that carry: 160 spans of 100 elements, about 40 of them to a chunk."""
    place, found = counted
    out = np.zeros((160, 100), "<i4")
    view = rs.view(X).as_strided((160, 100), (1340, 1))
    assert restrict(view.chain, [(0, 160), (0, 100)]).flat
    rs.run_blocks(view, place, out)
    want = [X.reshape(-1)[1340 * k : 1340 * k + 100] for k in range(160)]
    assert np.array_equal(out, want)
    assert set(found.values()) == {1}


@settings(max_examples=100, deadline=None)
@given(
    shape=st.lists(st.integers(1, 7), min_size=1, max_size=3),
    tile=st.lists(st.integers(1, 4), min_size=3, max_size=3),
    ends=st.sets(st.integers(0, 343), max_size=12),
)
def test_scattered_spans_are_the_spans(shape, tile, ends):
    x = np.arange(prod(shape)).reshape(shape)
    inside = sorted(e for e in ends if e <= x.size)
    spans = tuple(zip(inside[::2], inside[1::2], strict=False))
    want = [x.reshape(-1)[a:b] for a, b in spans]
    made, seen = np.full(sum(map(len, want)), -1), Counter()
    for part in scattered(spans, shape, tile[: len(shape)]):
        part.into(made, x[part.where])
        seen[tuple([a // t for (a, _), t in zip(part.box, tile, strict=False)])] += 1
    assert np.array_equal(made, np.concatenate([[], *want]))
    assert set(seen.values()) <= {1}


@pytest.mark.parametrize("words", [["slice", "::2"], ["slice", "::5,1:9,::-1"]])
@pytest.mark.parametrize("allowed", ["900kB", "2MB", "20MB"])
def test_bytes_read_are_those_unpacked(counted, capsys, tmp_path, words, allowed):
    place, found = counted
    line = ["run", str(place), *words, "-o", str(tmp_path / "y.npy")]
    assert main([*line, "--max-bytes", allowed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bytes_read"] == found.total_bytes


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("step", [1, 2])
def test_small_blocks_end_with_chunks(counted, turned, step):
    """Of whole rows fewer fit than the 16 of a chunk, so chunks were read again."""
    place, found = counted
    want = X[::step].T if turned else X[::step]
    out = np.zeros(want.shape, "<i4")

    def view(v):
        return v[::step].transpose() if turned else v[::step]

    rs.run_blocks(view, place, out, max_bytes=1_300_000)
    assert np.array_equal(out, want)
    assert set(found.values()) == {1}
    assert len(found) == 12


BEGUN = {
    "an odd start": (lambda v: v[5:, 3:], X[5:, 3:], 1),
    "from the end": (lambda v: v[:41, :, ::-1], X[:41, :, ::-1], 1),
    "turned": (lambda v: v[3:, 1:].transpose(), X[3:, 1:].T, 1),
    "steps": (lambda v: v[3::2, :, 1:], X[3::2, :, 1:], 1),
    "a pad": (
        lambda v: v.pad([[3, 0], [0, 0], [0, 0]], "wrap"),
        np.pad(X, [(3, 0), (0, 0), (0, 0)], "wrap"),
        2,  # the last chunks at either end
    ),
}


@pytest.mark.parametrize("name", BEGUN)
def test_blocks_begin_where_chunks_do(counted, name):
    place, found = counted
    view, want, most = BEGUN[name]
    out = np.zeros(want.shape, "<i4")
    rs.run_blocks(view, place, out, max_bytes=1_500_000)
    assert np.array_equal(out, want)
    assert set(found.values()) <= {1, most}


def test_half_a_chunk_where_a_whole_one_does_not_fit(counted):
    place, found = counted
    out = np.zeros(SHAPE, "<i4")
    rs.run_blocks([], place, out, max_bytes=1_000_000)
    assert np.array_equal(out, X)
    assert set(found.values()) == {2}


def test_what_is_read_many_times_is_said(counted, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(blockwise, "LEAST_TOLD_BYTES", 0)
    place, found = counted
    line = ["run", str(place), "slice", "5:,3:", "-o", str(tmp_path / "y.npy")]
    assert main([*line, "--max-bytes", "1MB"]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "chunks are unpacked" in said
    before, found.total_bytes = found.total_bytes, 0
    better = said.split("--max-bytes ")[1].split()[0]
    assert main([*line, "--max-bytes", better]) == 0
    assert capsys.readouterr().err == ""
    assert found.total_bytes < before
    assert np.array_equal(np.load(tmp_path / "y.npy"), X[5:, 3:])


@pytest.mark.parametrize(("index", "least"), [("::2", 0), ("5:,3:", 16_000_000)])
def test_no_note_where_little_is_read_twice(
    counted, capsys, tmp_path, monkeypatch, index, least
):
    monkeypatch.setattr(blockwise, "LEAST_TOLD_BYTES", least)
    place, _ = counted
    line = ["run", str(place), "slice", index, "-o", str(tmp_path / "y.npy")]
    assert main([*line, "--max-bytes", "1300kB"]) == 0
    assert capsys.readouterr().err == ""


@settings(max_examples=100, deadline=None)
@given(
    chosen=st.lists(st.sets(st.integers(0, 60), min_size=1), min_size=1, max_size=2),
    chunk=st.integers(1, 9),
    more=st.integers(1, 4),
)
def test_pieces_read_chunks_once_and_only_those_needed(chosen, chunk, more):
    x = np.arange(61 ** len(chosen)).reshape((61,) * len(chosen))
    lists = [sorted(c) for c in chosen]
    reads = [tuple([(i, i + 1) for i in c]) for c in lists]
    made, seen = np.full([len(c) for c in lists], -1), Counter()
    rank = len(lists)
    for piece in pieces(reads, (chunk * more,) * rank, (chunk,) * rank):
        read = x[piece.where]
        assert read.size <= (chunk * more) ** rank
        piece.into(made, read)
        touched = [range(a // chunk, (b - 1) // chunk + 1) for a, b in piece.box]
        seen.update(product(*touched))
    assert np.array_equal(made, x[np.ix_(*lists)])
    assert set(seen.values()) == {1}
    assert set(seen) == set(product(*[{i // chunk for i in c} for c in lists]))


def test_units_follow_steps_and_turns():
    view = rs.view(np.broadcast_to(np.int8(0), (90, 80, 70)))[::2, :, ::-3]
    found = walks(view.transpose().chain, (30, 20, 10))
    assert [walk.unit for walk in found] == [10, 20, 15]
    assert walks(view.reshape(-1).chain, (30, 20, 10)) is None


@settings(max_examples=200, deadline=None)
@given(
    extent=st.integers(1, 60),
    chunk=st.integers(1, 12),
    low=st.integers(0, 9),
    step=st.sampled_from((1, 2, 3, -1, -2, -5)),
    before=st.integers(0, 9),
)
def test_edges_lie_where_the_longest_run_enters_a_chunk(
    extent, chunk, low, step, before
):
    """By the definition: the chunk of each position, looked up."""
    view = rs.view(np.arange(extent)).pad([[before, 0]])[low:][::step]
    live = np.pad(np.arange(extent), (before, 0), constant_values=-1)[low:][::step]
    (walk,) = walks(view.chain, (chunk,))
    at = [i for i, k in enumerate(live) if k >= 0]
    if len(at) < 2 or walk.unit >= len(live):
        return
    entered = [i for i in at[1:] if live[i] // chunk != live[i - 1] // chunk]
    regular = range(at[0] - at[0] % walk.unit + walk.edge, at[-1] + 1, walk.unit)
    assert {i for i in regular if i > at[0]} <= set(entered)
    assert abs(step) > 1 or set(entered) <= set(regular)


@pytest.mark.parametrize("align", [None, (7, 20)])
@pytest.mark.parametrize("allowed", [40_000, 100_000, 1_000_000])
def test_boxes_that_end_with_chunks_fit_as_others_do(allowed, align):
    chain = rs.view(np.broadcast_to(np.int32(0), (200, 300)))[::2].chain
    boxes = grid(chain, 4, allowed, align, 2, chunks=(64, 77))
    blocks = [restrict(chain, box) for box in boxes]
    held = [b.elements_read + prod(b.chain.shape) for b in blocks]
    assert 2 * 4 * max(held) <= allowed
    for b, unit, n in zip(boxes.block, align or (1, 1), chain.shape, strict=True):
        assert b % unit == 0 or b == n
