"""Block by block from file to file gives the definition, bit for bit."""

from __future__ import annotations

import os
import threading
import tracemalloc
from math import prod
from pathlib import Path

import chains
import numpy as np
import pytest
from chains import Chain
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import Array, cells, different, fresh

import restride as rs
from restride.blocks import memory, order, pulls, sources
from restride.blocks.grid import grid
from restride.blocks.open import npy_source, raw_source
from restride.blocks.pipeline import pipeline

BUDGETS = (1, 100, 1000, 1 << 24)
"""Bytes of blocks: from one element each to the whole at once."""


def in_blocks(view: rs.View, source: object, target: object, max_bytes: int) -> None:
    """Run with these bytes, or with about the least that a block takes."""
    while True:
        try:
            rs.run_blocks(view, source, target, max_bytes=max_bytes)
            return
        except rs.ShapeError:
            if max_bytes > 1 << 20:
                raise
            max_bytes *= 2


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose files need not outlast the machine: syncs take time."""
    folder: Path = tmp_path_factory.mktemp("files")
    return folder


@pytest.fixture(autouse=True)
def _no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)


def saved(x: Array, place: Path, by_columns: bool) -> sources.FileSource:
    """`x` in a file: .npy where its dtype has a name there, else its bytes alone."""
    path = place / "x.npy"
    if x.dtype.kind == "V" and x.dtype.names is None:
        path = place / "x.bin"
        np.ascontiguousarray(x).tofile(path)
        return raw_source(path, x.shape, x.dtype)
    np.save(path, np.asarray(x, order="F" if by_columns else "C"))
    return npy_source(path)


def loaded(path: Path, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """The bytes of a .bin file as an array."""
    return np.frombuffer(path.read_bytes(), dtype).reshape(shape)


@settings(max_examples=100)
@given(chains.chains(), st.sampled_from(BUDGETS), st.booleans(), st.booleans())
def test_a_chain_from_file_to_file_is_its_definition(
    place: Path, chain: Chain, max_bytes: float, by_columns: bool, short: bool
) -> None:
    x = fresh(chain.shape, chain.dtype, "rows")
    expected = chain.define(cells(x))
    source, target = saved(x, place, by_columns), place / "y.bin"
    with pytest.MonkeyPatch.context() as patch:
        if short:  # limits met by small arrays too
            patch.setattr(pulls, "STRETCH_BYTES", 64)
            patch.setattr(pulls, "SKIPPED_BYTES", 0)
            patch.setattr(order, "LONG_BYTES", 32)
        in_blocks(chain.view(x), source, target, max_bytes)
        source.close()
    made = loaded(target, expected.shape, chain.dtype)
    assert different(made, expected) is None


@settings(max_examples=60)
@given(chains.chains(), st.sampled_from(BUDGETS))
def test_arrays_in_memory_too(place: Path, chain: Chain, max_bytes: float) -> None:
    x = fresh(chain.shape, chain.dtype, chain.layout)
    expected = chain.define(cells(x))
    out = np.empty(expected.shape, chain.dtype)
    in_blocks(chain.view(x), None, out, max_bytes)
    assert different(out, expected) is None


STEPS = [rs.Pad(((1, 2), (0, 3)), "reflect"), rs.encode("::-1, 1::2")]


def stepwise(x: Array) -> Array:
    """The same with NumPy."""
    return np.pad(x, ((1, 2), (0, 3)), "reflect")[::-1, 1::2]


FORMS = {
    "operators": STEPS,
    "view": lambda x: rs.view(x).pad([[1, 2], [0, 3]], "reflect")[::-1, 1::2],
    "function": lambda v: v.pad([[1, 2], [0, 3]], "reflect")[::-1, 1::2],
    "plan": None,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["<f4", ">i2", "u1", "c16"])
def test_what_is_to_be_done_has_many_forms(
    tmp_path: Path, form: str, dtype: str
) -> None:
    x = np.arange(35).reshape(5, 7).astype(dtype)
    np.save(tmp_path / "x.npy", x)
    given = FORMS[form]
    if form == "view":
        given = given(x)
    if form == "plan":
        given = rs.plan(rs.view(x).pad([[1, 2], [0, 3]], "reflect")[::-1, 1::2])
    target = tmp_path / "y.npy"
    rs.run_blocks(given, tmp_path / "x.npy", target, max_bytes=150)
    made = np.load(target)
    assert made.dtype == x.dtype
    np.testing.assert_array_equal(made, stepwise(x))


def test_a_plan_keeps_its_constants(tmp_path: Path) -> None:
    x = np.arange(6, dtype=">f4")
    plan = rs.plan(rs.view(x).pad(2, "constant", [1.5, np.nan]).windows(3))
    out = np.empty(plan.shape, x.dtype)
    rs.run_blocks(plan, x, out, max_bytes=64)
    np.testing.assert_array_equal(out, plan(x))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2)])
def test_no_axes_and_no_elements(tmp_path: Path, shape: tuple[int, ...]) -> None:
    x = np.full(shape, 7, "i4")
    np.save(tmp_path / "x.npy", x)
    rs.run_blocks([], tmp_path / "x.npy", tmp_path / "y.npy")
    made = np.load(tmp_path / "y.npy")
    assert made.shape == shape
    assert (tmp_path / "y.npy").read_bytes() == (tmp_path / "x.npy").read_bytes()


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("part", [np.s_[:], np.s_[3:], np.s_[:, 2:5], np.s_[::2]])
def test_memory_maps(tmp_path: Path, order: str, part: tuple[slice, ...]) -> None:
    np.save(tmp_path / "x.npy", np.asarray(np.arange(56).reshape(8, 7), order=order))
    x = np.load(tmp_path / "x.npy", mmap_mode="r")[part]
    y = np.lib.format.open_memmap(tmp_path / "y.npy", "w+", x.dtype, x.T.shape)
    rs.run_blocks(rs.view(x).transpose(), None, y, max_bytes=100)
    del y
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.array(x).T)


def test_a_map_that_was_written_to_is_read_as_it_is(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(5))
    for mode in ("r+", "c"):
        x = np.load(tmp_path / "x.npy", mmap_mode=mode)
        x[2] = 3
        out = np.empty(5)
        rs.run_blocks([], x, out)
        np.testing.assert_array_equal(out, [0, 0, 3, 0, 0])
        del x


def test_the_header_is_numpys_own(tmp_path: Path) -> None:
    for dtype in ("<f4", ">i2", "S3", [("a", "u1"), ("b", "<f4", 3)]):
        x = np.zeros((2, 3), dtype)
        np.save(tmp_path / "x.npy", x)
        rs.run_blocks([], tmp_path / "x.npy", tmp_path / "y.npy")
        mine = (tmp_path / "y.npy").read_bytes()
        assert mine == (tmp_path / "x.npy").read_bytes()


def test_the_target_may_be_the_source(tmp_path: Path) -> None:
    x = np.arange(40).reshape(5, 8)
    np.save(tmp_path / "x.npy", x)
    rs.run_blocks(
        lambda v: v.transpose(), tmp_path / "x.npy", tmp_path / "x.npy", max_bytes=64
    )
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), x.T)


def test_stretches_are_long_on_both_sides_of_a_transpose() -> None:
    view = rs.view(np.broadcast_to(np.float32(0), (4096, 4096))).transpose()
    boxes = grid(view.chain, 4, 2 << 20)
    high, wide = boxes.block
    assert 3 <= wide / high <= 12  # what is read is fetched with its neighbours
    kept = grid(view.chain, 4, 2 << 20, chunks=(1, 1)).block
    assert max(kept) <= 2 * min(kept)  # chunks are not
    assert prod(kept) > 200_000
    for most in (1, 4, 9):
        together = order.together(view.chain, boxes, 4, most * high * wide * 4)
        assert together == (most * high, wide)


@settings(max_examples=100)
@given(st.data())
def test_pulls_read_what_is_asked_and_little_more(data: st.DataObject) -> None:
    """Laid out by the definition: an array of its own positions, indexed."""
    shape = tuple(data.draw(st.lists(st.integers(1, 6), max_size=4)))
    reads = []
    for n in shape:
        marks = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
        kept = [k for k, mark in enumerate(marks) if mark]
        reads.append(tuple((k, k + 1) for k in kept))
    flat = np.arange(np.prod(shape, dtype=int))
    kept = [[a for a, _ in r] for r in reads]
    wanted = flat.reshape(shape)[np.ix_(*kept)] if shape else flat.reshape(())
    made = np.full(wanted.shape, -1)
    for pull in pulls.pulls(shape, reads, 8):
        rows = flat[pull.begin :][: pull.rows * int(np.prod(pull.row_shape))]
        rows = rows.reshape(pull.rows, *pull.row_shape)
        if not pull.crops:
            made.reshape(-1)[pull.at : pull.at + rows.size] = rows.reshape(-1)
        for part, where in pull.crops:
            made[pull.place][(slice(None), *where)] = rows[(slice(None), *part)]
    np.testing.assert_array_equal(made, wanted)
    even = pulls.alike(shape, reads, 8)
    if even is not None:
        stretch, starts = even
        parts = [flat[start : start + stretch] for start in starts]
        np.testing.assert_array_equal(np.concatenate(parts), wanted.reshape(-1))


@pytest.mark.parametrize("call", ["preadv", "pwritev"])
def test_a_system_that_moves_less_than_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """As it may after a signal, or of more than 2 GiB."""
    x, usual = np.arange(600).reshape(20, 30), getattr(os, call)
    np.save(tmp_path / "x.npy", x)

    def little(fd: int, buffers: list[memoryview], at_byte: int) -> int:
        moved: int = usual(fd, [buffers[0][:7]], at_byte)
        return moved

    monkeypatch.setattr(os, call, little)
    rs.run_blocks(
        lambda v: v.transpose(), tmp_path / "x.npy", tmp_path / "y.npy", max_bytes=900
    )
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), x.T)


@settings(max_examples=60)
@given(st.data())
def test_region_writes_are_numpys_assignment(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    cells, index = [], []
    for n in shape:
        step = data.draw(st.sampled_from((1, -1, 2, -3)))
        kept = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
        walk = range(*kept, step) if step > 0 else range(kept[1] - 1, kept[0] - 1, step)
        cells.append((walk.start, walk.stop, step) if len(walk) else (0, 0, 1))
        index.append(list(walk))
    x = np.arange(np.prod(shape), dtype=np.int16).reshape(shape)
    ones = [data.draw(st.booleans()) for _ in shape]
    extents = [1 if one else len(k) for one, k in zip(ones, index, strict=True)]
    src = -1 - np.arange(np.prod(extents), dtype=np.int16).reshape(extents)
    wanted = x[::-1].copy()
    wanted[np.ix_(*index)] = src
    spec = rs.SetValue(*zip(*cells, strict=True))
    out = np.empty_like(x)
    steps = [lambda v: v[::-1], (spec, src)]
    rs.run_blocks(steps, x, out, max_bytes=data.draw(st.sampled_from((8, 50, 1000))))
    np.testing.assert_array_equal(out, wanted)


def test_a_region_of_a_file_is_written_from_a_file(tmp_path: Path) -> None:
    x, src = np.arange(80.0).reshape(8, 10), -np.ones((2, 3))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "src.npy", src)
    write = rs.SetValue((1, 2), (5, 5), (2, 1)), tmp_path / "src.npy"
    rs.run_blocks(write, tmp_path / "x.npy", tmp_path / "x.npy", max_bytes=200)
    x[1:5:2, 2:5] = src
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), x)


@pytest.mark.parametrize(
    ("src", "said"),
    [
        (np.zeros((2, 2)), "broadcast"),
        (np.zeros((3, 1, 3)), "broadcast"),
        (np.zeros(3, "f4"), "dtype"),
        ([1.0], "source is a list"),
    ],
)
def test_a_source_that_does_not_fill_the_region(src: object, said: str) -> None:
    write = rs.SetValue((0, 0), (2, 3)), src
    with pytest.raises(rs.RestrideError, match=said):
        rs.run_blocks(write, np.zeros((4, 4)), np.zeros((4, 4)))


@pytest.mark.parametrize("meanwhile", ["replaced", "removed", "a pipe"])
def test_a_map_whose_name_is_anothers(tmp_path: Path, meanwhile: str) -> None:
    place, x = tmp_path / "x.npy", np.arange(60).reshape(6, 10)
    np.save(place, x)
    found = np.load(place, mmap_mode="r")
    place.unlink()
    if meanwhile == "replaced":
        np.save(place, -x)
    elif meanwhile == "a pipe":
        os.mkfifo(place)
    rs.run_blocks(lambda v: v[::-1], found, tmp_path / "y.npy")
    assert np.array_equal(np.load(tmp_path / "y.npy"), x[::-1])


@pytest.mark.parametrize("is_path", [True, False])
def test_a_map_of_the_source_is_no_target(tmp_path: Path, is_path: bool) -> None:
    place, x = tmp_path / "x.npy", np.arange(60).reshape(6, 10)
    np.save(place, x)
    os.link(place, tmp_path / "same.npy")
    target = np.load(tmp_path / "same.npy", mmap_mode="r+")
    source = place if is_path else np.load(place, mmap_mode="r")
    with pytest.raises(rs.UnsupportedError, match="share memory"):
        rs.run_blocks(lambda v: v[::-1], source, target, max_bytes=1000)
    assert np.array_equal(np.load(place), x)


GAPS = np.dtype(
    {"names": ["a", "b"], "formats": ["<i4", "<i2"], "offsets": [4, 0], "itemsize": 12}
)
"""A record with bytes of no field, which NumPy's assignment leaves out."""


