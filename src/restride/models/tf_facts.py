"""Types, shapes and small constants in a TensorFlow graph, as far as it tells them.

A node's outputs are told by its attributes, by what it moves, or by the shapes that
some writers note beside it (``_output_shapes``).  Nothing is guessed: what none of them
tells stays None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from restride.errors import RestrideError
from restride.layout.chain import Chain
from restride.lazy import View
from restride.models.graphdef import Graph, Record
from restride.models.known import Extent, Known
from restride.models.tf_moves import MOVES, SOURCES, chains
from restride.models.values import Unknown, array_of, held

__all__ = ["Facts", "known_attributes"]

Array = np.ndarray[Any, Any]
Shape = tuple[Extent, ...]

MOST_FOLDED = 128
"""Most elements of a constant made of others: two numbers for each of 64 axes."""

SCALAR_SHAPES_SINCE = 24
"""Producer version from which a Placeholder's empty shape means a scalar and not
"unknown" (tensorflow/core/ops/array_ops.cc, Placeholder)."""

SAME_SHAPE = (
    *("Abs", "BiasAdd", "Cast", "Ceil", "CheckNumerics", "Elu", "Exp", "Floor", "Log"),
    *("LeakyRelu", "LogSoftmax", "Neg", "OnesLike", "PreventGradient", "Relu", "Relu6"),
    *("Round", "Rsqrt", "Selu", "Sigmoid", "Sign", "Snapshot", "Softmax", "Softplus"),
    *("Sqrt", "Square", "StopGradient", "Tanh", "ZerosLike"),
)
"""Operators whose result has the shape of their first input."""

BROADCAST = (
    *("Add", "AddV2", "Div", "FloorDiv", "Maximum", "Minimum", "Mul", "Pow", "RealDiv"),
    *("SquaredDifference", "Sub"),
)
"""Operators of two inputs that broadcast as NumPy does."""

TYPES = ("DstT", "dtype", "T", "Tparams", "out_type", "SrcT")
"""Attributes that name the type of a result, the telling ones first."""

WORDS = (
    *(f"{m}_mask" for m in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")),
    *("mode", "num_split", "block_size", "data_format", "squeeze_dims", "axis"),
    "batch_dims",
)
"""Attributes that decide what a node moves."""


def known_attributes(node: Record) -> dict[str, Any]:
    """Those attributes of a node that decide what it moves."""
    return {w: node.get(w) for w in WORDS if w in node.attributes}


class Facts:
    """What is known of every tensor of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.producer = graph.producer
        self.nodes = {node.name: node for node in graph.nodes}
        self.arguments = {value.name: value for value in graph.arguments}
        self.outputs: dict[str, list[Known]] = {}
        for node in _in_order(graph.nodes, self.nodes):
            self.outputs[node.name] = self._outputs(node)

    def inputs(self, node: Record) -> tuple[Known, ...]:
        """What is known of a node's data inputs."""
        return tuple(self._input(name) for name in node.data_inputs())

    def _input(self, name: str) -> Known:
        """The tensor that an input names: "node", "node:2" or "node:part:2"."""
        owner, _, rest = name.partition(":")
        if owner in self.arguments:
            return self.arguments[owner]
        number = rest.rpartition(":")[2]
        k = int(number) if number.isdecimal() and len(number) < 6 else 0
        known = self.outputs.get(owner, [])
        return known[k] if k < len(known) else Known(name)

    def _outputs(self, node: Record) -> list[Known]:
        inputs = self.inputs(node)
        found = self._told(node, inputs)
        noted = node.get("_output_shapes", [])
        if not isinstance(noted, list):
            return found
        for k, shape in enumerate(noted):
            if k == len(found):
                found.append(Known(_name(node, k), _dtype(node)))
            if found[k].shape is None and isinstance(shape, tuple):
                found[k] = Known(found[k].name, found[k].dtype, shape)
        return found

    def _told(self, node: Record, inputs: tuple[Known, ...]) -> list[Known]:
        if node.op in MOVES:
            return _moved(node, inputs)
        if node.op == "Const":
            value = node.get("value")
            if isinstance(value, Known):
                return [replace(value, name=node.name)]
        if node.op == "VarHandleOp":
            return [Known(node.name, "resource", ())]
        shape, array = self._shape(node, inputs), None
        folded = FOLDED.get(node.op)
        if folded is not None:
            array = folded(node, inputs)
        if array is not None:
            return [held(node.name, array)]
        return [Known(node.name, _dtype(node), shape)]

    def _shape(self, node: Record, inputs: tuple[Known, ...]) -> Shape | None:
        if node.op in ("Placeholder", "PlaceholderWithDefault"):
            given = node.get("shape")
            old = given == () and self.producer < SCALAR_SHAPES_SINCE
            return given if isinstance(given, tuple) and not old else None
        if node.op in SAME_SHAPE and inputs:
            return inputs[0].shape
        if node.op in BROADCAST and len(inputs) == 2:
            return _broadcast(inputs[0].shape, inputs[1].shape)
        return None


