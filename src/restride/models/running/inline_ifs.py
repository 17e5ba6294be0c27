"""The branches that a model's Ifs take, put into its main graph: their values too can
then be asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from restride.models.onnx.protos import copied

__all__ = ["inlined", "ifs_of"]

MOST_ROUNDS = 32
"""Deepest nesting of branches that is taken apart."""


def ifs_of(graph: Any) -> list[tuple[int, Any]]:
    """The Ifs of a graph, with their places."""
    return [(k, n) for k, n in enumerate(graph.node) if n.op_type == "If"]


def inlined(model: Any, values: Callable[[Any, list[str]], dict[str, Any]]) -> Any:
    """A copy of `model` with each If replaced by the branch it takes.

    `values` runs a model and gives the values of some names.  Names are unique in a
    model and all its graphs, so a branch can stand where its If stood.
    """
    made = copied(model)
    for _ in range(MOST_ROUNDS):
        found = ifs_of(made.graph)
        if not found:
            break
        conditions = [node.input[0] for _, node in found]
        held = values(made, conditions)
        for place, node in reversed(found):
            _take(made.graph, place, node, bool(held[node.input[0]].reshape(-1)[0]))
    return made


def _take(graph: Any, place: int, node: Any, is_true: bool) -> None:
    name = "then_branch" if is_true else "else_branch"
    branch = next(a.g for a in node.attribute if a.name == name)
    body = [copied(n) for n in branch.node]
    for outer, inner in zip(node.output, branch.output, strict=True):
        same = type(node)(op_type="Identity", input=[inner.name], output=[outer])
        body.append(same)
    nodes = list(map(copied, graph.node))
    nodes[place : place + 1] = body
    constants = [copied(t) for t in branch.initializer]
    infos = [copied(i) for i in branch.value_info]
    del graph.node[:]
    graph.node.extend(nodes)
    graph.initializer.extend(constants)
    graph.value_info.extend(infos)
