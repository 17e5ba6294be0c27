"""PyTorch's words: no negative steps, no symmetric pads, the last axis first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from restride.layout.notation import IndexEntry, format_index
from restride.translate.draft import Draft
from restride.translate.lower import as_selection, gathered, on_flat
from restride.translate.meaning import (
    Expand,
    Extend,
    Gather,
    Reshape,
    Select,
    Step,
    Strided,
    Transpose,
    Write,
)
from restride.translate.pads import fitted, has_one_fill, is_zero, single_fill
from restride.translate.values import Runs

__all__ = ["OWN", "WRITE"]

MOST = 2**62
"""Furthest bound, beyond any axis: cutting a number there keeps the range."""

MAX_STEP = 2**40
"""Longest step.  PyTorch 2.13 multiplies it with the axis' stride in an int64 without a
check; an axis of more elements than this is in no memory."""

Entries = tuple[IndexEntry, ...]


def forward(entries: Entries) -> tuple[Entries, tuple[int, ...]]:
    """The same index with steps above 0, and the axes to be reversed before.

    ``x[b:e:-s]`` is ``flip(x)[~b:~e:s]``: position p becomes n-1-p, and ``~b`` is
    ``-1-b``, which counts from the other end whatever n is.

    Examples
    --------
    >>> forward((2, slice(3, None, -2)))
    ((2, slice(-4, None, 2)), (1,))
    """
    found: list[IndexEntry] = []
    flips: list[int] = []
    for entry, axis in zip(entries, _axes(entries), strict=True):
        if not isinstance(entry, slice):
            found.append(entry)
            continue
        step = entry.step or 1
        begin, end = entry.start, entry.stop
        if step < 0:
            flips.append(axis)
            begin = None if begin is None else ~begin
            end = None if end is None else ~end
        step = min(abs(step), MAX_STEP)
        found.append(slice(_near(begin), _near(end), None if step == 1 else step))
    return tuple(found), tuple(flips)


def _near(bound: int | None) -> int | None:
    return None if bound is None else min(max(bound, -MOST), MOST)


def _axes(entries: Entries) -> list[int]:
    """The axis of each entry: from the last one where an ellipsis stands before it."""
    count = [0 if e is None or e is Ellipsis else 1 for e in entries]
    after = entries.index(Ellipsis) if Ellipsis in entries else len(entries)
    return [
        sum(count[:k]) if k <= after else -sum(count[k:]) for k in range(len(entries))
    ]


def _own_getitem(d: Draft, step: Select) -> None:
    d.call(step, "getitem", index=format_index(step.entries))


def _own_setitem(d: Draft, step: Write) -> None:
    d.call(None, "clone")
    d.call(step, "setitem", index=format_index(step.entries))


def _getitem(d: Draft, step: Select) -> None:
    entries, flips = forward(step.entries)
    if flips:
        reverse = Select(_reversing(step.entries))
        d.call(reverse, "flip", dims=flips)
    if not flips or any(e != slice(None) and e is not Ellipsis for e in entries):
        d.call(step, "getitem", index=format_index(entries))


def _reversing(entries: Entries) -> Entries:
    """The index that only reverses what `entries` reverse."""
    back, whole = slice(None, None, -1), slice(None)
    return tuple(
        [
            Ellipsis if e is Ellipsis else (back if _is_back(e) else whole)
            for e in entries
            if e is not None
        ]
    )


def _is_back(entry: IndexEntry) -> bool:
    return isinstance(entry, slice) and (entry.step or 1) < 0


def _setitem(d: Draft, step: Write) -> None:
    entries, flips = forward(step.entries)
    if not flips and _one_axis(d, entries):
        return
    d.call(None, "flip" if flips else "clone", **({"dims": flips} if flips else {}))
    d.call(step, "setitem", index=format_index(entries))
    if flips:
        d.call(None, "flip", dims=flips)


def _one_axis(d: Draft, entries: Entries) -> bool:
    """slice_scatter or select_scatter, where all but one axis are whole."""
    cut = [k for k, e in enumerate(entries) if e not in (slice(None), Ellipsis)]
    if len(cut) != 1 or entries[cut[0]] is None:
        return False
    entry, dim = entries[cut[0]], _axes(entries)[cut[0]]
    step = Write(entries)
    if isinstance(entry, int):
        d.call(step, "select_scatter", dim=dim, index=entry)
    elif isinstance(entry, slice):
        words = {"start": entry.start, "end": entry.stop, "step": entry.step}
        given = {name: v for name, v in words.items() if v is not None}
        d.call(step, "slice_scatter", dim=dim, **given)
    d.note("src must have exactly the region's shape; nothing broadcasts.")
    return True


def _own_pad(d: Draft, step: Extend) -> None:
    """torch.nn.functional.pad: pairs from the last axis to the first that is padded."""
    if step.mode not in d.can.modes:
        d.refuse(
            f"pad has no mode '{step.mode}'; its modes are "
            f"{', '.join(d.can.modes.values())}.",
            "Use index_select with a table of positions, as translate does.",
        )
    if step.mode == "constant" and not has_one_fill(step):
        d.refuse("pad takes one value for all sides.", "Pad once for each value.")
    pairs = list(step.pairs)
    trailing = step.mode != "constant" and len(pairs) > 1 and _trailing(step)
    while pairs and pairs[0] == (0, 0) and not (trailing and len(pairs) <= trailing):
        pairs.pop(0)
    words: dict[str, Any] = {"pad": [side for pair in pairs[::-1] for side in pair]}
    if step.mode != "constant":
        words["mode"] = d.can.modes[step.mode]
    elif not is_zero(single_fill(step)):
        words["value"] = single_fill(step)
    d.call(step, "pad", **words)


def _trailing(step: Extend) -> int:
    """How many last axes a pad in another mode than constant must name."""
    first = next((k for k, pair in enumerate(step.pairs) if pair != (0, 0)), None)
    padded = 1 if first is None else len(step.pairs) - first
    return max(padded, len(step.pairs) - 2)


def _pad(d: Draft, step: Extend) -> None:
    for part in fitted(d, step):
        for said in _framed(d, part):
            if isinstance(said, Extend):
                _own_pad(d, said)
            else:
                d.say(said)


def _framed(d: Draft, part: Step) -> list[Step]:
    """Other modes than constant pad the last 1 to 3 axes of one or two more."""
    if not isinstance(part, Extend) or part.mode == "constant":
        return [part]
    rank, named = len(part.pairs), _trailing(part)
    if named <= 3 and named < rank:
        return [part]
    if rank <= 3:
        lifted = replace(part, pairs=((0, 0), *part.pairs))
        return [Select((None, Ellipsis)), lifted, Select((0, Ellipsis))]
    why = f"a '{d.can.modes[part.mode]}' pad of the first axes of {rank}"
    return gathered(part, d.shape_for(f"{why} becomes a table of positions"))


def _as_strided(d: Draft, step: Strided) -> None:
    if min(step.stride, default=0) >= 0:
        d.call(None, "contiguous")
        _own_as_strided(d, step)
        return
    found = None if d.frame.shape is None else as_selection(step, d.frame.shape)
    for part in found or on_flat(step):
        d.say(part)


def _own_as_strided(d: Draft, step: Strided) -> None:
    words = {"size": step.size, "stride": step.stride}
    d.call(step, "as_strided", **words, storage_offset=step.offset)


def _permute(d: Draft, step: Transpose) -> None:
    d.call(step, "permute", dims=step.order)


def _expand(d: Draft, step: Expand) -> None:
    d.call(step, "expand", size=step.shape)


def _reshape(d: Draft, step: Reshape) -> None:
    d.call(step, "reshape", shape=step.shape)


def _gather(d: Draft, step: Gather) -> None:
    if isinstance(step.table, Runs):
        d.call(step, "index_select", dim=step.axis, index=step.table)
    else:
        d.call(step, "take", index=step.table)


OWN = {
    Select: _own_getitem,
    Extend: _own_pad,
    Strided: _own_as_strided,
    Write: _own_setitem,
}
"""PyTorch's own operators."""

WRITE = {
    Select: _getitem,
    Extend: _pad,
    Strided: _as_strided,
    Write: _setitem,
    Transpose: _permute,
    Expand: _expand,
    Reshape: _reshape,
    Gather: _gather,
}
"""What keeps the elements."""
