"""Ascend ATB's words: every step that reads by strides is one AsStridedOperation."""

from __future__ import annotations

from typing import NoReturn

from restride.errors import RestrideError
from restride.layout.chain import Chain
from restride.ops.set_value import SetValue
from restride.ops.strided_slice import encode
from restride.translate.draft import Draft
from restride.translate.lower import flat_strides
from restride.translate.meaning import (
    Expand,
    Extend,
    Reshape,
    Select,
    Step,
    Strided,
    Transpose,
    Write,
    applied,
)
from restride.translate.meant import per_axis

__all__ = ["OWN", "WRITE"]


def _own_as_strided(d: Draft, step: Strided) -> None:
    words = {"size": step.size, "stride": step.stride, "offset": (step.offset,)}
    d.call(step, "AsStridedParam", **words)


def _as_strided(d: Draft, step: Strided) -> None:
    """AsStridedOperation: sizes above 0, strides of 0 or more, at most 8 axes."""
    _check_axes(d, step.size)
    if min(step.stride, default=0) < 0:
        d.refuse(
            f"AsStridedOperation takes strides of 0 or more, and here they are "
            f"{step.stride}: ATB cannot read backwards.",
            "Use CANN's StridedSlice (dialect cann) for a slice, else restride itself.",
        )
    if d.frame.shape is not None:
        _check_axes(d, d.frame.shape)
    _own_as_strided(d, step)
    d.note("AsStridedOperation takes float16 and int64.")


def _check_axes(d: Draft, shape: tuple[int, ...]) -> None:
    if not 1 <= len(shape) <= d.can.slice_rank or 0 in shape:
        d.refuse(
            f"tensors have 1 to 8 axes, none of them empty, and here is {shape}.",
            "Keep an axis of extent 1, or leave the call away.",
        )


def _strided(d: Draft, step: Step) -> None:
    """A step over a shape as strides over the flat input."""
    shape = d.shape_for("strides are counted in the input's elements")
    made = applied(step, Chain.identity(shape))
    read = None if made is None else flat_strides(made)
    if read is None:
        d.refuse(
            "AsStridedOperation reads by even strides, and constants, mirrors and "
            "wraps are none.",
            "Use CANN's PadV3 (dialect cann).",
        )
    _as_strided(d, read)


def _own_set_value(d: Draft, step: Write) -> None:
    """Starts, ends and strides as given, an open end as the extent."""
    shape = d.shape_for("SetValueOperation has no open ends")
    words: list[tuple[int, int, int]] = []
    for entry, n in per_axis(step.entries, d.frame):
        if isinstance(entry, int):
            words.append((entry, entry + 1, 1))
        elif isinstance(entry, slice):
            last = n if isinstance(n, int) else 0
            end = last if entry.stop is None else entry.stop
            words.append((entry.start or 0, end, entry.step or 1))
    words += [(0, n, 1) for n in shape[len(words) :]]
    columns = zip(*words, strict=True) if words else ((), (), ())
    starts, ends, strides = [tuple(column) for column in columns]
    d.call(step, "SetValueParam", starts=starts, ends=ends, strides=strides)


def _set_value(d: Draft, step: Write) -> None:
    """SetValueOperation: forward ranges of step 1, and a src that differs from dst."""
    shape = d.shape_for("SetValueOperation has no open ends")
    found = encode(step.entries).entries(shape)
    ranges = [(e, 1, 1) if isinstance(e, int) else e for e in found if e is not None]
    starts = tuple([begin for begin, _, _ in ranges])
    ends = tuple([begin + count for begin, _, count in ranges])
    source = tuple([count for _, _, count in ranges])
    _check_axes(d, shape)
    backward = [k for k, (_, s, count) in enumerate(ranges) if s != 1 and count > 1]
    if backward:
        _refuse_region(d, f"axis {backward[0]} has stride {ranges[backward[0]][1]}")
    try:
        SetValue(starts, ends).check(shape, None, True, source)
    except RestrideError as error:
        _refuse_region(d, str(error).removeprefix("set_value: ").split("; strict")[0])
    d.call(step, "SetValueParam", starts=starts, ends=ends, strides=(1,) * len(starts))
    d.note(f"src must have shape {source}.")


def _refuse_region(d: Draft, why: str) -> NoReturn:
    d.refuse(
        "SetValueOperation takes strides of 1, no empty range, and a region that "
        f"differs from dst on exactly one axis after axis 0; here {why}.",
        "Use TensorFlow, PyTorch or restride.assign.",
    )


OWN = {Strided: _own_as_strided, Write: _own_set_value}
"""ATB's own operators."""

WRITE = {
    Select: _strided,
    Extend: _strided,
    Strided: _as_strided,
    Write: _set_value,
    Transpose: _strided,
    Expand: _strided,
    Reshape: _strided,
}
"""What keeps the elements."""
