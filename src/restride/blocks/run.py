"""Run a chain from a source to a target block by block, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from restride.blocks.open import open_source, open_target
from restride.blocks.pipeline import ROOMS, pipeline
from restride.blocks.progress import reported
from restride.blocks.restrict import Block, restrict
from restride.blocks.sources import Source, in_room
from restride.blocks.steps import as_chain
from restride.blocks.targets import ArrayTarget, FileTarget, Target
from restride.blocks.tiles import Box, block_bytes, boxes, group, halves, tile
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.lazy import View, prepare

__all__ = ["run_blocks"]

Array = np.ndarray[Any, Any]


def run_blocks(
    view: Any,
    source: Any,
    target: Any,
    *,
    max_bytes: float = 256e6,
    progress: Any = None,
    resume: bool = False,
) -> None:
    """Run a view over data that may be larger than memory, from file to file.

    The result is cut into blocks; each reads only the part of the source it needs,
    and three are at work at once: one is read, one moves, one is written.

    Parameters
    ----------
    view : View, plan, operator, function, or a list of operators and functions
        A View brings its steps; its array is read only where `source` is None.  An
        operator is one such as ``rs.Pad(1)`` or ``rs.encode("::2")``; a function
        takes a View and returns one, e.g. ``lambda v: v.pad(1)[::2].transpose()``.
    source : path, ndarray, memmap, or a source
        A path ends in .npy.  A memory map of a whole file is read from the file.
    target : path, ndarray, memmap, or a target
        A path ends in .npy, or in .bin for the bytes alone.  A file is written beside
        its place and put there when it is whole and on the disk; an array in memory is
        written in place.
    max_bytes : float, optional
        Bytes of blocks in memory at any time: what is read, made between, and made.
        The process itself comes on top.
    progress : bool or callable, optional
        True: a bar with rate and time left, on a terminal, after a second of work.
        A callable is called with the bytes written and the bytes in all.
    resume : bool, optional
        Go on where an earlier run ended, for targets that remember their blocks.

    Raises
    ------
    FileError
        A file cannot be read or written, ends early, or changed meanwhile; the disk
        is full.
    ShapeError, BoundsError, DTypeError
        The view does not fit the source, or the target not the result.
    UnsupportedError
        A kind of source or target that is not known; source and target share memory.

    Notes
    -----
    A file as target is the old one or the complete new one, whatever happens.  It may
    be the file that is read.  docs/files.md says what is promised.

    Examples
    --------
    >>> import numpy as np, restride as rs
    >>> out = np.empty((4, 8), "int64")
    >>> steps = [rs.Pad(1, "edge"), rs.encode(":-1, ::-1")]
    >>> rs.run_blocks(steps, np.arange(18).reshape(3, 6), out, max_bytes=100)
    >>> out[0].tolist()
    [5, 5, 4, 3, 2, 1, 0, 0]
    """
    budget = _budget(max_bytes)
    if source is None and isinstance(view, View):
        source = view.array
    reader = open_source(source)
    try:
        chain = as_chain(view, reader.shape, reader.dtype)
        writer = open_target(target, reader)
        _refuse_resume(resume, writer)
        job = Job(chain, reader, writer, budget)
        writer.open(chain.shape, reader.dtype)
        try:
            job.run(progress)
            reader.check_unchanged()
        except BaseException:
            writer.abort()
            raise
        writer.commit()
    finally:
        reader.close()


class Job:
    """A chain between a source and a target, and the rooms its blocks use in turn."""

    def __init__(
        self, chain: Chain, source: Source, target: Target, max_bytes: int
    ) -> None:
        self.chain, self.source, self.target = chain, source, target
        self.size = source.dtype.itemsize
        self.block_bytes = max_bytes // ROOMS
        self.by_columns = getattr(source, "by_columns", False)
        self._read = [_Room() for _ in range(ROOMS)]
        self._made = [_Room() for _ in range(ROOMS)]

    def run(self, progress: Any) -> None:
        """Move every block that is not done yet."""
        total = prod(self.chain.shape) * self.size
        stages = self.expect, self.blocks, self.read, self.move, self.write
        with reported(progress, "moving blocks", total) as told:
            pipeline(self.groups(), *stages, told)

    def groups(self) -> Iterator[Box]:
        """Boxes of blocks that are run one after the other."""
        if 0 in self.chain.shape:
            return
        words = self.chain, self.size, self.block_bytes
        self.extents = tile(*words, self.target.chunks, self.by_columns)
        together = group(self.chain, self.extents, self.size, self.by_columns)
        yield from boxes(self.chain.shape, together)

    def expect(self, box: Box) -> None:
        """Let the source fetch what a group of blocks needs."""
        block = restrict(self.chain, box)
        self.source.expect(block.reads, block.flat)

    def blocks(self, together: Box) -> Iterator[Block]:
        """The blocks of a group, each within its bytes where it can be."""
        done = set(self.target.done)
        shape = [b - a for a, b in together]
        for box in boxes(shape, self.extents, [a for a, _ in together]):
            if box not in done:
                yield from self._within(box)

    def _within(self, box: Box) -> Iterator[Block]:
        """The block of a box, or of its halves where it takes too many bytes.

        An inner block was measured; one at a seam may read more.
        """
        block = restrict(self.chain, box)
        parts = None
        if block_bytes(block, self.size) > self.block_bytes:
            parts = halves(box)
        if parts is None:
            yield block
            return
        for part in parts:
            yield from self._within(part)

    def read(self, block: Block, room: int) -> tuple[Block, Array]:
        """What a block needs of the source."""
        needed = block.elements_read * self.size
        held = self._read[room].of(needed)
        return block, self.source.read(block.reads, block.flat, held)

    def move(self, found: tuple[Block, Array], room: int) -> tuple[Box, Array]:
        """The block itself."""
        block, part = found
        needed = prod(block.chain.shape) * self.size
        held = self._made[room].of(needed)
        made = in_room(held, block.chain.shape, self.source.dtype)
        if made.size:
            part = part.reshape(block.chain.source_shape)
            prepare(block.chain, self.source.dtype)(part, made)
        return block.box, made

    def write(self, made: tuple[Box, Array]) -> int:
        """Hand a block to the target; returns its bytes."""
        self.target.write(*made)
        return made[1].nbytes


class _Room:
    """Bytes that are used again: fresh ones cost more than the copy into them."""

    def __init__(self) -> None:
        self._held: Array = np.empty(0, np.uint8)

    def of(self, size_bytes: int) -> Array:
        """At least so many bytes; what they held before is gone."""
        if self._held.nbytes < size_bytes:
            self._held = np.empty(0, np.uint8)  # let go of the old ones first
            self._held = np.empty(size_bytes, np.uint8)
        return self._held


def _budget(max_bytes: Any) -> int:
    """The bytes allowed, as an int."""
    try:
        budget = int(max_bytes)
    except (TypeError, ValueError, OverflowError):
        raise DTypeError(
            f"max_bytes = {max_bytes!r} is not a number of bytes; give one such as "
            "256e6."
        ) from None
    if isinstance(max_bytes, (str, bytes, bool)) or budget < 1:
        raise ShapeError(f"max_bytes = {max_bytes!r}; give 1 or more, as 256e6.")
    return budget


def _refuse_resume(resume: bool, target: Target) -> None:
    if resume and isinstance(target, (ArrayTarget, FileTarget)):
        raise UnsupportedError(
            "resume: a file is written beside its place and is there whole or not at "
            "all, so there is nothing to go on from; leave resume out."
        )
