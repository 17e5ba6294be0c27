"""One map as its lanes: split by source axis, restricted, and put together again."""

from __future__ import annotations

from collections.abc import Sequence

from restride.blocks.intervals import Intervals, length
from restride.blocks.parts import Lane, Part
from restride.layout.index_map import Axis, IndexMap, row_major

__all__ = ["Lanes"]

MEMORY = 1 << 12
"""Maps of boxes remembered: inner boxes share theirs, so a grid has few."""


class Lanes:
    """The lanes of a map: one per source axis, and one per result axis that reads none.

    Of a source `in_memory`, only what is skipped along an axis itself counts, and not
    what the axes after it hold: the rows between two that are read cost nothing.

    >>> from restride.layout import Chain
    >>> m = Chain.identity((9,)).windows([3], [2], [1], [0]).maps[0]
    >>> lanes = Lanes(m)
    >>> parts = lanes.parts((((1, 3),), ((0, 3),)))
    >>> lanes.reads(parts), lanes.joined(parts).source_shape
    ((((2, 7),),), (5,))
    """

    def __init__(self, m: IndexMap, in_memory: bool = False) -> None:
        self.map = m
        inner = (1,) * len(m.source_shape) if in_memory else row_major(m.source_shape)
        self.all = [
            Lane(s, _walkers(m, s), m.base[s], n, inner[s])
            for s, n in enumerate(m.source_shape)
        ]
        still = [(r, axis) for r, axis in enumerate(m.axes) if axis.source is None]
        self.all += [Lane(None, [one], 0, 1, 1) for one in still]
        self.is_hidden = m.background is not None
        """A constant hides the whole source."""
        self._known: dict[tuple[int, ...], IndexMap] = {}

    def takes_lists(self) -> list[bool]:
        """Per result axis: it can keep several intervals where it walks alone."""
        alone = [True] * len(self.map.axes)
        for lane in self.all:
            if len(lane.rows) > 1:
                for r in lane.rows:
                    alone[r] = False
        return alone

    def parts(self, lists: Sequence[Intervals]) -> list[Part]:
        """Each lane where the result axes keep `lists` only."""
        return [lane.part(tuple([lists[r] for r in lane.rows])) for lane in self.all]

    def is_unread(self, parts: Sequence[Part]) -> bool:
        """True when only constants stand there, or no element."""
        return self.is_hidden or any(not part.reads for part in parts)

    def reads(self, parts: Sequence[Part]) -> tuple[Intervals, ...]:
        """Per source axis what is read; () on all when nothing is."""
        rank = len(self.map.source_shape)
        if self.is_unread(parts):
            return ((),) * rank
        return tuple([part.reads for part in parts[:rank]])

    def joined(self, parts: Sequence[Part]) -> IndexMap:
        """The map that `parts` are of, over the intervals laid end to end.

        Parts that differ in their place only have one map, which is remembered.
        """
        key = tuple([part.number for part in parts])
        made = self._known.get(key)
        if made is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            made = self._known[key] = self._made(parts)
        return made

    def _made(self, parts: Sequence[Part]) -> IndexMap:
        axes: list[Axis | None] = [None] * len(self.map.axes)
        for lane, part in zip(self.all, parts, strict=True):
            for r, axis in zip(lane.rows, part.axes, strict=True):
                axes[r] = axis
        source = tuple([length(intervals) for intervals in self.reads(parts)])
        base = [part.base for part in parts[: len(source)]]
        if self.is_unread(parts):
            base = [0] * len(source)
        m = self.map
        made = IndexMap.make(source, axes, base, m.fills, m.background)  # type: ignore[arg-type]
        if made is None:
            raise AssertionError("a box of a map is a map")
        return made


def _walkers(m: IndexMap, source: int) -> list[tuple[int, Axis]]:
    return [(r, axis) for r, axis in enumerate(m.axes) if axis.source == source]