def _in_order(nodes: Sequence[Record], named: dict[str, Record]) -> Iterator[Record]:
    """Every node after those it reads; round a loop, in the order of the file."""
    seen: set[str] = set()
    for first in nodes:
        stack = [(first, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                yield node
            elif node.name not in seen:
                seen.add(node.name)
                stack.append((node, True))
                owners = (name.partition(":")[0] for name in node.data_inputs())
                stack += [(named[o], False) for o in owners if o in named]


def _name(node: Record, k: int) -> str:
    return f"{node.name}:{k}" if k else node.name


def _dtype(node: Record) -> str | None:
    found = (node.get(word) for word in TYPES)
    return next((f for f in found if isinstance(f, str)), None)


def _moved(node: Record, inputs: tuple[Known, ...]) -> list[Known]:
    """The outputs of a node that moves, a small constant's elements among them."""
    k = SOURCES.get(node.op, 0)
    source = inputs[k] if k < len(inputs) else Known("")
    dtype = source.dtype or _dtype(node)
    try:
        moves = chains(node.op, inputs, known_attributes(node))
    except (Unknown, RestrideError):
        return [Known(node.name, dtype)]
    array = array_of(source)
    found = []
    for n, chain in enumerate(moves):
        made = _run(array, chain)
        name = _name(node, n)
        found.append(
            Known(name, dtype, chain.shape) if made is None else held(name, made, dtype)
        )
    return found


def _run(array: Array | None, chain: Chain) -> Array | None:
    """The elements of a constant after the movement, where they are few."""
    if array is None or prod(chain.shape) > MOST_FOLDED:
        return array if chain == Chain.identity(chain.shape) else None
    return View(array, chain).copy()


def _broadcast(a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of two operands; an extent that may be 1 at run time stays open."""
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True)
    return tuple(_wider(x, y) for x, y in pairs)


def _wider(x: Extent, y: Extent) -> Extent:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    return next((n for n in (x, y) if n is not None and n != 1), None)


# ------------------------------------------------------------------ small constants


def _shape_op(node: Record, inputs: tuple[Known, ...]) -> Array | None:
    """Shape: the extents of its input, where all are known."""
    shape = inputs[0].shape if inputs else None
    if shape is None or None in shape:
        return None
    try:
        return np.array(shape, node.get("out_type") or "int32")
    except (OverflowError, TypeError):
        return None


def _pack(node: Record, inputs: tuple[Known, ...]) -> Array | None:
    """Pack: constants of one shape as the rows of one more."""
    arrays = _small(inputs)
    return None if arrays is None or node.get("axis", 0) else _joined(np.stack, arrays)


def _concat(node: Record, inputs: tuple[Known, ...]) -> Array | None:
    """ConcatV2 of lists."""
    arrays = _small(inputs[:-1])
    if arrays is None or any(a.ndim != 1 for a in arrays):
        return None
    return _joined(np.concatenate, arrays)


def _small(inputs: Sequence[Known]) -> list[Array] | None:
    given = [array_of(value) for value in inputs]
    arrays = [array for array in given if array is not None]
    if not arrays or len(arrays) < len(inputs):
        return None
    return arrays if sum(a.size for a in arrays) <= MOST_FOLDED else None


def _joined(how: Any, arrays: list[Array]) -> Array | None:
    try:
        made: Array = how(arrays)
    except (TypeError, ValueError):  # the shapes or types do not fit: no sound graph
        return None
    return made


FOLDED = {"Shape": _shape_op, "Pack": _pack, "ConcatV2": _concat}
"""Operators that make parameters of constants and shapes."""
