"""TensorFlow's graphs, read without TensorFlow: nodes, functions, their arguments.

A GraphDef is a list of nodes and a library of functions, each a list of nodes again; a
SavedModel holds one GraphDef per set of tags.  Attributes stay bytes until asked for,
so weights are passed over.  Numbers of fields are those of graph.proto, node_def.proto,
function.proto, op_def.proto, attr_value.proto (tensorflow/core/framework) and
saved_model.proto, meta_graph.proto (tensorflow/core/protobuf).

>>> node = b"\\x0a\\x01y" + b"\\x12\\x07Reshape" + b"\\x1a\\x01x"
>>> [graph] = graphs(memoryview(b"\\x0a" + bytes([len(node)]) + node))
>>> graph.nodes[0].op, graph.nodes[0].inputs
('Reshape', ['x'])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from restride.models.files.messages import Entry, entries, packed, signed, text, within
from restride.models.files.wire import WireError
from restride.models.known import Known
from restride.models.tensorflow.tensor_proto import (
    Shape,
    dtype_of,
    read_shape,
    read_tensor,
)

__all__ = ["Graph", "Record", "graphs"]

MOST_NODES = 250_000
"""Most nodes of all graphs and functions of a file; models have some ten thousand."""

MOST_FIELDS = 4_000_000
"""Most fields of all nodes."""

MOST_OUTPUTS = 4_096
"""Most shapes in a node's list of them."""

KINDS = {2: "s", 3: "i", 4: "f", 5: "b", 6: "type", 7: "shape", 8: "tensor", 1: "list"}
"""Fields of AttrValue; those of its ListValue have the same numbers."""


@dataclass(slots=True)
class Record:
    """A node as the file has it."""

    name: str = ""
    op: str = ""
    inputs: list[str] = field(default_factory=list)
    attributes: dict[str, memoryview] = field(default_factory=dict)
    """Bytes of an AttrValue by the attribute's name."""

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute: a number, text, type's name, shape, Known, or list of these."""
        message = self.attributes.get(name)
        return default if message is None else attribute(message, default)

    def data_inputs(self) -> list[str]:
        """Its inputs without those that only say what runs before it."""
        return [name for name in self.inputs if not name.startswith("^")]


@dataclass(slots=True)
class Graph:
    """The main graph, or a function of the library."""

    scope: tuple[str, ...]
    """Empty, or the function's name."""
    nodes: list[Record] = field(default_factory=list)
    arguments: list[Known] = field(default_factory=list)
    """A function's inputs by name."""
    producer: int = 0
    """Version of the library that wrote the graph, as VersionDef counts them."""


def graphs(data: memoryview, saved_model: bool = False) -> list[Graph]:
    """All graphs of a GraphDef, or of a SavedModel's every MetaGraphDef.

    Raises
    ------
    WireError
        The bytes are no such message, or hold more nodes than any model has.
    """
    reader = _Reader()
    found: list[Graph] = []
    for graph_def in _graph_defs(data) if saved_model else [data]:
        found += reader.graph_def(graph_def)
    return found


def _graph_defs(data: memoryview) -> Iterator[memoryview]:
    """The graph of each MetaGraphDef of a SavedModel."""
    for number, value in entries(data):
        if number == 2:
            for inner, entry in entries(within(value)):
                if inner == 2:
                    yield within(entry)


