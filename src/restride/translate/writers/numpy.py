"""NumPy's words.

>>> from restride.translate import translate
>>> print(translate("x[1, ::-2]", to="numpy").text())
y = x[1, ::-2]
"""

from __future__ import annotations

from restride.layout.notation import format_index
from restride.translate.draft import Draft
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
from restride.translate.values import PerItem

__all__ = ["OWN", "WRITE"]


def _getitem(d: Draft, step: Select) -> None:
    d.call(step, "getitem", index=format_index(step.entries))


def _setitem(d: Draft, step: Write) -> None:
    d.call(None, "copy")
    d.call(step, "setitem", index=format_index(step.entries))


def _own_pad(d: Draft, step: Extend) -> None:
    """numpy.pad; it takes any width, one constant per side, nothing negative."""
    if step.mode != "constant":
        d.call(step, "pad", pad_width=step.pairs, mode=step.mode)
        return
    fills = single_fill(step) if has_one_fill(step) else _zeros(step)
    words: dict[str, object] = {"pad_width": step.pairs, "mode": "constant"}
    if not is_zero(fills):
        words["constant_values"] = fills
    d.call(step, "pad", **words)


def _zeros(step: Extend) -> object:
    """One constant per side, None as 0."""
    return tuple(
        [tuple([0 if v is None else v for v in pair]) for pair in step.fills or ()]
    )


def _pad(d: Draft, step: Extend) -> None:
    for part in fitted(d, step):
        if isinstance(part, Extend):
            _own_pad(d, part)
        else:
            d.say(part)


def _as_strided(d: Draft, step: Strided) -> None:
    """as_strided checks nothing and counts bytes: over a contiguous, flat input."""
    d.call(None, "ascontiguousarray")
    d.call(None, "flat", offset=step.offset)
    d.call(step, "as_strided", shape=step.size, strides=PerItem(step.stride))
    d.note("as_strided of NumPy checks nothing: the input must hold all it reads.")


def _transpose(d: Draft, step: Transpose) -> None:
    d.call(step, "transpose", axes=step.order)


def _expand(d: Draft, step: Expand) -> None:
    d.call(step, "broadcast_to", shape=step.shape)


def _reshape(d: Draft, step: Reshape) -> None:
    d.call(step, "reshape", shape=step.shape)


def _take(d: Draft, step: Gather) -> None:
    d.call(step, "take", indices=step.table, axis=step.axis)


OWN = {Select: _getitem, Extend: _own_pad, Strided: _as_strided, Write: _setitem}
"""NumPy's own operators."""

WRITE = {
    **OWN,
    Extend: _pad,
    Transpose: _transpose,
    Expand: _expand,
    Reshape: _reshape,
    Gather: _take,
}
"""What keeps the elements."""
