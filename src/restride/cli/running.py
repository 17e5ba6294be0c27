"""``run`` and ``explain``: from parsed words to files and printed reports."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

import restride as rs
from restride.blocks.forecast import Forecast
from restride.checks import as_bytes
from restride.cli import blockwise
from restride.cli.io import named_dtype, open_sink, open_source
from restride.cli.outline import Outline, execute, outline
from restride.cli.show import emit, emit_json, note, progress
from restride.cli.sources import Sink, Source, check_memory
from restride.cli.steps import Step
from restride.cli.values import shape as parse_shape
from restride.errors import UnsupportedError
from restride.explain.cost import Cost
from restride.explain.names import PAGE, check_suffix
from restride.explain.region import region_lines
from restride.explain.subject import Reading, Writing
from restride.explain.terminal.look import Look, look_on
from restride.explain.text import (
    INDENT,
    indented,
    lines,
    painted,
    wrapped,
)
from restride.explain.units import human_bytes
from restride.shown import copy_limit

__all__ = ["explain", "run"]


def run(
    steps: Sequence[Step],
    source: str,
    output: str | None,
    dry_run: bool,
    dtype: str | None,
    shape: str | None,
    picture: str | None,
    max_bytes: str | None,
    resume: bool,
    chunks: str | None,
    shards: str | None,
    compressor: str | None,
    as_json: bool,
) -> None:
    """Apply `steps` to a file and write the result; with `dry_run` only say how."""
    _check_names(output, dry_run, picture)
    found = _opened(source, dtype, shape)
    sink = None if output is None else open_sink(output)
    planned = outline(found.shape, found.dtype, steps)
    packing = _packing(chunks, shards, compressor)
    packing.check(sink)
    if sink is not None:
        sink.check(planned.shape, planned.dtype)
    _draw(planned, picture)
    is_asked = max_bytes is not None or resume
    files = blockwise.Files(found, sink, packing, resume)
    blocks = _forecast(planned, max_bytes, files) if is_asked else None
    if sink is not None and blockwise.goes_in_blocks(
        found, planned, sink, steps, is_asked or any(packing)
    ):
        blocks = blocks or _forecast(planned, None, files)
    advice = [] if blocks is None or sink is None else _advice(planned, files, blocks)
    seconds, spent = None, planned.cost
    if dry_run:
        _note_all(advice)
    elif sink is not None:
        if blocks is None:
            seconds = _work(found, planned, sink, steps)
        else:
            allowed = blocks.max_bytes
            words = steps, allowed, resume, packing, lambda: _note_all(advice)
            seconds, done = blockwise.work(found, sink, *words)
            spent = replace(spent, read=done.bytes_read, written=done.bytes_written)
    _notes(planned, sink)
    if as_json:
        document = _document(found, planned, output, spent) | {"dry_run": dry_run}
        emit_json(document if seconds is None else document | {"seconds": seconds})
    elif seconds is None:
        told = list(_dry_lines(found, planned, output))
        told += [] if blocks is None else blocks.lines()
        emit("\n".join(told + blockwise.what_is_there(planned, sink, resume)))
    else:
        emit(_done_line(found, planned, output, spent, seconds))


def _check_names(output: str | None, dry_run: bool, picture: str | None) -> None:
    if output is None and not dry_run:
        raise click.UsageError(
            "run has no output; add -o FILE, or --dry-run to only look."
        )
    if output and picture and Path(output).resolve() == Path(picture).resolve():
        raise click.UsageError(f"{picture} is both output and picture; name two files.")


def explain(
    steps: Sequence[Step],
    source: str,
    dtype: str | None,
    shape: str | None,
    max_bytes: str | None,
    picture: str | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Say what `steps` do, operator by operator and all together."""
    check_suffix("--html", html, PAGE)
    if source:
        found = _opened(source, dtype, shape)
    elif shape is None:
        raise click.UsageError("explain has no input; give INPUT, or --shape 3,4.")
    else:
        kind = named_dtype(dtype or "float32")
        found = Source("", parse_shape(shape), kind, lambda: np.empty(0))
    planned = outline(found.shape, found.dtype, steps)
    files = blockwise.Files(found)
    blocks = None if max_bytes is None else _forecast(planned, max_bytes, files)
    _draw(planned, picture)
    _write_page(planned, html)
    if as_json:
        document = _document(found, planned, None, planned.cost)
        document["mappings"] = [s.shown for s in planned.stages]
        if blocks is not None:
            document["blocks"] = blocks.document()
        emit_json(document)
        return
    told = list(_explained(found, planned, look_on(sys.stdout)))
    if blocks is not None:
        told += ["", *blocks.lines()]
    emit("\n".join(told))


def _forecast(
    planned: Outline, max_bytes: str | None, files: blockwise.Files
) -> Forecast:
    """What a run in blocks would cost, of the usual size where none is given."""
    if len(planned.subjects) != 1 or isinstance(planned.subjects[0], Writing):
        raise UnsupportedError(
            "--max-bytes: set-value writes into an array that is whole in memory, so "
            "there are no blocks; leave out one or the other."
        )
    allowed = blockwise.USUAL_BYTES
    if max_bytes is not None:
        allowed = as_bytes(max_bytes, "--max-bytes")
    return blockwise.told(planned.subjects[0].chain, files, allowed)


def _advice(planned: Outline, files: blockwise.Files, blocks: Forecast) -> list[str]:
    """What to say before the work that makes it take much longer than it need."""
    subject = planned.subjects[0]
    if isinstance(subject, Writing):
        return []
    kinds = blockwise.check_count, blockwise.advice
    return [advice(subject.chain, files, blocks) for advice in kinds]


