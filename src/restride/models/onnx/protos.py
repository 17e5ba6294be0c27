"""What ONNX's own messages need at every turn: a copy, and the graphs in a node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["copied", "graphs_in", "named_graphs"]

GRAPH, GRAPHS = 5, 10
"""onnx.proto, AttributeProto.AttributeType."""


def copied(proto: Any) -> Any:
    """A message of its own with the same content."""
    made = type(proto)()
    made.CopyFrom(proto)
    return made


def named_graphs(node: Any) -> Iterator[tuple[Any, Any]]:
    """The graphs among a node's attributes in their order, each with its name there."""
    for attribute in node.attribute:
        if attribute.type == GRAPH:
            yield attribute.name, attribute.g
        elif attribute.type == GRAPHS:
            yield from ((attribute.name, graph) for graph in attribute.graphs)


def graphs_in(node: Any) -> Iterator[Any]:
    """The same without their names."""
    return (graph for _, graph in named_graphs(node))
