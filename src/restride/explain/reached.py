"""Which elements of a source a map reads, told for any one without listing all.

>>> reached = Reached(IndexMap.identity((3, 4)).walk([(1, 3, 2), (0, 2, 2)], (0, 0)))
>>> [k for k in range(12) if reached.reads(k)]
[0, 3, 8, 11]
"""

from __future__ import annotations

from collections.abc import Sequence

from restride.layout.axis import AxisMap
from restride.layout.index_map import IndexMap, row_major
from restride.layout.walks import on_walk

__all__ = ["Reached"]


class Reached:
    """The elements that a map reads.

    A map is separable, so an element is read exactly when each of its positions is
    reached along its own axis; what is found is remembered per position.
    """

    def __init__(self, m: IndexMap) -> None:
        self.map = m
        self.steps = row_major(m.source_shape)
        self.is_blank = m.reads() is None or any(a.map.all_fill for a in m.axes)
        self.walkers = [
            [a.map for a in m.axes if a.source == s] for s in range(len(m.base))
        ]
        self.known: dict[tuple[int, int], bool] = {}

    def reads(self, element: int) -> bool:
        """True where the element of this row-major number is read."""
        if self.is_blank:
            return False
        shape = self.map.source_shape
        pairs = enumerate(zip(self.steps, shape, strict=True))
        return all(self._reached(s, element // step % n) for s, (step, n) in pairs)

    def _reached(self, source: int, position: int) -> bool:
        key = source, position
        if key not in self.known:
            wanted = position - self.map.base[source]
            self.known[key] = _reaches(self.walkers[source], wanted)
        return self.known[key]


def _reaches(walkers: Sequence[AxisMap], wanted: int) -> bool:
    """True where the positions of `walkers`, one of each, can sum to `wanted`."""
    if len(walkers) == 1:
        return any(
            on_walk(wanted - p.begin, [(p.step, p.count)])
            for p in walkers[0].pieces
            if p.fill is None
        )
    begun = sum(w.pieces[0].begin for w in walkers)
    return on_walk(wanted - begun, [(w.step, w.extent) for w in walkers])
