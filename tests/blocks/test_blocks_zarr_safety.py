"""A Zarr target killed, refused, resumed: the same bytes, or one line of why not."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import restride as rs
from restride.blocks.zarr import replacing, unfinished
from restride.cli import main
from restride.explain.units import human_bytes

zarr = pytest.importorskip("zarr")

X = np.arange(90 * 60, dtype=np.int32).reshape(90, 60)
CHUNKS = {"chunks": (10, 12), "shards": (20, 24)}
BYTES = 30_000


def view(v: rs.View) -> rs.View:
    return v.pad(3, "reflect").transpose()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(unfinished, "SYNC_S", 0.0)  # each block is told at once
    zarr.create_array(str(tmp_path / "x.zarr"), shape=X.shape, dtype=X.dtype, **CHUNKS)[
        ...
    ] = X
    return tmp_path


def turn(folder: Path, **more: Any) -> list[str]:
    said: list[str] = []
    words = {"max_bytes": BYTES, **more}
    done = words.pop("view", view)
    source = words.pop("source", folder / "x.zarr")
    target = rs.zarr.target(folder / "y.zarr", note=said.append)
    rs.run_blocks(done, source, target, **words)
    return said


def files(path: Path) -> dict[str, bytes]:
    found = [p for p in path.rglob("*") if p.is_file()]
    return {str(p.relative_to(path)): p.read_bytes() for p in found}


def held(folder: Path) -> np.ndarray:
    return np.asarray(zarr.open_array(str(folder / "y.zarr"), mode="r")[...])


def whole(folder: Path) -> dict[str, bytes]:
    """The files that one run without a break writes."""
    rs.run_blocks(view, folder / "x.zarr", folder / "whole.zarr", max_bytes=BYTES)
    return files(folder / "whole.zarr")


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def stop_after(blocks: int) -> Any:
    """Progress that fails once so many blocks are told."""
    seen = []

    def told(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) > blocks:
            raise ZeroDivisionError

    return told


def broken(folder: Path, blocks: int = 2) -> None:
    """An unfinished run."""
    with pytest.raises(ZeroDivisionError):
        turn(folder, progress=stop_after(blocks))
    assert ".y.zarr.restride-unfinished" in names(folder)
    assert not (folder / "y.zarr").exists()


CHILD = """
import os, signal, sys, restride as rs
from restride.blocks.zarr import unfinished
from test_blocks_zarr_safety import view
unfinished.SYNC_S = 0.0
seen = 0
def told(done, total):
    global seen
    seen += 1
    if seen == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
