"""ONNX's words at an opset: Slice, Squeeze, Unsqueeze, Pad, Gather, ScatterND."""

from __future__ import annotations

from math import prod
from typing import Any

from restride.layout.notation import IndexEntry
from restride.ops.strided_slice import StridedSlice, encode
from restride.translate.draft import Draft
from restride.translate.lower import as_selection, gathered, on_flat
from restride.translate.meaning import (
    Expand,
    Extend,
    Gather,
    Reshape,
    Select,
    Strided,
    Transpose,
    Write,
)
from restride.translate.pads import fitted, has_one_fill, is_zero, single_fill
from restride.translate.values import Cells, Runs
from restride.translate.words import INEXACT, INT64, saturated

__all__ = ["OWN", "WRITE"]

INT_MAX = (2**31 - 1, 2**63 - 1)

SLICE_STEPS = 10
"""Slice-10 moved its lists to inputs and has steps; Slice-1 has neither."""

WRAP = 19
"""Pad-19 brought the mode wrap."""

Ints = tuple[int, ...]
Range = tuple[int, int, int]


def _select(d: Draft, step: Select) -> None:
    """One Slice for all ranges and indices, then Squeeze, then Unsqueeze."""
    entries = _placed(d, step.entries)
    used = [entry for entry in entries if entry is not None]
    ranges = {a: _bounds(e, d.exact) for a, e in enumerate(used) if e != slice(None)}
    dropped = [axis for axis, entry in enumerate(used) if isinstance(entry, int)]
    added = _added(entries)
    told = len(d.calls)
    if ranges:
        _slice(d, ranges)
    if dropped:
        d.call(None, "Squeeze", axes=dropped)
    if added:
        d.call(None, "Unsqueeze", axes=added)
    if len(d.calls) == told:
        d.call(None, "Identity")
    d.advance(step)


def _placed(d: Draft, entries: tuple[IndexEntry, ...]) -> list[IndexEntry]:
    """The entries with an ellipsis spelled out, or left away at the end."""
    if Ellipsis not in entries:
        return list(entries)
    k = entries.index(Ellipsis)
    if all(e == slice(None) for e in entries[k + 1 :]):
        return list(entries[:k])
    used = sum(isinstance(e, (int, slice)) for e in entries)
    rank = d.frame.need_rank("onnx names axes by number, and an ellipsis hides them")
    whole: list[IndexEntry] = [slice(None)] * (rank - used)
    return [*entries[:k], *whole, *entries[k + 1 :]]


def _added(entries: list[IndexEntry]) -> list[int]:
    """Where new axes stand in the result."""
    kept = [e for e in entries if not isinstance(e, int)]
    return [k for k, e in enumerate(kept) if e is None]


def _bounds(entry: IndexEntry, exact: bool) -> Range:
    """Start, end and step as int64; an open end reaches as far as numbers do."""
    if isinstance(entry, int):
        return (saturated(entry), INT64[1] if entry == -1 else saturated(entry + 1), 1)
    assert isinstance(entry, slice)
    step = min(max(entry.step or 1, -(2**62)), 2**62)
    first, last = (0, INT64[1]) if step > 0 else (INT64[1], INT64[0])
    start = first if entry.start is None else saturated(entry.start)
    end = last if entry.stop is None else saturated(entry.stop)
    if exact and step < 0 and end in INT_MAX:
        end -= 1  # ONNX Runtime reads INT_MAX as no end, in backward steps too
    return (start, end, step)


def _slice(d: Draft, ranges: dict[int, Range]) -> None:
    """Slice-10 on, or Slice-1 without steps; single axes by tables before that."""
    if d.opset < SLICE_STEPS:
        for axis in [a for a, (_, _, step) in ranges.items() if step != 1]:
            _by_table(d, axis, ranges.pop(axis))
    ranges = {axis: _from_inside(d, axis, given) for axis, given in ranges.items()}
    if not ranges:
        return
    columns = zip(*ranges.values(), strict=True)
    words = dict(zip(("starts", "ends", "steps"), columns, strict=True))
    words["axes"] = tuple(ranges)
    if d.opset < SLICE_STEPS or set(words["steps"]) == {1}:
        words.pop("steps")
    d.call(None, "Slice", **words)


def _from_inside(d: Draft, axis: int, given: Range) -> Range:
    """ONNX cuts the start of a backward slice to element 0, where others take none."""
    start, _, step = given
    if step > 0 or start >= -1 or not d.exact:  # an axis shorter than 1 has none
        return given
    if d.frame.shape is None:
        d.note(
            f"axis {axis}: where it is shorter than {-start}, ONNX starts a backward "
            f"slice at element 0, and others take nothing; {INEXACT}"
        )
    elif start < -d.frame.shape[axis]:
        d.bound = True
        return (0, 0, 1)
    return given


