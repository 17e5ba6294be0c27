"""Source, what cuts make, and result as grids of cells: what a picture draws.

A panel is one array.  Each of its planes is a grid with positions along both sides;
long axes, and many planes, are told by their ends and their joints, with None for
what is left out.  A cell is the row-major number of its source element, a constant
as ``{"constant": value}``, or None in a gap.

>>> from restride.layout import Chain
>>> shown = panels(Chain.identity((3,)).pad(((1, 0),), "constant"))
>>> [(p["name"], p["planes"][0]["cells"]) for p in shown]
[('x', [[0, 1, 2]]), ('y', [[{'constant': 0}, 0, 1, 2]])]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from operator import add
from typing import Any, NamedTuple

from restride.explain.cells import plain, ravel, taken, traced, unravel
from restride.explain.elide import kept
from restride.explain.reached import Reached
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts

__all__ = [
    "ROOM",
    "Room",
    "panels",
    "plane_name",
    "reads_of",
    "region_index",
    "region_panels",
]

Index = tuple[int, ...]
CellAt = Callable[[Index], Any]


class Room(NamedTuple):
    """Most that is drawn of one array."""

    rows: int = 12
    """Of a grid; three quarters of it where there are several."""
    columns: int = 16
    planes: int = 4


ROOM = Room()


def panels(chain: Chain, room: Room = ROOM) -> list[dict[str, Any]]:
    """One panel for the source, one for what each cut makes, one for the result.

    Returns
    -------
    list of dict
        Keys ``name``, ``shape``, ``planes`` and ``hidden`` (how many planes are left
        out).  A plane has ``at`` (its index on all axes but the last two), ``rows``
        and ``columns`` (positions, or None for a gap; an array of one axis has the
        row None alone) and ``cells``.  The source's planes also have ``read``: True
        per cell where the first pass reads it.
    """
    passes = crop_cuts(chain)
    shape = chain.source_shape
    read = _joints_read(chain, passes[0])
    source = _panel("x", shape, read, _number(shape), room, read)
    _mark_read(source, Reached(passes[0]))
    told = [source]
    for k, m in enumerate(passes):
        last = k == len(passes) - 1
        shape = chain.shape if last else m.shape
        joints = _joints(m) if m.shape == shape else [() for _ in shape]
        cell = _traced(passes[: k + 1], shape)
        told.append(_panel("y" if last else f"t{k + 1}", shape, joints, cell, room))
    return told


def region_panels(
    region: IndexMap, source_shape: Sequence[int], room: Room = ROOM
) -> list[dict[str, Any]]:
    """The source ``src`` and the destination ``y`` of a region write.

    A cell of ``y`` that is not written is ``{"kept": number}``, its own element.
    """
    source_shape = tuple(source_shape)
    source = _panel("src", source_shape, [()] * len(source_shape), None, room)
    _mark_all(source)
    written = Reached(region)
    shape = region.source_shape
    number = _number(shape)

    def cell(index: Index) -> Any:
        here = number(index)
        if not written.reads(here):
            return {"kept": here}
        return taken(region_index(region, index), source_shape)

    edges = _edges(region)
    return [source, _panel("y", shape, edges, cell, room, edges)]


def plane_name(plane: dict[str, Any]) -> str:
    """``[1, :, :]``, for a plane of more than two axes; empty for the only one."""
    return f"[{', '.join(map(str, plane['at']))}, :, :]" if plane["at"] else ""


def reads_of(plane: dict[str, Any]) -> list[list[bool]]:
    """Per cell, whether it is read; all cells of what is no source are."""
    found: list[list[bool]] = plane.get("read") or [
        [True] * len(row) for row in plane["cells"]
    ]
    return found


def _panel(
    name: str,
    shape: Index,
    joints: Sequence[Sequence[int]],
    cell: CellAt | None,
    room: Room,
    within: Sequence[Sequence[int]] = (),
) -> dict[str, Any]:
    """`within` is, per axis, what matters: of many planes the others are hidden."""
    cell = cell or _number(shape)
    lead = shape[:-2]
    count = prod(lead) if prod(shape) else 0
    ranges = within[: len(lead)] if count > room.planes else ()
    places = _places(lead, ranges, room.planes) if count else []
    planes = [_plane(at, shape, joints, cell, room) for at in places]
    return {
        "name": name,
        "shape": list(shape),
        "planes": planes,
        "hidden": count - len(planes),
    }


def _places(lead: Index, ranges: Sequence[Sequence[int]], most: int) -> list[Index]:
    """Which planes are drawn, by their place on the leading axes."""
    if () in ranges or len(ranges) < len(lead):
        ranges = [(0, n) for n in lead]
    inside = [high - low for low, high in ranges]
    numbers = [k for k in kept(prod(inside), most) if k is not None]
    lows = [low for low, _ in ranges]
    return [tuple(map(add, lows, unravel(k, inside))) for k in numbers]


def _plane(
    at: Index, shape: Index, joints: Sequence[Sequence[int]], cell: CellAt, room: Room
) -> dict[str, Any]:
    sides = list(zip(shape[-2:], joints[-2:], strict=True))
    limits = (room.rows * 3 // 4 if at else room.rows, room.columns)[2 - len(sides) :]
    kept_here = [
        kept(n, most, joint) for (n, joint), most in zip(sides, limits, strict=True)
    ]
    columns: list[int | None] = kept_here[-1] if kept_here else [None]
    rows = kept_here[0] if len(kept_here) == 2 else [None]
    has_rows, has_columns = len(kept_here) == 2, bool(kept_here)

    def one(row: int | None, column: int | None) -> Any:
        if (has_rows and row is None) or (has_columns and column is None):
            return None
        return cell(at + tuple(k for k in (row, column) if k is not None))

    cells = [[one(row, column) for column in columns] for row in rows]
    return {"at": list(at), "rows": rows, "columns": columns, "cells": cells}


def _mark_read(panel: dict[str, Any], reached: Reached) -> None:
    for plane in panel["planes"]:
        plane["read"] = [
            [c is not None and reached.reads(c) for c in row] for row in plane["cells"]
        ]


def _mark_all(panel: dict[str, Any]) -> None:
    for plane in panel["planes"]:
        plane["read"] = [[c is not None for c in row] for row in plane["cells"]]


def _number(shape: Index) -> CellAt:
    """Each cell's own row-major number."""
    return lambda index: ravel(index, shape)


