"""Before a cut, only the region that the next step reads is made."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from restride.layout.chain import Chain
from restride.layout.index_map import Axis, IndexMap

__all__ = ["crop", "crop_cuts", "shift_source"]


def crop_cuts(chain: Chain) -> list[IndexMap]:
    """The chain's maps, each making only the region that the next one reads.

    >>> c = Chain.identity((9,)).pad([(2, 2)], "edge").windows([3], [1], [1], [0])
    >>> [m.shape for m in crop_cuts(c.select([(0, 1, 2), (0, 1, 3)]))]
    [(4,), (2, 3)]
    """
    *earlier, last = chain.maps
    if not earlier:
        return [last]
    done: list[IndexMap] = []
    for before in reversed(earlier):
        box = last.reads()
        if box is None:
            return [_unread(chain.source_shape, last), *done]
        before, last = crop(before, last, box)
        done.insert(0, last)
        last = before
    return [last, *done]


def _unread(source: tuple[int, ...], m: IndexMap) -> IndexMap:
    """A map that reads nothing, over any source."""
    made = IndexMap.make(source, m.axes, [0] * len(source), m.fills, m.background)
    return m if made is None else made


def crop(
    before: IndexMap, after: IndexMap, box: Sequence[tuple[int, int]]
) -> tuple[IndexMap, IndexMap]:
    """`before` making only the box that `after` reads, and `after` over that."""
    if before.shape == after.source_shape:
        kept = list(box)
    elif len(after.source_shape) == 1 and before.shape:
        row = prod(before.shape[1:])
        rows = (box[0][0] // row, -(-box[0][1] // row))
        kept = [rows, *[(0, n) for n in before.shape[1:]]]
        box = [(rows[0] * row, rows[1] * row)]
    else:
        return before, after
    smaller = before.select([(a, 1, b - a) for a, b in kept])
    return (smaller or before), shift_source(after, box)


def shift_source(m: IndexMap, box: Sequence[tuple[int, int]]) -> IndexMap:
    """The map over the part `box` of its source."""
    base = [b - low for b, (low, _) in zip(m.base, box, strict=True)]
    axes = list(m.axes)
    for r, axis in enumerate(axes):
        if axis.source is not None and not axis.map.is_affine:
            axes[r] = Axis(axis.source, axis.map.shifted(-box[axis.source][0]))
            base[axis.source] = 0
    source = tuple(b - a for a, b in box)
    made = IndexMap.make(source, axes, base, m.fills, m.background)
    return m if made is None else made
