"""Regions of a write, given as starts, ends and strides that neither wrap nor clamp."""

from __future__ import annotations

from restride.ops.set_value import SetValue
from restride.translate.meaning import Write
from restride.translate.words import Frame, Words

__all__ = ["region"]


def region(spec: SetValue, w: Words, frame: Frame) -> Write:
    """The cells of a SetValue as index entries.

    An end of -1 of a stride below 0 is the place before the first cell, and so is
    open; as an index it would be the last.
    """
    if frame.shape is not None and not w.lenient:
        spec.check(frame.shape)
    elif frame.rank not in (None, len(spec.starts)):
        w.refuse(f"{len(spec.starts)} starts for {frame.rank} axes; give one per axis.")
    else:
        w.note(
            f"{w.call.dialect} {w.call.op} refuses cells outside dst; where the target "
            "clamps it writes fewer."
        )
    per_axis = zip(spec.starts, spec.ends, spec.strides or (), strict=True)
    return Write(tuple([_range(k, *given, w) for k, given in enumerate(per_axis)]))


def _range(axis: int, start: int, end: int, step: int, w: Words) -> slice:
    if start < 0 or end < (0 if step > 0 else -1):
        w.limit(
            f"axis {axis}, {start}:{end}:{step}; nothing wraps here, so 0 is the least "
            "start. Add the extent yourself."
        )
    if (end - start) * step < 0:
        w.limit(f"axis {axis}, {start}:{end}:{step} runs away from its end.")
    last = None if end < 0 else end
    return slice(start, last, None if step == 1 else step)