def test_bytes_of_no_field_are_kept() -> None:
    raw = np.random.default_rng(3).integers(0, 256, 6 * 700 * 12, np.uint8)
    x = raw.view("V12").reshape(6, 700)
    steps = [rs.Pad(((1, 1), (2, 2)), "wrap"), rs.encode("1:, :-1")]
    target = np.zeros((7, 703), GAPS)
    rs.run_blocks(steps, x.view(GAPS), target, max_bytes=9_000)
    rows, columns = [*range(6), 0], [698, 699, *range(700), 0]
    assert target.tobytes() == x[np.ix_(rows, columns)].tobytes()


def test_a_single_element_of_the_other_byte_order() -> None:
    target = np.zeros(3, ">i2")
    rs.run_blocks(lambda v: v.broadcast_to(3), np.array(258, ">i2"), target)
    assert target.tolist() == [258] * 3


def test_two_ends_of_an_array_are_not_taken_one_by_one() -> None:
    x = np.arange(1 << 20, dtype=np.uint8)
    target = np.empty(x.size + 9, np.uint8)
    tracemalloc.start()
    try:
        rs.run_blocks(lambda v: v.pad((0, 9), "wrap"), x, target, max_bytes=4_000_000)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
    assert np.array_equal(target, np.pad(x, (0, 9), mode="wrap"))


