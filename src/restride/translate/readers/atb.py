"""Ascend ATB's words: AsStridedParam and SetValueParam."""

from __future__ import annotations

from restride.ops.as_strided import AsStrided
from restride.ops.set_value import SetValue
from restride.translate.meaning import Strided, Write
from restride.translate.readers.regions import region
from restride.translate.readers.table import Operator
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS"]


def _as_strided(w: Words, frame: Frame) -> Strided:
    """``y[i] = flat(x)[offset[0] + sum(i * stride)]``; offset is a list of one."""
    offset = w.ints("offset", ())
    if len(offset) != 1:
        w.refuse(f"offset has length {len(offset)}; it is a list of exactly one.")
    spec = AsStrided(w.ints("size"), w.ints("stride"), offset[0])
    for axis, (n, s) in enumerate(zip(spec.size, spec.stride, strict=True)):
        if n <= 0 or s < 0:
            w.limit(
                f"size[{axis}] = {n}, stride[{axis}] = {s}; sizes are above 0 and "
                "strides 0 or more."
            )
    return Strided(spec.size, spec.stride, spec.offset)


def _set_value(w: Words, frame: Frame) -> Write:
    spec = SetValue(w.ints("starts"), w.ints("ends"), w.ints("strides"))
    bad = [s for s in spec.strides or () if s != 1]
    if bad:
        w.limit(f"strides = {spec.strides}; ATB takes strides of 1 only.")
    return region(spec, w, frame)


OPERATORS = {
    "as_strided": Operator("size stride offset", _as_strided),
    "set_value": Operator("starts ends strides", _set_value),
    "AsStridedParam": Operator("size stride offset", _as_strided),
    "SetValueParam": Operator("starts ends strides", _set_value),
    "AsStridedOperation": Operator("size stride offset", _as_strided),
    "SetValueOperation": Operator("starts ends strides", _set_value),
}
"""Each operator's parameters, and what reads them."""
