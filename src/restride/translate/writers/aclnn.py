"""The aclnn doors: ConstantPadNd, ReplicationPad and ReflectionPad, StridedSlice."""

from __future__ import annotations

from restride.translate.draft import Draft
from restride.translate.meaning import Extend, Select
from restride.translate.pads import fitted, has_one_fill, single_fill
from restride.translate.writers import cann
from restride.translate.writers.masked import masked_words

__all__ = ["OWN", "WRITE"]


def _strided_slice(d: Draft, step: Select) -> None:
    if d.frame.rank is not None and d.frame.rank > d.can.slice_rank:
        d.refuse(f"tensors have up to 8 axes, not {d.frame.rank}.", "Merge some first.")
    d.note("aclnnStridedSlice runs on Ascend 950 products only.")
    d.call(step, "aclnn_strided_slice", **masked_words(d, step.entries))


def _own_pad(d: Draft, step: Extend) -> None:
    """Pairs from the last axis on; only the constant pad takes any axis."""
    if step.mode not in d.can.modes:
        d.refuse(
            f"has no door for mode '{step.mode}' here; it has ConstantPadNd, "
            "ReplicationPad and ReflectionPad.",
            "Use the graph operator PadV3 (dialect cann).",
        )
    if len(step.pairs) > d.can.pad_rank:
        d.refuse(f"pads take up to 8 axes, not {len(step.pairs)}.", "Merge some first.")
    if step.mode == "constant":
        _constant(d, step)
    else:
        _trailing(d, step)


def _constant(d: Draft, step: Extend) -> None:
    if not has_one_fill(step):
        d.refuse("ConstantPadNd takes one value for all sides.", "Pad once for each.")
    pairs = list(step.pairs)
    while pairs and pairs[0] == (0, 0):
        pairs.pop(0)
    flat = [side for pair in pairs[::-1] for side in pair]
    d.call(step, d.can.modes["constant"], pad=flat, value=single_fill(step))


def _trailing(d: Draft, step: Extend) -> None:
    first = next((k for k, pair in enumerate(step.pairs) if pair != (0, 0)), 0)
    count = max(len(step.pairs) - first, len(step.pairs) - 2, 1)
    if not (count <= 3 and 1 <= len(step.pairs) - count <= 2):
        d.refuse(
            f"{d.can.modes[step.mode]}1d to 3d pad the last 1 to 3 axes of one or two "
            f"more, and here are {step.pairs}.",
            "Use the graph operator PadV3 (dialect cann).",
        )
    flat = [side for pair in step.pairs[: -count - 1 : -1] for side in pair]
    d.call(step, f"{d.can.modes[step.mode]}{count}d", padding=flat)


def _pad(d: Draft, step: Extend) -> None:
    if step.mode not in d.can.modes:
        _own_pad(d, step)
        return
    for part in fitted(d, step, stages=True):
        if isinstance(part, Extend):
            _own_pad(d, part)
        else:
            d.say(part)


OWN = {Select: _strided_slice, Extend: _own_pad}
"""The doors."""

WRITE = {Select: _strided_slice, Extend: _pad, **cann.STRIDES}
"""What keeps the elements."""
