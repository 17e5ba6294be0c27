"""StridedSlice's lists and masks told entry by entry, bit by bit.

>>> from restride.ops.strided_slice import encode
>>> spec = encode("1, ::-2, None")
>>> print("\\n".join(mask_lines(mask_scene(spec, (3, 5)))))
entry  begin  end  strides  b e l n s  means  takes
    0      1  (2)        1  . . . . 1  1      axis 0 of 3: position 1; the axis goes
    1    (0)  (0)       -2  1 1 . . .  ::-2   axis 1 of 5: positions 4, 2, 0
    2    (0)  (0)      (1)  . . . 1 .  None   a new axis of extent 1
b begin_mask = 2, e end_mask = 2, l ellipsis_mask = 0, n new_axis_mask = 4, s shrink_axis_mask = 1
a number in ( ) is not read
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from restride.checks import as_shape
from restride.layout.notation import format_index, shown
from restride.ops.masks import Kind, kinds
from restride.ops.ranges import taken
from restride.ops.strided_slice import StridedSlice

__all__ = ["mask_lines", "mask_scene"]

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
LETTERS = "belns"
"""Of the masks above, over their column of bits."""

POSITIONS_SHOWN = 4
"""Positions of a range written out before the rest is only counted."""


def mask_scene(spec: StridedSlice, shape: Sequence[int]) -> dict[str, Any]:
    """What each entry of the lists says about an array of `shape`, as plain data.

    Returns
    -------
    dict
        ``masks`` (value by name), ``beyond`` (masks with bits at or beyond the number
        of entries) and ``entries``; an entry has ``begin``, ``end``, ``stride``,
        ``bits`` (0 or 1 by mask), ``kind``, ``unread`` (the lists not looked at),
        ``overruled`` (masks set at it that do not count), ``means`` (as index text),
        ``axes`` (those of the array it speaks of) and ``takes``: the resolved
        ``[begin, step, count]`` of a range, the position of an index, else None.

    Raises
    ------
    RestrideError
        The encoding does not fit `shape`.
    """
    extents = as_shape(shape, "strided_slice: shape")
    spec.infer_shape(extents)  # refuses what follows could not resolve
    masks = {name: getattr(spec, name) for name in MASKS}
    n = len(spec.begin)
    found = kinds(n, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask)
    spare = len(extents) - found.count("index") - found.count("range")
    entries, axis = [], 0
    for k, kind in enumerate(found):
        width = {"ellipsis": spare, "new axis": 0}.get(kind, 1)
        entries.append(_entry(spec, k, kind, range(axis, axis + width), extents))
        axis += width
    beyond = [m for m, value in masks.items() if value >> n not in (0, -1)]
    return {"masks": masks, "beyond": beyond, "entries": entries}


def _entry(
    spec: StridedSlice, k: int, kind: Kind, axes: range, shape: Sequence[int]
) -> dict[str, Any]:
    begin, end, stride = spec.begin[k], spec.end[k], (spec.strides or ())[k]
    bits = {name: getattr(spec, name) >> k & 1 for name in MASKS}
    index: Any = {"ellipsis": ..., "new axis": None, "index": begin}.get(kind)
    takes: Any = None
    if kind == "range":
        low = None if bits["begin_mask"] else begin
        high = None if bits["end_mask"] else end
        index = slice(low, high, stride)
        takes = list(taken(index, shape[axes[0]]))
    elif kind == "index":
        takes = begin % shape[axes[0]]
    return {
        "entry": k,
        "begin": begin,
        "end": end,
        "stride": stride,
        "bits": bits,
        "kind": kind,
        "unread": _unread(kind, bits),
        "overruled": _overruled(kind, bits),
        "means": format_index((index,))[1:-1],
        "axes": list(axes),
        "extents": [shape[a] for a in axes],
        "takes": takes,
    }


def _unread(kind: Kind, bits: dict[str, int]) -> list[str]:
    """The lists whose number at this entry nobody looks at."""
    if kind in ("ellipsis", "new axis"):
        return ["begin", "end", "stride"]
    if kind == "index":
        return ["end"]
    return [name for name in ("begin", "end") if bits[f"{name}_mask"]]


def _overruled(kind: Kind, bits: dict[str, int]) -> list[str]:
    """Masks set here that do not count, since an earlier one decides."""
    order = ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    first = {"ellipsis": 0, "new axis": 1, "index": 2, "range": 3}[kind]
    later = [name for name in order[first + 1 :] if bits[name]]
    ranges = ["begin_mask", "end_mask"] if kind != "range" else []
    return later + [name for name in ranges if bits[name]]


def mask_lines(told: dict[str, Any]) -> list[str]:
    """The table, a line per entry, and what its letters mean."""
    rows = [_row(entry) for entry in told["entries"]]
    heads = ("entry", "begin", "end", "strides", " ".join(LETTERS), "means", "takes")
    width = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    made = [_aligned(row, width) for row in (heads, *rows)]
    pairs = zip(LETTERS, told["masks"].items(), strict=True)
    made.append(", ".join(f"{a} {name} = {shown(v)}" for a, (name, v) in pairs))
    made += _notes(told)
    return made


def _aligned(row: Sequence[str], width: Sequence[int]) -> str:
    numbers = [f"{t:>{w}}" for t, w in zip(row[:4], width, strict=False)]
    words = [f"{t:<{w}}" for t, w in zip(row[4:], width[4:], strict=True)]
    return "  ".join([*numbers, *words]).rstrip()


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    lists = [
        f"({shown(entry[name])})" if name in entry["unread"] else shown(entry[name])
        for name in ("begin", "end", "stride")
    ]
    bits = " ".join("1" if bit else "." for bit in entry["bits"].values())
    return str(entry["entry"]), *lists, bits, entry["means"], _takes(entry)


def _takes(entry: dict[str, Any]) -> str:
    if entry["kind"] == "new axis":
        return "a new axis of extent 1"
    if entry["kind"] == "ellipsis":
        axes = ", ".join(map(str, entry["axes"]))
        named = "axis" if len(entry["axes"]) == 1 else "axes"
        return f"{named} {axes} whole" if axes else "no axis: all are named"
    where = f"axis {entry['axes'][0]} of {entry['extents'][0]}: "
    if entry["kind"] == "index":
        return f"{where}position {entry['takes']}; the axis goes"
    begin, step, count = entry["takes"]
    if count == entry["extents"][0] and step == 1:
        return f"{where}all of it"
    return where + _positions(begin, step, count)


def _positions(begin: int, step: int, count: int) -> str:
    if count == 0:
        return "nothing"
    if count == 1:
        return f"position {begin}"
    most = count if count <= POSITIONS_SHOWN + 1 else POSITIONS_SHOWN - 1
    first = ", ".join(str(begin + k * step) for k in range(most))
    rest = "" if most == count else f", ... {begin + (count - 1) * step} ({count})"
    return f"positions {first}{rest}"


def _notes(told: dict[str, Any]) -> Iterator[str]:
    if any(entry["unread"] for entry in told["entries"]):
        yield "a number in ( ) is not read"
    for entry in told["entries"]:
        if entry["overruled"]:
            names = ", ".join(entry["overruled"])
            yield f"entry {entry['entry']} is {entry['kind']}, so {names} means nothing"
    for name in told["beyond"]:
        yield f"{name} has bits beyond the last entry, which mean nothing"
