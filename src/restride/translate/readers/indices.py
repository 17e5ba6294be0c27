"""Slices in lists and masks, shared by the dialects that have them."""

from __future__ import annotations

from restride.checks import MAX_RANK
from restride.layout.notation import IndexEntry, shown
from restride.ops.masks import kinds
from restride.ops.strided_slice import StridedSlice
from restride.translate.meaning import Select
from restride.translate.words import Frame, Words

__all__ = ["MASKED", "axis_named", "entries_of", "masked", "on_axis", "strided_slice"]

MASKED = (
    "begin end strides begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"
)
"""Parameters of StridedSlice."""


def masked(w: Words) -> tuple[IndexEntry, ...]:
    """The entries that lists and masks name."""
    lists = w.ints("begin"), w.ints("end"), w.ints("strides", None)
    masks = [w.integer(name, 0) for name in MASKED.split()[3:]]
    begin, end, strides = lists
    spec = StridedSlice(begin, end, strides if w.has("strides") else None, *masks)
    return entries_of(spec, w)


def entries_of(spec: StridedSlice, w: Words) -> tuple[IndexEntry, ...]:
    """The entries of a StridedSlice, as Python has them.

    Of several mask bits at one entry the first of ellipsis, new axis, shrink decides;
    a single index counts its begin even where begin_mask has its bit.
    """
    masks = spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask
    found: list[IndexEntry] = []
    for k, kind in enumerate(kinds(len(spec.begin), *masks)):
        step = (spec.strides or ())[k]
        if kind == "ellipsis":
            found.append(Ellipsis)
        elif kind == "new axis":
            found.append(None)
        elif step == 0:
            w.refuse(f"strides[{k}] = 0; any other stride is allowed. Use 1 or -1.")
        elif kind == "range":
            begin = None if spec.begin_mask >> k & 1 else spec.begin[k]
            end = None if spec.end_mask >> k & 1 else spec.end[k]
            found.append(slice(begin, end, None if step == 1 else step))
        elif step < 0:
            w.refuse(f"strides[{k}] = {step} of a single index; it must be above 0.")
        else:
            found.append(spec.begin[k])
    return tuple(found)


def strided_slice(w: Words, frame: Frame) -> Select:
    """StridedSlice of TensorFlow, CANN and restride."""
    return Select(masked(w))


def on_axis(axis: int, entry: IndexEntry) -> tuple[IndexEntry, ...]:
    """An index that speaks of one axis; a negative axis counts from the last.

    Examples
    --------
    >>> on_axis(1, 5), on_axis(-2, slice(3))
    ((slice(None, None, None), 5), (Ellipsis, slice(None, 3, None), slice(None, None, None)))
    """  # noqa: E501
    whole = slice(None)
    if axis >= 0:
        return (*[whole] * axis, entry)
    return (Ellipsis, entry, *[whole] * (-axis - 1))


def axis_named(w: Words, frame: Frame, name: str, *default: int) -> int:
    """An axis parameter, inside the rank where that is known."""
    axis = w.integer(name, *default)
    most = MAX_RANK if frame.rank is None else frame.rank
    if not -most <= axis < most:
        w.refuse(
            f"{name} = {shown(axis)} names no axis; allowed is {-most} to {most - 1}."
        )
    return axis
