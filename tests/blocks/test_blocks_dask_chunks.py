"""Lengths of chunks kept as patterns: what they say is what the written ones say."""

from __future__ import annotations

import pickle
from itertools import accumulate
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from chunked import cut, layer_of
from dask._task_spec import Task
from hypothesis import given, settings
from hypothesis import strategies as st
from test_blocks_dask_graph import calls_of, longest_looked_through

import restride as rs
from restride.blocks.dask import chunk_axis
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


def random_chunks(count: int, most: int) -> tuple[int, ...]:
    """Lengths of which hardly two in a row are alike."""
    return tuple(np.random.default_rng(count).integers(1, most, count).tolist())


@pytest.mark.parametrize("call", COLUMNS.values(), ids=COLUMNS)
def test_building_over_many_chunks_of_any_lengths_looks_at_none(call: Any) -> None:
    chunks = random_chunks(20_000, 50)
    x = da.zeros(sum(chunks), chunks=(chunks,))
    assert x.chunksize == (49,)  # asked once, and remembered by Dask
    made: list[Any] = []

    def build() -> None:
        made.append(rs.dask.pad(call(rs.dask.view(x)).copy(), 1, "edge"))

    build()
    assert calls_of(build) < 5000
    assert longest_looked_through(build) < 100
    (axis,) = {axis for axis in layer_of(made[0]).recipe.axes if axis.bounds[0] > 1_000}
    assert not axis.is_told
    most = axis.bounds[0]
    assert 6_000 < axis.count <= most
    assert axis.is_told


@pytest.mark.parametrize("call", COLUMNS.values(), ids=COLUMNS)
def test_what_many_chunks_of_any_lengths_hold(call: Any) -> None:
    """Chosen late, the chunks tile the result, and a few of them are right."""
    chunks = random_chunks(5_000, 9)
    x = np.arange(sum(chunks))
    made, want = call(rs.dask.view(cut(x, (chunks,)))).copy(), call(rs.view(x)).copy()
    assert not all(axis.is_told for axis in layer_of(made).recipe.axes)
    assert made.shape == want.shape
    assert tuple(map(sum, made.chunks)) == made.shape
    for number in (0, 1, 2_000, -1):
        at = tuple(n - 1 if number < 0 else min(number, n - 1) for n in made.numblocks)
        low = [sum(n[:k]) for n, k in zip(made.chunks, at, strict=True)]
        block = made.blocks[at].compute(scheduler="sync")
        part = want[
            tuple(slice(a, a + n) for a, n in zip(low, block.shape, strict=True))
        ]
        np.testing.assert_array_equal(block, part, strict=True)


@settings(max_examples=40)
@given(st.data())
def test_chunks_chosen_late_are_those_chosen_at_once(data: st.DataObject) -> None:
    """And keep to the bounds that are told before they are chosen."""
    lengths = st.lists(st.integers(0, 12), min_size=2, max_size=12)
    chunks = tuple(data.draw(lengths.map(lambda n: (*n, 7))) for _ in range(2))
    x = da.zeros(tuple(map(sum, chunks)), chunks=chunks)
    widths = st.tuples(*[st.integers(-1, 90)] * 2)
    step = data.draw(st.sampled_from((-5, -1, 1, 2, 9)))
    mode = data.draw(st.sampled_from(("constant", "edge", "reflect", "wrap")))
    pads = [data.draw(widths) for _ in range(2)]
    turned = data.draw(st.booleans())

    def made() -> Any:
        v = rs.dask.view(x)[::step].pad(pads, mode)
        return (v.transpose() if turned else v).copy()

    now = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_axis, "FEW", 0)
        late = made()
    axes = layer_of(late).recipe.axes
    bounds = [axis.bounds for axis in axes]
    assert type(late) is UnwrittenArray
    assert late.name == now.name
    assert late.chunks == now.chunks
    for axis, (count, longest) in zip(axes, bounds, strict=True):
        assert axis.count <= count
        assert axis.largest <= longest


def test_too_many_chunks_are_refused_while_building_as_before() -> None:
    chunks = random_chunks(5_000, 50)
    x = da.zeros(sum(chunks), "i1", chunks=(chunks,))
    assert rs.dask.pad(x, 10**10).npartitions < 20_000
    with (
        dask.config.set({"array.chunk-size": "1kB"}),
        pytest.raises(rs.ShapeError, match="at most 10000000 are made"),
    ):
        rs.dask.pad(x, 10**10)


def test_tasks_of_random_chunks_share_their_kinds() -> None:
    """They differ in their cells alone, plain numbers."""
    chunks = random_chunks(2_000, 5_000)
    for call in (COLUMNS["step"], COLUMNS["windows"], COLUMNS["pad and windows"]):
        y = call(rs.dask.view(da.zeros(sum(chunks), chunks=(chunks,)))).copy()
        tasks = [task for task in layer_of(y).values() if isinstance(task, Task)]
        assert len(tasks) > 1_900
        assert len({id(task.args[0]) for task in tasks}) < 20
        cells = [task.args[1][0] for task in tasks]
        assert len(set(cells)) > 1_500
        assert {type(n) for cell in cells for n in cell} == {int}