def _traced(passes: Sequence[IndexMap], shape: Index) -> CellAt:
    """What stands in each cell after `passes`, followed back to the source."""

    def cell(index: Index) -> Any:
        found = traced(passes, shape, index)
        if isinstance(found, Constant):
            return {"constant": plain(found.value)}
        return found

    return cell


def _joints(m: IndexMap) -> list[list[int]]:
    """Per result axis, where its pieces begin."""
    return [list(axis.map.ends[:-1]) for axis in m.axes]


def _joints_read(chain: Chain, m: IndexMap) -> list[Sequence[int]]:
    """Per source axis, where the part that is read begins and ends."""
    if m.source_shape != chain.source_shape:
        return [()] * len(chain.source_shape)
    return _edges(m)


def _edges(m: IndexMap) -> list[Sequence[int]]:
    box = m.reads()
    return [()] * len(m.source_shape) if box is None else list(box)


def region_index(region: IndexMap, cell: Index) -> Index:
    """The region index that writes `cell`; the region is a slice, so there is one."""
    found = [0] * len(region.axes)
    for r, axis in enumerate(region.axes):
        if axis.source is not None and axis.map.step:
            from_start = cell[axis.source] - region.base[axis.source]
            found[r] = (from_start - axis.map.pieces[0].begin) // axis.map.step
    return tuple(found)
