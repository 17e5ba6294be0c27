"""ONNX nodes in a row as plain data: what each reads, and the shape it gives.

One value flows from node to node; whatever else a node reads is a constant, or a small
expression of constants.  Nothing here needs the onnx package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from restride.layout.constant import Constant

__all__ = [
    "FLOW",
    "INDEX_BYTES",
    "MOVES_NOTHING",
    "NODE_BYTES",
    "Cost",
    "Dense",
    "Held",
    "Node",
    "Operand",
    "Table",
    "cost",
    "every_node",
]

INDEX_BYTES = 8
"""Bytes of an int64, ONNX's type of positions."""

NODE_BYTES = 1 << 13
"""Bytes of tables that weigh as much as one node: a model should stay small."""

MOVES_NOTHING = ("Reshape", "Squeeze", "Unsqueeze", "Identity", "Constant")
"""Nodes that runtimes answer without touching elements."""

Shape = tuple[int, ...]


class Table(NamedTuple):
    """Positions, row-major, as straight runs of (begin, step, count)."""

    shape: Shape
    runs: tuple[tuple[int, int, int], ...]

    @property
    def size_bytes(self) -> int:
        """Bytes of the tensor."""
        return prod(self.shape) * INDEX_BYTES

    @staticmethod
    def of(values: Sequence[int]) -> Table:
        """A list of numbers along one axis."""
        return Table((len(values),), tuple((v, 0, 1) for v in values))


class Dense(NamedTuple):
    """Positions without any form, made when they are written."""

    shape: Shape
    make: Callable[[], Any]
    """Gives them as a NumPy array of int64."""

    @property
    def size_bytes(self) -> int:
        """Bytes of the tensor."""
        return prod(self.shape) * INDEX_BYTES


class Held(NamedTuple):
    """Constants of the data's own type, one per element of `shape`."""

    shape: Shape
    constants: tuple[Constant, ...]


class Node(NamedTuple):
    """A standard operator: what it reads in order, its attributes, its result."""

    op: str
    inputs: tuple[Operand, ...]
    attributes: tuple[tuple[str, Any], ...]
    shape: Shape
    """Extents of the result."""


FLOW = None
"""The value that flows: the result of the node before, or the graph's input."""

Operand = Node | Table | Dense | Held | None
"""What a node reads; a Node here is an expression that is read there alone."""


def every_node(nodes: Sequence[Node]) -> Iterator[Node]:
    """All nodes, those that others read as expressions included."""
    for node in nodes:
        yield from every_node([n for n in node.inputs if isinstance(n, Node)])
        yield node


Cost = tuple[int, int, int, int]


def cost(nodes: Sequence[Node], lacks: Callable[[Node], bool]) -> Cost:
    """What is to be least, the first first.

    Nodes that a runtime lacks; all nodes, and long tables as nodes; tables that have no
    form; bytes of tables.

    Examples
    --------
    >>> cost([Node("Gather", (FLOW, Table.of([1, 0])), (("axis", 0),), (2,))], bool)
    (1, 1, 0, 16)
    """
    found = list(every_node(nodes))
    missing = sum(lacks(node) for node in found)
    tables = [
        operand
        for node in found
        for operand in node.inputs
        if isinstance(operand, (Table, Dense))
    ]
    spent = sum(table.size_bytes for table in tables)
    formless = sum(isinstance(table, Dense) for table in tables)
    return missing, len(found) + spent // NODE_BYTES, formless, spent
