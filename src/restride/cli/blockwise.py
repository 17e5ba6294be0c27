"""``run`` block by block: for files larger than memory, or within ``--max-bytes``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from restride.blocks.open import npy_source, raw_source
from restride.blocks.run import run_blocks
from restride.blocks.sources import FileSource
from restride.blocks.targets import FileTarget
from restride.cli.outline import Outline
from restride.cli.sources import Sink, Source
from restride.cli.steps import LazyStep, Step
from restride.engines.run import memory_bytes
from restride.errors import UnsupportedError

__all__ = ["USUAL_BYTES", "goes_in_blocks", "work"]

USUAL_BYTES = 256_000_000
"""Bytes of blocks in memory where nobody said how many."""

SHARE = 2
"""Blocks are used where what is read and made takes more than memory over this."""

KINDS = (".npy", ".bin")


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
    return asked or (large and not reason)


def work(
    found: Source, sink: Sink, steps: Sequence[Step], max_bytes: int, resume: bool
) -> dict[str, float]:
    """Run `steps` from file to file; the seconds it took."""
    start = time.perf_counter()
    applied = [step.apply for step in steps if isinstance(step, LazyStep)]
    source = _source(found)
    try:
        target = FileTarget(sink.name, raw=_kind(sink.name) == ".bin")
        run_blocks(
            applied, source, target, max_bytes=max_bytes, progress=True, resume=resume
        )
    finally:
        source.close()
    return {"blocks": time.perf_counter() - start}


def _why_not(found: Source, sink: Sink, steps: Sequence[Step]) -> str:
    """What speaks against blocks; empty for nothing."""
    for name, verb in ((found.name, "read from"), (sink.name, "written to")):
        if _kind(name) not in KINDS:
            return f"blocks are {verb} .npy or .bin, and {name} is neither."
    if not all(isinstance(step, LazyStep) for step in steps):
        return (
            "set-value writes into an array that is whole in memory; run it alone, or "
            "leave --max-bytes out."
        )
    return ""


def _kind(name: str) -> str:
    return Path(name).suffix.lower()


def _source(found: Source) -> FileSource:
    if _kind(found.name) == ".bin":
        return raw_source(found.name, found.shape, found.dtype)
    source = npy_source(found.name)
    source.dtype = found.dtype  # --dtype names what the file cannot
    return source
