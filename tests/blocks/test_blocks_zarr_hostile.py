"""Zarr arrays and records of unfinished runs that somebody tampered with."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_blocks_zarr_safety import X, broken, folder, held, names, turn, view_of

import restride as rs
from restride.blocks.boxes import Grid

zarr = pytest.importorskip("zarr")

__all__ = ["folder"]

BEGUN = ".y.zarr.restride-unfinished"


def refused(folder: Path, said: str, **more: object) -> None:
    """A run that ends with one line."""
    with pytest.raises(rs.RestrideError, match=said) as caught:
        turn(folder, **more)
    assert "\n" not in str(caught.value)
    assert not (folder / "y.zarr").exists()


@pytest.mark.parametrize(
    "line",
    [
        [[0, 66], [0, 96]],  # more than there is
        [[0, 60], [0, 48], [0, 1]],
        [[0, 60]],
        [],
        [[-20, 0], [0, 24]],
        [[0, 10**30], [0, 24]],
        [[0, 1e400], [0, 24]],
    ],
)
def test_a_record_of_what_is_not_there(folder: Path, line: object) -> None:
    broken(folder)
    (folder / BEGUN / "done.jsonl").write_text(f"{json.dumps(line)}\n")
    refused(folder, "damaged", resume=True)


def test_a_record_nested_without_end(folder: Path) -> None:
    broken(folder)
    (folder / BEGUN / "done.jsonl").write_text("[" * 100_000 + "\n")
    refused(folder, "damaged", resume=True)


def another_shape(begun: Path) -> None:
    told = json.loads((begun / "array/zarr.json").read_text())
    told["shape"][1] += 24
    (begun / "array/zarr.json").write_text(json.dumps(told))


def another_dtype(begun: Path) -> None:
    told = json.loads((begun / "array/zarr.json").read_text())
    told["data_type"] = "uint32"
    (begun / "array/zarr.json").write_text(json.dumps(told))


def a_chunk_gone(begun: Path) -> None:
    next(p for p in (begun / "array/c").rglob("*") if p.is_file()).unlink()


def a_chunk_emptied(begun: Path) -> None:
    next(p for p in (begun / "array/c").rglob("*") if p.is_file()).write_bytes(b"")


@pytest.mark.parametrize(
    "done", [another_shape, another_dtype, a_chunk_gone, a_chunk_emptied]
)
def test_an_unfinished_array_that_is_another(
    folder: Path, done: Callable[[Path], None]
) -> None:
    broken(folder)
    done(folder / BEGUN)
    refused(folder, "damaged", resume=True)


def test_only_own_files_are_cleared(folder: Path) -> None:
    (folder / BEGUN / "mine").mkdir(parents=True)
    (folder / BEGUN / "mine/kept").write_text("1")
    turn(folder)
    assert np.array_equal(held(folder), view_of(X))
    assert (folder / BEGUN / "mine/kept").read_text() == "1"


def test_a_link_in_place_of_the_unfinished_run_is_not_followed(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine/plan.json").write_text("1")
    (folder / BEGUN).symlink_to(folder / "mine")
    refused(folder, "is a link")
    assert names(folder / "mine") == ["plan.json"]


def test_what_came_to_the_place_meanwhile_is_kept(folder: Path) -> None:
    def come(done: int, total: int) -> None:
        (folder / "y.zarr").mkdir(exist_ok=True)
        (folder / "y.zarr/mine").write_text("1")

    with pytest.raises(rs.UnsupportedError, match="no Zarr array"):
        turn(folder, progress=come)
    assert names(folder / "y.zarr") == ["mine"]


def chunk(folder: Path) -> Path:
    return folder / "x.zarr/c/1/1"


def a_pipe(folder: Path) -> None:
    chunk(folder).unlink()
    os.mkfifo(chunk(folder))


def a_device(folder: Path) -> None:
    chunk(folder).unlink()
    chunk(folder).symlink_to("/dev/zero")


def a_circle(folder: Path) -> None:
    (folder / "x.zarr/c/up").symlink_to("..")


def a_link_to_itself(folder: Path) -> None:
    chunk(folder).unlink()
    chunk(folder).symlink_to(chunk(folder))


def nothing(folder: Path) -> None:
    chunk(folder).write_bytes(b"")


def a_pipe_that_tells(folder: Path) -> None:
    (folder / "x.zarr/zarr.json").unlink()
    os.mkfifo(folder / "x.zarr/zarr.json")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (a_pipe, "no regular file"),
        (a_device, "no regular file"),
        (a_circle, "leads back"),
        (a_link_to_itself, "symbolic links"),
        (nothing, "is empty"),
        (a_pipe_that_tells, "no regular file"),
    ],
)
def test_a_source_of_odd_files(
    folder: Path, made: Callable[[Path], None], said: str
) -> None:
    made(folder)
    refused(folder, said)
    assert names(folder) == ["x.zarr"]


@pytest.mark.parametrize("field", [">f8", "2i1"])
def test_records_that_zarr_does_not_keep(tmp_path: Path, field: str) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3, [("a", "<i2"), ("b", field)]))
    with pytest.raises(rs.DTypeError, match="raw bytes"):
        rs.run_blocks(lambda v: v[::-1], tmp_path / "x.npy", tmp_path / "y.zarr")
    assert names(tmp_path) == ["x.npy"]


def test_boxes_are_not_listed() -> None:
    many = Grid((10**9, 10**9), (1, 1))
    assert next(iter(many)) == ((0, 1), (0, 1))
    assert list(Grid((3, 2), (2, 1))) == [
        ((0, 2), (0, 1)),
        ((0, 2), (1, 2)),
        ((2, 3), (0, 1)),
        ((2, 3), (1, 2)),
    ]
    assert list(Grid((), ())) == [()]
    assert list(Grid((0, 3), (1, 1))) == []


@pytest.mark.parametrize("separator", ["/", "."])
@pytest.mark.parametrize("version", [2, 3])
def test_a_directory_in_place_of_a_chunk(
    tmp_path: Path, version: int, separator: str
) -> None:
    """The package reads it as one that was never written: the fill value."""
    keys = {"name": "v2" if version == 2 else "default", "separator": separator}
    made = zarr.create_array(
        str(tmp_path / "a.zarr"),
        shape=(4, 4),
        chunks=(2, 2),
        dtype="i4",
        zarr_format=version,
        chunk_key_encoding=keys,
    )
    made[...] = 1
    path = separator.join(["0", "1"] if version == 2 else ["c", "0", "1"])
    chunk = tmp_path / "a.zarr" / path
    chunk.unlink()
    out = np.empty((4, 4), "i4")
    rs.run_blocks(lambda v: v, tmp_path / "a.zarr", out)
    assert out[0].tolist() == [1, 1, 0, 0]  # one that is absent is the fill value
    chunk.mkdir()
    with pytest.raises(rs.FileError, match=f"{path} is a directory, and a chunk"):
        rs.run_blocks(lambda v: v, tmp_path / "a.zarr", out)


def test_a_name_too_long_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "a.zarr" / ("x" * 300)
    with pytest.raises(rs.FileError, match="File name too long"):
        rs.run_blocks(lambda v: v, np.zeros((4, 4)), target)
    assert not list(tmp_path.iterdir())


def test_a_shard_with_garbage_for_an_index(tmp_path: Path) -> None:
    """It may ask for any number of bytes: the message names the place."""
    made = zarr.create_array(
        str(tmp_path / "a.zarr"), shape=(8,), chunks=(2,), shards=(8,), dtype="i4"
    )
    made[...] = 1
    (shard,) = (tmp_path / "a.zarr" / "c").iterdir()
    index = np.full((4, 2), 1 << 62, "<u8").tobytes()
    try:
        from google_crc32c import value as crc32c
    except ImportError:
        from crc32c import crc32c
    shard.write_bytes(b"x" * 16 + index + int(crc32c(index)).to_bytes(4, "little"))
    with pytest.raises(rs.RestrideError, match=r"damaged|write it again"):
        rs.run_blocks(lambda v: v, tmp_path / "a.zarr", np.empty(8, "i4"))
