"""Whatever happens on the way, the target is the old file or the whole new one."""

from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import restride as rs
from restride.blocks import beside

OLD = b"what was there before"
X = np.arange(4000, dtype=np.int32).reshape(40, 100)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.npy").write_bytes(OLD)
    return tmp_path


def turn(folder: Path, **more: object) -> None:
    """The work of these tests: ten blocks or so."""
    source, target = folder / "x.npy", folder / "y.npy"
    rs.run_blocks(lambda v: v.transpose(), source, target, max_bytes=8000, **more)


def assert_old(folder: Path) -> None:
    """The old file, and nothing beside it."""
    assert (folder / "y.npy").read_bytes() == OLD
    assert sorted(p.name for p in folder.iterdir()) == ["x.npy", "y.npy"]


def meanwhile(act: Callable[[], None]) -> Callable[[int, int], None]:
    """Progress that acts once, after the first block."""
    left = [act]

    def told(done: int, total: int) -> None:
        assert 0 < done <= total == X.nbytes
        if left:
            left.pop()()

    return told


def test_done_it_is_whole(folder: Path) -> None:
    told: list[int] = []
    turn(folder, progress=lambda done, total: told.append(done))
    np.testing.assert_array_equal(np.load(folder / "y.npy"), X.T)
    assert told == sorted(told)
    assert len(told) > 4
    assert told[-1] == X.nbytes


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyboardInterrupt, KeyboardInterrupt),
        (ZeroDivisionError, ZeroDivisionError),
        (MemoryError, rs.UnsupportedError),  # with words on max_bytes
    ],
)
def test_interrupted(
    folder: Path, error: type[BaseException], told: type[BaseException]
) -> None:
    def stop() -> None:
        raise error

    with pytest.raises(told):
        turn(folder, progress=meanwhile(stop))
    assert_old(folder)


CHILD = """
import os, signal, sys, numpy as np, restride as rs
signal.signal(signal.SIGINT, signal.default_int_handler)  # not all shells leave it
def told(done, total):
    if done > total // 2:
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
rs.run_blocks(lambda v: v.transpose(), "x.npy", "y.npy", max_bytes=8000, progress=told)
"""


def child(folder: Path, *words: str, code: str = CHILD) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_killed_half_way_and_run_again(folder: Path) -> None:
    assert child(folder, "SIGKILL").returncode == -signal.SIGKILL
    assert (folder / "y.npy").read_bytes() == OLD
    left = [p for p in folder.iterdir() if p.name.startswith(beside.PREFIX)]
    assert len(left) == 1
    turn(folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), X.T)
    assert sorted(p.name for p in folder.iterdir()) == ["x.npy", "y.npy"]


def test_ctrl_c_half_way(folder: Path) -> None:
    done = child(folder, "SIGINT")
    assert "KeyboardInterrupt" in done.stderr
    assert_old(folder)


def test_what_another_process_writes_is_left_alone(folder: Path) -> None:
    other = beside.Beside(folder / "z.npy")
    other.write(b"abc", 0)
    turn(folder)
    assert other.path.exists()
    other.commit()
    assert (folder / "z.npy").read_bytes() == b"abc"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 32 KiB; mounting one is for the superuser."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError:
        pytest.skip("no mount here")
    if done.returncode:
        pytest.skip("only the superuser mounts a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_full_disk(small_disk: Path) -> None:
    np.save(small_disk / "x.npy", X)
    (small_disk / "y.npy").write_bytes(OLD)
    with pytest.raises(rs.FileError, match="No space left") as caught:
        turn(small_disk, progress=lambda *_: pytest.fail("work began"))
    assert caught.value.errno == errno.ENOSPC
    assert str(caught.value).startswith(f"output {small_disk / 'y.npy'}: ")
    assert_old(small_disk)


@pytest.mark.parametrize("reserves", [True, False])
def test_a_file_larger_than_allowed(folder: Path, reserves: bool) -> None:
    """The same while blocks are written, where the system reserves nothing."""
    code = f"""
import os, resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
if not {reserves}:
    os.posix_fallocate = lambda *words: None
import restride as rs
try:
    rs.run_blocks(lambda v: v.transpose(), "x.npy", "y.npy", max_bytes=8000)
except rs.FileError as error:
    print(error)
"""
    assert child(folder, code=code).stdout == "output y.npy: File too large.\n"
    assert_old(folder)


def test_no_room_is_reserved_where_the_system_cannot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    turn(folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), X.T)


