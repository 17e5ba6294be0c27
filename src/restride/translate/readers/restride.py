"""restride's own words: the functions of `restride` and their parameters."""

from __future__ import annotations

from restride.layout.chain import Chain
from restride.layout.notation import as_entries
from restride.ops.as_strided import AsStrided
from restride.ops.extents import read_windows
from restride.ops.pad import Pad, read_mode
from restride.ops.paddings import constants_on_axes, on_axes
from restride.ops.set_value import SetValue
from restride.translate.lower import flat_strides
from restride.translate.meaning import Extend, Select, Strided, Write
from restride.translate.readers.indices import MASKED, strided_slice
from restride.translate.readers.regions import region
from restride.translate.readers.table import Operator
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS", "windows"]


def _slice(w: Words, frame: Frame) -> Select:
    return Select(as_entries(w.value("index")))


def _assign(w: Words, frame: Frame) -> Write:
    return Write(as_entries(w.value("index")))


def _pad(w: Words, frame: Frame) -> Extend:
    given, axes = w.value("paddings"), w.value("axes", None)
    contiguous = w.flag("paddings_contiguous", True)
    rank = frame.rank
    if rank is None and axes is None and contiguous and _is_table(given):
        rank = len(given)
    if rank is None:
        rank = frame.need_rank("restride pad: these paddings do not tell the rank")
    mode, values = read_mode(w.text("mode", "constant")), w.value("constant_values", 0)
    if axes is not None and mode == "constant":
        values = constants_on_axes(values, axes, rank)
    pairs = on_axes(given, axes, rank, contiguous)
    return Extend(pairs, mode, Pad(pairs, mode, values).fills(rank))


def _is_table(given: object) -> bool:
    rows = given if isinstance(given, tuple) else ()
    return len(rows) > 1 and all(isinstance(r, tuple) and len(r) == 2 for r in rows)


def _as_strided(w: Words, frame: Frame) -> Strided:
    offset = w.ints("offset", 0)
    if len(offset) != 1:
        w.refuse(f"offset has length {len(offset)}; give one.")
    spec = AsStrided(w.ints("size"), w.ints("stride"), offset[0])
    return Strided(spec.size, spec.stride, spec.offset)


def _set_value(w: Words, frame: Frame) -> Write:
    strides = w.ints("strides") if w.has("strides") else None
    return region(SetValue(w.ints("starts"), w.ints("ends"), strides), w, frame)


def windows(w: Words, frame: Frame) -> Strided:
    """Sliding windows as strides over the flat input."""
    shape = frame.need_shape(f"{w.call.dialect} {w.call.op}: windows become strides")
    given = w.ints("size"), w.ints("step", 1), w.ints("dilation", 1)
    axes = w.ints("axis") if w.has("axis") else None
    made = Chain.identity(shape).windows(*read_windows(len(shape), *given, axes))
    read = flat_strides(made)
    assert read is not None  # windows of a whole array are straight
    return read


OPERATORS = {
    "slice": Operator("index", _slice),
    "strided_slice": Operator(MASKED, strided_slice),
    "pad": Operator("paddings mode constant_values axes paddings_contiguous", _pad),
    "as_strided": Operator("size stride offset", _as_strided),
    "set_value": Operator("starts ends strides", _set_value),
    "assign": Operator("index", _assign),
    "windows": Operator("size step dilation axis", windows),
}
"""Each operator's parameters, and what reads them."""
