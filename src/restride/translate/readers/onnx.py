"""ONNX's words: Slice and Pad of every opset, by their input and attribute names."""

from __future__ import annotations

from restride.checks import MAX_RANK, as_axes
from restride.layout.notation import IndexEntry
from restride.translate.meaning import Extend, Select, Transpose
from restride.translate.readers.table import Operator
from restride.translate.spec import shown_value
from restride.translate.words import INEXACT, INT64, Frame, Words

__all__ = ["OPERATORS"]

MODES = {"constant": "constant", "reflect": "reflect", "edge": "edge", "wrap": "wrap"}


def _axes(w: Words, frame: Frame, count: int) -> tuple[int, ...]:
    """The axes that are named, counted from the first; by default the first ones."""
    given = w.ints("axes") if w.has("axes") else tuple(range(count))
    if len(given) != count:
        w.refuse(f"axes has length {len(given)} for {count}; give one of each.")
    if frame.rank is None and any(axis < 0 for axis in given):
        frame.need_rank(f"onnx {w.call.op}: axes = {given} count from the last")
    rank = MAX_RANK if frame.rank is None else frame.rank
    return as_axes(given, rank, f"onnx {w.call.op}: axes")


def _slice(w: Words, frame: Frame) -> Select:
    """Slice-1 has no steps; from Slice-10 on the lists are inputs."""
    starts, ends = w.ints("starts"), w.ints("ends")
    steps = w.ints("steps") if w.has("steps") else (1,) * len(starts)
    if not len(starts) == len(ends) == len(steps):
        w.refuse(
            f"{len(starts)} starts, {len(ends)} ends and {len(steps)} steps; give one "
            "of each per axis."
        )
    if 0 in steps:
        w.refuse(f"steps[{steps.index(0)}] = 0; any other step is allowed.")
    axes = _axes(w, frame, len(starts))
    found: list[IndexEntry] = [slice(None)] * (max(axes, default=-1) + 1)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        found[axis] = slice(start, end, None if step == 1 else step)
        if frame.shape is None and step < 0 and INT64[0] < start < -1:
            w.note(
                f"axis {axis}: where it is shorter than {-start}, ONNX starts a "
                f"backward slice at element 0, and others take nothing; {INEXACT}"
            )
    return Select(tuple(found) or (Ellipsis,))


def _pad(w: Words, frame: Frame) -> Extend:
    """All befores, then all afters; named paddings in opset 1, an input from 11 on."""
    if w.has("pads") and w.has("paddings"):
        w.refuse("has both pads and paddings; paddings is opset 1's name of pads.")
    pads = w.ints("paddings" if w.has("paddings") else "pads")
    mode = w.text("mode", "constant")
    if mode not in MODES:
        w.refuse(f"mode {shown_value(mode)} is not known; use {', '.join(MODES)}.")
    if len(pads) % 2:
        w.refuse(f"pads has length {len(pads)}; give all befores, then all afters.")
    count = len(pads) // 2
    if w.has("axes"):
        rank = frame.need_rank("onnx Pad: with axes, pads does not tell the rank")
    else:
        rank = count if frame.rank is None else frame.rank
        if rank != count:
            w.refuse(f"pads has length {len(pads)} for {rank} axes; give {2 * rank}.")
    given = zip(pads[:count], pads[count:], strict=True)
    at = dict(zip(_axes(w, frame, count), given, strict=True))
    pairs = tuple([at.get(axis, (0, 0)) for axis in range(rank)])
    return Extend(pairs, MODES[mode], _fills(w, rank) if mode == "constant" else None)


def _fills(w: Words, rank: int) -> tuple[tuple[object, object], ...]:
    name = "value" if w.has("value") else "constant_value"
    fill = w.scalar(name, 0)
    return ((fill, fill),) * rank


def _identity(w: Words, frame: Frame) -> Select:
    return Select((Ellipsis,))


def _squeeze(w: Words, frame: Frame) -> Select:
    """Axes of extent 1 away; another extent is refused."""
    axes, rank = _placed(w, frame.rank)
    for axis in axes:
        if frame.shape is not None and frame.shape[axis] != 1:
            w.refuse(f"axis {axis} of {frame.shape} is squeezed; only extent 1 can be.")
    return Select(tuple([0 if a in axes else slice(None) for a in range(rank)]))


def _unsqueeze(w: Words, frame: Frame) -> Select:
    """New axes of extent 1, at places of the result."""
    count = len(w.ints("axes"))
    axes, rank = _placed(w, None if frame.rank is None else frame.rank + count)
    return Select(tuple([None if a in axes else slice(None) for a in range(rank)]))


def _placed(w: Words, rank: int | None) -> tuple[tuple[int, ...], int]:
    """The axes named, and the rank they count in; the last one named is enough."""
    given = w.ints("axes")
    if rank is None and min(given, default=0) < 0:
        w.refuse(f"axes = {shown_value(given)} count from the last; give shape=.")
    known = max(given, default=0) + 1 if rank is None else rank
    known = min(known, MAX_RANK)
    return as_axes(given, known, f"onnx {w.call.op}: axes"), known


def _transpose(w: Words, frame: Frame) -> Transpose:
    perm = w.ints("perm")
    if sorted(perm) != list(range(len(perm))) or frame.rank not in (None, len(perm)):
        w.refuse(f"perm = {shown_value(perm)} does not name each axis once.")
    return Transpose(perm)


OPERATORS = {
    "slice": Operator("starts ends axes steps opset", _slice),
    "pad": Operator("pads paddings constant_value value axes mode opset", _pad),
    "squeeze": Operator("axes opset", _squeeze),
    "unsqueeze": Operator("axes opset", _unsqueeze),
    "transpose": Operator("perm opset", _transpose),
    "identity": Operator("opset", _identity),
}
"""Each operator's parameters, and what reads them; Slice and Pad are read as these."""
