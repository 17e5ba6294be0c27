"""Every node of an ONNX model, with what is known of it.

The main graph, the graphs inside If, Loop and Scan, and the bodies of functions where
they are called, each with the names, shapes, types and constants that it sees.

>>> import onnx.parser
>>> from restride.models.files.reading import read_model
>>> m = read_model(onnx.parser.parse_model('''
...     <ir_version: 8, opset_import: ["" : 18]> g (float[3, 4] x) => (float[N, M] y) {
...         y = Transpose <perm = [1, 0]> (x) }'''))
>>> [(n.op, n.inputs[0].shape, n.outputs[0].shape) for n in walk(m)]
[('Transpose', (3, 4), (4, 3))]
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from restride.models.errors import ModelError
from restride.models.files.reading import Model
from restride.models.files.tensors import Store
from restride.models.known import FUNCTION, Known, Node
from restride.models.onnx.attributes import attributes_of, bound
from restride.models.onnx.calls import (
    MOST_DEPTH,
    called_id,
    check_functions,
    function_id,
)
from restride.models.onnx.folding import folded
from restride.models.onnx.inferring import inferred
from restride.models.onnx.protos import named_graphs
from restride.models.onnx.shapes import of_type
from restride.models.texts import as_text

__all__ = ["Walk", "walk"]

OWN = ("", "ai.onnx")
"""Names of ONNX's own domain."""

MOST_SECONDS = 60.0
"""Longest inference of shapes in all; what is not known then stays so."""

Opsets = Mapping[str, int]


def walk(model: Model, *, infer: bool = True) -> Iterator[Node]:
    """Every node of a model, in the order in which graphs hold them.

    Parameters
    ----------
    model : Model
        Of kind "onnx".
    infer : bool
        Fill in shapes that the model does not say.

    Raises
    ------
    ModelError
        It is no ONNX model; more nodes, or deeper nesting, than is walked; functions
        that call each other in a circle.
    """
    return iter(Walk(model, infer))


class Walk:
    """A walk over a model; `note` tells what could not be inferred.

    Iterating gives a :class:`Node` for each node.
    """

    def __init__(self, model: Model, infer: bool = True) -> None:
        if model.kind != "onnx":
            raise ModelError(model.name, f"its kind is {model.kind}; ONNX is walked.")
        self.model, self.store = model, model.store
        self.functions = {function_id(f): f for f in model.proto.functions}
        self.infer = infer
        self.note = ""
        """Why some shapes are unknown, or ""."""
        self.until = 0.0
        """When inference ends, once it has begun."""
        check_functions(self.functions, model.proto.graph.node, model.name)

    def __iter__(self) -> Iterator[Node]:
        proto = self._inferred(self.model.proto)
        opsets = _opsets(proto.opset_import)
        given = {} if proto.ir_version >= 4 else dict.fromkeys(_names(proto.graph))
        yield from self._graph(proto.graph, _Scope(self, opsets), frozenset(given))

    def _inferred(self, proto: Any) -> Any:
        self.until = self.until or time.monotonic() + MOST_SECONDS
        if not self.infer or self.note:
            return proto
        made, why = inferred(proto, self.until - time.monotonic())
        self.note = self.note or why
        return made

    def _graph(
        self, graph: Any, scope: _Scope, fixed: frozenset[str] = frozenset()
    ) -> Iterator[Node]:
        """The nodes of a graph; `fixed` names inputs that initialisers decide."""
        scope.enter(graph, fixed)
        yield from self._nodes(graph.node, scope)

    def _nodes(self, nodes: Sequence[Any], scope: _Scope) -> Iterator[Node]:
        for index, proto in enumerate(nodes):
            node = scope.node(index, proto)
            yield node
            yield from self._inside(node, proto, scope)

    def _inside(self, node: Node, proto: Any, scope: _Scope) -> Iterator[Node]:
        """What lies in a node: graphs among its attributes, or a function's body."""
        for name, graph in named_graphs(proto):
            place = f"{node.op} {node.label} ({as_text(name)})"
            yield from self._graph(graph, scope.inner(place))
        called = self.functions.get(called_id(proto))
        if called is not None:
            yield from self._call(node, proto, called, scope)

    def _call(
        self, node: Node, proto: Any, function: Any, scope: _Scope
    ) -> Iterator[Node]:
        """The body of a function, with what is known where it is called."""
        place = f"{node.op} {node.label} {FUNCTION}"
        inner = _Scope(self, _opsets(function.opset_import), (*scope.path, place))
        inner.check_depth()
        body = self._body(node, proto, function)
        for name, known in zip(function.input, node.inputs, strict=False):
            if known is not None:
                inner.values[as_text(name)] = replace(known, name=as_text(name))
        yield from self._graph(body, inner)

    def _body(self, node: Node, proto: Any, function: Any) -> Any:
        """A function's body as a graph, its attributes those of the call."""
        from restride.models.onnx.bodies import body_of

        made = body_of(self.model.proto, function, node.inputs)
        made.graph.ClearField("node")
        made.graph.node.extend(bound(function, proto))
        return self._inferred(made).graph


