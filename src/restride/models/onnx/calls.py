"""Which functions of a model call which, and how much they come to written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from restride.models.errors import ModelError
from restride.models.texts import as_text

__all__ = ["MOST_DEPTH", "MOST_NODES", "called_id", "check_functions", "function_id"]

MOST_NODES = 1_000_000
"""Most nodes of a model, functions written out where they are called."""

MOST_DEPTH = 64
"""Deepest nesting of graphs and function calls."""

Id = tuple[str, str, str]
"""Domain, name and overload of a function."""


def function_id(function: Any) -> Id:
    """What a FunctionProto is called by."""
    return function.domain, function.name, str(getattr(function, "overload", ""))


def called_id(node: Any) -> Id:
    """What a NodeProto calls, where it calls a function."""
    return node.domain, node.op_type, str(getattr(node, "overload", ""))


def check_functions(functions: Mapping[Id, Any], nodes: Any, name: str) -> None:
    """Refuse circles, and what grows beyond measure; takes time linear in the model.

    Raises
    ------
    ModelError
        Functions that call each other in a circle, too deep, or so often that the
        model has more than :data:`MOST_NODES` nodes.
    """
    calls = {key: list(_called(f.node, functions)) for key, f in functions.items()}
    sizes: dict[Id, int] = {}
    depths: dict[Id, int] = {}
    for key in _inner_first(calls, name):
        inner = [other for other in calls[key] if other is not None]
        sizes[key] = len(calls[key]) + sum(sizes[other] for other in inner)
        depths[key] = 1 + max((depths[other] for other in inner), default=0)
    if max(depths.values(), default=0) > MOST_DEPTH:
        raise ModelError(name, f"its functions call each other {MOST_DEPTH} deep.")
    total = sum(
        1 if key is None else 1 + sizes[key] for key in _called(nodes, functions)
    )
    if total > MOST_NODES:
        raise ModelError(
            name, f"it has more than {MOST_NODES} nodes, its functions written out."
        )


def _called(nodes: Any, functions: Mapping[Id, Any]) -> Iterator[Id | None]:
    """For each node, those of graphs inside too, the function it calls or None."""
    left = [nodes]
    while left:
        for node in left.pop():
            key = called_id(node)
            yield key if key in functions else None
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    left.append(attribute.g.node)
                left.extend(graph.node for graph in attribute.graphs)


def _inner_first(calls: Mapping[Id, list[Id | None]], name: str) -> Iterator[Id]:
    """The functions, each after those it calls."""
    waiting = {key: {k for k in inner if k is not None} for key, inner in calls.items()}
    callers: dict[Id, list[Id]] = {}
    for key, inner in waiting.items():
        for other in inner:
            callers.setdefault(other, []).append(key)
    ready = [key for key, inner in waiting.items() if not inner]
    done = 0
    while ready:
        key = ready.pop()
        done += 1
        yield key
        for caller in callers.get(key, ()):
            waiting[caller].discard(key)
            if not waiting[caller]:
                ready.append(caller)
    if done < len(calls):
        (first, *_) = [key for key, inner in waiting.items() if inner]
        raise ModelError(
            name, f"its function {as_text(first[1])} calls itself, in a circle."
        )
