"""All graphs of a model, each with what the walk knows of its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from restride.models.errors import ModelError
from restride.models.files.reading import Model
from restride.models.known import Node
from restride.models.onnx.protos import graphs_in
from restride.models.onnx.walk import Walk
from restride.models.optimize.editor import names_read

__all__ = ["all_names", "known_graphs"]


def known_graphs(read: Model, proto: Any) -> list[tuple[Any, list[Node]]]:
    """Each graph of a model but those of functions, with what is known of its nodes."""
    now = replace(read, proto=proto)  # long data stays where it was
    rest = iter([node for node in Walk(now) if not node.in_function])
    found: list[tuple[Any, list[Node]]] = []
    _pair(proto.graph, rest, found)
    if next(rest, None) is not None:
        raise ModelError(read.name, "its nodes were not walked in order.")
    return found


def _pair(
    graph: Any, rest: Iterator[Node], found: list[tuple[Any, list[Node]]]
) -> None:
    nodes: list[Node] = []
    found.append((graph, nodes))
    for proto in graph.node:
        nodes.append(next(rest))
        for inner in graphs_in(proto):
            _pair(inner, rest, found)


def all_names(proto: Any) -> Sequence[str]:
    """Every name in a model."""
    found = list(names_read(proto.graph))
    stack = [proto.graph]
    while stack:
        graph = stack.pop()
        found += [info.name for info in (*graph.input, *graph.initializer)]
        for node in graph.node:
            found += [*node.output, node.name]
            stack += graphs_in(node)
    return found
