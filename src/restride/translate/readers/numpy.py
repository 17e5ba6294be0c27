"""NumPy's words: ``x[index]``, `pad`, `as_strided` with byte strides, windows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from restride.checks import as_axes
from restride.layout.notation import as_entries
from restride.ops.as_strided import AsStrided
from restride.ops.paddings import read_constants, read_paddings
from restride.translate.meaning import Extend, Select, Strided, Write
from restride.translate.readers.restride import windows
from restride.translate.readers.table import Operator
from restride.translate.spec import Call, shown_value
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS"]

MOVING = ("constant", "edge", "reflect", "symmetric", "wrap")
COMPUTING = ("linear_ramp", "maximum", "mean", "median", "minimum", "empty")


def _getitem(w: Words, frame: Frame) -> Select:
    return Select(as_entries(w.value("index")))


def _setitem(w: Words, frame: Frame) -> Write:
    return Write(as_entries(w.value("index")))


def _pad(w: Words, frame: Frame) -> Extend:
    mode = w.text("mode", "constant")
    if mode in COMPUTING or w.value("reflect_type", "even") != "even":
        w.refuse(
            f"mode {mode!r} of this kind computes new values; only moves are read."
        )
    if mode not in MOVING:
        w.refuse(f"mode {shown_value(mode)} is not known; use {', '.join(MOVING)}.")
    given = w.value("pad_width")
    rank = _rank(given, frame)
    pairs = _widths(given, rank, w)
    if min((side for pair in pairs for side in pair), default=0) < 0:
        w.limit(f"pad_width = {shown_value(given)}; NumPy takes no negative width.")
    if mode != "constant":
        return Extend(pairs, mode)
    return Extend(pairs, mode, read_constants(w.value("constant_values", 0), rank))


def _rank(given: Any, frame: Frame) -> int:
    rows = given if isinstance(given, tuple) and len(given) > 1 else ()
    if frame.rank is None and rows and all(isinstance(row, tuple) for row in rows):
        return len(rows)
    return frame.need_rank("numpy pad: this pad_width does not tell the rank")


def _widths(given: Any, rank: int, w: Words) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis; NumPy also takes a dict of axes."""
    if not isinstance(given, Mapping):
        return read_paddings(given, rank)
    axes = as_axes(list(given), rank, "numpy pad: pad_width")
    pairs = [read_paddings(v, 1)[0] for v in given.values()]
    found = dict(zip(axes, pairs, strict=True))
    return tuple([found.get(axis, (0, 0)) for axis in range(rank)])


def _as_strided(w: Words, frame: Frame) -> Strided:
    item = _itemsize(w)
    size = w.ints("shape") if w.has("shape") else None
    if size is None:
        size = frame.need_shape("numpy as_strided: shape is the input's")
    if not w.has("strides"):
        w.refuse("needs strides, in bytes; without them it returns its input.")
    strides = w.ints("strides")
    odd = [s for s in strides if s % item]
    if odd:
        w.refuse(
            f"strides = {strides} are bytes, and {odd[0]} is no multiple of the "
            f"element's {item}; only whole elements are read."
        )
    spec = AsStrided(size, tuple([s // item for s in strides]))
    return Strided(spec.size, spec.stride, 0)


def _itemsize(w: Words) -> int:
    """Bytes of an element, from itemsize= or dtype=."""
    if w.has("itemsize"):
        item = w.integer("itemsize")
        if not 0 < item <= 1 << 20:
            w.refuse(f"itemsize = {shown_value(item)}; give the bytes of one element.")
        return item
    if not w.has("dtype"):
        w.refuse("strides are in bytes; give itemsize or dtype beside them.")
    try:
        item = np.dtype(w.value("dtype")).itemsize
    except (TypeError, ValueError):
        item = 0
    if item == 0:
        w.refuse(f"dtype {shown_value(w.value('dtype'))} has no fixed size.")
    return item


def _sliding(w: Words, frame: Frame) -> Strided:
    given = {"size": w.ints("window_shape")}
    if w.has("axis"):
        given["axis"] = w.ints("axis")
    call = Call("numpy", "sliding_window_view", given)
    return windows(Words(call, "size step dilation axis"), frame)


OPERATORS = {
    "getitem": Operator("index", _getitem),
    "pad": Operator("pad_width mode constant_values reflect_type", _pad),
    "as_strided": Operator("shape strides itemsize dtype", _as_strided),
    "sliding_window_view": Operator("window_shape axis", _sliding),
    "setitem": Operator("index", _setitem),
}
"""Each operator's parameters, and what reads them."""