rs.run_blocks(
    view, "x.zarr", "y.zarr", max_bytes=30_000, progress=told, resume=True
)
"""


def killed(folder: Path, blocks: int) -> None:
    where = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parent)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(blocks)],
        cwd=folder,
        env=where,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_killed_twice_and_resumed(folder):
    want = whole(folder)
    for blocks in (1, 3):
        killed(folder, blocks)
        assert not (folder / "y.zarr").exists()
    said = turn(folder, resume=True)
    assert len(said) == 1
    words = said[0].split()
    assert words[0] == "resumed:"
    assert 0 < int(words[1]) < int(words[3])
    assert files(folder / "y.zarr") == want
    assert names(folder) == ["whole.zarr", "x.zarr", "y.zarr"]


def test_resumed_it_does_only_what_is_left(folder):
    want = whole(folder)
    broken(folder, 3)
    told: list[tuple[int, int]] = []
    (said,) = turn(folder, resume=True, progress=lambda *pair: told.append(pair))
    done, blocks = int(said.split()[1]), int(said.split()[3])
    assert 3 <= done < blocks
    assert len(told) == blocks - done + 1
    assert told[0][0] > 0
    assert told[-1][0] == told[-1][1] == np.pad(X, 3).nbytes
    assert files(folder / "y.zarr") == want


def test_a_dry_run_says_what_is_there(folder, capsys):
    words = ["run", str(folder / "x.zarr"), "pad", "3", "--mode", "reflect"]
    words += ["-o", str(folder / "y.zarr"), "--resume", "--dry-run"]
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("\nresume  0 B of 25.34 kB are written\n")
    broken(folder, 3)
    before = files(folder)
    assert main(words) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert files(folder) == before
    told: list[tuple[int, int]] = []
    turn(folder, resume=True, progress=lambda *pair: told.append(pair))
    assert said == f"resume  {human_bytes(told[0][0])} of 25.34 kB are written"


def test_resumed_with_more_memory(folder):
    """What is done is told by chunks, so blocks of another size go on from it."""
    want = whole(folder)
    broken(folder, 4)
    turn(folder, resume=True, max_bytes=10 * BYTES)
    assert files(folder / "y.zarr")["c/0/0"] == want["c/0/0"]
    assert np.array_equal(held(folder), view_of(X))


def view_of(x: np.ndarray) -> np.ndarray:
    return np.pad(x, 3, "reflect").T


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"view": lambda v: v.pad(3, "wrap").transpose()}, "another chain"),
        ({"view": [view, (rs.SetValue((0, 0), (1, 1)), np.zeros((1, 1), "i4"))]}, ""),
    ],
)
def test_another_chain_is_refused(folder, more, told):
    broken(folder)
    with pytest.raises(rs.UnsupportedError, match=told or "in memory"):
        turn(folder, resume=True, **more)
    turn(folder, resume=True)
    assert np.array_equal(held(folder), view_of(X))


def test_a_changed_source_is_refused(folder):
    broken(folder)
    zarr.open_array(str(folder / "x.zarr"), mode="r+")[0, 0] = 5
    with pytest.raises(rs.UnsupportedError, match="another source") as caught:
        turn(folder, resume=True)
    assert "\n" not in str(caught.value)


def test_another_compressor_is_refused(folder):
    broken(folder)
    target = rs.zarr.target(folder / "y.zarr", compressor="gzip")
    with pytest.raises(rs.UnsupportedError, match="another target"):
        rs.run_blocks(view, folder / "x.zarr", target, max_bytes=BYTES, resume=True)


def test_without_resume_an_unfinished_run_is_not_lost(folder):
    broken(folder)
    before = files(folder)
    with pytest.raises(rs.UnsupportedError, match="--resume"):
        turn(folder)
    assert files(folder) == before


def test_nothing_to_resume_is_a_run(folder):
    assert turn(folder, resume=True) == []
    assert np.array_equal(held(folder), view_of(X))


@pytest.mark.parametrize("name", ["plan.json", "done.jsonl"])
@pytest.mark.parametrize("data", [b"", b"{", b"[1, 2]\n", b"\xff\n", b'[["a", 1]]\n'])
def test_a_damaged_record(folder, name, data):
    broken(folder)
    (folder / ".y.zarr.restride-unfinished" / name).write_bytes(data)
    if name == "done.jsonl" and b"\n" not in data:  # no line was whole: done again
        turn(folder, resume=True)
        assert np.array_equal(held(folder), view_of(X))
        return
    with pytest.raises(rs.UnsupportedError, match=r"damaged|another") as caught:
        turn(folder, resume=True)
    assert "\n" not in str(caught.value)


def test_a_torn_last_line_is_done_again(folder):
    want = whole(folder)
    broken(folder, 3)
    record = folder / ".y.zarr.restride-unfinished" / "done.jsonl"
    record.write_bytes(record.read_bytes()[:-4])
    turn(folder, resume=True)
    assert files(folder / "y.zarr") == want


def test_two_at_once(folder):
    def second(done: int, total: int) -> None:
        with pytest.raises(rs.UnsupportedError, match="another process"):
            turn(folder)

    turn(folder, progress=second)


def test_a_source_in_memory_leaves_nothing(folder):
    with pytest.raises(ZeroDivisionError):
        turn(folder, source=X, progress=stop_after(2))
    assert names(folder) == ["x.zarr"]
    with pytest.raises(rs.UnsupportedError, match="in memory"):
        turn(folder, source=X, resume=True)
    assert names(folder) == ["x.zarr"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_target_that_is_there_is_replaced_whole(folder, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(replacing, "_exchanged", lambda *_: False)
    turn(folder, view=lambda v: v[:5])
    old = files(folder / "y.zarr")
    with pytest.raises(ZeroDivisionError):
        turn(folder, progress=stop_after(2))
    assert files(folder / "y.zarr") == old
    turn(folder, resume=True)
    assert files(folder / "y.zarr") == whole(folder)
    assert names(folder) == ["whole.zarr", "x.zarr", "y.zarr"]


def test_the_target_may_be_the_source(folder):
    rs.run_blocks(view, folder / "x.zarr", folder / "x.zarr", max_bytes=BYTES)
    assert np.array_equal(zarr.open_array(str(folder / "x.zarr"))[...], view_of(X))


def test_what_is_no_array_is_not_replaced(folder):
    (folder / "y.zarr").mkdir()
    (folder / "y.zarr" / "letter.txt").write_text("dear")
    with pytest.raises(rs.UnsupportedError, match="no Zarr array"):
        turn(folder)
    zarr.open_group(str(folder / "g.zarr"), mode="w")
    with pytest.raises(rs.UnsupportedError, match="no Zarr array"):
        rs.run_blocks([], folder / "x.zarr", folder / "g.zarr")
    with pytest.raises(rs.UnsupportedError, match="no group"):
        rs.run_blocks([], folder / "x.zarr", folder / "x.zarr" / "in")


def test_a_source_that_changes(folder):
    def write(done: int, total: int) -> None:
        zarr.open_array(str(folder / "x.zarr"), mode="r+")[0, 0] += 5

    with pytest.raises(rs.FileError, match="changed while it was read"):
        turn(folder, progress=write)
    assert not (folder / "y.zarr").exists()


@pytest.mark.parametrize("keep", [0, 3, 50])
def test_a_chunk_cut_short(folder, keep):
    chunk = next(p for p in (folder / "x.zarr" / "c").rglob("*") if p.is_file())
    os.truncate(chunk, keep)
    with pytest.raises(rs.FileError, match="cannot be read") as caught:
        turn(folder)
    assert "\n" not in str(caught.value)


ALMOST = [
    '{"zarr_format": 4}',
    '{"zarr_format": 3, "node_type": "array"}',
    '{"zarr_format": 3, "node_type": "group"}',
]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "\0" * 9, *ALMOST],
)
def test_metadata_that_is_damaged(folder, text):
    (folder / "x.zarr" / "zarr.json").write_text(text)
    with pytest.raises(rs.RestrideError) as caught:
        turn(folder)
    assert "\n" not in str(caught.value)
    assert names(folder) == ["x.zarr"]


@pytest.mark.parametrize("old_new", [("90", "12" * 20), ("10", "1" + "0" * 15)])
def test_metadata_that_says_too_much(folder, old_new):
    path = folder / "x.zarr" / "zarr.json"
    path.write_text(path.read_text().replace(*old_new))
    with pytest.raises(rs.RestrideError):
        turn(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 60 KiB; mounting one is for the superuser."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=60k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError:
        pytest.skip("no mount here")
    if done.returncode:
        pytest.skip("only the superuser mounts a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_full_disk_and_then_room(folder, small_disk):
    x = np.random.default_rng(0).integers(0, 1 << 30, X.shape, dtype=np.int32)
    np.save(folder / "r.npy", x)
    target = rs.zarr.target(small_disk / "y.zarr", chunks=(20, 20))
    words = {"max_bytes": BYTES}
    with pytest.raises(rs.FileError, match="No space left") as caught:
        rs.run_blocks([], folder / "r.npy", target, **words)
    assert caught.value.errno == errno.ENOSPC
    assert not (small_disk / "y.zarr").exists()
    again = ["mount", "-o", "remount,size=1m", str(small_disk)]
    subprocess.run(again, check=True)
    rs.run_blocks([], folder / "r.npy", target, **words, resume=True)
    assert np.array_equal(zarr.open_array(str(small_disk / "y.zarr"))[...], x)


def test_a_place_that_is_not_there(folder):
    with pytest.raises(rs.UnsupportedError, match="make it first"):
        rs.run_blocks([], X, folder / "no" / "y.zarr")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_read_only_place(folder):
    folder.chmod(0o555)
    with pytest.raises(rs.UnsupportedError, match="cannot be written"):
        turn(folder)
    folder.chmod(0o755)


def test_the_tool_resumes_and_says_so(folder, capsys):
    broken(folder, 3)
    words = ["pad", "3", "--mode", "reflect", "transpose", "1,0"]
    command = ["run", str(folder / "x.zarr"), *words, "-o", str(folder / "y.zarr")]
    assert main([*command, "--max-bytes", str(BYTES)]) == 2
    told = capsys.readouterr().err
    assert "--resume" in told
    assert told.count("\n") == 1
    assert main([*command, "--max-bytes", str(BYTES), "--resume", "--json"]) == 0
    said = capsys.readouterr()
    assert "restride: resumed: " in said.err
    done = json.loads(said.out)
    whole = np.pad(X, 3).nbytes
    assert 0 < done["bytes_written"] < whole  # of the blocks that were left
    assert 0 < done["bytes_read"] < whole
    assert np.array_equal(held(folder), view_of(X))
