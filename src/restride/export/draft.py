"""A row of nodes in the making: each step adds the node it needs, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from restride.export.nodes import FLOW, Held, Node, Operand, Table
from restride.layout.constant import Constant

__all__ = ["Draft", "joined"]

RESHAPES = ("Reshape", "Squeeze", "Unsqueeze")

Shape = tuple[int, ...]
Range = tuple[int, int, int]


class Draft:
    """Nodes so far and the shape that stands after them."""

    def __init__(self, shape: Shape, start: Held | None = FLOW) -> None:
        self.nodes: list[Node] = []
        self.shape = shape
        self.start = start
        """What the first node reads: the value that flows, or a constant."""

    @property
    def flow(self) -> Operand:
        """What the next node reads first."""
        return FLOW if self.nodes else self.start

    def add(
        self, op: str, inputs: Sequence[Operand], shape: Sequence[int], **words: Any
    ) -> None:
        """One node more, which gives `shape`."""
        self.shape = tuple(shape)
        self.nodes.append(Node(op, tuple(inputs), tuple(words.items()), self.shape))

    def read(
        self, op: str, shape: Sequence[int], *tables: Operand, **words: Any
    ) -> None:
        """One node more over the value that flows."""
        self.add(op, (self.flow, *tables), shape, **words)

    def slice(self, ranges: Sequence[Range]) -> None:
        """(begin, step, count) on every axis, count above 0: one Slice."""
        given = {
            axis: r
            for axis, (n, r) in enumerate(zip(self.shape, ranges, strict=True))
            if r != (0, 1, n)
        }
        if given:
            self.read("Slice", [r[2] for r in ranges], *slice_tables(given))

    def join(self, axis: int, ranges: Sequence[Range]) -> None:
        """Ranges of one axis, one after the other: Slices and a Concat."""
        parts = []
        for r in ranges:
            shape = (*self.shape[:axis], r[2], *self.shape[axis + 1 :])
            inputs = (self.flow, *slice_tables({axis: r}))
            parts.append(Node("Slice", inputs, (), shape))
        total = sum(r[2] for r in ranges)
        whole = (*self.shape[:axis], total, *self.shape[axis + 1 :])
        self.add("Concat", parts, whole, axis=axis)

    def gather(self, axis: int, table: Operand, extents: Shape) -> None:
        """The positions of a table on one axis, in whose place its axes stand."""
        shape = (*self.shape[:axis], *extents, *self.shape[axis + 1 :])
        self.read("Gather", shape, table, axis=axis)

    def reshape(self, shape: Shape) -> None:
        """The same elements as `shape`: Squeeze, Unsqueeze, Reshape or nothing."""
        if shape == self.shape:
            return
        op, table = reshape_words(self.shape, shape)
        self.read(op, shape, table)

    def transpose(self, order: Sequence[int]) -> None:
        """Axis r is axis ``order[r]``."""
        if list(order) != sorted(order):
            shape = [self.shape[axis] for axis in order]
            self.read("Transpose", shape, perm=tuple(order))

    def pad(
        self,
        pairs: Sequence[tuple[int, int]],
        mode: str = "constant",
        constant: Constant | None = None,
    ) -> None:
        """(before, after) on every axis, none negative: not all runtimes crop."""
        if not any(map(any, pairs)):
            return
        shape = [n + b + a for n, (b, a) in zip(self.shape, pairs, strict=True)]
        tables: list[Operand] = [
            Table.of([*(b for b, _ in pairs), *(a for _, a in pairs)])
        ]
        if constant is not None:
            tables.append(Held((), (constant,)))
        self.read("Pad", shape, *tables, mode=mode)


def slice_tables(ranges: dict[int, Range]) -> list[Table]:
    """Starts, ends, axes and, where one is not 1, steps."""
    begins, steps, counts = zip(*ranges.values(), strict=True)
    tables = [begins, tuple(map(slice_end, begins, steps, counts)), tuple(ranges)]
    if set(steps) != {1}:
        tables.append(steps)
    return [Table.of(table) for table in tables]


def slice_end(begin: int, step: int, count: int) -> int:
    """ONNX's end of a range; before element 0 it must be out of all reach.

    Examples
    --------
    >>> slice_end(3, -1, 4), slice_end(1, 2, 3)
    (-9223372036854775807, 6)
    """
    end = begin + step * (count - 1) + (1 if step > 0 else -1)
    return end if end >= 0 else -(2**63) + 1


def reshape_words(before: Shape, after: Shape) -> tuple[str, Table]:
    """The operator that only drops or only adds axes of extent 1, else Reshape."""
    for op, short, long in (("Squeeze", after, before), ("Unsqueeze", before, after)):
        axes = _spare_axes(short, long)
        if axes is not None:
            return op, Table.of(axes)
    return "Reshape", Table.of(after)


def _spare_axes(short: Shape, long: Shape) -> list[int] | None:
    """Axes of extent 1 that make `long` of `short`, or None."""
    axes, rest = [], list(short)
    for axis, n in enumerate(long):
        if rest and rest[0] == n:
            rest.pop(0)
        elif n == 1:
            axes.append(axis)
        else:
            return None
    return None if rest else axes


def joined(nodes: Sequence[Node], shape: Shape) -> list[Node]:
    """The same nodes over `shape`, with reshapes in a row as one, or as none.

    Examples
    --------
    >>> d = Draft((2, 3))
    >>> d.reshape((6,)), d.reshape((1, 6)), d.reshape((2, 3))
    (None, None, None)
    >>> joined(d.nodes, (2, 3))
    []
    """
    kept: list[Node] = []
    for node in nodes:
        if node.op not in RESHAPES:
            kept.append(node)
            continue
        if kept and kept[-1].op in RESHAPES:
            kept.pop()
        before = kept[-1].shape if kept else shape
        if before != node.shape:
            op, table = reshape_words(before, node.shape)
            kept.append(Node(op, (FLOW, table), (), node.shape))
    return kept
