"""An array that is being written: beside its place, with a record of what is done.

A directory beside the store holds the array so far, what it is the result of, and a
line for each block that is on the disk.  A process that goes on must be about the same
result; one that lives holds a lock, so that two do not write at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from math import prod
from pathlib import Path

import numpy as np

from restride.blocks.restrict import Box
from restride.blocks.zarr.places import Place
from restride.blocks.zarr.replacing import put, sync
from restride.errors import UnsupportedError

try:
    import fcntl
except ImportError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "DoneMap",
    "Unfinished",
    "elements_done",
    "unfinished_folder",
    "unfinished_name",
]

SYNC_S = 1.0
"""Seconds of work that a kill or a power cut may cost."""

LONG = 180
"""Letters of a directory's name, of which systems take 255 bytes at most."""

ARRAY, PLAN, DONE, LOCK = "array", "plan.json", "done.jsonl", "lock"

NO_BOXES = (ValueError, TypeError, OverflowError, RecursionError)
"""What reading a record raises that is none."""


class Unfinished:
    """The directory of an array in the making, locked.

    Parameters
    ----------
    place : Place
        Where the array goes.
    plan : dict of str to str
        What it is the result of, part by part; empty where nobody could go on.
    resume : bool
        Go on with what is there.

    Raises
    ------
    UnsupportedError
        Another process writes it; one is there and `resume` is False; or what is
        there is the result of something else.
    OSError
        The system refuses.
    """

    def __init__(self, place: Place, plan: dict[str, str], resume: bool) -> None:
        self.place, self.plan = place, plan
        self.folder = unfinished_folder(place)
        if self.folder.is_symlink():  # what it leads to is not ours to clear
            raise UnsupportedError(
                f"output {place.name}: {self.folder}, where it would be begun, is a "
                "link; remove it."
            )
        self.folder.mkdir(exist_ok=True)
        try:
            self._lock = self._locked()
        except OSError:
            with contextlib.suppress(OSError):  # of no use to anybody if it is empty
                self.folder.rmdir()
            raise
        try:
            self.boxes = self._found(resume)
            if not self.boxes:
                self._begin()
            self._lines = (self.folder / DONE).open("ab")
        except BaseException:
            os.close(self._lock)
            raise
        self._pending: list[Box] = []
        self._last = 0.0

    @property
    def array(self) -> Path:
        """The array's directory."""
        return self.folder / ARRAY

    def add(self, box: Box) -> None:
        """This box is written; told to the record once it is on the disk."""
        self._pending.append(box)
        if time.monotonic() - self._last >= SYNC_S:
            self.record()

    def record(self) -> None:
        """Bring to the disk what is written, and then the record of it."""
        if self._pending and self.plan:
            sync(self.folder)
            told = "".join([json.dumps(box) + "\n" for box in self._pending])
            self._lines.write(told.encode())
            self._lines.flush()
            os.fsync(self._lines.fileno())
        self._pending, self._last = [], time.monotonic()

    def commit(self) -> None:
        """Put the array in its place."""
        for path in self.array.rglob("*.partial"):  # of a process that was killed
            path.unlink()
        sync(self.folder)
        put(self.array, self.place.folder)
        sync(self.place.folder)
        self._remove()

    def abort(self) -> None:
        """Keep what is done where a later run can go on from it, else remove it."""
        with contextlib.suppress(OSError):
            self.record()
        if self.plan and (self.folder / DONE).stat().st_size:
            self._release()
        else:
            self._remove()

    def _locked(self) -> int:
        fd = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            if fcntl is not None:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise UnsupportedError(
                f"output {self.place.name} is being written by another process; wait "
                "for it, or give another name."
            ) from None
        except OSError:
            pass  # a disk without locks
        return fd

    def _found(self, resume: bool) -> list[Box]:
        """The boxes that an earlier run has written."""
        lines = self.folder / DONE
        if not self.array.is_dir() or not lines.exists() or not lines.stat().st_size:
            return []
        if not resume:
            raise UnsupportedError(
                f"output {self.place.name}: an unfinished run is in {self.folder}; add "
                "--resume (resume=True) to go on with it, or remove it to begin anew."
            )
        self._check_plan()
        data = lines.read_bytes()
        whole = _whole_lines(data)
        if len(whole) < len(data):
            os.truncate(lines, len(whole))
        try:
            return _boxes(whole)
        except NO_BOXES:
            raise self.damaged() from None

    def _check_plan(self) -> None:
        try:
            told = json.loads((self.folder / PLAN).read_bytes())
            before = {str(key): str(value) for key, value in told.items()}
        except (ValueError, AttributeError, OSError, RecursionError):
            raise self.damaged() from None
        if not self.plan:
            raise UnsupportedError(
                "resume: an array in memory is not known again; give the source as a "
                "file."
            )
        others = [key for key, value in self.plan.items() if before.get(key) != value]
        if others:
            raise UnsupportedError(
                f"output {self.place.name}: the unfinished run in {self.folder} has "
                f"another {' and '.join(others)}; run the same again, or remove it to "
                "begin anew."
            )

    def damaged(self) -> UnsupportedError:
        """The error for a record that cannot be true."""
        return UnsupportedError(
            f"output {self.place.name}: the record of the unfinished run in "
            f"{self.folder} is damaged; remove it to begin anew."
        )

    def _begin(self) -> None:
        """Nothing is done: what a run left before its first block goes."""
        self._clear(PLAN, DONE, ARRAY)
        (self.folder / PLAN).write_text(json.dumps(self.plan))

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._clear(PLAN, DONE, ARRAY, LOCK)
            self.folder.rmdir()
        self._release()

    def _clear(self, *names: str) -> None:
        """Remove our own files; whatever else is there is somebody's."""
        for path in [self.folder / name for name in names]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def _release(self) -> None:
        self._lines.close()
        os.close(self._lock)