def test_a_group_is_read_once_it_is_fetched() -> None:
    fetched: list[int] = []
    never = threading.Event()

    def expect(group: int) -> None:
        never.wait(0.01)  # the system takes its time
        fetched.append(group)

    def items(group: int) -> list[int]:
        assert group in fetched
        return [10 * group, 10 * group + 1]

    made: list[int] = []
    pipeline(
        range(4),
        expect,
        items,
        lambda item, room: item,
        lambda item, room: -item,
        lambda item: made.append(item) or 1,
        lambda written: None,
    )
    assert made == [0, -1, -10, -11, -20, -21, -30, -31]
    assert fetched == [0, 1, 2, 3]


def test_a_container_says_what_the_cache_may_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited, free = tmp_path / "limited", tmp_path / "free"
    limited.write_text("123456\n")
    free.write_text("max\n")
    monkeypatch.setattr(memory, "LIMITS", (str(free), str(tmp_path / "none")))
    machine = memory.cache_bytes()
    assert machine > 1 << 20
    monkeypatch.setattr(memory, "LIMITS", (str(free), str(limited)))
    assert memory.cache_bytes() == 123456
    x = np.arange(60_000).reshape(200, 300)
    np.save(tmp_path / "x.npy", x)
    limited.write_text("1")
    places = tmp_path / "x.npy", tmp_path / "y.npy"
    rs.run_blocks(lambda v: v.transpose(), *places, max_bytes=40_000)
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), x.T)
