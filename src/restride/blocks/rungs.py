"""Extents that a box may have along one axis, as the rungs of a ladder.

Along most axes they are the multiples of a unit.  Where axes were merged at the end of
a chain, whole rows are made for each box, so a box that begins inside one row and ends
in the next makes two; boxes of whole rows, or of a whole part of one, never do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import prod

__all__ = ["Rungs"]

MOST_PARTS = 1 << 12
"""Whole parts of an axis that are tried: an extent may be any number."""


class Rungs:
    """The extents allowed, from the smallest on.

    Parameters
    ----------
    unit : int
        They are multiples of this.
    merged : sequence of int, optional
        Extents of the axes merged to one; `unit` is 1 then.

    >>> merged = Rungs(1, (100, 4, 3))
    >>> [merged.below(n) for n in (1, 2, 5, 11, 12, 30)], merged.above(6)
    ([1, 1, 3, 6, 12, 24], 12)
    """

    def __init__(self, unit: int, merged: Sequence[int] = ()) -> None:
        inner = merged[1:]
        self.row = prod(inner) if merged else unit
        """From here on, its multiples."""
        parts = {1 if merged else unit}
        for axis, n in enumerate(inner):
            parts |= {part * prod(inner[axis + 1 :]) for part in _parts(n)}
        self._parts = sorted(parts)

    def below(self, wanted: int) -> int:
        """The largest that is `wanted` at most; the smallest where none is."""
        if wanted >= self.row:
            return wanted - wanted % self.row
        return self._parts[max(0, bisect_right(self._parts, wanted) - 1)]

    def above(self, extent: int) -> int:
        """The smallest that is more than `extent`."""
        if extent >= self.row:
            return extent - extent % self.row + self.row
        at = bisect_right(self._parts, extent)
        return self._parts[at] if at < len(self._parts) else self.row


def _parts(n: int) -> set[int]:
    """Whole parts of `n`: all the small ones, and the large ones beside these."""
    small = [k for k in range(1, min(n, MOST_PARTS) + 1) if n % k == 0]
    return {*small, *[n // k for k in small]}
