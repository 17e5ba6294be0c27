"""CANN's words: PadV3 and StridedSlice as graph operators."""

from __future__ import annotations

from typing import Any

from restride.translate.draft import Draft
from restride.translate.lower import as_selection
from restride.translate.meaning import Extend, Select, Strided, Write
from restride.translate.pads import fitted, has_one_fill, is_zero, single_fill
from restride.translate.writers.masked import masked_words

__all__ = ["OWN", "WRITE"]


def _strided_slice(d: Draft, step: Select) -> None:
    if d.frame.rank is not None and d.frame.rank > d.can.slice_rank:
        d.refuse(f"tensors have up to 8 axes, not {d.frame.rank}.", "Merge some first.")
    d.call(step, "strided_slice", **masked_words(d, step.entries))


def _own_pad(d: Draft, step: Extend) -> None:
    """PadV3: ``[rank, 2]``, axis 0 first; pads, then crops."""
    if not 0 < len(step.pairs) <= d.can.pad_rank:
        d.refuse(
            f"PadV3 takes 1 to 8 axes, not {len(step.pairs)}.", "Merge some first."
        )
    if step.mode == "constant" and not has_one_fill(step):
        d.refuse("PadV3 takes one constant for all sides.", "Pad once for each.")
    words: dict[str, Any] = {"paddings": step.pairs, "mode": d.can.modes[step.mode]}
    if step.mode == "constant" and not is_zero(single_fill(step)):
        words["constant_values"] = single_fill(step)
    if step.mode == "wrap":
        words["source_modes"] = True
        d.note("PadV3 has mode circular in its source only, on Ascend 950 products.")
    d.call(step, "pad_v3", **words)


def _pad(d: Draft, step: Extend) -> None:
    for part in fitted(d, step, stages=True):
        if isinstance(part, Extend):
            _own_pad(d, part)
        else:
            d.say(part)


def _as_strided(d: Draft, step: Strided) -> None:
    shape = d.shape_for("strides are written as a slice")
    parts = as_selection(step, shape)
    if parts is None or not all(isinstance(part, Select) for part in parts):
        backwards = min(step.stride, default=0) < 0
        d.refuse(
            f"size {step.size}, stride {step.stride} over {shape} is no slice, and the "
            "operators here are PadV3 and StridedSlice.",
            "Use restride itself: no Ascend operator reads strides backwards."
            if backwards
            else "Use ATB's AsStridedOperation (dialect atb).",
        )
    for part in parts:
        d.say(part)


def _write(d: Draft, step: Write) -> None:
    d.refuse(
        "PadV3 and StridedSlice are the operators here, and neither writes a region.",
        "Use ATB's SetValueOperation (dialect atb).",
    )


OWN = {Select: _strided_slice, Extend: _own_pad}
"""CANN's own operators."""

STRIDES = {Strided: _as_strided, Write: _write}
"""What the aclnn doors share."""

WRITE = {Select: _strided_slice, Extend: _pad, **STRIDES}
"""What keeps the elements."""
