"""Lengths of chunks kept as patterns: what they say is what the written ones say."""

from __future__ import annotations

import pickle
from itertools import accumulate
from typing import Any

import dask.array as da
import numpy as np
import pytest
from chunked import cut, layer_of
from hypothesis import given
from hypothesis import strategies as st
from test_blocks_dask_graph import calls_of

import restride as rs
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.lengths import Lengths
from restride.blocks.dask.unwritten import UnwrittenArray

patterns = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)
parts = st.lists(st.tuples(patterns, st.integers(1, 5)), max_size=4).map(tuple)


def owners(chunks: tuple[int, ...]) -> list[int]:
    """Of every position, the number of the chunk that holds it."""
    return [k for k, n in enumerate(chunks) for _ in range(n)]


@given(parts)
def test_an_axis_of_patterns_is_that_of_their_lengths(given_parts: Any) -> None:
    lengths = Lengths(given_parts)
    chunks = lengths.written()
    starts = [0, *accumulate(chunks)]
    for axis in (ChunkAxis(lengths), ChunkAxis.of(chunks)):
        assert (axis.count, axis.extent) == (len(chunks), sum(chunks))
        assert axis.largest == max(chunks, default=0)
        assert [axis.find(p) for p in range(axis.extent)] == owners(chunks)
        for k, n in enumerate(chunks):
            assert axis.range_of(k) == (starts[k], starts[k] + n)
        again = pickle.loads(pickle.dumps(axis))
        assert again.lengths == axis.lengths
    size = ChunkAxis(lengths).size
    if size:
        assert set(chunks[:-1]) <= {size}
        assert chunks[-1] <= size


@given(parts, st.data())
def test_a_walk_is_cut_where_it_leaves_a_chunk(
    given_parts: Any, data: st.DataObject
) -> None:
    axis = ChunkAxis(Lengths(given_parts))
    if not axis.extent:
        return
    begin = data.draw(st.integers(0, axis.extent - 1))
    step = data.draw(st.integers(-5, 5).filter(bool))
    room = axis.extent - 1 - begin if step > 0 else begin
    count = data.draw(st.integers(1, room // abs(step) + 1))
    at = owners(axis.lengths.written())
    met = [at[begin + k * step] for k in range(count)]
    want = [met.count(k) for k in dict.fromkeys(met)]
    assert list(axis.cut(begin, step, count).written()) == want


@given(parts, st.integers(0, 30), st.integers(0, 30))
def test_a_part_of_lengths(given_parts: Any, first: int, last: int) -> None:
    lengths = Lengths(given_parts)
    assert lengths.part(first, last).written() == lengths.written()[first:last]
    kept = tuple(n for n in lengths.written() if n)
    assert lengths.without_empty().written() == kept


def test_an_array_of_many_chunks_is_dasks_once_looked_at() -> None:
    x = np.arange(4200)
    made = rs.dask.pad(da.from_array(x, chunks=1), 3, "wrap")
    assert type(made) is UnwrittenArray
    assert (made.shape, made.numblocks, made.chunksize) == ((4206,), (4206,), (1,))
    assert (made.ndim, made.npartitions) == (1, 4206)
    assert "chunksize=(1,)" in repr(made)
    assert made._axes is not None
    assert made.chunks == ((1,) * 4206,)
    assert made._axes is None
    assert (made.shape, made.numblocks) == ((4206,), (4206,))
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is da.Array
    want = np.pad(x, 3, "wrap")[:9].tolist()
    for other in (made, again):
        assert other[:9].compute(scheduler="sync").tolist() == want


def test_what_is_made_of_an_unwritten_array_leaves_it_unwritten() -> None:
    made = rs.dask.pad(da.zeros(100_000, chunks=10), 3, "wrap")
    again = rs.dask.slice(rs.dask.pad(made, 5), "::-2")
    assert made._axes is not None
    assert again._axes is not None
    assert again.shape == (50_008,)


def test_an_unwritten_array_takes_other_chunks() -> None:
    """As Dask sets them on arrays whose chunks it found out."""
    made = rs.dask.pad(da.from_array(np.arange(4200), chunks=1), 1)
    made[0] = 7
    assert made[:3].compute(scheduler="sync").tolist() == [7, 0, 1]
    assert made.chunks == ((1,) * 4202,)


@pytest.mark.parametrize("size", [4095, 4096, 4097])
def test_chunks_of_either_kind_of_array(size: int) -> None:
    d = cut(np.arange(size), ((1,) * size,))
    made = rs.dask.slice(d, "::-1")
    assert made.chunks == ((1,) * size,)
    assert made.shape == (size,)


COLUMNS = {
    "flip": lambda v: v[::-1],
    "step": lambda v: v[::3],
    "back": lambda v: v[::-2].pad(2, "edge"),
    "wrap": lambda v: v.pad(25, "wrap"),
    "constant": lambda v: v.pad(7),
    "windows": lambda v: v.windows(4, step=3),
    "pad and windows": lambda v: v.pad(3, "reflect").windows(3, step=2),
    "repeated": lambda v: v.broadcast_to((3, v.shape[0])).pad(((0, 0), (1, 1))),
}


@pytest.mark.parametrize("call", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize(
    "chunks",
    [(4,) * 30, (7, *(4,) * 25, 2), (3, 2) * 20, (3, 2, 3, 3, 2), (5, 0, 5, 5, 1)],
    ids=str,
)
def test_tasks_made_together_are_those_made_one_by_one(
    call: Any, chunks: tuple[int, ...]
) -> None:
    """A stretch of equal chunks is told from two of them."""
    d = cut(np.arange(sum(chunks)), (chunks,))
    for source in (d, rs.dask.pad(d, 3, "wrap"), rs.dask.slice(d, "1::2")):
        layer = layer_of(call(rs.dask.view(source)).copy())
        together = layer.recipe.maker().all()
        one_by_one = layer.recipe.maker().of(list(layer.recipe.indices()))
        assert together == one_by_one
        assert list(together) == list(one_by_one)


@pytest.mark.parametrize("call", COLUMNS.values(), ids=COLUMNS)
def test_an_axis_of_equal_chunks_is_a_few_calls_per_chunk(call: Any) -> None:
    layers = [
        layer_of(call(rs.dask.view(da.zeros(n, chunks=10))).copy())
        for n in (2000, 4000)
    ]
    small, large = (calls_of(layer.recipe.maker().all) for layer in layers)
    assert (large - small) / (len(layers[1]) - len(layers[0])) < 12
