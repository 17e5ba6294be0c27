"""Gather, GatherND and ScatterND whose indices the model holds: as slices and regions.

Indices that step evenly are a slice, a single one is an index, and the cells of a box
are a region; other constant indices are a table of positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.checks import as_axes
from restride.errors import BoundsError, ShapeError
from restride.layout.notation import IndexEntry
from restride.models.errors import ModelError
from restride.models.known import Known, Node
from restride.models.movements.movement import (
    AtRunTimeError,
    Params,
    Steps,
    need_rank,
    why,
)
from restride.models.movements.steps import WHOLE
from restride.translate.meaning import Gather, Select, Step, Write
from restride.translate.values import Runs

__all__ = ["gather", "gather_nd", "scatter_nd"]

Array = np.ndarray[Any, Any]

MOST_SHOWN = 64
"""Most indices that a report holds."""


def _indices(node: Node, p: Params, k: int = 1) -> Array:
    """The indices, where the model holds them."""
    known = node.input(k)
    if known is None:
        raise ShapeError(f"{node.op} has no indices.")
    found = _held(known)
    if found is None:
        p.found["indices"] = None
        raise AtRunTimeError(f"{why('indices', known)}.", "indices")
    if found.dtype.kind not in "iu":
        raise ShapeError(f"{node.op}: indices are {found.dtype}, not integers.")
    p.found["indices"] = tuple(found.ravel()[:MOST_SHOWN].tolist())
    if found.size > MOST_SHOWN:
        p.found["indices_count"] = found.size
    return found.astype(np.int64)


def _held(known: Known) -> Array | None:
    """The values of an input, where the model holds them or they follow."""
    if known.constant is not None:
        try:
            return known.constant.array()
        except ModelError:
            return None
    numbers = known.numbers
    if numbers is None or not numbers.is_whole:
        return None
    return np.array(numbers.items, np.int64).reshape(numbers.shape)


def _wrapped(at: Array, n: int | None, node: Node) -> Array:
    """Indices from 0 on; negative ones need the extent, all must lie inside it."""
    if n is None:
        if at.size and at.min() < 0 <= at.max():
            raise AtRunTimeError(
                "indices count from both ends of an axis whose extent is known when it "
                "runs.",
                "shape",
            )
        return at
    if at.size and not (-n <= at.min() and at.max() < n):
        raise BoundsError(
            f"{node.op}: indices {at.min()} to {at.max()} of an axis of extent {n}; "
            f"allowed is {-n} to {n - 1}."
        )
    return np.where(at < 0, at + n, at)


def _progression(at: Array) -> slice | None:
    """Evenly spaced positions as a slice; None where they are not."""
    if not at.size:
        return slice(0, 0)
    first, step = int(at[0]), int(at[1] - at[0]) if at.size > 1 else 1
    if at.size > 1 and not (step and (np.diff(at) == step).all()):
        return None
    if (first < 0) != (int(at[-1]) < 0):
        return None
    end = int(at[-1]) + (1 if step > 0 else -1)
    # From the last axis' end on, 0 would be its beginning, and -1 its end.
    open_end = (end == 0 and first < 0) or (end == -1 and first >= 0)
    return slice(first, None if open_end else end, None if step == 1 else step)


def gather(node: Node, p: Params) -> tuple[Steps, ...]:
    """Gather: whole slices at the places that indices name, along one axis."""
    axis = p.integer("axis", None, 0)
    at, data = _indices(node, p), node.input(0)
    (axis,) = as_axes(axis, need_rank(data, "the axis counts in it"), "Gather: axis")
    extent = data.shape[axis] if data is not None and data.shape is not None else None
    at = _wrapped(at, extent if isinstance(extent, int) else None, node)
    whole = [WHOLE] * axis
    if not at.ndim:
        return ((Select((*whole, int(at))),),)
    entry = _progression(at.ravel())
    if entry is not None and at.ndim == 1:
        return ((Select((*whole, entry)),),)
    return (_tabled(at, axis, extent),)


def _tabled(at: Array, axis: int, extent: Any) -> Steps:
    """Any other table of positions, as one axis of them."""
    if at.ndim != 1:
        raise AtRunTimeError(
            f"indices have {at.ndim} axes; a table of more than one axis is not "
            "followed.",
            "indices",
        )
    if not isinstance(extent, int):
        raise AtRunTimeError("the extent is known when it runs.", "shape")
    step: Step = Gather(axis, Runs(tuple([(int(v), 1, 1) for v in at])))
    return (step,)


def gather_nd(node: Node, p: Params) -> tuple[Steps, ...]:
    """GatherND with the coordinates of one place: an index."""
    batch = p.integer("batch_dims", None, 0)
    at = _indices(node, p)
    rank = need_rank(node.input(0), "coordinates are one per axis")
    _check_places(at, node, rank, batch)
    if batch or at.ndim != 1 or at.size > rank:
        raise AtRunTimeError(
            "its indices name more than one place, which is no slice.", "indices"
        )
    return ((Select(tuple([int(v) for v in at])),),)


def _check_places(at: Array, node: Node, rank: int, batch: int) -> None:
    """Refuse coordinates that are too many, or lie outside the extents known."""
    if not at.ndim or not 0 <= batch < rank or at.shape[-1] > rank - batch:
        raise ShapeError(
            f"GatherND: indices of shape {at.shape} and batch_dims {batch} for {rank} "
            "axes."
        )
    data = node.input(0)
    extents = () if data is None or data.shape is None else data.shape[batch:]
    for column, extent in zip(np.moveaxis(at, -1, 0), extents, strict=False):
        if isinstance(extent, int):
            _wrapped(column, extent, node)


def scatter_nd(node: Node, p: Params) -> tuple[Steps, ...]:
    """ScatterND whose indices are the cells of a box, in order: a region write."""
    if p.text("reduction", "none") != "none":
        raise AtRunTimeError("it adds to what is there, and moves it not.", "reduction")
    at, data = _indices(node, p), node.input(0)
    rank = need_rank(data, "coordinates are one per axis")
    if not at.ndim or at.shape[-1] > rank:
        raise ShapeError(f"ScatterND: indices of shape {at.shape} for {rank} axes.")
    columns = np.moveaxis(at, -1, 0)
    extents = data.shape if data is not None and data.shape is not None else ()
    entries: list[IndexEntry] = []
    after = 0
    for axis, column in enumerate(columns):
        known = extents[axis] if axis < len(extents) else None
        column = _wrapped(column, known if isinstance(known, int) else None, node)
        entry, after = _side(column, after)
        entries.append(entry)
    if any(n > 1 for n in at.shape[after:-1]):
        raise _no_box()
    return ((Write(tuple(entries)),),)


def _side(column: Array, after: int) -> tuple[slice, int]:
    """One coordinate of a box's cells, which changes along one axis of the box."""
    spread = [
        k for k in range(column.ndim) if column.shape[k] > 1 and _varies(column, k)
    ]
    if not spread:
        first = int(column.flat[0]) if column.size else 0
        return slice(first, first + 1 if first != -1 else None), after
    (axis, *rest) = spread
    skipped = [n for n in column.shape[after:axis] if n > 1]
    line = np.moveaxis(column, axis, 0).reshape(column.shape[axis], -1)[:, 0]
    entry = _progression(line)
    if rest or axis < after or skipped or entry is None or (entry.step or 1) < 0:
        raise _no_box()
    return entry, axis + 1


def _varies(column: Array, axis: int) -> bool:
    return bool((np.diff(column, axis=axis) != 0).any())


def _no_box() -> AtRunTimeError:
    return AtRunTimeError(
        "its indices are not the cells of a box in order, so it is no region write.",
        "indices",
    )