def _note_all(told: Sequence[str]) -> None:
    for text in filter(None, told):
        note(text)


def _packing(
    chunks: str | None, shards: str | None, compressor: str | None
) -> blockwise.Packing:
    return blockwise.Packing(
        None if chunks is None else parse_shape(chunks, "--chunks"),
        None if shards is None else parse_shape(shards, "--shards"),
        compressor,
    )


def _opened(source: str, dtype: str | None, shape: str | None) -> Source:
    return open_source(
        source,
        None if dtype is None else named_dtype(dtype),
        None if shape is None else parse_shape(shape),
    )


def _draw(planned: Outline, name: str | None) -> None:
    """Write the picture of all steps, where one is asked for."""
    if name is not None:
        from restride.explain.picture import compose

        compose(planned.subjects, [s.text for s in planned.stages]).save(name)


def _write_page(planned: Outline, name: str | None) -> None:
    """Write the web page of all steps, where one is asked for."""
    if name is None:
        return
    from restride.explain.html import page
    from restride.explain.saving import save
    from restride.explain.telling import Told

    told = [Told(s.text, s.subject, s.operator, s.cut) for s in planned.stages]
    whole = planned.subjects[0]
    chain = whole.chain if isinstance(whole, Reading) else None
    if len(planned.subjects) > 1:  # region writes in between: no one chain
        chain = None
    save(page(told, chain, planned.dtype), name)


def _work(
    found: Source, planned: Outline, sink: Sink, steps: Sequence[Step]
) -> dict[str, float]:
    """Read, run, write; seconds of each."""
    check_memory(f"the result of shape {planned.shape}", planned.size_bytes)
    rs.engine()  # loaded here, so that its loading is not counted as moving
    start = time.perf_counter()
    with progress(f"restride {found.name} -> {sink.name}"):
        x = found.load()
        loaded = time.perf_counter()
        result = execute(x, steps)
        done = time.perf_counter()
        sink.save(result)
    times = loaded - start, done - loaded, time.perf_counter() - done
    return dict(zip(("read", "move", "write"), times, strict=True))


def _notes(planned: Outline, sink: Sink | None) -> None:
    """What the user should know, on stderr."""
    for stage in planned.stages:
        if stage.cut:
            note(stage.cut)
    if sink is not None and sink.note:
        note(sink.note)
    raw = sink is not None and sink.name.lower().endswith(".npy")
    if raw and planned.dtype.kind == "V" and planned.dtype.type is not np.void:
        note(f".npy has no name for {planned.dtype}; read it with --dtype.")


def _document(
    found: Source, planned: Outline, output: str | None, cost: Cost
) -> dict[str, Any]:
    return {
        "input": {
            "name": found.name or None,
            "shape": found.shape,
            "dtype": str(found.dtype),
            "bytes": found.size_bytes,
        },
        "operators": [
            {"operator": s.text, "shape": s.shape, "cut": s.cut or None}
            for s in planned.stages
        ],
        "output": {
            "name": output,
            "shape": planned.shape,
            "dtype": str(planned.dtype),
            "bytes": planned.size_bytes,
        },
        "cuts": planned.cuts,
        "copies": cost.copies,
        "bytes_read": cost.read,
        "bytes_written": cost.written,
        "seconds_at_copy_limit": cost.at_best(copy_limit),
        "plan": [{k: v for k, v in p.items() if k != "grid"} for p in planned.passes],
    }


def _input_line(found: Source) -> str:
    size = human_bytes(found.size_bytes)
    name = f"  {found.name}" if found.name else ""
    return f"input   {found.shape} {found.dtype}, {size}{name}"


def _dry_lines(found: Source, planned: Outline, output: str | None) -> Iterator[str]:
    yield _input_line(found)
    width = max([len(s.text) for s in planned.stages], default=0)
    for k, stage in enumerate(planned.stages, start=1):
        yield f"{k:<7} {stage.text:<{width}}  -> {stage.shape}"
    size = human_bytes(planned.size_bytes)
    name = f"  {output}" if output else ""
    yield f"output  {planned.shape} {planned.dtype}, {size}{name}"
    yield f"cost    {planned.cost.told(copy_limit)}"
    for k, shown in enumerate(planned.passes, start=1):
        yield f"pass {k}" + (f", x is the result of pass {k - 1}" if k > 1 else "")
        told = region_lines if "writes" in shown else lines
        for line in told({**shown, "grid": None}):
            yield f"  {line}"


def _explained(found: Source, planned: Outline, look: Look) -> Iterator[str]:
    inner = look.narrower(INDENT)
    yield from wrapped(_input_line(found), look.width)
    for k, stage in enumerate(planned.stages, start=1):
        yield ""
        yield from painted([f"{k}. {stage.text}"], look)
        if stage.cut:
            yield from indented(painted([stage.cut], inner))
        yield from indented(stage.lines(inner))
    if len(planned.stages) > 1:
        yield ""
        yield from painted(["all together"], look)
        for subject in planned.subjects:
            yield from indented(subject.lines(inner))
    yield ""
    yield from painted([planned.cost.line(copy_limit)], look)


def _done_line(
    found: Source,
    planned: Outline,
    output: str | None,
    spent: Cost,
    seconds: dict[str, float],
) -> str:
    how = "blocks" if "blocks" in seconds else None
    told = spent.done(seconds[how or "move"], copy_limit, how)
    return (
        f"{found.name} {found.shape} -> {output} {planned.shape} {planned.dtype}: "
        f"{told}"
    )
