"""A whole chain as one Gather over the flat source: two nodes, three with constants.

Its table has a position per result element, so it serves small results, and what no
other nodes can say.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from restride.export.draft import Draft
from restride.export.nodes import Dense, Held, Node
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap, row_major

__all__ = ["flattened"]

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def flattened(maps: Sequence[IndexMap], source: Shape, shape: Shape) -> list[Node]:
    """One Gather for all `maps`, over an array of `source`, read as `shape`.

    Examples
    --------
    >>> m = IndexMap.identity((2, 2)).transpose((1, 0))
    >>> [node.op for node in flattened([m], (2, 2), (4,))]
    ['Reshape', 'Gather']
    """
    total = prod(source)
    constants = _constants(maps)
    draft = Draft(source)
    draft.reshape((total,))
    if constants:
        count = len(constants)
        held = Held((count,), constants)
        draft.add("Concat", (draft.flow, held), (total + count,), axis=0)
    table = Dense(shape, lambda: positions(maps, total).reshape(shape))
    draft.gather(0, table, shape)
    return draft.nodes


def _constants(maps: Sequence[IndexMap]) -> tuple[Constant, ...]:
    """Each constant once, in the order met."""
    return tuple({c.key: c for m in maps for c in m.fills}.values())


def positions(maps: Sequence[IndexMap], total: int) -> Array:
    """Flat source positions of the last map's result; constants stand after them."""
    place = {c.key: total + k for k, c in enumerate(_constants(maps))}
    found: Array | None = None
    for m in maps:
        here = _positions(m)
        before = np.arange(total) if found is None else found.reshape(-1)
        fills = np.array([place[c.key] for c in m.fills], np.int64)
        known = np.concatenate([before, fills])
        found = known[here]
    assert found is not None
    return found


def _positions(m: IndexMap) -> Array:
    """Flat positions in the source of `m`; those of constants follow its elements."""
    steps = row_major(m.source_shape)
    base = sum(b * s for b, s in zip(m.base, steps, strict=True))
    at = np.full(m.shape, base, np.int64)
    fill = np.full(m.shape, -1 if m.background is None else m.background, np.int64)
    for r, axis in enumerate(m.axes):
        extents = [1] * len(m.shape)
        extents[r] = -1
        step = 0 if axis.source is None else steps[axis.source]
        runs = [
            p.begin + p.step * np.arange(p.count)
            if p.fill is None
            else np.zeros(p.count, np.int64)
            for p in axis.map.pieces
        ]
        fills = [
            np.full(p.count, -1 if p.fill is None else p.fill) for p in axis.map.pieces
        ]
        at += step * np.concatenate(runs).reshape(extents)
        fill = np.maximum(fill, np.concatenate(fills).reshape(extents))
    made: Array = np.where(fill < 0, at, prod(m.source_shape) + fill)
    return made
