"""Extents as callers give them: window sizes per axis, and a shape with one unknown."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from restride.checks import as_axes, as_ints, as_sequence, as_shape, counted, shown
from restride.errors import DTypeError, ShapeError

__all__ = ["fill_extent", "read_windows"]


def read_windows(
    rank: int, size: Any, step: Any, dilation: Any, axis: Any
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Window parameters as one int per windowed axis."""
    sizes = _ints(size, "windows: size")
    axes = tuple(range(rank))
    if axis is not None:
        axes = as_axes(axis, rank, "windows: axis")
    if len(sizes) != len(axes):
        raise _miscounted(sizes, len(axes), named=axis is not None)
    steps = _per_axis(step, len(axes), "windows: step")
    dilations = _per_axis(dilation, len(axes), "windows: dilation")
    if min((*sizes, *steps, *dilations), default=1) < 1:
        named = (("size", sizes), ("step", steps), ("dilation", dilations))
        what, values = next((w, v) for w, v in named if min(v) < 1)
        raise ShapeError(f"windows: {what} = {values}; give 1 or more on every axis.")
    return sizes, steps, dilations, axes


def _miscounted(sizes: tuple[int, ...], axes: int, named: bool) -> ShapeError:
    given = f"windows: size has {counted(len(sizes), 'entry', 'entries')}"
    many = counted(axes, "axis", "axes")
    if not named:
        return ShapeError(
            f"{given} and x has {many}; give one for each axis, or name the axes that "
            "slide with axis=."
        )
    shown = f", as size={sizes * axes}" if len(sizes) == 1 and axes > 1 else ""
    return ShapeError(f"{given} and axis names {many}; give one for each{shown}.")


def _ints(value: Any, name: str) -> tuple[int, ...]:
    """One int or a sequence of them."""
    given = as_sequence(value)
    if getattr(given, "ndim", 0) == 0 and not hasattr(given, "__iter__"):
        raise DTypeError(
            f"{name} = {shown(value)} is not an integer; give one, or a list."
        )
    return as_ints(given, name)


def _per_axis(value: Any, count: int, name: str) -> tuple[int, ...]:
    values = _ints(value, name)
    if len(values) == 1:
        return values * count
    if len(values) != count:
        wanted = "one" if count == 1 else "one for all or one for each"
        raise ShapeError(
            f"{name} has {counted(len(values), 'entry', 'entries')} for "
            f"{counted(count, 'axis', 'axes')}; give {wanted}."
        )
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
