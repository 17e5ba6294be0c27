"""Where blocks go: an array in memory, or a file written beside and then put in place.

A target is opened with the shape and dtype of the whole, takes boxes in any order,
and is committed once or aborted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from restride.arrays import as_target, plain
from restride.blocks.beside import Beside, check_target
from restride.blocks.mapped import reserve_under
from restride.blocks.npy import header_bytes
from restride.blocks.sources import Source
from restride.layout.chain import Chain
from restride.lazy import view

__all__ = ["ArrayTarget", "Box", "FileTarget", "Target", "Work"]

Array = np.ndarray[Any, Any]

Box = tuple[tuple[int, int], ...]
"""Half-open range per axis."""


class Work(NamedTuple):
    """What a target may ask about the work it is opened for."""

    chain: Chain
    """What is made."""
    source: Source
    """Of what."""
    sources: Sequence[Source]
    """That one, and those of the region writes."""
    told: str
    """The chain and the region writes, told apart from all others by their words."""
    max_bytes: int
    """Bytes of blocks in memory at any time."""
    resume: bool
    """Go on where an earlier run ended."""


class Target(Protocol):
    """What :func:`restride.run_blocks` writes."""

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """Extents that blocks are multiples of, known once it is open; None: any."""

    def held(self, shape: tuple[int, ...], itemsize: int, work: Work) -> int:
        """Bytes of memory that writing takes besides the blocks."""

    def open(self, shape: tuple[int, ...], dtype: np.dtype[Any], work: Work) -> None:
        """Make ready to take boxes of a whole of this shape and dtype."""

    @property
    def is_resumed(self) -> bool:
        """True where it goes on with what an earlier run has written."""

    def resumed(self, done: int, blocks: int) -> None:
        """So many of the blocks were there."""

    def is_done(self, box: Box) -> bool:
        """True where an earlier run has written the box; known once it is open."""

    def write(self, box: Box, cells: Array) -> None:
        """Write `cells`, a row-major array, at `box`."""

    def commit(self) -> None:
        """The whole is written: let it be seen."""

    def abort(self) -> None:
        """The work failed: leave what was there before."""


class ArrayTarget:
    """An array in memory, written in place."""

    chunks = None
    is_resumed = False

    def __init__(self, array: Array) -> None:
        self.array = array

    def held(self, shape: tuple[int, ...], itemsize: int, work: Work) -> int:
        """Nothing besides the blocks."""
        return 0

    def resumed(self, done: int, blocks: int) -> None:
        """Nothing is left of an earlier run."""

    def is_done(self, box: Box) -> bool:
        """Nothing is left of an earlier run."""
        return False

    def open(self, shape: tuple[int, ...], dtype: np.dtype[Any], work: Work) -> None:
        """Check that the array takes the result."""
        self._cells = plain(as_target(self.array, shape, dtype, "target"))
        reserve_under(self.array)

    def write(self, box: Box, cells: Array) -> None:
        """Copy the cells: all their bytes, where NumPy leaves out those of no field."""
        if cells.size:
            where: tuple[Any, ...] = (*[slice(a, b) for a, b in box], ...)
            view(cells).copy(out=self._cells[where])

    def commit(self) -> None:
        """All is there."""
        if isinstance(self.array, np.memmap):
            self.array.flush()

    def abort(self) -> None:
        """What is written stays."""


class FileTarget:
    """A .npy file, or the bytes alone: the old file or the whole new one."""

    chunks = None
    is_resumed = False

    def __init__(self, path: str | os.PathLike[str], raw: bool = False) -> None:
        self.path, self.raw = os.fspath(path), raw
        check_target(Path(self.path))
        self.beside: Beside | None = None

    def held(self, shape: tuple[int, ...], itemsize: int, work: Work) -> int:
        """Nothing besides the blocks."""
        return 0

    def resumed(self, done: int, blocks: int) -> None:
        """Nothing is left of an earlier run."""

    def is_done(self, box: Box) -> bool:
        """Nothing is left of an earlier run."""
        return False

    def open(self, shape: tuple[int, ...], dtype: np.dtype[Any], work: Work) -> None:
        """Begin the file beside the target and take its room on the disk.

        Raises
        ------
        UnsupportedError, FileError
            The target cannot be replaced, or the disk is full.
        """
        header = b"" if self.raw else header_bytes(shape, dtype)
        self.shape, self.size = shape, dtype.itemsize
        self.begin = len(header)
        self.beside = Beside(self.path)
        try:
            self.beside.reserve(len(header) + prod(shape) * dtype.itemsize)
            self.beside.write(header, 0)
        except BaseException:
            self.abort()
            raise

    def write(self, box: Box, cells: Array) -> None:
        """Write the cells in the longest stretches that lie together."""
        beside = self._open()
        data = np.ascontiguousarray(cells).reshape(-1).view(np.uint8)
        run, starts = stretches(self.shape, box)
        step = run * self.size
        places = [self.begin + start * self.size for start in starts]
        beside.write_each(data, places, step)
        if places[-1] + step - places[0] == data.nbytes:
            beside.hand_over(places[0], data.nbytes)

    def commit(self) -> None:
        """Put the file in its place."""
        beside, self.beside = self._open(), None
        beside.commit()

    def abort(self) -> None:
        """Remove what was begun."""
        beside, self.beside = self.beside, None
        if beside is not None:
            beside.abort()

    def _open(self) -> Beside:
        if self.beside is None:
            raise AssertionError("a target is opened before it is written")
        return self.beside


def stretches(shape: tuple[int, ...], box: Box) -> tuple[int, list[int]]:
    """The length of the longest runs of a box in row-major order, and their starts.

    Examples
    --------
    >>> stretches((4, 6), ((1, 3), (2, 5)))
    (3, [8, 14])
    """
    run, axis, row = 1, len(shape), 1
    while axis > 0:
        axis -= 1
        low, high = box[axis]
        run, row = run * (high - low), row * shape[axis]
        if high - low < shape[axis]:
            break
    else:
        return run, [0]
    strides: list[int] = []
    step = row // shape[axis]
    offset = box[axis][0] * step
    for n in reversed(shape[1 : axis + 1]):
        step *= n
        strides.insert(0, step)
    outer = [range(a * s, b * s, s) for (a, b), s in zip(box, strides, strict=False)]
    return run, [offset + sum(at) for at in product(*outer)]
