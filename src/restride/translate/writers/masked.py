"""An index as StridedSlice's lists and masks, in numbers that an int64 holds."""

from __future__ import annotations

from typing import Any

from restride.layout.notation import IndexEntry
from restride.ops.masks import encoded
from restride.ops.strided_slice import MASKS
from restride.translate.draft import Draft
from restride.translate.words import saturated

__all__ = ["masked_words"]

MOST = 2**62
"""Longest stride: no axis is so long, and kernels add it to an extent."""


def masked_words(d: Draft, entries: tuple[IndexEntry, ...]) -> dict[str, Any]:
    """The parameters; masks of 0 are left out.

    A range that reaches further than an int64 reaches past every axis, so cutting
    the number keeps the range.
    """
    if len(entries) > d.can.entries:
        d.refuse(
            f"{len(entries)} index entries; its masks have {d.can.entries} bits.",
            "Slice in two steps.",
        )
    lists, masks = encoded(entries)[:3], encoded(entries)[3:]
    words: dict[str, Any] = {
        name: tuple([saturated(v) for v in values])
        for name, values in zip(("begin", "end", "strides"), lists, strict=True)
    }
    words["strides"] = tuple([min(max(s, -MOST), MOST) for s in words["strides"]])
    return words | {name: m for name, m in zip(MASKS, masks, strict=True) if m}
