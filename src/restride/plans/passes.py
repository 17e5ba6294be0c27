"""Small rewrites on the way from a chain to a plan, each keeping the function."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from restride.layout.axis import Piece
from restride.layout.chain import Chain
from restride.layout.index_map import Axis, IndexMap

__all__ = ["align_runs", "crop_cuts"]


def crop_cuts(chain: Chain) -> list[IndexMap]:
    """The chain's maps, each making only the region that the next one reads.

    >>> c = Chain.identity((9,)).pad([(2, 2)], "edge").windows([3], [1], [1], [0])
    >>> [m.shape for m in crop_cuts(c.select([(0, 1, 2), (0, 1, 3)]))]
    [(4,), (2, 3)]
    """
    done: list[IndexMap] = []
    last = chain.maps[-1]
    for before in reversed(chain.maps[:-1]):
        box = last.reads()
        if box is None:
            return [_unread(chain.source_shape, last), *done]
        before, last = _cropped(before, last, box)
        done.insert(0, last)
        last = before
    return [last, *done]


def _unread(source: tuple[int, ...], m: IndexMap) -> IndexMap:
    """A map that reads nothing, over any source."""
    made = IndexMap.make(source, m.axes, [0] * len(source), m.fills, m.background)
    return m if made is None else made


def _cropped(
    before: IndexMap, after: IndexMap, box: Sequence[tuple[int, int]]
) -> tuple[IndexMap, IndexMap]:
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
    return (smaller or before), _shifted(after, box)


def _shifted(m: IndexMap, box: Sequence[tuple[int, int]]) -> IndexMap:
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


def align_runs(pieces: Sequence[Piece]) -> list[Piece]:
    """Give a long run the element before it, where the shorter one took that.

    The normal form is greedy from the left, so a mirror keeps the turning element
    and the long copy would start one element into the source row.

    >>> align_runs([Piece(3, 2, -1), Piece(9, 1, 1)])
    [Piece(count=2, begin=2, step=-1, fill=None), Piece(count=10, begin=0, step=1, fill=None)]
    """  # noqa: E501
    runs = list(pieces)
    for k in range(1, len(runs)):
        short, long = runs[k - 1], runs[k]
        if short.fill is not None or long.fill is not None:
            continue
        ends_before_long = short.at(short.count - 1) + long.step == long.begin
        if 1 < short.count < long.count and ends_before_long:
            runs[k - 1] = short.part(0, short.count - 1)
            grown = long.begin - long.step
            runs[k] = Piece(long.count + 1, grown, long.step)
    return runs
