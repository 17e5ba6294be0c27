"""Over Dask arrays every operator gives what it gives over the gathered array."""

from __future__ import annotations

from itertools import product
from typing import Any

import chains
import dask
import numpy as np
import pytest
from chunked import chunkings, cut, layer_of
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import DTYPES, array, different, known, raw

import restride as rs

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
PLAIN = [dtype for dtype in DTYPES if dtype.names is None]
"""Dask's own gathering leaves out the bytes between the fields of a record."""


@pytest.fixture(autouse=True)
def here() -> Any:
    """Without threads: the results are the same and a failure has one trace."""
    with dask.config.set(scheduler="sync"):
        yield


def bounded(limit: int | None) -> Any:
    """With chunks of at most so many bytes."""
    return dask.config.set({"array.chunk-size": limit or "128MiB"})


def held(made: Any, limit: int | None) -> None:
    """Chunks tile the shape and keep to the limit."""
    assert tuple(map(sum, made.chunks)) == made.shape
    most = int(np.prod(made.chunksize)) * made.dtype.itemsize
    assert limit is None or most <= max(limit, made.dtype.itemsize)


@settings(max_examples=80)
@given(st.data())
def test_views_equal_their_definition(data: st.DataObject) -> None:
    chain = data.draw(chains.chains(4).filter(lambda c: c.dtype.names is None))
    limit = data.draw(st.sampled_from((None, None, 8, 40, 200)))
    x = array(chain.shape, chain.dtype)
    seen = rs.dask.view(cut(x, data.draw(chunkings(chain.shape))))
    with bounded(limit):
        for step in chain.steps:
            seen = step.apply(seen)
        made = seen.copy()
    expected = chain.define(known(chain.shape, chain.dtype))
    assert made.shape == expected.shape
    if limit and made is not seen.array:
        held(made, limit)
    got = made.compute()
    assert got.dtype == chain.dtype
    problem = different(got, expected)
    assert problem is None, problem


@settings(max_examples=40)
@given(st.data())
def test_pads_equal_numpy(data: st.DataObject) -> None:
    """Beyond many turns of the axis, where dask's own pad has another shape."""
    shape = tuple(data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=3)))
    mode = data.draw(st.sampled_from(MODES))
    most = 40 if len(shape) == 1 else 9
    widths = [data.draw(st.tuples(*[st.integers(0, most)] * 2)) for _ in shape]
    x = np.arange(np.prod(shape)).reshape(shape)
    d = cut(x, data.draw(chunkings(shape)))
    made = rs.dask.pad(d, widths, mode)
    np.testing.assert_array_equal(made.compute(), np.pad(x, widths, mode), strict=True)


@settings(max_examples=40)
@given(st.data())
def test_windows_equal_numpy(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)))
    size = tuple(data.draw(st.integers(1, n)) for n in shape)
    x = np.arange(np.prod(shape)).reshape(shape)
    made = rs.dask.windows(cut(x, data.draw(chunkings(shape))), size)
    want = np.lib.stride_tricks.sliding_window_view(x, size)
    np.testing.assert_array_equal(made.compute(), want, strict=True)


