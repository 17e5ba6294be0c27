"""The attributes of a node, and those that a function's body takes from its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from restride.models.files.tensors import Store
from restride.models.texts import as_text

__all__ = ["GRAPH", "GRAPHS", "attributes_of", "bound"]

FLOAT, INT, STRING, TENSOR, GRAPH = 1, 2, 3, 4, 5
FLOATS, INTS, STRINGS, GRAPHS = 6, 7, 8, 10
"""onnx.proto, AttributeProto.AttributeType."""


def attributes_of(proto: Any, store: Store) -> Mapping[str, Any]:
    """Names and values; graphs and what is rare are left out."""
    found: dict[str, Any] = {}
    for attribute in proto.attribute:
        name = as_text(attribute.name)
        match attribute.type or _guessed(attribute):
            case 1:
                found[name] = float(attribute.f)
            case 2:
                found[name] = int(attribute.i)
            case 3:
                found[name] = as_text(attribute.s)
            case 4:
                found[name] = store.constant(attribute.t)
            case 6:
                found[name] = tuple(attribute.floats)
            case 7:
                found[name] = tuple(attribute.ints)
            case 8:
                found[name] = tuple(map(as_text, attribute.strings))
    return found


def _guessed(attribute: Any) -> int:
    """The type of an attribute of a model so old that it does not say."""
    if attribute.ints:
        return INTS
    if attribute.floats:
        return FLOATS
    for field, kind in (("s", STRING), ("t", TENSOR), ("i", INT), ("f", FLOAT)):
        if attribute.HasField(field):
            return kind
    return 0


def bound(function: Any, call: Any) -> list[Any]:
    """Copies of a function's nodes, references to its attributes filled in."""
    given = {a.name: a for a in function.attribute_proto}
    given |= {a.name: a for a in call.attribute}
    made = []
    for node in function.node:
        copy = type(node)()
        copy.CopyFrom(node)
        _fill(copy, given)
        made.append(copy)
    return made


def _fill(node: Any, given: Mapping[str, Any]) -> None:
    """Fill in a node's references, and those of the graphs inside it."""
    for k in reversed(range(len(node.attribute))):
        attribute = node.attribute[k]
        if attribute.ref_attr_name:
            name, value = attribute.name, given.get(attribute.ref_attr_name)
            if value is None:  # an optional one that the call leaves out
                del node.attribute[k]
                continue
            attribute.CopyFrom(value)
            attribute.name = name
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                _fill(inner, given)
