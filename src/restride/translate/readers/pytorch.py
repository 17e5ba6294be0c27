"""PyTorch's words: ``x[index]``, pads of the last axis first, strides of storages."""

from __future__ import annotations

from typing import Any

from restride.checks import MAX_RANK, as_axes
from restride.layout.notation import IndexEntry, as_entries, shown
from restride.ops.as_strided import AsStrided
from restride.translate.lower import as_selection
from restride.translate.meaning import Extend, Select, Strided, Write
from restride.translate.readers.indices import axis_named, on_axis
from restride.translate.readers.table import Operator
from restride.translate.spec import shown_value
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS", "last_axis_first"]

MODES = {
    "constant": "constant",
    "reflect": "reflect",
    "replicate": "edge",
    "circular": "wrap",
}
REVERSED = slice(None, None, -1)


def _entries(w: Words) -> tuple[IndexEntry, ...]:
    """An index; PyTorch refuses steps below 1 ("step must be greater than zero")."""
    entries = as_entries(w.value("index"))
    for k, entry in enumerate(entries):
        if isinstance(entry, slice) and entry.step is not None and entry.step < 0:
            w.limit(f"index[{k}] has step {shown(entry.step)}; use flip, then slice.")
    return entries


def _getitem(w: Words, frame: Frame) -> Select:
    return Select(_entries(w))


def _setitem(w: Words, frame: Frame) -> Write:
    return Write(_entries(w))


def _flip(w: Words, frame: Frame) -> Select:
    dims = w.ints("dims")
    if not dims:
        return Select((Ellipsis,))
    from_last = max(dims) < 0 and frame.rank is None
    if frame.rank is not None:
        rank = frame.rank
    elif from_last:
        rank = min(-min(dims), MAX_RANK)
    elif min(dims) >= 0:
        rank = min(max(dims) + 1, MAX_RANK)
    else:
        rank = frame.need_rank(f"pytorch flip: dims = {shown_value(dims)}")
    axes = as_axes(dims, rank, "pytorch flip: dims")
    entries = [REVERSED if axis in axes else slice(None) for axis in range(rank)]
    return Select((*([...] if from_last else []), *entries))


def _narrow(w: Words, frame: Frame) -> Select:
    """``start`` wraps once; what runs past the end is refused, never cut."""
    dim = axis_named(w, frame, "dim")
    start, length = w.integer("start"), w.integer("length")
    n = None if frame.shape is None else frame.shape[dim]
    first = start + n if n is not None and start < 0 else start
    past = first + length > (n if n is not None else 0)
    if length < 0 or (past and (n is not None or start < 0)) or (n and first < 0):
        of = "" if n is None else f" of extent {n}"
        w.limit(
            f"start {shown(start)} and length {shown(length)} leave the axis{of}; "
            "narrow refuses that."
        )
    if n is None:
        w.note("narrow refuses what runs past the axis; where the target clamps, less.")
    end = None if start < 0 == start + length else start + length
    return Select(on_axis(dim, slice(start, end)))


def _select(w: Words, frame: Frame) -> Select:
    return Select(on_axis(axis_named(w, frame, "dim"), w.integer("index")))


def last_axis_first(
    pad: tuple[int, ...], w: Words, frame: Frame
) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis from pairs of which the first is the last axis'."""
    if len(pad) % 2:
        w.refuse(f"{len(pad)} numbers; give a pair for each axis, the last axis first.")
    rank = frame.need_rank(f"{w.call.dialect} {w.call.op} counts axes from the last")
    if len(pad) > 2 * rank:
        w.refuse(
            f"{len(pad)} numbers for {rank} axes; give a pair for each of at most "
            f"{rank} axes, the last axis first."
        )
    pairs = [(pad[k], pad[k + 1]) for k in range(0, len(pad), 2)]
    return tuple([(0, 0)] * (rank - len(pairs)) + pairs[::-1])


def _pad(w: Words, frame: Frame) -> Extend:
    mode = MODES.get(w.text("mode", "constant"))
    if mode is None:
        w.refuse(f"mode {shown_value(w.value('mode'))}; use one of {', '.join(MODES)}.")
    pairs = last_axis_first(w.ints("pad"), w, frame)
    if mode != "constant":
        return Extend(pairs, mode)
    fill: Any = w.scalar("value", 0)
    return Extend(pairs, mode, ((fill, fill),) * len(pairs))


def _as_strided(w: Words, frame: Frame) -> Strided:
    offset = w.integer("storage_offset", 0)
    spec = AsStrided(w.ints("size"), w.ints("stride"), offset)
    if min(spec.stride, default=0) < 0:
        w.limit(f"stride = {spec.stride}; as_strided takes no negative stride.")
    w.note("strides run over the storage: read here as that of a contiguous tensor.")
    return Strided(spec.size, spec.stride, spec.offset)


def _slice_scatter(w: Words, frame: Frame) -> Write:
    step = w.integer("step", 1)
    if step < 1:
        w.limit(f"step = {shown(step)}; slice_scatter needs a step above 0.")
    bounds = [w.integer(n) if w.has(n) else None for n in ("start", "end")]
    entry = slice(bounds[0], bounds[1], None if step == 1 else step)
    return Write(on_axis(axis_named(w, frame, "dim", 0), entry))


def _select_scatter(w: Words, frame: Frame) -> Write:
    return Write(on_axis(axis_named(w, frame, "dim"), w.integer("index")))


def _as_strided_scatter(w: Words, frame: Frame) -> Write:
    shape = frame.need_shape("pytorch as_strided_scatter: strides become a region")
    read = _as_strided(w, frame)
    found = as_selection(read, shape)
    if found is None or len(found) != 1 or not isinstance(found[0], Select):
        w.refuse(
            f"size {read.size}, stride {read.stride} is no box of rows and columns of "
            f"{shape}; only such regions are written elsewhere. Use restride.assign on "
            "a flat view."
        )
    return Write(found[0].entries)


OPERATORS = {
    "getitem": Operator("index", _getitem),
    "pad": Operator("pad mode value", _pad),
    "as_strided": Operator("size stride storage_offset", _as_strided),
    "flip": Operator("dims", _flip),
    "narrow": Operator("dim start length", _narrow),
    "select": Operator("dim index", _select),
    "slice_scatter": Operator("dim start end step", _slice_scatter),
    "select_scatter": Operator("dim index", _select_scatter),
    "as_strided_scatter": Operator("size stride storage_offset", _as_strided_scatter),
    "setitem": Operator("index", _setitem),
}
"""Each operator's parameters, and what reads them."""