class _Reader:
    """Counts what is read, so that a file cannot make itself larger than it is."""

    def __init__(self) -> None:
        self.nodes = 0
        self.fields = 0

    def graph_def(self, data: memoryview) -> list[Graph]:
        main = Graph(())
        functions: list[Graph] = []
        for number, value in entries(data):
            if number == 1:
                main.nodes.append(self.node(within(value)))
            elif number == 2:
                functions += [
                    self.function(within(entry))
                    for inner, entry in entries(within(value))
                    if inner == 1
                ]
            elif number == 4:
                for inner, entry in entries(within(value)):
                    main.producer = signed(entry) if inner == 1 else main.producer
        for graph in functions:
            graph.producer = main.producer
        return [main, *functions]

    def counted(self, message: memoryview) -> Iterator[tuple[int, Entry]]:
        for entry in entries(message):
            self.fields += 1
            if self.fields > MOST_FIELDS:
                raise WireError(f"its nodes have more than {MOST_FIELDS} fields.")
            yield entry

    def node(self, message: memoryview) -> Record:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise WireError(f"it has more than {MOST_NODES} nodes.")
        found = Record()
        for number, value in self.counted(message):
            if number == 1:
                found.name = text(value)
            elif number == 2:
                found.op = text(value)
            elif number == 3:
                found.inputs.append(text(value))
            elif number == 5:
                key, entry = _pair(within(value))
                found.attributes[key] = entry
        return found

    def function(self, message: memoryview) -> Graph:
        """A FunctionDef: signature 1, nodes 3, attributes 5, those of arguments 7."""
        graph, signature = Graph(()), memoryview(b"")
        shapes: list[Shape | None] = []
        own: dict[int, Shape | None] = {}
        for number, value in self.counted(message):
            if number == 1:
                signature = within(value)
            elif number == 3:
                graph.nodes.append(self.node(within(value)))
            elif number == 5:
                key, entry = _pair(within(value))
                if key == "_input_shapes":
                    shapes = _shapes(attribute(entry))
            elif number == 7:
                self.argument(within(value), own)
        name, graph.arguments = self.signature(signature, shapes, own)
        graph.scope = (name,)
        return graph

    def argument(self, message: memoryview, own: dict[int, Shape | None]) -> None:
        """An entry of arg_attr: the argument's number, and its attributes."""
        index = 0
        for number, value in self.counted(message):
            if number == 1:
                index = signed(value)
            elif number == 2:
                pairs = (
                    _pair(within(e)) for n, e in self.counted(within(value)) if n == 1
                )
                for key, entry in pairs:
                    if key == "_output_shapes":
                        own[index] = (_shapes(attribute(entry)) or [None])[0]

    def signature(
        self,
        message: memoryview,
        shapes: list[Shape | None],
        own: dict[int, Shape | None],
    ) -> tuple[str, list[Known]]:
        """Name and arguments of an OpDef."""
        title = ""
        arguments: list[Known] = []
        for number, value in self.counted(message):
            if number == 1:
                title = text(value)
            elif number == 2:
                k = len(arguments)
                shape = own.get(k, shapes[k] if k < len(shapes) else None)
                arguments.append(_argument(within(value), shape))
        return title, arguments


def _argument(message: memoryview, shape: Shape | None) -> Known:
    name, dtype = "", None
    for number, value in entries(message):
        if number == 1:
            name = text(value)
        elif number == 3:
            dtype = dtype_of(signed(value))
    return Known(name, dtype, shape)


def _pair(message: memoryview) -> tuple[str, memoryview]:
    """Key and value of an entry of a map."""
    key, found = "", memoryview(b"")
    for number, value in entries(message):
        if number == 1:
            key = text(value)
        elif number == 2:
            found = within(value)
    return key, found


def _shapes(given: Any) -> list[Shape | None]:
    """What is a list of shapes, of a list of anything."""
    return [s for s in given if s is None or isinstance(s, tuple)] if given else []


def attribute(message: memoryview, default: Any = None) -> Any:
    """An AttrValue: the one field it has; a function's or an empty one is `default`."""
    for number, value in entries(message):
        kind = KINDS.get(number)
        if kind == "list":
            return _list(within(value))
        if kind is not None:
            return _one(kind, value)
    return default


def _list(message: memoryview) -> list[Any]:
    found: list[Any] = []
    for number, value in entries(message):
        kind = KINDS.get(number)
        if kind in ("i", "b"):
            found += packed(value, MOST_OUTPUTS)
        elif kind == "type":
            found += [dtype_of(int(n)) for n in packed(value, MOST_OUTPUTS)]
        elif kind in ("s", "shape"):
            found.append(_one(kind, value))
        if len(found) > MOST_OUTPUTS:
            raise WireError(f"an attribute lists more than {MOST_OUTPUTS} values.")
    return found


def _one(kind: str, value: Entry) -> Any:
    if kind == "i":
        return signed(value)
    if kind == "b":
        return bool(signed(value))
    if kind == "type":
        return dtype_of(signed(value))
    if kind == "s":
        return text(value)
    if kind == "f":
        data = within(value)
        return float(np.frombuffer(data, "<f4")[0]) if len(data) == 4 else None
    if kind == "shape":
        return read_shape(within(value))
    return read_tensor("", within(value))
