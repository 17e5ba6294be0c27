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
from restride.models.files.wire import WireError
from restride.models.known import Extent, Known, Node, Numbers, numbers_of
from restride.models.movements.movement import Params
from restride.models.movements.tensorflow import TF_READERS
from restride.models.movements.tf_names import SOURCES
from restride.models.tensorflow.graphdef import Graph, Record
from restride.translate.meaning import applied

__all__ = ["Facts", "known_attributes"]

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
    *("Sqrt", "Square", "Tanh", "ZerosLike"),
)
"""Operators whose result has the shape of their first input."""

BROADCAST = (
    *("Add", "AddV2", "Div", "FloorDiv", "Maximum", "Minimum", "Mul", "Pow", "RealDiv"),
    *("SquaredDifference", "Sub"),
)
"""Operators of two inputs that broadcast as NumPy does."""

TYPES = ("DstT", "dtype", "T", "Tparams", "out_type", "SrcT")
"""Attributes that name the type of a result, the telling ones first."""

WORDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask"), int),
    **dict.fromkeys(("new_axis_mask", "shrink_axis_mask", "num_split"), int),
    **dict.fromkeys(("block_size", "batch_dims"), int),
    **dict.fromkeys(("mode", "data_format"), str),
    "squeeze_dims": tuple,
    "axis": (int, tuple),
}
"""Attributes that decide what a node moves, and what they are."""


def known_attributes(node: Record) -> dict[str, Any]:
    """Those attributes of a node that decide what it moves.

    Raises
    ------
    WireError
        One is of another kind than the operator has.
    """
    found: dict[str, Any] = {}
    for word, kind in WORDS.items():
        value = node.get(word) if word in node.attributes else None
        if isinstance(value, list):
            value = tuple(value)
        if value is None or node.op not in TF_READERS:
            continue
        ints = isinstance(value, tuple) and all(isinstance(v, int) for v in value)
        if not isinstance(value, kind) or (isinstance(value, tuple) and not ints):
            raise WireError(f"attribute {word} of node {node.name!r} is {value!r:.40}.")
        found[word] = value
    return found


MOVED = ("Identity", *TF_READERS)
"""Operators whose attribute T, where they have one, is the type of what they move."""


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
        """What is known of a node's data inputs; its T types what it moves."""
        found = [self._input(name) for name in node.data_inputs()]
        k, told = SOURCES.get(node.op, 0), node.get("T")
        if node.op in MOVED and k < len(found) and isinstance(told, str):
            found[k] = replace(found[k], dtype=found[k].dtype or told)
        return tuple(found)

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
                found[k] = replace(found[k], shape=shape)
        return found

    def _told(self, node: Record, inputs: tuple[Known, ...]) -> list[Known]:
        if node.op == "Const":
            value = node.get("value")
            if isinstance(value, Known):
                return [replace(value, name=node.name)]
        if node.op == "VarHandleOp":
            return [Known(node.name, "resource", ())]
        if node.op in ("Identity", "StopGradient") and inputs:
            return [replace(inputs[0], name=node.name)]
        if node.op in TF_READERS:
            return _moved(node, inputs)
        folded = FOLDED.get(node.op)
        numbers = None if folded is None else folded(node, inputs)
        shape = self._shape(node, inputs) if numbers is None else numbers.shape
        return [Known(node.name, _dtype(node), shape, numbers=numbers)]

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
    """The outputs of a node that moves, with the numbers they hold where few."""
    k = SOURCES.get(node.op, 0)
    source = inputs[k] if k < len(inputs) else Known("")
    dtype = source.dtype or _dtype(node)
    attributes = known_attributes(node)
    own = Node((), 0, node.name, node.op, "tensorflow", 0, attributes, inputs, ())
    try:
        outputs = TF_READERS[node.op](own, Params(own))
        if source.extents is None:
            return [Known(_name(node, n), dtype) for n in range(len(outputs))]
        chains = [_chain(steps, source.extents) for steps in outputs]
        return [
            Known(_name(node, n), dtype, c.shape, numbers=_picked(source, c))
            for n, c in enumerate(chains)
        ]
    except RestrideError:  # not defined here: the check says so
        return [Known(node.name, dtype)]


def _chain(steps: Sequence[Any], shape: tuple[int, ...]) -> Chain:
    """The chain of steps over an array; a region write leaves its shape."""
    chain = Chain.identity(shape)
    for step in steps:
        chain = applied(step, chain) or chain
    return chain


def _picked(source: Known, chain: Chain) -> Numbers | None:
    """The numbers of a small tensor after a movement: its places are moved instead."""
    numbers = numbers_of(source)
    holds = any(m.fills for m in chain.maps)
    if numbers is None or holds or prod(chain.shape) > MOST_FOLDED:
        return None
    places = np.arange(len(numbers.items)).reshape(numbers.shape)
    moved = View(places, chain).copy()
    return Numbers(chain.shape, tuple([numbers.items[k] for k in moved.ravel()]))


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


def _shape_op(node: Record, inputs: tuple[Known, ...]) -> Numbers | None:
    """Shape: the extents of its input, None for each that is open."""
    shape = inputs[0].shape if inputs else None
    if shape is None:
        return None
    items = tuple([n if isinstance(n, int) else None for n in shape])
    return Numbers((len(items),), items)


def _pack(node: Record, inputs: tuple[Known, ...]) -> Numbers | None:
    """Pack: single numbers as a list."""
    parts = _small(inputs)
    if parts is None or node.get("axis", 0) or any(part.shape for part in parts):
        return None
    return Numbers((len(parts),), tuple([part.items[0] for part in parts]))


def _concat(node: Record, inputs: tuple[Known, ...]) -> Numbers | None:
    """ConcatV2 of lists."""
    parts = _small(inputs[:-1])
    if parts is None or any(len(part.shape) != 1 for part in parts):
        return None
    items = tuple([item for part in parts for item in part.items])
    return Numbers((len(items),), items)


def _small(inputs: Sequence[Known]) -> list[Numbers] | None:
    """The numbers of every input, where all are known and few in all."""
    given = [numbers_of(value) for value in inputs]
    parts = [part for part in given if part is not None]
    few = sum(len(part.items) for part in parts) <= MOST_FOLDED
    return parts if parts and few and len(parts) == len(inputs) else None


FOLDED = {"Shape": _shape_op, "Pack": _pack, "ConcatV2": _concat}
"""Operators that make parameters of constants and shapes."""