def test_a_directory_that_takes_no_files(folder: Path) -> None:
    code = """
import os, restride as rs
rs.run_blocks([], "x.npy", "z.npy")  # what is loaded on the way may be closed too
if os.geteuid() == 0:
    os.setuid(65534)
try:
    rs.run_blocks([], "x.npy", "closed/y.npy")
except rs.RestrideError as error:
    print(error)
"""
    (folder / "closed").mkdir()
    (folder / "closed").chmod(0o555)
    for path in (folder, *folder.parents[:3]):
        path.chmod(path.stat().st_mode | 0o055)
    assert "closed cannot be written" in child(folder, code=code).stdout
    assert list((folder / "closed").iterdir()) == []


def test_a_source_cut_short_on_the_way(folder: Path) -> None:
    act = meanwhile(lambda: os.truncate(folder / "x.npy", 2000))
    with pytest.raises(rs.FileError, match=r"x\.npy ends at byte .* cut short"):
        turn(folder, progress=act)
    assert_old(folder)


def test_a_source_cut_short_before(folder: Path) -> None:
    os.truncate(folder / "x.npy", 2000)
    with pytest.raises(rs.ShapeError, match="the file is cut short"):
        turn(folder)
    assert_old(folder)


def grow(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b"more")


def touch(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.write(b"!")
    os.utime(path, ns=(1, 1))


@pytest.mark.parametrize("change", [grow, touch])
def test_a_source_that_changes_on_the_way(
    folder: Path, change: Callable[[Path], None]
) -> None:
    act = meanwhile(lambda: change(folder / "x.npy"))
    with pytest.raises(rs.FileError, match="changed while it was read"):
        turn(folder, progress=act)
    assert_old(folder)


def test_a_source_replaced_on_the_way_is_the_one_that_was_opened(folder: Path) -> None:
    def swap() -> None:
        np.save(folder / "new.npy", X * 0)
        (folder / "new.npy").replace(folder / "x.npy")

    turn(folder, progress=meanwhile(swap))
    np.testing.assert_array_equal(np.load(folder / "y.npy"), X.T)


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


SOURCES = {
    "a pipe": (make_pipe, "Is a pipe"),
    "a directory": (make_directory, "Is a directory"),
    "missing": (Path.unlink, "No such file"),
    "other bytes": (lambda p: p.write_bytes(b"hello there"), "not a .npy file"),
    "empty": (lambda p: p.write_bytes(b""), "not a .npy file"),
    "objects": (
        lambda p: np.save(p, np.array([{}]), allow_pickle=True),
        "Python objects",
    ),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_what_is_no_source(folder: Path, kind: str) -> None:
    make, said = SOURCES[kind]
    make(folder / "x.npy")
    with pytest.raises(rs.RestrideError, match=said) as caught:
        turn(folder)
    assert "\n" not in str(caught.value)
    assert (folder / "y.npy").read_bytes() == OLD
    assert len(list(folder.iterdir())) == 1 + (kind != "missing")


def held() -> list[int]:
    """Descriptors and threads of this process."""
    return [len(list(Path("/proc/self", name).iterdir())) for name in ("fd", "task")]


def test_no_descriptor_and_no_thread_stays(folder: Path) -> None:
    before = held()
    for _ in range(3):
        turn(folder)
        with pytest.raises(rs.RestrideError):
            turn(folder, progress=meanwhile(lambda: os.utime(folder / "x.npy")))
    assert held() == before


def test_arrays_that_share_memory_are_refused() -> None:
    x = np.arange(10)
    with pytest.raises(rs.UnsupportedError, match="share memory"):
        rs.run_blocks(lambda v: v[::-1], x[:8], x[2:])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((3, X, "y.npy"), "takes a View"),
        (([rs.Pad(1), 3], X, "y.npy"), "takes a View"),
        ((lambda v: 3, X, "y.npy"), "returns one"),
        ((lambda v: rs.view(X), X, "y.npy"), "returns one"),
        ((rs.view(X[1:]), X, "y.npy"), "shape"),
        ((rs.view(X.astype(">i4")), X, "y.npy"), "dtype"),
        ((rs.SetValue((0,), (1,)), X, "y.npy"), "set_value"),
        (([], [1, 2], "y.npy"), "source is a list"),
        (([], None, "y.npy"), "source is a NoneType"),
        (([], "x.txt", "y.npy"), ".npy"),
        (([], X, "y.txt"), ".npy"),
        (([], X, 3), "target is an int"),
        (([], X, np.empty((3, 3), X.dtype)), "shape"),
        (([], X, np.empty(X.shape)), "dtype"),
        (([], X, "no/where/y.npy"), "is not a directory"),
        (([], np.array([None]), "y.npy"), "objects"),
    ],
)
def test_wrong_words(
    words: tuple, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.RestrideError, match=said) as caught:
        rs.run_blocks(*words)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "bad", [0, -1, 1.5, float("nan"), float("inf"), "1 apple", True]
)
def test_no_number_of_bytes(folder: Path, bad: object) -> None:
    with pytest.raises(rs.RestrideError, match="max_bytes"):
        rs.run_blocks([], folder / "x.npy", folder / "y.npy", max_bytes=bad)
    assert_old(folder)


