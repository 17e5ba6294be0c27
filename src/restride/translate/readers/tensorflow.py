"""TensorFlow's words: tf.raw_ops by their names or in snake case, and tf.pad."""

from __future__ import annotations

from restride.translate.meaning import Extend, Write
from restride.translate.readers.indices import MASKED, masked, strided_slice
from restride.translate.readers.table import Operator
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS"]

MODES = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


def _pairs(w: Words, frame: Frame) -> tuple[tuple[int, int], ...]:
    """``paddings``, one row (before, after) per axis; nothing negative."""
    pairs = w.pairs("paddings")
    if frame.rank not in (None, len(pairs)):
        w.refuse(f"paddings has {len(pairs)} rows for an input of {frame.rank} axes.")
    for axis, pair in enumerate(pairs):
        if min(pair) < 0:
            w.limit(f"paddings[{axis}] = {pair}; TensorFlow takes nothing negative.")
    return pairs


def _constant(w: Words, frame: Frame) -> Extend:
    pairs, fill = _pairs(w, frame), w.scalar("constant_values", 0)
    return Extend(pairs, "constant", ((fill, fill),) * len(pairs))


def _pad(w: Words, frame: Frame) -> Extend:
    """tf.pad; the raw Pad is its mode CONSTANT with zeros."""
    if w.text("mode", "CONSTANT").upper() == "CONSTANT":
        return _constant(w, frame)
    return _mirror(w, frame)


def _mirror(w: Words, frame: Frame) -> Extend:
    mode = MODES.get(w.text("mode").upper())
    if mode in (None, "constant"):
        w.refuse(f"mode {w.text('mode')!r} is not known; use REFLECT or SYMMETRIC.")
    return Extend(_pairs(w, frame), mode)


def _update(w: Words, frame: Frame) -> Write:
    return Write(masked(w))


OPERATORS = {
    "strided_slice": Operator(MASKED, strided_slice),
    "tensor_strided_slice_update": Operator(MASKED, _update),
    "pad": Operator("paddings mode constant_values", _pad),
    "pad_v2": Operator("paddings constant_values", _constant),
    "mirror_pad": Operator("paddings mode", _mirror),
}
"""Each operator's parameters, and what reads them."""
