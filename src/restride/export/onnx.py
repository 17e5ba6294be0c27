"""Nodes written as an ONNX model: protos, names and versions.

The one module of this room that needs the onnx package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from restride.checks import as_index
from restride.constants import constant_bytes
from restride.errors import ShapeError, UnsupportedError
from restride.export.choice import Choice, chosen
from restride.export.nodes import FLOW, Dense, Held, Node, Operand, Table
from restride.export.types import kind_of
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.packages import needed

__all__ = [
    "LEAST_IR",
    "LEAST_OPSET",
    "Protos",
    "Writer",
    "export",
    "model_around",
    "model_of",
    "need_onnx",
    "put",
    "reason",
    "save",
]

LEAST_OPSET = 8
"""The first opset with Expand."""

USUAL_OPSETS = (13, 21, 23, 24, 25, 26)
"""Tried in turn where the caller names none: the oldest that can serves most."""

LEAST_IR = 4
"""The first format in which constants of a graph need not be its inputs too."""

AXES_AS_INPUT = 13
"""Squeeze and Unsqueeze take their axes as an input from this opset on."""

PAD_INPUTS = 11
"""Pad takes its pads and its constant as inputs from this opset on."""

SLICE_INPUTS = 10
"""Slice takes its lists as inputs from this opset on."""

BITS = {"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2}
"""Types that a TensorProto packs, the first element in the lowest bits."""

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def need_onnx() -> Any:
    """The onnx package.

    Raises
    ------
    UnsupportedError
        It is not installed.
    """
    return needed("onnx", "onnx", "An ONNX model")


def export(
    chain: Chain,
    dtype: np.dtype[Any],
    path: Any,
    opset: Any,
    names: tuple[str, str],
) -> Any:
    """A model of `chain`, written to `path` too where one is given."""
    version = None if opset is None else as_index(opset, "opset")
    model = model_of(chain, dtype, version, *names)
    if path is not None:
        save(model.SerializeToString(), path)
    return model


def save(data: bytes, path: Any) -> None:
    """Write a file beside its place, then rename it, so that no half of it is seen.

    Raises
    ------
    UnsupportedError
        It cannot be written there.
    """
    try:
        put(data, path)
    except (OSError, TypeError, ValueError) as error:
        shown = os.fspath(path) if isinstance(path, os.PathLike) else path
        raise UnsupportedError(f"cannot write {shown!r}: {reason(error)}.") from None


def put(data: bytes, path: Any) -> None:
    """Write a file so, and raise what the system raises."""
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(data)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def reason(error: Exception) -> str:
    """What the system says, without the name of the file beside."""
    return getattr(error, "strerror", None) or str(error)


def model_of(
    chain: Chain,
    dtype: np.dtype[Any],
    opset: int | None,
    input_name: str,
    output_name: str,
) -> Any:
    """A ModelProto of one graph: `chain` over an input of `dtype`.

    Raises
    ------
    UnsupportedError
        The onnx package is missing, or no operators of the opset say it.
    DTypeError
        ONNX has no such type.
    ShapeError
        The opset is none that this onnx package knows, or names are no names.
    """
    onnx = need_onnx()
    helper = import_module("onnx.helper")
    for name in (input_name, output_name):
        if not isinstance(name, str) or not name:
            raise ShapeError(f"{name!r} is no name of a tensor; give a text.")
    if input_name == output_name:
        raise ShapeError(f"input and output are both named {input_name!r}.")
    kind = kind_of(dtype)
    version, choice = _choice(chain, kind, opset, onnx.defs.onnx_opset_version())
    writer = Writer(onnx, version, kind, dtype.newbyteorder("="), choice)
    protos = writer.write(input_name, output_name)
    elements = getattr(onnx.TensorProto, kind)
    source = helper.make_tensor_value_info(input_name, elements, chain.source_shape)
    result = helper.make_tensor_value_info(output_name, elements, chain.shape)
    graph = helper.make_graph(
        protos.nodes, "restride", [source], [result], protos.constants
    )
    return model_around(graph, version)


def model_around(graph: Any, opset: int) -> Any:
    """A ModelProto of one graph, in the oldest format that has its opset."""
    helper = import_module("onnx.helper")
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="restride")
    model.ir_version = max(helper.find_min_ir_version_for(opsets), LEAST_IR)
    return model


def _choice(
    chain: Chain, kind: str, opset: int | None, newest: int
) -> tuple[int, Choice]:
    """The nodes, at the opset asked for or the oldest usual one that has them."""
    if opset is not None and not LEAST_OPSET <= opset <= newest:
        raise ShapeError(
            f"opset = {opset}; this onnx package takes {LEAST_OPSET} to {newest}."
        )
    usual = [version for version in USUAL_OPSETS if version <= newest]
    for version in usual if opset is None else [opset]:
        choice = chosen(chain, kind, version)
        if choice is not None:
            return version, choice
    where = f"opset {opset}" if opset is not None else f"opsets up to {usual[-1]}"
    raise UnsupportedError(
        f"no ONNX operators of {where} move {kind.lower()} this way exactly; use a "
        "newer opset (BitCast is of opset 26), or a wider type."
    )


class Protos:
    """What a graph is to hold: nodes in order, and constants by name."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []


