"""``run`` block by block: for files larger than memory, or within ``--max-bytes``."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from restride.blocks import sources, targets
from restride.blocks.enough import (
    MOST_BLOCKS,
    USUAL_BYTES,
    are_too_many,
    told_enough,
)
from restride.blocks.forecast import Forecast, forecast
from restride.blocks.grid import READ_AGAIN
from restride.blocks.open import npy_source, raw_source
from restride.blocks.run import Moved, moved
from restride.blocks.targets import FileTarget
from restride.blocks.zarr.places import is_zarr, place_of
from restride.blocks.zarr.source import ZarrSource
from restride.blocks.zarr.source import source as zarr_source
from restride.blocks.zarr.target import target as zarr_target
from restride.blocks.zarr.unfinished import elements_done, unfinished_folder
from restride.cli.outline import Outline
from restride.cli.show import note
from restride.cli.sources import Sink, Source
from restride.cli.steps import LazyStep, Step
from restride.engines.run import memory_bytes
from restride.errors import ShapeError, UnsupportedError
from restride.explain.units import human_bytes
from restride.layout.chain import Chain

__all__ = [
    "USUAL_BYTES",
    "Files",
    "Packing",
    "advice",
    "check_count",
    "goes_in_blocks",
    "source_of",
    "target_of",
    "told",
    "what_is_there",
    "work",
]

SHARE = 2
"""Blocks are used where what is read and made takes more than memory over this."""

LEAST_TOLD_BYTES = 16_000_000
"""Fewer that are read again take no time worth a word."""

MANY_BLOCKS = 100_000
"""So many take minutes, of their own and not of the bytes: worth a word before."""

KEPT = (
    "interrupted; no output was changed, and the blocks that are done are kept: run "
    "the same with --resume to go on."
)

KINDS = (".npy", ".bin", ".zarr")


class Packing(NamedTuple):
    """What a Zarr target is asked for; None: what is usual."""

    chunks: tuple[int, ...] | None = None
    shards: tuple[int, ...] | None = None
    compressor: str | None = None

    def check(self, sink: Sink | None) -> None:
        """Refuse words about a Zarr array where none is written."""
        if any(self) and (sink is None or not is_zarr(sink.name)):
            raise UnsupportedError(
                "--chunks, --shards and --compressor are of a Zarr array; give -o "
                "FILE.zarr, or leave them out."
            )


def goes_in_blocks(
    found: Source, planned: Outline, sink: Sink, steps: Sequence[Step], asked: bool
) -> bool:
    """True where blocks are `asked` for, or needed and possible.

    Raises
    ------
    UnsupportedError
        They are asked for, and these files or steps do not go by blocks.
    """
    reason = _why_not(found, sink, steps)
    if asked and reason:
        raise UnsupportedError(f"--max-bytes: {reason}")
    touched = planned.cost.read + planned.size_bytes
    large = touched > memory_bytes() // SHARE
    usual = is_zarr(found.name) or is_zarr(sink.name)
    return asked or ((large or usual) and not reason)


class Files(NamedTuple):
    """Between which files a run goes, and how."""

    found: Source
    sink: Sink | None = None
    packing: Packing = Packing()
    resume: bool = False


def told(chain: Chain, files: Files, max_bytes: int) -> Forecast:
    """What a run in blocks would cost, with what the chunks of Zarr arrays add."""
    return _told(chain, files, max_bytes, _zarr(files))


def advice(chain: Chain, files: Files, blocks: Forecast) -> str:
    """What to say where chunks of the source are unpacked many times; mostly nothing.

    More bytes are tried by doubling, until blocks read few chunks twice.
    """
    least, read, allowed = blocks.least_bytes, blocks.cost.bytes_read, blocks.max_bytes
    if read <= max(READ_AGAIN * least, least + LEAST_TOLD_BYTES):
        return ""
    source, best = _zarr(files), blocks
    while best.cost.bytes_read > READ_AGAIN * least and best.cost.blocks > 1:
        allowed *= 2
        best = _told(chain, files, allowed, source)
    more = f"--max-bytes {_words(allowed)} reads {human_bytes(best.cost.bytes_read)}."
    return (
        f"chunks are unpacked {read / least:.1f} times on average, {human_bytes(read)} "
        f"in all, as blocks of {blocks.grid.block} end inside them; {more}"
    )


def check_count(chain: Chain, files: Files, blocks: Forecast) -> str:
    """What to say where few bytes are allowed and so blocks are very many.

    Raises
    ------
    ShapeError
        There are more than anyone waits for.
    """
    count, allowed = blocks.cost.blocks, blocks.max_bytes
    if count <= MANY_BLOCKS or allowed >= USUAL_BYTES:
        return ""
    usual = told(chain, files, USUAL_BYTES).cost.blocks
    said = (
        f"--max-bytes {_words(allowed)} makes {count:,} blocks of {blocks.grid.block}, "
        f"and {_words(USUAL_BYTES)}, the default, {usual:,}"
    )
    if are_too_many(blocks.grid, files.found.dtype.itemsize):
        raise ShapeError(f"{said}; more than {MOST_BLOCKS:,} are not begun, give more.")
    return f"{said}; many small blocks take far longer."


def _words(count: int) -> str:
    """Bytes as an option takes them, and not one less."""
    for unit, size in (("GB", 10**9), ("MB", 10**6)):
        if count % size == 0:
            return f"{count // size}{unit}"
    return str(count)


def _zarr(files: Files) -> ZarrSource | None:
    return zarr_source(files.found.name) if is_zarr(files.found.name) else None


def _told(
    chain: Chain, files: Files, max_bytes: int, kept: ZarrSource | None
) -> Forecast:
    size, chunks = files.found.dtype.itemsize, None if kept is None else kept.chunks
    held, align = _held(chain, files, max_bytes, kept)
    with told_enough(lambda n: _held(chain, files, n, kept)[0]):
        return forecast(
            chain, size, max_bytes, align=align, held_bytes=held, chunks=chunks
        )


def _held(
    chain: Chain, files: Files, max_bytes: int, kept: ZarrSource | None
) -> tuple[int, tuple[int, ...] | None]:
    """What packing and unpacking takes, and what blocks are multiples of."""
    found, sink, packing, resume = files
    size, held = found.dtype.itemsize, 0 if kept is None else kept.held(max_bytes)
    if sink is None or not is_zarr(sink.name):
        return held, None
    source: sources.Source = kept or sources.ArraySource(np.empty(0))
    target = zarr_target(sink.name, **packing._asdict())
    asked = targets.Work(chain, source, [source], "", max_bytes, resume)
    held += target.held(chain.shape, size, asked)
    return held, target.layout(chain.shape, size, asked).unit


def what_is_there(planned: Outline, sink: Sink | None, resume: bool) -> list[str]:
    """A line on what an unfinished run has written, where one is to be resumed."""
    if sink is None or not resume or not is_zarr(sink.name):
        return []
    done = elements_done(place_of(sink.name)) * planned.dtype.itemsize
    there = min(done, planned.size_bytes)  # a block done in part is written again
    return [
        f"resume  {human_bytes(there)} of {human_bytes(planned.size_bytes)} are written"
    ]


def work(
    found: Source,
    sink: Sink,
    steps: Sequence[Step],
    max_bytes: int,
    resume: bool,
    packing: Packing,
    begun: Callable[[], None],
) -> tuple[dict[str, float], Moved]:
    """Run `steps` from file to file; the seconds it took, and what it moved.

    `begun` is called when nothing is refused any more, before the first block.
    """
    start = time.perf_counter()
    applied = [step.apply for step in steps if isinstance(step, LazyStep)]
    source = source_of(found)
    try:
        target = target_of(sink.name, packing)
        there = resume and Path(sink.name).exists()

        def told() -> None:
            if resume and not target.is_resumed:
                note(_nothing_to_resume(sink.name, there))
            begun()

        done = moved(applied, source, target, max_bytes, True, resume, told)
    except KeyboardInterrupt:
        if is_zarr(sink.name) and unfinished_folder(place_of(sink.name)).exists():
            raise KeyboardInterrupt(KEPT) from None
        raise
    finally:
        source.close()
    return {"blocks": time.perf_counter() - start}, done


def _nothing_to_resume(name: str, is_there: bool) -> str:
    replaced = ", and what is there is replaced" if is_there else ""
    return f"--resume: no unfinished run of {name} is there; all is made{replaced}"


def _why_not(found: Source, sink: Sink, steps: Sequence[Step]) -> str:
    """What speaks against blocks; empty for nothing."""
    for name, verb in ((found.name, "read from"), (sink.name, "written to")):
        if _kind(name) not in KINDS:
            return f"blocks are {verb} .npy, .zarr or .bin, and {name} is none."
    if not all(isinstance(step, LazyStep) for step in steps):
        return (
            "set-value writes into an array that is whole in memory; run it alone, or "
            "leave --max-bytes out."
        )
    return ""


def _kind(name: str) -> str:
    return ".zarr" if is_zarr(name) else Path(name).suffix.lower()


def source_of(found: Source) -> sources.Source:
    """The file, to be read in blocks."""
    if _kind(found.name) == ".zarr":
        return zarr_source(found.name)
    if _kind(found.name) == ".bin":
        return raw_source(found.name, found.shape, found.dtype)
    source = npy_source(found.name)
    source.dtype = found.dtype  # --dtype names what the file cannot
    return source


def target_of(name: str, packing: Packing) -> targets.Target:
    """The file, to be written in blocks."""
    if _kind(name) == ".zarr":
        return zarr_target(name, **packing._asdict(), note=note)
    return FileTarget(name, raw=_kind(name) == ".bin")
