"""CANN's words: the graph operators PadV3 and StridedSlice, and the aclnn doors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from restride.ops.paddings import read_paddings
from restride.translate.meaning import Extend
from restride.translate.readers.indices import MASKED, strided_slice
from restride.translate.readers.pytorch import last_axis_first
from restride.translate.readers.table import Operator
from restride.translate.spec import shown_value
from restride.translate.words import Frame, Words

__all__ = ["OPERATORS"]

MODES = {
    "constant": "constant",
    "edge": "edge",
    "REFLECT": "reflect",
    "SYMMETRIC": "symmetric",
    "reflect": "reflect",
    "symmetric": "symmetric",
    "circular": "wrap",
}
"""The document's four, the two in lower case, and the source's fifth."""


def _pad_v3(w: Words, frame: Frame) -> Extend:
    mode = MODES.get(w.text("mode", "constant"))
    if mode is None:
        w.refuse(f"mode {shown_value(w.value('mode'))}; use one of {', '.join(MODES)}.")
    contiguous = w.flag("paddings_contiguous", True)
    given = w.value("paddings")
    rank = _rank(given, contiguous, frame, w)
    pairs = read_paddings(given, rank, contiguous)
    if mode != "constant":
        return Extend(pairs, mode)
    fill = w.scalar("constant_values", 0)
    return Extend(pairs, mode, ((fill, fill),) * rank)


def _rank(given: Any, contiguous: bool, frame: Frame, w: Words) -> int:
    """The rank that paddings tell: ``[rank, 2]``, ``[2, rank]`` or ``2 * rank``."""
    if not isinstance(given, tuple):
        w.refuse(f"paddings = {shown_value(given)}; give two numbers per axis.")
    rows = [row for row in given if isinstance(row, tuple)]
    if rows and len(rows) == len(given):
        count = sum(map(len, rows))
    elif rows:
        w.refuse("paddings mixes numbers and lists; give one or the other.")
    else:
        count = len(given)
    rank = count // 2 if frame.rank is None else frame.rank
    if count != 2 * rank:
        w.refuse(f"paddings has length {count} for {rank} axes; give {2 * rank}.")
    return rank


def _constant_pad(w: Words, frame: Frame) -> Extend:
    pairs, fill = last_axis_first(w.ints("pad"), w, frame), w.scalar("value", 0)
    return Extend(pairs, "constant", ((fill, fill),) * len(pairs))


def _trailing(mode: str, count: int) -> Callable[[Words, Frame], Extend]:
    """A pad of the last `count` axes, the last axis first."""

    def read(w: Words, frame: Frame) -> Extend:
        padding = w.ints("padding")
        if len(padding) != 2 * count:
            w.refuse(f"padding has length {len(padding)}; give {2 * count}.")
        if frame.rank is not None and frame.rank - count not in (1, 2):
            w.limit(
                f"input has {frame.rank} axes; allowed are {count + 1} and {count + 2}."
            )
        return Extend(last_axis_first(padding, w, frame), mode)

    return read


def _operators() -> dict[str, Operator]:
    pads = "paddings constant_values mode paddings_contiguous source_modes product"
    found = {
        "pad_v3": Operator(pads, _pad_v3),
        "strided_slice": Operator(f"{MASKED} product", strided_slice),
        "aclnn_constant_pad_nd": Operator("pad value product", _constant_pad),
        "aclnn_strided_slice": Operator(f"{MASKED} product", strided_slice),
    }
    for kind, mode in (("replication", "edge"), ("reflection", "reflect")):
        for count in (1, 2, 3):
            read = _trailing(mode, count)
            found[f"aclnn_{kind}_pad{count}d"] = Operator("padding product", read)
    return found


OPERATORS = _operators()
"""Each operator's parameters, and what reads them."""