@dataclass
class _Scope:
    """The names that a graph sees."""

    walk: Walk
    opsets: Opsets
    path: tuple[str, ...] = ()
    outer: _Scope | None = None

    def __post_init__(self) -> None:
        self.values: dict[str, Known] = {}
        self.types: dict[str, Any] = {}

    @property
    def store(self) -> Store:
        """Where constants have their values."""
        return self.walk.store

    def inner(self, place: str) -> _Scope:
        """The scope of a graph inside this one."""
        made = _Scope(self.walk, self.opsets, (*self.path, place), self)
        made.check_depth()
        return made

    def check_depth(self) -> None:
        """Refuse what is nested deeper than any model is."""
        if len(self.path) > MOST_DEPTH:
            raise ModelError(
                self.walk.model.name, f"it is nested deeper than {MOST_DEPTH} graphs."
            )

    def enter(self, graph: Any, fixed: frozenset[str]) -> None:
        """What the graph says of its values before any node."""
        for info in (*graph.value_info, *graph.output, *graph.input):
            self.types[as_text(info.name)] = info.type
        given = _names(graph)
        for name in given:
            known = of_type(name, self.types[name])
            here = self.values.get(name)
            origin = f"an input of {'its graph' if self.path else 'the model'}"
            self.values[name] = here or replace(known, origin=origin)
        for tensor in graph.initializer:
            name = as_text(tensor.name)
            if name not in given or name in fixed:
                constant = self.store.constant(tensor)
                self.values[name] = Known(
                    name, constant.dtype, constant.shape, constant, origin="the model"
                )

    def find(self, name: str) -> Known | None:
        """What is known of a name, here or in the graphs around; None of no name."""
        if not name:
            return None
        at: _Scope | None = self
        while at is not None:
            if name in at.values:
                return at.values[name]
            at = at.outer
        return of_type(name, self.types.get(name))

    def node(self, index: int, proto: Any) -> Node:
        """A node as it stands here; its outputs are known from now on."""
        domain = "" if proto.domain in OWN else as_text(proto.domain)
        node = Node(
            self.path,
            index,
            as_text(proto.name),
            as_text(proto.op_type),
            domain,
            self.opsets.get(domain, 0),
            attributes_of(proto, self.store),
            tuple([self.find(as_text(name)) for name in proto.input]),
            tuple([self._output(as_text(name), proto) for name in proto.output]),
            proto,
        )
        outputs = folded(node)
        for known in outputs:
            if known is not None:
                self.values[known.name] = known
        return replace(node, outputs=outputs)

    def _output(self, name: str, proto: Any) -> Known | None:
        if not name:
            return None
        label = as_text(proto.name or next(iter(proto.output), ""))
        known = of_type(name, self.types.get(name))
        return replace(known, origin=f"{as_text(proto.op_type)} {label}")


def _names(graph: Any) -> set[str]:
    return {as_text(info.name) for info in graph.input}


def _opsets(imports: Any) -> Opsets:
    found: dict[str, int] = {}
    for entry in imports:
        domain = "" if entry.domain in OWN else as_text(entry.domain)
        found[domain] = max(int(entry.version), found.get(domain, 0))
    return found
