"""Parts of a chain that know nothing of each other, so that sums fall apart.

Two result axes belong together where they lead to one source axis, of the source or
of anything between.  What a box holds is a product over the components.

>>> from restride.layout import Chain
>>> chain = Chain.identity((6, 8)).transpose((1, 0))
>>> [part.rows for part in components(Restriction(chain))]
[(1,), (0,)]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from restride.blocks.intervals import Intervals, length
from restride.blocks.parts import Lane
from restride.blocks.restrict import Restriction

__all__ = ["Component", "components"]


class Component(NamedTuple):
    """Result axes, and the lanes they lead to in every map."""

    rows: tuple[int, ...]
    """Axes of the result."""
    lanes: tuple[tuple[Lane, ...], ...]
    """Per map, from the source on."""

    @property
    def source(self) -> int | None:
        """The axis of the source they lead to, or None."""
        first = self.lanes[0]
        return first[0].source if first else None

    def traced(self, kept: Sequence[Intervals]) -> tuple[tuple[int, ...], Intervals]:
        """What tells the parts of all lanes but for their place, and what is read.

        `kept` is what a box keeps of each of `rows`.
        """
        lists = dict(zip(self.rows, kept, strict=True))
        numbers: list[int] = []
        for lanes in reversed(self.lanes):
            parts = [lane.part(tuple([lists[r] for r in lane.rows])) for lane in lanes]
            numbers += [part.number for part in parts]
            if not all(part.reads for part in parts):
                return tuple(numbers), ()
            pairs = [(at.source, p.reads) for at, p in zip(lanes, parts, strict=True)]
            lists = {source: reads for source, reads in pairs if source is not None}
        one: Intervals = ((0, 1),)
        return tuple(numbers), one if self.source is None else lists[self.source]

    def held(self, kept: Sequence[Intervals]) -> list[int]:
        """Extent of its axes in the source, each intermediate and the result.

        `kept` is what a box keeps of each of `rows`.  0 where nothing is read.
        """
        lists = dict(zip(self.rows, kept, strict=True))
        found = [prod([length(intervals) for intervals in kept])]
        for lanes in reversed(self.lanes):
            reads: dict[int, Intervals] = {}
            size = 1
            for lane in lanes:
                part = lane.part(tuple([lists[r] for r in lane.rows]))
                if not part.reads:
                    return [0] * (len(self.lanes) + 1 - len(found)) + found[::-1]
                if lane.source is not None:
                    reads[lane.source] = part.reads
                    size *= length(part.reads)
            found.append(size)
            lists = reads
        return found[::-1]


def components(restriction: Restriction) -> list[Component]:
    """The components of a chain whose maps read the shapes made before them."""
    levels = restriction.levels
    leader = _joined(levels)
    found: dict[Node, list[list[Lane]]] = {}
    for node, lane in _nodes(levels):
        held = found.setdefault(_first(leader, node), [[] for _ in levels])
        held[node[0]].append(lane)
    made = []
    for held in found.values():
        rows = [r for lane in held[-1] for r in lane.rows]
        made.append(Component(tuple(sorted(rows)), tuple(map(tuple, held))))
    return made


Node = tuple[int, int]
"""A map of the chain, and a lane of it."""


def _nodes(levels: Sequence[Sequence[Lane]]) -> list[tuple[Node, Lane]]:
    return [
        ((k, j), lane) for k, lanes in enumerate(levels) for j, lane in enumerate(lanes)
    ]


def _joined(levels: Sequence[Sequence[Lane]]) -> dict[Node, Node]:
    """Per lane another of its component, and so on to one that leads it."""
    leader = {node: node for node, _ in _nodes(levels)}
    for (k, j), lane in _nodes(levels):
        if k + 1 < len(levels):
            for q in lane.rows:  # walked axes are what the next map reads
                leader[_first(leader, (k + 1, q))] = _first(leader, (k, j))
    return leader


def _first(leader: dict[Node, Node], node: Node) -> Node:
    while leader[node] != node:
        node = leader[node]
    return node