class DoneMap:
    """Which chunks of the target are done, and so which boxes of any grid."""

    def __init__(
        self, shape: tuple[int, ...], unit: tuple[int, ...], boxes: list[Box]
    ) -> None:
        counts = [-(-n // u) for n, u in zip(shape, unit, strict=True)]
        self.unit, self.any = unit, bool(boxes)
        self.map = np.zeros(counts if boxes else (0,) * len(unit), bool)
        for box in boxes:
            inside = len(box) == len(shape) and all(
                0 <= low <= high <= n for (low, high), n in zip(box, shape, strict=True)
            )
            if not inside:
                raise ValueError(f"{box} is no box of {shape}")
            self.map[self._at(box)] = True

    def units(self) -> Iterator[tuple[int, ...]]:
        """The files that are done, by their place in the grid of all."""
        return iter([tuple(map(int, place)) for place in np.argwhere(self.map)])

    def has(self, box: Box) -> bool:
        """True where all of a box is done."""
        return self.any and bool(self.map[self._at(box)].all())

    def _at(self, box: Box) -> tuple[slice, ...]:
        pairs = zip(box, self.unit, strict=True)
        return tuple([slice(a // u, -(-b // u)) for (a, b), u in pairs])


def unfinished_folder(place: Place) -> Path:
    """The directory beside the store for an array in the making."""
    return place.store.parent / unfinished_name(place)


def unfinished_name(place: Place) -> str:
    """The name of that directory.

    Examples
    --------
    >>> unfinished_name(Place("a.zarr/x", Path("/d/a.zarr"), "x"))
    '.a.zarr+x.restride-unfinished'
    """
    name = "+".join([place.store.name, *place.inside.split("/")]).removesuffix("+")
    if len(os.fsencode(name)) > LONG:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return f".{name}.restride-unfinished"


def elements_done(place: Place) -> int:
    """Elements that the record of an unfinished run says are written; 0 without one.

    Nothing is changed, locked or compared: a look before the run.
    """
    try:
        boxes = _boxes(_whole_lines((unfinished_folder(place) / DONE).read_bytes()))
    except (OSError, *NO_BOXES):
        return 0
    return sum([prod([max(high - low, 0) for low, high in box]) for box in boxes])


def _whole_lines(data: bytes) -> bytes:
    """Without the last line, where it was being written."""
    return data[: data.rfind(b"\n") + 1]


def _boxes(lines: bytes) -> list[Box]:
    return [
        tuple([(int(low), int(high)) for low, high in json.loads(line)])
        for line in lines.splitlines()
    ]