@pytest.mark.parametrize("bad", [3, "yes", []])
def test_no_progress(folder: Path, bad: object) -> None:
    with pytest.raises(rs.DTypeError, match="progress"):
        turn(folder, progress=bad)
    assert_old(folder)


def test_memory_under_a_limit_set_on_the_process(tmp_path: Path) -> None:
    """40 MB through 12 MB of blocks, where 30 MB more than at rest are allowed."""
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", "f4", (2000, 5000))
    x[::7] = 3
    del x
    code = """
import re, resource, numpy as np, restride as rs
rs.slice(np.zeros(1 << 20), "::2")
status = open("/proc/self/status").read()
data = int(re.search(r"VmData:\\s+(\\d+)", status)[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (data + 60_000_000,) * 2)
before = int(re.search(r"VmHWM:\\s+(\\d+)", status)[1])
rs.run_blocks(lambda v: v.pad(1, "wrap")[1:, 2:].transpose(), "x.npy", "y.npy",
              max_bytes=12e6)
after = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(after - before)
"""
    done = child(tmp_path, code=code)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) * 1024 < 30_000_000
    wanted = rs.view(np.load(tmp_path / "x.npy", mmap_mode="r")).pad(1, "wrap")
    made = np.load(tmp_path / "y.npy", mmap_mode="r")
    np.testing.assert_array_equal(made, wanted[1:, 2:].transpose().copy())


def test_a_sparse_map_on_a_full_disk(small_disk: Path) -> None:
    """Its pages have no room yet; writing one would end the process."""
    large = np.memmap(small_disk / "m.bin", "f8", "w+", shape=(100_000,))
    with pytest.raises(rs.FileError, match="No space left") as caught:
        rs.run_blocks(lambda v: v, np.ones(100_000), large, max_bytes=100_000)
    assert caught.value.errno == errno.ENOSPC
    assert not large[:10].any()
    del large, caught
    gc.collect()  # a map that is held keeps its disk


def test_a_sparse_map_gets_its_room(tmp_path: Path) -> None:
    some = np.memmap(tmp_path / "s.bin", "f8", "w+", offset=8, shape=(1000,))
    rs.run_blocks(lambda v: v, np.ones(1000), some, max_bytes=4000)
    assert np.fromfile(tmp_path / "s.bin").tolist() == [0.0] + [1.0] * 1000


def test_a_file_of_the_tool_on_a_full_disk(small_disk: Path) -> None:
    from restride.cli.numpy_files import npy_writer

    with pytest.raises(rs.FileError, match=r"No space left.*: 800\.00 kB needed"):
        npy_writer(small_disk / "y.npy")(np.zeros(100_000))
    assert not list(small_disk.iterdir())
