"""Zarr arrays as sources and targets: the same bits as in memory, however chunked."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import restride as rs
from restride.cli import main

zarr = pytest.importorskip("zarr")

X = np.arange(40 * 30, dtype="<f4").reshape(40, 30)


def stored(path: Path, x: np.ndarray, **words: Any) -> Path:
    """An array on the disk, written by the zarr package alone."""
    made = zarr.create_array(str(path), shape=x.shape, dtype=x.dtype, **words)
    made[...] = x
    return path


def held(path: Path) -> np.ndarray:
    return np.asarray(zarr.open_array(str(path), mode="r")[...])


def same(got: np.ndarray, want: np.ndarray) -> bool:
    return got.shape == want.shape and got.tobytes() == want.tobytes()


MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


@st.composite
def layouts(draw: st.DrawFn, rank: int) -> dict[str, Any]:
    chunks = draw(st.tuples(*[st.integers(1, 6)] * rank))
    ratio = draw(st.none() | st.tuples(*[st.integers(1, 3)] * rank))
    shards = ratio and tuple(c * r for c, r in zip(chunks, ratio, strict=True))
    return {"chunks": chunks, "shards": shards}


@settings(max_examples=12, deadline=None)
@given(
    shape=st.tuples(st.integers(1, 13), st.integers(1, 9)),
    widths=st.tuples(*[st.tuples(st.integers(0, 9), st.integers(0, 9))] * 2),
    mode=st.sampled_from(MODES),
    steps=st.tuples(st.sampled_from([1, 2, -1, -3]), st.sampled_from([1, -2])),
    turned=st.booleans(),
    read=layouts(2),
    written=layouts(2),
)
def test_any_chunks_give_the_same_bits(
    shape, widths, mode, steps, turned, read, written
):
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), shape, widths, mode, steps, turned, read, written)


def compare(folder, shape, widths, mode, steps, turned, read, written):
    x = np.random.default_rng(1).integers(0, 1 << 60, shape)
    want = np.pad(x, widths, mode)[:: steps[0], :: steps[1]]
    want = np.ascontiguousarray(want.T if turned else want)

    def view(v):
        v = v.pad(widths, mode)[:: steps[0], :: steps[1]]
        return v.transpose() if turned else v

    source = stored(folder / "x.zarr", x, **read)
    target = rs.zarr.target(folder / "y.zarr", **written)
    rs.run_blocks(view, source, target, max_bytes=60_000)
    made = zarr.open_array(str(folder / "y.zarr"), mode="r")
    assert made.chunks == written["chunks"]
    assert made.shards == written["shards"]
    assert same(np.asarray(made[...]), want)
    rs.run_blocks(view, source, folder / "y.npy", max_bytes=60_000)
    assert same(np.load(folder / "y.npy"), want)


@pytest.fixture
def x_zarr(tmp_path: Path) -> Path:
    return stored(tmp_path / "x.zarr", X, chunks=(7, 4), shards=(14, 8))


def test_one_file_is_written_by_one_block(tmp_path, x_zarr, monkeypatch):
    """Shards are whole: no block reads one again to change a part of it."""
    from restride.blocks.zarr.target import ZarrTarget

    boxes = []
    write = ZarrTarget.write

    def noted(self, box, cells):
        boxes.append(box)
        write(self, box, cells)

    monkeypatch.setattr(ZarrTarget, "write", noted)
    target = rs.zarr.target(tmp_path / "y.zarr", chunks=(3, 5), shards=(9, 10))
    rs.run_blocks(lambda v: v.pad(1), x_zarr, target, max_bytes=20_000)
    assert len(boxes) > 1
    for box in boxes:
        for (low, high), unit, n in zip(box, (9, 10), (42, 32), strict=True):
            assert low % unit == 0
            assert high % unit == 0 or high == n


def test_chunks_are_like_the_sources(tmp_path, x_zarr):
    rs.run_blocks(lambda v: v.transpose()[None], x_zarr, tmp_path / "y.zarr")
    made = zarr.open_array(str(tmp_path / "y.zarr"))
    assert (made.chunks, made.shards) == ((1, 4, 7), (1, 8, 14))


def test_an_array_in_a_group(tmp_path, x_zarr):
    place = tmp_path / "s.zarr" / "a" / "b"
    rs.run_blocks([], x_zarr, place)
    group = zarr.open_group(str(tmp_path / "s.zarr"), mode="r")
    assert same(np.asarray(group["a/b"][...]), X)
    rs.run_blocks(lambda v: v[::-1], place, tmp_path / "s.zarr" / "c")
    assert same(held(tmp_path / "s.zarr" / "c"), np.ascontiguousarray(X[::-1]))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s.zarr", "x.zarr"]


def test_gathered_metadata_knows_the_new_array(tmp_path, x_zarr):
    group = zarr.open_group(str(tmp_path / "s.zarr"), mode="w")
    group.create_array("old", shape=(2,), dtype="i4")
    with pytest.warns(UserWarning, match="Consolidated"):
        zarr.consolidate_metadata(group.store)
    rs.run_blocks([], x_zarr, tmp_path / "s.zarr" / "new")
    told = zarr.open_consolidated(str(tmp_path / "s.zarr"))
    assert sorted(told.array_keys()) == ["new", "old"]


def test_version_2_and_columns_first(tmp_path):
    x = X.astype(">i2")
    path = stored(tmp_path / "x.zarr", x, chunks=(6, 7), zarr_format=2, order="F")
    rs.run_blocks(lambda v: v.pad(1, "wrap"), path, tmp_path / "y.npy")
    got = np.load(tmp_path / "y.npy")
    assert got.dtype == ">i2"
    assert same(got, np.pad(x, 1, "wrap"))


def test_an_open_array_and_one_in_memory(tmp_path):
    array = zarr.create_array(
        zarr.storage.MemoryStore(), shape=X.shape, dtype=X.dtype, chunks=(9, 9)
    )
    array[...] = X
    rs.run_blocks(lambda v: v[1:], array, tmp_path / "y.zarr")
    assert same(held(tmp_path / "y.zarr"), X[1:])


@pytest.mark.parametrize(
    "dtype", ["?", "<i2", ">i4", ">f8", "c8", "f2", "S3", "<U2", "M8[ns]", "V5"]
)
def test_dtypes(tmp_path, dtype):
    """Values are kept; a byte order is not, as version 3 has none in its dtypes."""
    x = np.arange(24).reshape(4, 6).astype(dtype if dtype != "V5" else "S5")
    x = x.view(dtype).reshape(4, -1)
    rs.run_blocks(lambda v: v[::-1], x, tmp_path / "y.zarr")
    rs.run_blocks([], tmp_path / "y.zarr", tmp_path / "y.npy")
    got = np.load(tmp_path / "y.npy")
    assert got.dtype.newbyteorder("=") == x.dtype.newbyteorder("=")
    np.testing.assert_array_equal(got, x[::-1])


def test_bits_that_equal_the_fill_value_are_kept(tmp_path):
    x = np.array([-0.0, 0.0, np.nan, 1.0])
    rs.run_blocks([], x, rs.zarr.target(tmp_path / "y.zarr", chunks=(1,)))
    assert same(held(tmp_path / "y.zarr"), x)


def test_chunks_left_out_are_the_fill_value(tmp_path):
    path = tmp_path / "x.zarr"
    zarr.create_array(str(path), shape=(6,), chunks=(2,), dtype="i4", fill_value=9)[
        2:4
    ] = 5
    rs.run_blocks([], path, tmp_path / "y.npy")
    assert np.load(tmp_path / "y.npy").tolist() == [9, 9, 5, 5, 9, 9]


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e5m2])
def test_dtypes_that_zarr_has_no_name_for(tmp_path, dtype):
    x = np.ones(3, dtype)
    with pytest.raises(rs.DTypeError, match="no name for the dtype"):
        rs.run_blocks([], x, tmp_path / "y.zarr")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,)])
def test_no_axes_and_no_elements(tmp_path, shape):
    x = np.full(shape, 7, "i4")
    rs.run_blocks([], x, tmp_path / "y.zarr")
    rs.run_blocks([], tmp_path / "y.zarr", tmp_path / "y.npy")
    assert same(np.load(tmp_path / "y.npy"), x)


def test_a_flat_reading(tmp_path, x_zarr):
    def view(v):
        return v.as_strided((50, 20), (19, 3), 5)

    rs.run_blocks(view, x_zarr, tmp_path / "y.zarr", max_bytes=20_000)
    assert same(held(tmp_path / "y.zarr"), view(rs.view(X)).copy())


@pytest.mark.parametrize("word", ["none", "zstd:5", "gzip", "blosc:3"])
def test_compressors(tmp_path, word):
    target = rs.zarr.target(tmp_path / "y.zarr", compressor=word)
    rs.run_blocks([], X, target)
    codecs = json.loads((tmp_path / "y.zarr/zarr.json").read_text())["codecs"]
    named = [c["name"] for c in codecs]
    assert named == ["bytes"] + [w for w in [word.partition(":")[0]] if w != "none"]
    assert same(held(tmp_path / "y.zarr"), X)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"chunks": (3,)}, "one extent of at least 1 for each of the 2 axes"),
        ({"chunks": (0, 3)}, "at least 1"),
        ({"chunks": (3, 3), "shards": (4, 6)}, "whole multiples"),
        ({"chunks": (2**70, 3)}, "chunks|max_bytes"),
        ({"chunks": "x"}, "chunks"),
        ({"compressor": "lzma9"}, "zstd, gzip or blosc"),
        ({"compressor": "zstd:x"}, "no level of zstd"),
        ({"compressor": "zstd:99"}, "zstd:99|level"),
        ({"compressor": 7}, "compressor|codec"),
        ({"chunks": (20_000, 20_000)}, "max_bytes"),
    ],
)
def test_layouts_refused(tmp_path, words, told):
    with pytest.raises(rs.RestrideError, match=told) as caught:
        rs.run_blocks([], X, rs.zarr.target(tmp_path / "y.zarr", **words))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(rs.UnsupportedError, match=r"restride\[zarr\]"):
        rs.run_blocks([], X, tmp_path / "y.zarr")
    with pytest.raises(rs.UnsupportedError, match=r"restride\[zarr\]"):
        rs.run_blocks([], tmp_path / "x.zarr", tmp_path / "y.npy")


def tool(*words: Any) -> None:
    assert main([str(word) for word in words]) == 0


def test_the_tool(tmp_path, x_zarr):
    out, back = tmp_path / "y.zarr" / "a", tmp_path / "back.npy"
    words = ["--chunks", "5,6", "--shards", "10,6", "--compressor", "gzip:1"]
    tool("run", x_zarr, "pad", "2", "--mode", "reflect", "-o", out, *words)
    made = zarr.open_array(str(out))
    assert (made.chunks, made.shards) == ((5, 6), (10, 6))
    assert same(np.asarray(made[...]), np.pad(X, 2, "reflect"))
    tool("run", out, "slice", "2:-2,2:-2", "-o", back)
    assert same(np.load(back), X)


def test_the_plan_counts_chunks_that_are_read_whole(tmp_path, x_zarr, capsys):
    """Against what a source says that notes each chunk it is asked for."""
    words = ["pad", "3", "--mode", "wrap", "-o", str(tmp_path / "y.zarr")]
    words += ["--chunks", "8,8", "--max-bytes", "20000"]
    assert main(["run", str(x_zarr), *words, "--dry-run"]) == 0
    told = capsys.readouterr().out
    source = rs.zarr.source(x_zarr)
    touched, read = [], source.read

    def noted(reads, flat, room=None):
        axes = [
            sorted({i // c for low, high in r for i in range(low, high)})
            for r, c in zip(reads, source.chunks, strict=True)
        ]
        sizes = [
            sum(min(c, n - k * c) for k in axis)
            for axis, c, n in zip(axes, source.chunks, source.shape, strict=True)
        ]
        touched.append(sizes[0] * sizes[1] * 4)
        return read(reads, flat, room)

    source.read = noted
    target = rs.zarr.target(tmp_path / "y.zarr", chunks=(8, 8))
    rs.run_blocks(lambda v: v.pad(3, "wrap"), source, target, max_bytes=20_000)
    assert f"{len(touched)} blocks" in told
    assert f"{sum(touched) / 1000:.2f} kB read" in told


def named(path: Path, **words: Any) -> Path:
    """An array with all that one may say about itself."""
    told = {"attributes": {"unit": "K", "of": [1, {"a": None}]}, "fill_value": -9}
    made = zarr.create_array(
        str(path), shape=(6, 4, 5), dtype="f4", chunks=(2, 3, 4), **told | words
    )
    made[:3] = 7
    return path


@pytest.mark.parametrize(
    ("view", "names"),
    [
        (lambda v: v[::-1].pad(2, "wrap"), ("t", "y", None)),
        (lambda v: v.transpose((1, 2, 0)), ("y", None, "t")),
        (lambda v: v[2, None], (None, "y", None)),
        (lambda v: v.windows(2, axis=0), ("t", "y", None, None)),
        (lambda v: v.reshape(24, 5), None),
        (lambda v: v.reshape(-1).windows(3), None),
        (lambda v: v[0, 0], None),
    ],
)
def test_what_an_array_says_about_itself_is_kept(tmp_path, view, names):
    source = named(tmp_path / "x.zarr", dimension_names=["t", "y", None])
    rs.run_blocks(view, source, tmp_path / "y.zarr")
    made = zarr.open_array(str(tmp_path / "y.zarr"), mode="r")
    assert dict(made.attrs) == {"unit": "K", "of": [1, {"a": None}]}
    assert made.fill_value == -9
    assert made.metadata.dimension_names == names
    assert same(np.asarray(made[...]), view(rs.view(held(source))).copy())


@pytest.mark.parametrize(
    ("told", "names"),
    [(["t", "y", "x"], ("x", "y", "t")), (["t"], None), ("tyx", None), (7, None)],
)
def test_names_that_version_2_keeps_in_an_attribute(tmp_path, told, names):
    words = {"attributes": {"_ARRAY_DIMENSIONS": told, "a": 1}, "fill_value": None}
    source = named(tmp_path / "x.zarr", zarr_format=2, **words)
    rs.run_blocks(lambda v: v.transpose(), source, tmp_path / "y.zarr")
    made = zarr.open_array(str(tmp_path / "y.zarr"), mode="r")
    assert dict(made.attrs) == {"a": 1}
    assert made.metadata.dimension_names == names


@pytest.mark.parametrize("fill", [-0.0, np.inf, np.nan, 1.5])
def test_a_fill_value_is_written_as_it_was(tmp_path, fill):
    source = named(tmp_path / "x.zarr", fill_value=fill)
    rs.run_blocks([], source, tmp_path / "y.zarr")
    told = [
        json.loads((tmp_path / name / "zarr.json").read_text())["fill_value"]
        for name in ("x.zarr", "y.zarr")
    ]
    assert repr(told[0]) == repr(told[1])
