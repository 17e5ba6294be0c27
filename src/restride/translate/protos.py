"""ONNX nodes: from calls to what a NodeProto holds, and from NodeProtos to calls.

What is read needs only the fields of a NodeProto; what is made needs the onnx package.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from importlib import import_module
from math import prod
from typing import Any, NamedTuple

from restride.errors import UnsupportedError
from restride.packages import needed
from restride.translate.errors import RefusedError, SpecError
from restride.translate.spec import Call, shown_value
from restride.translate.values import Cells, Grid, Runs

__all__ = ["Constant", "Node", "calls_of", "nodes_of", "parts_of"]

SLOTS = {
    "Slice": ("starts", "ends", "axes", "steps"),
    "Pad": ("pads", "constant_value", "axes"),
    "Squeeze": ("axes",),
    "Unsqueeze": ("axes",),
}
"""Inputs after the first that are numbers, in ONNX's order."""

INPUTS_SINCE = {"Slice": 10, "Pad": 11, "Squeeze": 13, "Unsqueeze": 13, "Reshape": 5}
"""The opset from which these operators take their numbers as inputs."""

ALWAYS_INPUTS = {
    "Gather": ("indices",),
    "ScatterND": ("indices",),
    "Expand": ("shape",),
}

CAST_LIKE = 15
"""The opset that brought CastLike, which gives a constant the input's type."""

FIELDS = {1: "f", 2: "i", 3: "s", 4: "t", 6: "floats", 7: "ints"}
"""The field of an AttributeProto by its type's number."""

UNPACKED = {1: ("f", "float_data"), 6: ("i", "int32_data"), 7: ("q", "int64_data")}
UNPACKED[11] = ("d", "double_data")
"""The element of a TensorProto's raw bytes and its list, by data type."""


class Constant(NamedTuple):
    """A tensor that a node reads: its name, type, shape and flat values."""

    name: str
    kind: str
    shape: tuple[int, ...]
    values: list[Any]


class Node(NamedTuple):
    """A node before it is written: the constants it needs stand before it."""

    op: str
    inputs: list[str]
    output: str
    attributes: dict[str, Any]
    constants: list[Constant]


def parts_of(calls: Sequence[Call], opset: int, dtype: str | None) -> Iterator[Node]:
    """The nodes of calls in a row, from ``x`` to ``y``."""
    at = "x"
    for k, call in enumerate(calls):
        output = "y" if k == len(calls) - 1 else f"y_{k + 1}"
        named = [*_as_inputs(call, opset)]
        params = dict(call.params)
        constants = [_ints(f"{output}_{name}", params.pop(name)) for name in named]
        inputs = [at, *[c.name for c in constants], *call.inputs[1:]]
        fill = params.pop("constant_value", None)
        if fill is not None and opset < INPUTS_SINCE["Pad"]:
            params["value"] = float(fill)
        elif fill is not None:
            yield from _fill(output, fill, at, opset, dtype)
            inputs.append(f"{output}_value")
        if call.op == "Pad" and opset == 1:
            params["paddings"] = params.pop("pads")
        yield Node(call.op, inputs, output, params, constants)
        at = output


def _as_inputs(call: Call, opset: int) -> list[str]:
    """The parameters that are tensors at this opset, in order."""
    if call.op in ALWAYS_INPUTS:
        return list(ALWAYS_INPUTS[call.op])
    if opset < INPUTS_SINCE.get(call.op, 99):
        return []
    names = SLOTS.get(call.op, ("shape",))
    return [n for n in names if n in call.params and n != "constant_value"]


def _ints(name: str, values: Any) -> Constant:
    if isinstance(values, (Runs, Grid, Cells)):
        return Constant(name, "int64", values.shape, _flat(values.values()))
    return Constant(name, "int64", (len(values),), list(values))


def _flat(values: Any) -> list[Any]:
    if not isinstance(values, list):
        return [values]
    return [v for row in values for v in _flat(row)]


def _fill(
    output: str, fill: Any, at: str, opset: int, dtype: str | None
) -> Iterator[Node]:
    """The pad's constant: of `dtype`, or of the input's type by CastLike."""
    name = f"{output}_value"
    fill = fill.item() if hasattr(fill, "item") else fill
    kinds = {bool: "bool", int: "int64", float: "double"}
    if type(fill) not in kinds:
        raise RefusedError("onnx", f"{shown_value(fill)} is no number of ONNX.", "")
    if dtype is not None:
        yield Node("", [], "", {}, [Constant(name, dtype, (), [fill])])
        return
    if opset < CAST_LIKE:
        raise SpecError(
            f"a constant of opset {opset} must have the input's type; give the dtype."
        )
    raw = Constant(f"{name}_raw", kinds[type(fill)], (), [fill])
    yield Node("CastLike", [raw.name, at], name, {}, [raw])


