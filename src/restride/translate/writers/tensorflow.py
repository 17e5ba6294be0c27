"""TensorFlow's words: tf.raw_ops where there is one, tables where there is none."""

from __future__ import annotations

from restride.translate.draft import Draft
from restride.translate.lower import as_selection, on_flat
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
from restride.translate.writers.masked import masked_words

__all__ = ["OWN", "WRITE"]


def _strided_slice(d: Draft, step: Select) -> None:
    _check_rank(d, d.frame.rank, d.can.slice_rank, "strided_slice")
    d.call(step, "strided_slice", **masked_words(d, step.entries))
    _check_rank(d, d.frame.rank, d.can.slice_rank, "strided_slice")


def _update(d: Draft, step: Write) -> None:
    _check_rank(d, d.frame.rank, d.can.slice_rank, "tensor_strided_slice_update")
    d.call(step, "tensor_strided_slice_update", **masked_words(d, step.entries))


def _check_rank(d: Draft, rank: int | None, most: int, op: str) -> None:
    if d.exact and rank is not None and rank > most:
        d.refuse(f"{op} handles {most} axes, and here are {rank}.", "Merge some first.")


def _own_pad(d: Draft, step: Extend) -> None:
    """pad_v2 or mirror_pad; nothing negative, one constant."""
    if step.mode not in d.can.modes:
        d.refuse(
            f"has no pad of mode '{step.mode}'; its modes are "
            f"{', '.join(d.can.modes.values())}.",
            "Use gather with a table of positions, as translate does.",
        )
    _check_rank(d, len(step.pairs), d.can.rank_of(step.mode), "pad")
    if step.mode != "constant":
        d.call(step, "mirror_pad", paddings=step.pairs, mode=d.can.modes[step.mode])
    elif not has_one_fill(step):
        d.refuse("pad_v2 takes one constant for all sides.", "Pad once for each.")
    elif is_zero(single_fill(step)):
        d.call(step, "pad", paddings=step.pairs)
    else:
        d.call(step, "pad_v2", paddings=step.pairs, constant_values=single_fill(step))


def _pad(d: Draft, step: Extend) -> None:
    for part in fitted(d, step):
        if isinstance(part, Extend):
            _own_pad(d, part)
        else:
            d.say(part)


def _as_strided(d: Draft, step: Strided) -> None:
    found = None if d.frame.shape is None else as_selection(step, d.frame.shape)
    if found:
        d.bound = True
    for part in found or on_flat(step):
        d.say(part)


def _transpose(d: Draft, step: Transpose) -> None:
    d.call(step, "transpose", perm=step.order)


def _expand(d: Draft, step: Expand) -> None:
    d.call(step, "broadcast_to", shape=step.shape)


def _reshape(d: Draft, step: Reshape) -> None:
    d.call(step, "reshape", shape=step.shape)


def _gather(d: Draft, step: Gather) -> None:
    d.call(step, "gather", indices=step.table, axis=step.axis)


OWN = {Select: _strided_slice, Extend: _own_pad, Write: _update}
"""TensorFlow's own operators."""

WRITE = {
    **OWN,
    Extend: _pad,
    Strided: _as_strided,
    Transpose: _transpose,
    Expand: _expand,
    Reshape: _reshape,
    Gather: _gather,
}
"""What keeps the elements."""
