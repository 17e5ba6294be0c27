"""The paddings argument and its checks, as the pads and the mirrors share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.dialects.tensorflow.errors import TensorFlowError
from restride.dialects.tensorflow.tensors import as_integers

__all__ = ["Paddings", "as_paddings", "check_added", "check_mirrored", "read_mode"]

MODES = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}
"""TensorFlow's modes and ours."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Paddings:
    """An integer tensor that should be one row (before, after) per axis."""

    op: str
    table: np.ndarray[Any, Any]

    def pairs(self, shape: Sequence[int]) -> tuple[Pair, ...]:
        """(before, after) per axis of an array of `shape`."""
        found = self.table.shape
        if len(found) != 2 or found[1] != 2:
            raise TensorFlowError(
                self.op,
                "shape_mismatch",
                f"paddings has shape {found}; give [{len(shape)}, 2], one row (before, "
                "after) per axis.",
            )
        if found[0] != len(shape):
            raise TensorFlowError(
                self.op,
                "rank",
                f"paddings has {found[0]} rows and input {len(shape)} axes; give one "
                "row (before, after) per axis.",
            )
        return tuple((before, after) for before, after in self.table.tolist())


def as_paddings(op: str, paddings: Any) -> Paddings:
    """The argument as integers; its shape is looked at later, in TensorFlow's order."""
    table = as_integers(op, "paddings", paddings)
    if isinstance(paddings, (list, tuple)) and len(paddings) == 0:
        table = table.reshape(0, 2)  # a scalar's, which a list cannot write
    return Paddings(op, table)


def read_mode(op: str, mode: Any) -> str:
    """Our word for a mode."""
    if not isinstance(mode, str) or mode not in MODES:
        given = repr(mode[:20]) if isinstance(mode, str) else type(mode).__name__
        raise TensorFlowError(
            op, "other", f"mode is {given}; allowed are {' and '.join(MODES)}."
        )
    return MODES[mode]


def check_added(op: str, axis: int, pair: Pair) -> None:
    """Refuse negative paddings."""
    if min(pair) < 0:
        raise TensorFlowError(
            op,
            "other",
            f"paddings[{axis}] = {pair}; paddings are 0 or more. Crop with "
            "strided_slice.",
        )


def check_mirrored(
    op: str, axis: int, pair: Pair, n: int, mode: str, what: str = "extent"
) -> None:
    """Refuse a mirror wider than the `n` elements it shows."""
    most = n - 1 if mode == "reflect" else n
    if max(pair) <= most:
        return
    allowed = f"at most {most}" if most >= 0 else "nothing, not even 0,"
    hint = f" SYMMETRIC allows {n}." if mode == "reflect" and n else ""
    raise TensorFlowError(
        op,
        "padding_too_large",
        f"paddings[{axis}] = {pair} on axis {axis} of {what} {n}; {mode.upper()} "
        f"allows {allowed} on a side.{hint}",
    )
