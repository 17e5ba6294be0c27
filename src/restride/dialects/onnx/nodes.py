"""A node of a model: its attributes and inputs as arguments of Slice or Pad.

A node is anything with the fields of ONNX's NodeProto, so that nothing needs to be
installed to run one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from restride.dialects.onnx.errors import OnnxError
from restride.dialects.onnx.forms import FORMS, NEWEST_OPSET, Form, form_of
from restride.dialects.onnx.padding import pad
from restride.dialects.onnx.slicing import slice as slice_

__all__ = ["run_node"]

Array = np.ndarray[Any, Any]

DOMAINS = ("", "ai.onnx")
"""Names of ONNX's own operators' domain."""

FIELDS = {"float": (1, "f"), "string": (3, "s"), "ints": (7, "ints")}
"""Per kind of attribute: the number of its type, and the field that holds it."""

ARGUMENTS = {"paddings": "pads", "value": "constant_value"}
"""Old attributes, by the argument that stands for them today."""


def run_node(
    node: Any,
    inputs: Mapping[str, Any] | Sequence[Any],
    *,
    opset: int = NEWEST_OPSET,
    runtime: str | None = None,
) -> Array:
    """The output of a Slice or Pad node.

    Parameters
    ----------
    node : onnx.NodeProto
        Or anything with its fields ``op_type``, ``domain``, ``input``, ``attribute``.
    inputs : mapping of str to array, or sequence of array
        By the names in ``node.input``, or in their order; None, or an empty name in
        the node, is an optional input left out.
    opset, runtime
        As for :func:`slice` and :func:`pad`.

    Returns
    -------
    ndarray
        The node's one output.

    Raises
    ------
    OnnxError
        Of kind "node": another operator or domain, an input or attribute missing, or
        one that the version does not have; or of a kind of the operator.

    Notes
    -----
    ONNX IR, NodeProto and AttributeProto; onnx/checker.cc refuses the same nodes.

    Examples
    --------
    >>> from types import SimpleNamespace as Node
    >>> node = Node(op_type="Slice", domain="", input=["x", "s", "e"], attribute=[])
    >>> run_node(node, {"x": np.arange(5), "s": np.array([3]), "e": np.array([9])})
    array([3, 4])
    """
    form = form_of(_operator(node), opset)
    given = _attributes(node, form) | _inputs(node, inputs, form)
    missing = sorted(form.required - set(given))
    if missing:
        raise form.error("node", f"{', '.join(missing)} missing; give a value.")
    named = {ARGUMENTS.get(name, name): value for name, value in given.items()}
    call = slice_ if form.operator == "Slice" else pad
    return call(**named, opset=opset, runtime=runtime)


def _operator(node: Any) -> str:
    operator = str(getattr(node, "op_type", type(node).__name__))
    domain = getattr(node, "domain", "")
    if operator not in FORMS or not isinstance(domain, str) or domain not in DOMAINS:
        where = f" of domain {domain!r}" if domain else ""
        raise OnnxError(
            f"{operator}{where} is no node for this dialect; it runs Slice and Pad of "
            "ONNX's own domain.",
            "node",
            operator,
        )
    return operator


def _listed(holder: Any, field: str, what: str, form: Form) -> list[Any]:
    try:
        return list(getattr(holder, field))
    except (AttributeError, TypeError):
        raise form.error("node", f"{what} has no list named {field}.") from None


def _attributes(node: Any, form: Form) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute in _listed(node, "attribute", "the node", form):
        name = str(getattr(attribute, "name", ""))
        kind = form.attributes.get(name)
        if kind is None:
            known = ", ".join(form.attributes) or "none"
            also = "; it is an input" if name in form.inputs else ""
            raise form.error(
                "node",
                f"attribute {name!r} unknown{also}; known: {known}. For another "
                "version give opset=, which the model's opset_import says.",
            )
        if name in found:
            raise form.error("node", f"attribute {name!r} is given twice.")
        found[name] = _value(attribute, name, kind, form)
    return found


def _value(attribute: Any, name: str, kind: str, form: Form) -> Any:
    number, where = FIELDS[kind]
    if getattr(attribute, "ref_attr_name", ""):
        raise form.error(
            "node", f"attribute {name!r} refers to a function's; inline it first."
        )
    if getattr(attribute, "type", 0) not in (0, number):
        raise form.error(
            "node",
            f"attribute {name!r} has type {attribute.type}, not {number}, {kind}.",
        )
    if kind == "ints":
        return _listed(attribute, where, f"attribute {name!r}", form)
    value = getattr(attribute, where, None)
    if value is None:
        raise form.error("node", f"attribute {name!r} has no field {where!r}.")
    if kind == "string" and isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value


def _inputs(node: Any, inputs: Any, form: Form) -> dict[str, Any]:
    """What is given per input of the operator, those left out not named."""
    names = [str(name) for name in _listed(node, "input", "the node", form)]
    if len(names) > len(form.inputs):
        raise form.error(
            "node",
            f"the node has {len(names)} inputs; there are {len(form.inputs)}: "
            f"{', '.join(form.inputs)}.",
        )
    values = _values(names, inputs, form)
    pairs = zip(form.inputs, names, values, strict=False)
    return {ours: v for ours, name, v in pairs if name and v is not None}


def _values(names: list[str], inputs: Any, form: Form) -> list[Any]:
    if isinstance(inputs, Mapping):
        lost = [name for name in names if name and name not in inputs]
        if lost:
            raise form.error("node", f"inputs has no {', '.join(lost)}; give it.")
        return [inputs[name] if name else None for name in names]
    if not isinstance(inputs, (list, tuple)) or len(inputs) != len(names):
        raise form.error(
            "node",
            f"inputs must be a mapping, or a list of {len(names)} in the node's order.",
        )
    return list(inputs)
