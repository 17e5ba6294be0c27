"""Extents as callers give them: window sizes per axis, and a shape with one unknown."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from restride.checks import as_axes, as_ints, as_sequence, as_shape
from restride.errors import ShapeError

__all__ = ["fill_extent", "read_windows"]


def read_windows(
    rank: int, size: Any, step: Any, dilation: Any, axis: Any
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Window parameters as one int per windowed axis."""
    sizes = as_ints(as_sequence(size), "windows: size")
    axes = tuple(range(rank))
    if axis is not None:
        axes = as_axes(axis, rank, "windows: axis")
    if len(sizes) != len(axes):
        raise ShapeError(
            f"windows: {len(sizes)} sizes for {len(axes)} axes; give one per axis, or "
            "name the axes with axis=."
        )
    steps = _per_axis(step, len(axes), "windows: step")
    dilations = _per_axis(dilation, len(axes), "windows: dilation")
    if min((*sizes, *steps, *dilations), default=1) < 1:
        named = (("size", sizes), ("step", steps), ("dilation", dilations))
        what, values = next((w, v) for w, v in named if min(v) < 1)
        raise ShapeError(f"windows: {what} = {values}; 1 is the least.")
    return sizes, steps, dilations, axes


def _per_axis(value: Any, count: int, name: str) -> tuple[int, ...]:
    values = as_ints(as_sequence(value), name)
    if len(values) == 1:
        return values * count
    if len(values) != count:
        raise ShapeError(f"{name} has {len(values)} entries; give 1 or {count}.")
    return values


def fill_extent(wanted: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """Extents with a single -1 replaced by what is left."""
    if -1 not in wanted:
        return as_shape(wanted, "reshape: shape")
    known = as_shape([n for n in wanted if n != -1], "reshape: shape")
    total, rest = prod(shape), prod(known)
    if len(known) != len(wanted) - 1 or rest == 0 or total % rest:
        raise ShapeError(
            f"reshape: {tuple(wanted)} cannot hold the {total} elements of "
            f"{tuple(shape)}; one -1 at most, and the rest must divide them."
        )
    return tuple(total // rest if n == -1 else n for n in wanted)
