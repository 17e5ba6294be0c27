"""The attributes of a node, and those that a function's body takes from its call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from restride.models.files.tensors import Store
from restride.models.onnx.protos import copied
from restride.models.texts import as_text

__all__ = ["attributes_of", "bound"]

FLOAT, INT, STRING, TENSOR = 1, 2, 3, 4
FLOATS, INTS, STRINGS = 6, 7, 8
"""onnx.proto, AttributeProto.AttributeType."""

VALUES: Mapping[int, Callable[[Any, Store], Any]] = {
    FLOAT: lambda attribute, store: float(attribute.f),
    INT: lambda attribute, store: int(attribute.i),
    STRING: lambda attribute, store: as_text(attribute.s),
    TENSOR: lambda attribute, store: store.constant(attribute.t),
    FLOATS: lambda attribute, store: tuple(attribute.floats),
    INTS: lambda attribute, store: tuple(attribute.ints),
    STRINGS: lambda attribute, store: tuple(map(as_text, attribute.strings)),
}
"""How an attribute of each type is read."""


def attributes_of(proto: Any, store: Store) -> Mapping[str, Any]:
    """Names and values; graphs and what is rare are left out."""
    found: dict[str, Any] = {}
    for attribute in proto.attribute:
        value = VALUES.get(attribute.type or _guessed(attribute))
        if value is not None:
            found[as_text(attribute.name)] = value(attribute, store)
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
        made.append(copied(node))
        _fill(made[-1], given)
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