@settings(max_examples=40)
@given(st.data())
def test_as_strided_equals_numpy(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    step = chains.draw_strided(data.draw, shape, np.dtype("i4"))
    x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
    d = cut(x, data.draw(chunkings(shape)))
    with bounded(data.draw(st.sampled_from((None, 16)))):
        made = step.apply(rs.dask.view(d)).copy()
    flat = rs.view(x.reshape(-1))
    want = np.asarray(step.apply(flat).as_numpy() if flat.size else x)
    np.testing.assert_array_equal(made.compute(), want, strict=True)


STEPS: dict[str, Any] = {
    "part": lambda v: v[3:-2],
    "backwards": lambda v: v[::-7],
    "pairs": lambda v: v[1::4],
    "wrap": lambda v: v.pad(9, "wrap"),
    "mirror": lambda v: v.pad(5, "reflect"),
    "constant": lambda v: v.pad(4),
    "windows": lambda v: v.windows(3, 2, 5, axis=0),
    "turned": lambda v: v.transpose(),
}


@settings(max_examples=60)
@given(st.data())
def test_many_chunks_of_any_lengths(data: st.DataObject) -> None:
    """Enough of them that most are told from the stretch they lie in."""
    rank = data.draw(st.integers(1, 2))
    most = 40 if rank == 1 else 9
    lengths = st.lists(st.integers(0, 12), min_size=3, max_size=most)
    chunks = tuple(data.draw(lengths.map(lambda n: (*n, 12))) for _ in range(rank))
    x = np.arange(np.prod([sum(n) for n in chunks])).reshape([sum(n) for n in chunks])
    v, seen = rs.view(x), rs.dask.view(cut(x, chunks))
    for name in data.draw(st.lists(st.sampled_from(list(STEPS)), max_size=3)):
        try:
            further = STEPS[name](v)
        except rs.ShapeError:
            continue
        v, seen = further, STEPS[name](seen)
    made, want = seen.copy(), v.copy()
    assert tuple(map(sum, made.chunks)) == made.shape
    np.testing.assert_array_equal(made.compute(), want, strict=True)
    if made.size:
        index = tuple(n // 2 for n in made.numblocks)
        at = tuple(
            slice(sum(n[:k]), None) for n, k in zip(made.chunks, index, strict=True)
        )
        block = made.blocks[index].compute()
        part = want[at][tuple(map(slice, block.shape))]
        np.testing.assert_array_equal(block, part, strict=True)


@pytest.mark.parametrize("dtype", PLAIN, ids=str)
def test_every_dtype_moves_bit_for_bit(dtype: np.dtype[Any]) -> None:
    x = array((5, 4), dtype)
    made = rs.dask.pad(cut(x, ((2, 3), (1, 3))), ((1, 2), (3, 0)), "wrap")
    got = made.compute()
    assert made.dtype == got.dtype == dtype
    assert raw(got) == raw(rs.pad(x, ((1, 2), (3, 0)), "wrap"))


@pytest.mark.parametrize("mode", MODES)
def test_every_small_pad_of_an_axis(mode: str) -> None:
    """Widths of either sign, far beyond the axis, over every even chunking."""
    x = np.arange(4)
    sides = (-5, -1, 0, 3, 9), (-4, 0, 2, 13)
    for size, before, after in product((1, 2, 3), *sides):
        d = cut(x, (tuple(min(size, 4 - at) for at in range(0, 4, size)),))
        try:
            want = rs.pad(x, (before, after), mode)
        except rs.ShapeError:
            with pytest.raises(rs.ShapeError):
                rs.dask.pad(d, (before, after), mode)
            continue
        made = rs.dask.pad(d, (before, after), mode)
        assert made.shape == want.shape
        assert made.compute().tolist() == want.tolist()


def test_functions_take_what_the_plain_ones_take() -> None:
    x = np.arange(24.0).reshape(4, 6)
    d = cut(x, ((3, 1), (4, 2)))
    calls = [
        ("slice", ("1:, None, ::-2",), {}),
        ("slice", ((Ellipsis, 2),), {}),
        ("strided_slice", ([0, 5], [3, 0], [2, -1]), {"begin_mask": 1}),
        ("as_strided", ((3, 4), (5, 2), 1), {"strict": True}),
        ("pad", ([1, 2], "constant", (7, 8)), {"axes": -1}),
        ("pad", ([[1, 0], [2, 3]],), {"paddings_contiguous": False}),
        ("windows", (2, 2), {"axis": 1}),
    ]
    for name, args, words in calls:
        want = getattr(rs, name)(x, *args, **words)
        made = getattr(rs.dask, name)(d, *args, **words)
        np.testing.assert_array_equal(made.compute(), want, strict=True)


def test_the_plain_view_of_a_dask_array_gathers_nothing() -> None:
    def failing(block: Any) -> Any:
        raise AssertionError("computed")

    d = cut(np.arange(20), ((6, 6, 6, 2),))
    seen = rs.view(d.map_blocks(failing, dtype=d.dtype, meta=d._meta))[::-1].pad(2)
    assert isinstance(seen, rs.dask.DaskView)
    assert "DaskView((20,) -> (24,)" in repr(seen)
    made = rs.view(d)[::-1].pad(2, "wrap").copy()
    assert isinstance(made, type(d))
    want = np.pad(np.arange(20)[::-1], 2, "wrap")
    np.testing.assert_array_equal(made.compute(), want, strict=True)
    assert rs.view(rs.view(d)).shape == (20,)


def test_results_go_on_as_dask_arrays() -> None:
    d = cut(np.arange(20), ((6, 6, 6, 2),))
    made = rs.dask.pad(rs.dask.slice(d, "::3"), 2, "edge") + 1
    assert made[1:-1].sum().compute() == sum([1, 1, 4, 7, 10, 13, 16, 19, 19])


@settings(max_examples=80)
@given(st.data())
def test_writes_equal_the_plain_ones(data: st.DataObject) -> None:
    shape = data.draw(chains.shapes)
    index = chains.draw_index(data.draw, shape, np.dtype("i4")).apply(Entries())
    x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
    cells = rs.slice(x, index).shape
    kept = tuple(n if data.draw(st.integers(0, 3)) else 1 for n in cells)
    src = -1 - np.arange(np.prod(kept), dtype="i4").reshape(kept)
    d = cut(x, data.draw(chunkings(shape)))
    given_as = data.draw(st.sampled_from(("array", "dask", "view", "number")))
    if given_as == "number":
        src = np.int32(-7)
    want = rs.assign(x.copy(), index, src)
    source: Any = {"array": src, "view": rs.view(src), "number": -7}.get(given_as)
    if given_as == "dask":
        source = cut(src, data.draw(chunkings(kept)))
    made = rs.dask.assign(d, index, source)
    assert made.chunks == d.chunks or made.shape == d.shape
    np.testing.assert_array_equal(made.compute(), want, strict=True)
    np.testing.assert_array_equal(d.compute(), x, strict=True)


@settings(max_examples=40)
@given(st.data())
def test_writes_into_many_chunks_of_any_lengths(data: st.DataObject) -> None:
    lengths = st.lists(st.integers(0, 9), min_size=3, max_size=20)
    chunks = tuple(data.draw(lengths.map(lambda n: (*n, 5))) for _ in range(2))
    shape = tuple(map(sum, chunks))
    steps = st.sampled_from((-7, -2, -1, 1, 2, 3, 11))
    sides = [slice(None, None, data.draw(steps)), slice(2, None, data.draw(steps))]
    index = tuple(data.draw(st.permutations(sides)))
    x = np.zeros(shape, int)
    cells = x[index].shape
    one = data.draw(st.sampled_from((cells, (1, cells[1]), (cells[0], 1), cells[1:])))
    src = 1 + np.arange(np.prod(one)).reshape(one)
    source = cut(src, data.draw(chunkings(one)))
    made = rs.dask.assign(cut(x, chunks), index, source)
    np.testing.assert_array_equal(made.compute(), rs.assign(x, index, src))


def test_a_number_is_written_without_an_array_of_the_regions_size() -> None:
    """Each task reads the one element, or the row, and repeats it by itself."""
    x = cut(np.zeros((6, 6), int), ((2, 2, 2), (3, 3)))
    for src, read in ((7, (1, 1)), ([[7]], (1, 1)), (np.full((1, 1, 6), 7), (1, 6))):
        made = rs.dask.assign(x, "...", src)
        tasks = layer_of(made).values()
        assert {name for task in tasks for name in names(task)}.isdisjoint({x.name})
        given_chunks = {task.args[0].put(task.args[1]).places for task in tasks}
        extents = {tuple(p.chunks[-1][1] for p in places) for places in given_chunks}
        assert extents == {read}
        assert (made.compute() == 7).all()


class Entries:
    """Gives back the index it is asked for."""

    def __getitem__(self, entries: Any) -> Any:
        return entries


def test_set_value_writes_into_the_chunks_it_meets_and_into_no_other() -> None:
    d = cut(np.zeros((6, 6), int), ((2, 2, 2), (3, 3)))
    made = rs.dask.set_value(d, [[1, 2]], (5, 2), (1, 4), (-2, 1))
    want = rs.set_value(np.zeros((6, 6), int), [[1, 2]], (5, 2), (1, 4), (-2, 1))
    np.testing.assert_array_equal(made.compute(), want, strict=True)
    needs = {key[1:]: task for key, task in layer_of(made).items()}
    assert {at for at, task in needs.items() if d.name not in names(task)} == set()
    written = {at for at, task in needs.items() if len(names(task)) == 2}
    assert written == {(1, 0), (1, 1), (2, 0), (2, 1)}


def names(task: Any) -> set[str]:
    """The arrays a task reads."""
    return {key[0] for key in task.dependencies}


def test_set_value_refuses_what_the_plain_one_refuses() -> None:
    d = cut(np.zeros(4, int), ((2, 2),))
    with pytest.raises(rs.BoundsError):
        rs.dask.set_value(d, [1, 2], [-2], [0])
    with pytest.raises(rs.ShapeError):
        rs.dask.set_value(d, [1, 2, 3], [0], [2])
    with pytest.raises(rs.DTypeError):
        rs.dask.set_value(d, np.ones(2), [0], [2])
    with pytest.raises(rs.DTypeError):
        rs.dask.set_value(d, 1.5, [0], [2])