class Writer:
    """Writes chosen nodes as protos; names are made of the output's."""

    def __init__(
        self, onnx: Any, opset: int, kind: str, dtype: np.dtype[Any], choice: Choice
    ) -> None:
        self.onnx, self.opset, self.dtype = onnx, opset, dtype
        self.helper = import_module("onnx.helper")
        self.choice = choice
        self.kind = kind
        self.moved = kind if choice.detour is None else choice.detour.kind
        self.made = Protos()
        self.names: Iterator[str] = iter(())

    def write(
        self, source: str, result: str, names: Iterator[str] | None = None
    ) -> Protos:
        """The protos that make `result` of `source`; Identity where nothing changes.

        `names` gives names for what stands between.
        """
        nodes = self.choice.nodes
        self.made = Protos()
        self.names = names or (f"{result}_{k}" for k in count(1))
        if not nodes:
            nodes = [Node("Identity", (FLOW,), (), ())]
        at = source
        for k, node in enumerate(nodes):
            output = result if k == len(nodes) - 1 else next(self.names)
            self._node(node, at, output)
            at = output
        return self.made

    def _node(self, node: Node, at: str, output: str) -> None:
        operands, attributes = self._words(node)
        inputs = [self._operand(operand, at) for operand in operands]
        proto = self.helper.make_node(node.op, inputs, [output])
        for name, value in attributes.items():
            proto.attribute.append(self._attribute(node, name, value))
        self.made.nodes.append(proto)

    def _words(self, node: Node) -> tuple[Sequence[Operand], dict[str, Any]]:
        """Inputs and attributes, which changed places as opsets went by."""
        words = dict(node.attributes)
        since = {
            "Squeeze": (AXES_AS_INPUT, ("axes",)),
            "Unsqueeze": (AXES_AS_INPUT, ("axes",)),
            "Pad": (PAD_INPUTS, ("pads", "value")),
            "Slice": (SLICE_INPUTS, ("starts", "ends", "axes")),
        }
        opset, names = since.get(node.op, (0, ()))
        if self.opset >= opset:
            return node.inputs, words
        for name, operand in zip(names, node.inputs[1:], strict=False):
            words[name] = operand
        return node.inputs[:1], words

    def _attribute(self, node: Node, name: str, value: Any) -> Any:
        if name == "to":
            value = getattr(self.onnx.TensorProto, value)
        elif isinstance(value, Table):
            value = numbers(value).tolist()
        elif name == "value" and node.op == "Pad":
            value = float(self._element(value.constants[0]))
        elif isinstance(value, Held):
            value = self._held(value)
        elif isinstance(value, tuple):
            value = list(value)
        if value == []:
            kind = self.onnx.AttributeProto.INTS
            return self.helper.make_attribute(name, value, attr_type=kind)
        return self.helper.make_attribute(name, value)

    def _operand(self, operand: Operand, at: str) -> str:
        """The name by which an input is read; constants are noted on the way."""
        if operand is None:
            return at
        name = next(self.names)
        if isinstance(operand, Node):
            self._node(operand, at, name)
            return name
        if isinstance(operand, Held):
            tensor = self._held(operand)
        else:
            tensor = self._tensor("INT64", operand.shape, numbers(operand).tobytes())
        tensor.name = name
        self.made.constants.append(tensor)
        return name

    def _held(self, held: Held) -> Any:
        """Constants of the type in which elements move."""
        elements = [self._element(constant) for constant in held.constants]
        if self.kind == "STRING":
            tensor = self._tensor("STRING", held.shape, None)
            tensor.string_data.extend([str(e).encode() for e in elements])
            return tensor
        raw = b"".join(self._raw(element) for element in elements)
        if self.moved in BITS:
            raw = packed(raw, BITS[self.moved])
        return self._tensor(self.moved, held.shape, raw)

    def _element(self, constant: Constant) -> Any:
        """The constant as an element of the data's own type."""
        raw = constant_bytes(constant.value, self.dtype)
        return np.frombuffer(raw, self.dtype)[0]

    def _raw(self, element: Any) -> bytes:
        """Its little-endian bytes in the type in which it moves."""
        detour = self.choice.detour
        if detour is not None and detour.op == "Cast":
            wide = {"INT8": "i1", "UINT8": "u1", "INT32": "i4", "FLOAT": "f4"}
            element = element.astype(wide[detour.kind])
        array = np.asarray(element)
        if np.little_endian:
            return array.tobytes()
        return array.astype(array.dtype.newbyteorder("<")).tobytes()

    def _tensor(self, kind: str, shape: Shape, raw: bytes | None) -> Any:
        tensor = self.onnx.TensorProto()
        tensor.data_type = getattr(self.onnx.TensorProto, kind)
        tensor.dims.extend(shape)
        if raw is not None:
            tensor.raw_data = raw
        return tensor


def numbers(table: Table | Dense) -> Array:
    """The positions of a table, little-endian."""
    if isinstance(table, Dense):
        made: Array = table.make().astype("<i8")
        return made
    runs = [b + s * np.arange(n, dtype="<i8") for b, s, n in table.runs]
    return np.concatenate(runs or [np.zeros(0, "<i8")]).astype("<i8")


def packed(raw: bytes, bits: int) -> bytes:
    """Elements of fewer bits, which NumPy holds in a byte each, packed.

    Examples
    --------
    >>> packed(bytes([0x01, 0xFF, 0x03]), 4).hex()
    'f103'
    """
    per, mask = 8 // bits, (1 << bits) - 1
    groups = (raw[k : k + per] for k in range(0, len(raw), per))
    return bytes(sum((b & mask) << bits * j for j, b in enumerate(g)) for g in groups)
