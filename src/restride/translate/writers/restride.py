"""restride's own words: the plain functions, and views for what only arises between."""

from __future__ import annotations

from restride.layout.notation import format_index
from restride.translate.draft import Draft
from restride.translate.meaning import (
    Expand,
    Extend,
    Reshape,
    Select,
    Strided,
    Transpose,
    Write,
)
from restride.translate.pads import has_one_fill, single_fill

__all__ = ["OWN", "WRITE"]


def _slice(d: Draft, step: Select) -> None:
    d.call(step, "slice", index=format_index(step.entries))


def _pad(d: Draft, step: Extend) -> None:
    words: dict[str, object] = {"paddings": step.pairs, "mode": step.mode}
    if step.mode == "constant":
        fill = single_fill(step) if has_one_fill(step) else step.fills
        words["constant_values"] = fill
    d.call(step, "pad", **words)


def _as_strided(d: Draft, step: Strided) -> None:
    d.call(step, "as_strided", size=step.size, stride=step.stride, offset=step.offset)


def _assign(d: Draft, step: Write) -> None:
    d.call(step, "assign", index=format_index(step.entries))
    d.note("assign writes in place, and returns its first argument.")


def _transpose(d: Draft, step: Transpose) -> None:
    d.call(step, "transpose", axes=step.order)


def _expand(d: Draft, step: Expand) -> None:
    d.call(step, "broadcast_to", shape=step.shape)


def _reshape(d: Draft, step: Reshape) -> None:
    d.call(step, "reshape", shape=step.shape)


OWN = {Select: _slice, Extend: _pad, Strided: _as_strided, Write: _assign}
"""restride's operators."""

WRITE = {**OWN, Transpose: _transpose, Expand: _expand, Reshape: _reshape}
"""What keeps the elements."""
