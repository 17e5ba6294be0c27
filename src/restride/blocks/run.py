"""Run a chain from a source to a target block by block, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from math import prod
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.boxes import Grid
from restride.blocks.enough import check_count, told_enough
from restride.blocks.forecast import AT_ONCE
from restride.blocks.grid import grid
from restride.blocks.memory import cache_bytes, told_of_memory
from restride.blocks.open import open_source, open_target
from restride.blocks.order import together, turned
from restride.blocks.pipeline import pipeline
from restride.blocks.progress import reported
from restride.blocks.restrict import Block, Box, restrict
from restride.blocks.sources import Source, in_room
from restride.blocks.steps import as_chain, words_of
from restride.blocks.targets import ArrayTarget, FileTarget, Target, Work
from restride.blocks.whole_chunks import unpacked
from restride.blocks.writes import RegionWrite, region_writes, split_writes
from restride.checks import as_bytes
from restride.errors import UnsupportedError
from restride.layout.chain import Chain
from restride.lazy import View, prepare

__all__ = ["Moved", "moved", "run_blocks"]

Array = np.ndarray[Any, Any]

AHEAD = 8
"""What is fetched ahead may take memory over this, in the system's cache."""


def run_blocks(
    view: Any,
    source: Any,
    target: Any,
    *,
    max_bytes: float | str = 256e6,
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
        The last of a list may be pairs ``(rs.SetValue(...), source)``: region writes
        into the result, each from a source of its own.
    source : path, ndarray, memmap, zarr.Array, or a source
        A path ends in .npy, or is store.zarr or store.zarr/name.  A memory map of a
        whole file is read from the file.
    target : path, ndarray, memmap, or a target
        A path ends in .npy, or in .bin for the bytes alone, or is store.zarr or
        store.zarr/name; ``rs.zarr.target`` takes chunks and a compressor, too.  A file
        is written beside its place and put there when it is whole and on the disk; an
        array in memory is written in place.
    max_bytes : int, float or str, optional
        Bytes of blocks in memory at any time, as 256e6 or "256MB": what is read, made
        between, and made.  The process itself comes on top.
    progress : bool or callable, optional
        True: a bar with rate and time left, on a terminal, after a second of work.
        A callable is called with the bytes written and the bytes in all.
    resume : bool, optional
        Go on where an earlier run ended, for targets that remember their blocks: Zarr.
        The same chain of the same, unchanged source only.

    Raises
    ------
    FileError
        A file cannot be read or written, ends early, or changed meanwhile; the disk
        is full.
    ShapeError, BoundsError, DTypeError
        The view does not fit the source, or the target not the result; `max_bytes`
        is too little for the smallest block, or makes millions of small ones.
    UnsupportedError
        A kind of source or target that is not known; source and target share memory;
        there is too little memory for `max_bytes`.

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
    budget = as_bytes(max_bytes, "max_bytes")
    moved(view, source, target, budget, progress, resume)


class Moved(NamedTuple):
    """What a run read and wrote: of a resumed one, for the blocks that were left."""

    bytes_read: int
    bytes_written: int


def moved(
    view: Any,
    source: Any,
    target: Any,
    budget: int,
    progress: Any,
    resume: bool,
    begun: Callable[[], None] = lambda: None,
) -> Moved:
    """The same as :func:`run_blocks`, and what it moved.

    `begun` is called when nothing is refused any more, before the first block.
    """
    if source is None and isinstance(view, View):
        source = view.array
    steps, pairs = split_writes(view)
    with told_of_memory(budget), ExitStack() as stack:
        reader = _opened(source, stack)
        chain = as_chain(steps, reader.shape, reader.dtype)
        regions = region_writes(
            [(spec, _opened(given, stack)) for spec, given in pairs],
            chain.shape,
            reader.dtype,
        )
        readers = [reader, *[region.source for region in regions]]
        writer = open_target(target, readers)
        _refuse_resume(resume, writer)
        told = words_of(chain, [spec for spec, _ in pairs])
        work = Work(chain, reader, readers, told, budget, resume)
        held = _held(work, writer)
        writer.open(chain.shape, reader.dtype, work)
        try:
            with told_enough(lambda n: _held(work._replace(max_bytes=n), writer)):
                job = Job(chain, reader, writer, budget, held, regions)
            check_count(job.grid, job.size, budget)
            begun()
            job.run(progress)
            for used in readers:
                used.check_unchanged()
        except BaseException:
            writer.abort()
            raise
        writer.commit()
    return Moved(job.bytes_read, job.bytes_written)


def _opened(given: Any, stack: ExitStack) -> Source:
    """A source; one that the caller did not open is closed with `stack`."""
    made = open_source(given)
    if made is not given:
        stack.callback(made.close)
    return made


class Job:
    """A chain between a source and a target, and the rooms its blocks use in turn."""

    def __init__(
        self,
        chain: Chain,
        source: Source,
        target: Target,
        max_bytes: int,
        held_bytes: int = 0,
        regions: Sequence[RegionWrite] = (),
    ) -> None:
        self.chain, self.source, self.target = chain, source, target
        self.size, self.regions = source.dtype.itemsize, regions
        by_columns = getattr(source, "by_columns", False)
        seen = turned(chain) if by_columns else chain
        kept = getattr(source, "chunks", None)
        bounds = max_bytes, target.chunks, AT_ONCE, held_bytes, kept
        self.grid = grid(seen, self.size, *bounds)
        self.together = together(seen, self.grid, self.size, cache_bytes() // AHEAD)
        self.bytes_read = self.bytes_written = 0
        self._chunks = kept or (1,) * len(chain.source_shape)
        self._read = [_Room() for _ in range(AT_ONCE)]
        self._made = [_Room() for _ in range(AT_ONCE)]

    def run(self, progress: Any) -> None:
        """Move every block that is not done yet."""
        total = prod(self.chain.shape) * self.size
        stages = self.expect, self.blocks, self.read, self.move, self.write
        with reported(progress, "moving blocks", total) as told:
            if self.target.is_resumed:
                told(self.there())
            pipeline(self.groups(), *stages, told)

    def there(self) -> int:
        """Bytes of the blocks that an earlier run has written."""
        done = [box for box in self.grid if self.target.is_done(box)]
        self.target.resumed(len(done), len(self.grid))
        return sum([prod([b - a for a, b in box]) for box in done]) * self.size

    def groups(self) -> Iterator[Box]:
        """Boxes of blocks that are run one after the other."""
        return iter(Grid(self.chain.shape, self.together, self.grid.first))

    def expect(self, box: Box) -> None:
        """Let the source fetch what a group of blocks needs."""
        block = restrict(self.chain, box)
        self.source.expect(block.reads, block.flat)

    def blocks(self, together: Box) -> Iterator[Block]:
        """The blocks of a group that are not done yet."""
        lows = [a for a, _ in together]
        for box in Grid(tuple([b - a for a, b in together]), self.grid.block):
            ranges = zip(lows, box, strict=True)
            moved = tuple([(low + a, low + b) for low, (a, b) in ranges])
            if not self.target.is_done(moved):
                yield restrict(self.chain, moved)

    def read(self, block: Block, room: int) -> tuple[Block, Array]:
        """What a block needs of the source."""
        needed = block.elements_read * self.size
        found = unpacked(block, self.chain.source_shape, self._chunks)
        self.bytes_read += found * self.size
        held = self._read[room].of(needed)
        return block, self.source.read(block.reads, block.flat, held)

    def move(self, found: tuple[Block, Array], room: int) -> tuple[Box, Array]:
        """The block itself."""
        block, part = found
        needed = prod(block.chain.shape) * self.size
        held = self._made[room].of(needed)
        made = in_room(held, block.chain.shape, self.source.dtype)
        if made.size:
            prepare(block.chain, self.source.dtype)(part, made)
        for region in self.regions:
            region.into(block.box, made)
        return block.box, made

    def write(self, made: tuple[Box, Array]) -> int:
        """Hand a block to the target; returns its bytes."""
        self.target.write(*made)
        self.bytes_written += made[1].nbytes
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


def _held(work: Work, writer: Target) -> int:
    """Bytes that packing and unpacking the chunks of all files takes."""
    held = sum([source.held(work.max_bytes) for source in work.sources])
    return held + writer.held(work.chain.shape, work.source.dtype.itemsize, work)


def _refuse_resume(resume: bool, target: Target) -> None:
    if resume and isinstance(target, (ArrayTarget, FileTarget)):
        raise UnsupportedError(
            "resume: a file is written beside its place and is there whole or not at "
            "all, so there is nothing to go on from; leave resume out."
        )
