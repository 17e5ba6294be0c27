"""How a straight map walks memory: an offset and a stride per result axis.

>>> from restride.layout import Chain
>>> m = Chain.identity((3, 3)).as_strided((2, 2), (2, 3), 2).maps[0]
>>> walk = walk_of(m, "x")
>>> walk["offset"], walk["strides"], walk["formula"]
(2, [2, 3], 'flat(x)[2*i + 3*j + 2]')
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from operator import mul
from typing import Any

from restride.explain.formula import index_names, linear
from restride.layout.index_map import IndexMap, row_major

__all__ = ["hops", "visited", "walk_of"]

HOPS_SHOWN = 3
"""Steps of the fastest axis that are drawn; of each other axis one."""

LEADING = 3
"""Indices per axis, from 0, whose elements a picture tries to keep in sight."""


def walk_of(m: IndexMap, name: str) -> dict[str, Any] | None:
    """The walk of `m` over its source read row-major, or None where it bends.

    Returns
    -------
    dict or None
        Keys ``name``, ``elements`` (of the source), ``offset``, ``extents``,
        ``strides`` (in elements), ``indices`` (names, one per axis) and ``formula``.
    """
    if m.size == 0 or not m.is_affine:
        return None
    steps = row_major(m.source_shape)
    strides = [0 if a.source is None else a.map.step * steps[a.source] for a in m.axes]
    offset = sum(map(mul, m.base, steps))
    names = index_names(len(m.axes))
    terms = list(zip(strides, names, strict=True))
    return {
        "name": name,
        "elements": prod(m.source_shape),
        "offset": offset,
        "extents": list(m.shape),
        "strides": strides,
        "indices": list(names),
        "formula": f"flat({name})[{linear(terms, offset)}]",
    }


def visited(walk: dict[str, Any]) -> list[int]:
    """Elements that the first indices of every axis visit, in the order of the walk."""
    axes = _moving(walk)[-4:]
    ranges = [range(min(walk["extents"][r], LEADING)) for r in axes]
    steps = [walk["strides"][r] for r in axes]
    return [walk["offset"] + sum(map(mul, k, steps)) for k in product(*ranges)]


def hops(walk: dict[str, Any]) -> list[tuple[int, list[tuple[int, int]]]]:
    """Per axis that moves, its steps as (from, to) elements.

    The fastest axis comes first, then the others from the smallest stride up.
    """
    told = []
    *slower, fastest = _moving(walk) or [-1]
    slower.sort(key=lambda axis: abs(walk["strides"][axis]))
    for place, axis in enumerate([fastest, *slower] if fastest >= 0 else []):
        count = min(walk["extents"][axis] - 1, HOPS_SHOWN if place == 0 else 1)
        step, start = walk["strides"][axis], walk["offset"]
        pairs = [(start + k * step, start + (k + 1) * step) for k in range(count)]
        told.append((axis, pairs))
    return told


def _moving(walk: dict[str, Any]) -> Sequence[int]:
    """Axes along which the walk gets somewhere."""
    pairs = zip(walk["extents"], walk["strides"], strict=True)
    return [r for r, (n, s) in enumerate(pairs) if n > 1 and s]