# ---------------------------------------------------------------------------- protos


def nodes_of(calls: Sequence[Call], opset: int, dtype: str | None) -> list[Any]:
    """NodeProtos, each constant a Constant node before the node that reads it."""
    if calls[0].dialect not in ("onnx", "onnxruntime"):
        raise UnsupportedError(
            f"nodes() is for ONNX, and these are calls of {calls[0].dialect}; "
            "use text(), or translate with to='onnx'."
        )
    onnx = needed("onnx", "onnx", "nodes()")
    helper = import_module("onnx.helper")
    made = []
    for node in parts_of(calls, opset, dtype):
        for c in node.constants:
            kind = getattr(onnx.TensorProto, c.kind.upper())
            tensor = helper.make_tensor(c.name, kind, c.shape, c.values)
            made.append(helper.make_node("Constant", [], [c.name], value=tensor))
        if node.op:
            proto = helper.make_node(node.op, node.inputs, [node.output])
            for name, v in node.attributes.items():
                value = list(v) if isinstance(v, tuple) else v
                proto.attribute.append(helper.make_attribute(name, value))
            made.append(proto)
    return made


def calls_of(nodes: list[Any]) -> tuple[Call, ...]:
    """Calls of nodes in a row; Constant nodes among them give the others' numbers.

    Examples
    --------
    >>> from types import SimpleNamespace as N
    >>> ends = N(name="ends", type=7, ints=[2])
    >>> starts = N(name="starts", type=7, ints=[0])
    >>> node = N(op_type="Slice", input=["x"], output=["y"], attribute=[starts, ends])
    >>> calls_of([node])
    (Call('onnx', 'Slice', {'starts': (0,), 'ends': (2,)}),)
    """
    known: dict[str, Any] = {}
    calls: list[Call] = []
    at: str | None = None
    for node in nodes:
        if not all(hasattr(node, name) for name in ("op_type", "attribute", "input")):
            raise SpecError(f"{shown_value(node)} is no node; give NodeProtos only.")
        op, names = str(node.op_type), [str(name) for name in node.input]
        output = str(next(iter(getattr(node, "output", ())), ""))
        given = {str(a.name): _attribute(a) for a in node.attribute}
        if op == "Constant":
            known[output] = next(iter(given.values()), None)
        elif op == "CastLike" and names and names[0] in known:
            known[output] = known[names[0]]
        else:
            if at is not None and names[:1] != [at]:
                raise SpecError(
                    f"node {op} does not read {at!r}; give a chain of nodes."
                )
            calls.append(Call("onnx", op, given | _slots(op, names, known)))
            at = output
    if not calls:
        raise SpecError("only Constant nodes; give the node that reads them too.")
    return tuple(calls)


def _slots(op: str, names: list[str], known: dict[str, Any]) -> dict[str, Any]:
    """The node's inputs after the first, by the names ONNX gives them."""
    slots = SLOTS.get(op, ())
    if len(names) - 1 > len(slots):
        raise SpecError(
            f"onnx {op}: {len(names)} inputs; read here are the data and "
            f"{', '.join(slots) or 'nothing else'}."
        )
    found = {}
    for slot, name in zip(slots, names[1:], strict=False):
        if name and name not in known:
            raise SpecError(
                f"onnx {op}: its input {slot} is {name!r}, and no Constant node is "
                "given for it; give a list of Constant nodes and this node, or a Call."
            )
        if name:
            found[slot] = known[name]
    return found


def _attribute(attribute: Any) -> Any:
    """An attribute's value, by its type."""
    field = FIELDS.get(getattr(attribute, "type", 0))
    value = None if field is None else getattr(attribute, field, None)
    if value is None:
        raise SpecError(f"attribute {shown_value(attribute.name)} is of no read type.")
    if field == "t":
        return _tensor(value)
    if field in ("ints", "floats"):
        return list(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _tensor(tensor: Any) -> Any:
    """A TensorProto's numbers: a list where it has an axis."""
    letter, field = UNPACKED.get(getattr(tensor, "data_type", 0), (None, None))
    if letter is None or field is None:
        raise SpecError(
            "a Constant node of this type is not read; give int64 or float."
        )
    raw = bytes(getattr(tensor, "raw_data", b""))
    count = len(raw) // struct.calcsize(letter)
    values = list(
        struct.unpack(f"<{count}{letter}", raw[: count * struct.calcsize(letter)])
    )
    values = values or list(getattr(tensor, field, ()))
    if len(values) != prod(tensor.dims):
        raise SpecError(f"a Constant node holds {len(values)} of {list(tensor.dims)}.")
    return values if len(tensor.dims) else values[0]
