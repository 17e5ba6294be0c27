"""What somebody who does not know the names yet writes, and what is said to it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import restride as rs
from restride.cli import main

zarr = pytest.importorskip("zarr")

X = np.arange(40 * 30, dtype="<f4").reshape(40, 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", X)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (4000, 4000),
        (4e3, 4000),
        ("4000", 4000),
        ("4kB", 4000),
        ("4 KB", 4000),
        ("4k", 4000),
        ("4 KiB", 4096),
        ("1.5MiB", 1572864),
        ("2m", 2000000),
        ("0.25G", 250000000),
        ("1e7", 10000000),
        ("3 PB", 3 * 10**15),
    ],
)
def test_a_number_of_bytes_as_people_write_it(folder, words, number):
    view = rs.view(X).transpose()
    assert view.explain(max_bytes=words) == view.explain(max_bytes=number)
    rs.run_blocks(view, folder / "x.npy", folder / "y.npy", max_bytes=words)
    assert np.array_equal(np.load(folder / "y.npy"), X.T)


WRONG_BYTES = ["", "MB", "4 apples", "1.2.3", "4MiBB", "nan", "4iB2", "--4"]


@pytest.mark.parametrize("words", [*WRONG_BYTES, None, True, float("nan"), 1.5, [4]])
def test_what_is_no_number_of_bytes(words):
    with pytest.raises((rs.ShapeError, rs.DTypeError), match="500MB"):
        rs.run_blocks([], X, np.empty_like(X), max_bytes=words)


@pytest.mark.parametrize("name", ["y.npy", "y", "y.zar/a", ""])
def test_a_zarr_target_whose_name_says_nothing_of_zarr(folder, name):
    with pytest.raises(rs.UnsupportedError, match=r"ends in \.zarr"):
        rs.zarr.target(folder / name if name else name)


def test_an_empty_directory_is_as_good_as_none(folder):
    (folder / "a.zarr" / "group").mkdir(parents=True)
    (folder / "b.zarr").mkdir()
    for name in ("a.zarr/group/x", "b.zarr"):
        rs.run_blocks([], folder / "x.npy", folder / name)
        assert np.array_equal(zarr.open_array(str(folder / name))[...], X)
    assert list(zarr.open_group(str(folder / "a.zarr"))["group"]) == ["x"]


def test_too_few_bytes_for_shards_are_refused_with_what_it_takes(folder):
    """Chunks count in the number; what is told is enough at once."""
    asked = rs.zarr.target(folder / "y.zarr", chunks=(10, 10), shards=(20, 30))
    with pytest.raises(rs.ShapeError) as told:
        rs.run_blocks([], folder / "x.npy", asked, max_bytes=3000)
    assert "max_bytes = 3000 is too little" in str(told.value)
    enough = int(re.findall(r"give (\d+) or more", str(told.value))[0])
    with pytest.raises(rs.ShapeError, match=f"give {enough} or more"):
        rs.run_blocks([], folder / "x.npy", asked, max_bytes=enough - 1)
    rs.run_blocks([], folder / "x.npy", asked, max_bytes=enough)
    assert np.array_equal(zarr.open_array(str(folder / "y.zarr"))[...], X)


def refusal(call) -> str:
    """What is said, in one line."""
    with pytest.raises(rs.RestrideError) as told:
        call()
    assert "\n" not in str(told.value)
    return str(told.value)


def test_arrays_of_other_libraries_are_named_with_what_moves_them(folder):
    xarray, dask = pytest.importorskip("xarray"), pytest.importorskip("dask.array")
    lazy, labelled = dask.from_array(X, chunks=10), xarray.DataArray(X)
    for given in (lazy, rs.dask.view(lazy)):
        told = refusal(lambda given=given: rs.run_blocks([], given, "y.npy"))
        assert "restride.dask" in told
    assert "an Array of dask" in refusal(lambda: rs.run_blocks([], X, lazy))
    assert "restride.xarray" in refusal(lambda: rs.run_blocks([], labelled, "y.npy"))
    for call in (lambda: rs.pad(lazy, 1), lambda: rs.slice(lazy, "::2")):
        assert "restride.dask" in refusal(call)
    assert "an Array of dask" in refusal(lambda: rs.set_value(lazy, 1, (0,), (1,)))
    made = zarr.create_array(str(folder / "x.zarr"), shape=(4,), dtype="f4")
    assert "an Array of zarr" in refusal(lambda: rs.dask.pad(made, 1))


@pytest.mark.parametrize("name", ["s3://bucket/x.zarr", "https://host/x.zarr/a"])
def test_an_address_is_no_path(name):
    assert "zarr.open_array" in refusal(lambda: rs.run_blocks([], name, "y.npy"))
    assert "address" in refusal(lambda: rs.run_blocks([], X, name))


def test_dask_takes_a_view_without_gathering_it():
    dask = pytest.importorskip("dask.array")
    view = rs.dask.view(dask.from_array(X, chunks=10)).pad(10, "wrap")
    made = dask.asarray(view)
    assert made.chunks == view.copy().chunks
    assert len(made.chunks[0]) > 1
    assert dask.sum(view).compute() == np.pad(X, 10, "wrap").sum()


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("lz77", "zstd, gzip or blosc"),
        ("zstd:99", "'99' is no level of zstd; levels are whole numbers up to 22"),
        ("gzip:10", "0 to 9"),
        ("blosc:x", "'x' is no level of blosc"),
        ("blosc:11", "'11' is no level of blosc; levels are 0 to 9"),
        ("none:3", "give none"),
    ],
)
def test_a_level_that_is_none_is_told_with_those_that_are(folder, word, told):
    asked = rs.zarr.target(folder / "y.zarr", chunks=(10, 10), compressor=word)
    assert told in refusal(lambda: rs.run_blocks([], X, asked))


@pytest.mark.parametrize(("word", "level"), [("gzip:0", 0), ("gzip", 5), ("zstd:7", 7)])
def test_a_level_is_the_one_asked_for(folder, word, level):
    """Nought too, which is less than what is usual."""
    asked = rs.zarr.target(folder / "y.zarr", chunks=(10, 10), compressor=word)
    rs.run_blocks([], folder / "x.npy", asked)
    (codec,) = zarr.open_array(str(folder / "y.zarr")).compressors
    assert codec.level == level


def test_a_full_disk_is_told_with_what_is_needed_and_free(folder):
    rs_view = rs.view(np.broadcast_to(np.float64(0), (1 << 20, 1 << 20)))
    told = refusal(lambda: rs.run_blocks(rs_view, rs_view.array, folder / "y.npy"))
    assert re.search(r"No space left on device: 8\.80 TB needed, \S+ \wB free", told)
    assert not (folder / "y.npy").exists()


@pytest.mark.parametrize("word", ["crop", "permute", "unfold", "tile", "set_value"])
def test_an_operator_by_the_name_it_has_elsewhere(folder, word, capsys):
    assert main(["run", str(folder / "x.npy"), word, "1", "-o", "y.npy"]) == 2
    told = capsys.readouterr().err
    assert f"For '{word}' use " in told
    assert told.count("\n") == 1


def test_what_a_run_in_blocks_tells_of_its_time(folder, capsys):
    """Seconds as such, and how fast: what a copy of memory takes is no measure."""
    np.save(folder / "large.npy", np.zeros(1 << 20, "u1"))
    words = ["run", str(folder / "large.npy"), "-o", str(folder / "y.npy")]
    assert main([*words, "--max-bytes", "1MB"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"moved in blocks in \S+ m?s \(.*\), \S+ [kMG]B/s, 0 cuts", told)
    assert "plain copy" not in told


@pytest.mark.parametrize("chunks", [(3, 5), (10, 10), (17, 1)])
@pytest.mark.parametrize("allowed", [1, 500, 4000])
@pytest.mark.parametrize("index", [":", "::2", "::-1, 3:"])
def test_what_is_told_is_enough_for_a_zarr_source(folder, chunks, allowed, index):
    source = zarr.create_array(
        str(folder / "s.zarr"), shape=X.shape, dtype=X.dtype, chunks=chunks
    )
    source[...] = X
    result, out = rs.slice(X, index), np.empty_like(rs.slice(X, index))
    try:
        rs.run_blocks([rs.encode(index)], source, out, max_bytes=allowed)
    except rs.ShapeError as error:
        enough = int(re.findall(r"give (\d+) or more", str(error))[0])
        rs.run_blocks([rs.encode(index)], source, out, max_bytes=enough)
    assert np.array_equal(out, result)
