"""An axis that is not straight, in ONNX's words: a Pad in one mode, or a Tile.

What is tried is checked by composing it again: two axis maps are equal exactly when
their functions are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from restride.layout.axis import AxisMap
from restride.layout.extension import window

__all__ = ["TILE", "Bend", "bends"]

TILE = "tile"

FEW = 8
"""Most pieces of a pad that is looked for; its sides are no wider than the axis."""

Range = tuple[int, int, int]


class Bend(NamedTuple):
    """A range of the source axis, then a pad or tiles of it."""

    mode: str
    """"edge", "reflect", "wrap", or TILE."""
    range: Range
    """(begin, step, count) of the part that is extended."""
    before: int
    """Elements before it; for TILE the number of tiles."""
    after: int


def bends(axis: AxisMap, has_wrap: bool) -> dict[str, Bend]:
    """Ways to write a bent axis without constants, by mode.

    Examples
    --------
    >>> bends(window(4, 1, 2, "reflect"), False)
    {'reflect': Bend(mode='reflect', range=(0, 1, 4), before=1, after=2)}
    """
    pieces = axis.pieces
    found: dict[str, Bend] = {}
    if len(set(pieces)) == 1 and len(pieces) > 1:
        first = pieces[0]
        whole = (first.begin, first.step or 1, first.count)
        found[TILE] = Bend(TILE, whole, len(pieces), 0)
    if len(pieces) > FEW:
        return found
    for mode in ("edge", "reflect", "wrap") if has_wrap else ("edge", "reflect"):
        bend = next(_pads(axis, mode), None)
        if bend is not None:
            found[mode] = bend
    return found


def _pads(axis: AxisMap, mode: str) -> Iterator[Bend]:
    starts = sorted({end + k for end in (0, *axis.ends) for k in (-1, 0)})
    for core in _cores(axis):
        begin, step, count = core
        for before in starts:
            after = axis.extent - count - before
            if min(before, after) < 0 or max(before, after) > _widest(mode, count):
                continue
            straight = AxisMap.affine(count, begin, step)
            if window(count, before, after, mode).compose(straight) == axis:
                yield Bend(mode, core, before, after)


def _cores(axis: AxisMap) -> Iterator[Range]:
    """What a pad may have extended: all that is read, in either direction."""
    span = axis.span()
    if span is None:
        return
    low, high = span
    steps = {abs(p.step) for p in axis.pieces} | {high - low}
    for step in sorted(steps - {0}):
        if (high - low) % step == 0:
            count = (high - low) // step + 1
            yield low, step, count
            yield high, -step, count


def _widest(mode: str, count: int) -> int:
    """The widest side that every runtime takes alike."""
    return {"reflect": count - 1, "wrap": count}.get(mode, 2**62)