def _by_table(d: Draft, axis: int, given: Range) -> None:
    shape = d.shape_for("Slice before opset 10 has no steps, so a table is written")
    taken = encode((*[slice(None)] * axis, slice(*given))).entries(shape)[axis]
    assert isinstance(taken, tuple)  # a range stays a range
    d.call(None, "Gather", indices=Runs((taken,)), axis=axis)


def _own_pad(d: Draft, step: Extend) -> None:
    """Pad: all befores, then all afters; lists are inputs from opset 11 on."""
    if step.mode not in d.can.modes or (step.mode == "wrap" and d.opset < WRAP):
        d.refuse(
            f"Pad has no mode '{step.mode}' at opset {d.opset}; its modes are "
            f"constant, reflect, edge{', wrap' if d.opset >= WRAP else ''}.",
            "Use Gather with a table of positions, as translate does.",
        )
    if step.mode == "constant" and not has_one_fill(step):
        d.refuse("Pad takes one constant for all sides.", "Pad once for each.")
    words: dict[str, Any] = {"pads": [b for b, _ in step.pairs]}
    words["pads"] += [a for _, a in step.pairs]
    if step.mode != "constant":
        words["mode"] = step.mode
    elif not is_zero(single_fill(step)):
        words["constant_value"] = single_fill(step)
    d.call(step, "Pad", **words)
    if d.opset < 11:
        d.note("Pad before opset 11 takes floats only.")


def _pad(d: Draft, step: Extend) -> None:
    if step.mode == "wrap" and d.opset < WRAP:
        shape = d.shape_for("mode 'wrap' before opset 19 becomes a table")
        parts = gathered(step, shape)
    else:
        parts = fitted(d, step)
    for part in parts:
        if isinstance(part, Extend):
            _own_pad(d, part)
        else:
            d.say(part)


def _as_strided(d: Draft, step: Strided) -> None:
    found = None if d.frame.shape is None else as_selection(step, d.frame.shape)
    if found:
        d.bound = True
    for part in found or on_flat(step):
        d.say(part)


def _write(d: Draft, step: Write) -> None:
    """ScatterND over the coordinates of every cell written."""
    if d.opset < 11:
        d.refuse(f"opset {d.opset} has no ScatterND.", "Use opset 11 or later.")
    shape = d.shape_for("ScatterND names every cell written")
    if not shape:
        d.refuse("ScatterND takes no tensor without axes.", "Use src in its place.")
    spec = encode(step.entries)
    axes, box = _cells(spec, shape)
    d.call(step, "ScatterND", indices=Cells(box, axes))
    d.note("src must have exactly the region's shape; nothing broadcasts.")


def _cells(spec: StridedSlice, shape: Ints) -> tuple[tuple[Range, ...], Ints]:
    """The leading axes as ranges of cells, and the box they are; whole axes last."""
    found = spec.entries(shape)
    plain = all(isinstance(e, tuple) for e in found)
    while plain and len(found) > 1 and found[-1] == (0, 1, shape[len(found) - 1]):
        found.pop()
    ranges = [(e, 1, 1) if isinstance(e, int) else e for e in found if e is not None]
    box = [1 if e is None else e[2] for e in found if not isinstance(e, int)]
    return tuple(ranges), tuple(box)


def _transpose(d: Draft, step: Transpose) -> None:
    d.call(step, "Transpose", perm=step.order)


def _expand(d: Draft, step: Expand) -> None:
    if d.opset < 8:
        d.refuse(f"opset {d.opset} has no Expand.", "Use opset 8 or later.")
    d.call(step, "Expand", shape=step.shape)


def _reshape(d: Draft, step: Reshape) -> None:
    if d.opset < 5 and prod(step.shape) == 0:
        d.refuse(f"Reshape of opset {d.opset} reads 0 as a copy.", "Use opset 5.")
    d.call(step, "Reshape", shape=step.shape)


def _gather(d: Draft, step: Gather) -> None:
    d.call(step, "Gather", indices=step.table, axis=step.axis)


OWN = {Select: _select, Extend: _own_pad}
"""ONNX's own operators."""

WRITE = {
    Select: _select,
    Extend: _pad,
    Strided: _as_strided,
    Write: _write,
    Transpose: _transpose,
    Expand: _expand,
    Reshape: _reshape,
    Gather: _gather,
}
"""What keeps the elements."""
