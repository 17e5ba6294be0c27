"""ONNX's text form: what ``onnx.parser`` reads as the nodes of a graph."""

from __future__ import annotations

from typing import Any

from restride.translate.protos import Constant, Node, parts_of
from restride.translate.spec import Call

__all__ = ["onnx_text"]


def onnx_text(calls: tuple[Call, ...], opset: int, dtype: str | None) -> str:
    """One line per node and constant."""
    lines: list[str] = []
    for node in parts_of(calls, opset, dtype):
        lines += [_constant(c) for c in node.constants]
        if node.op:
            lines.append(_node(node))
    return "\n".join(lines)


def _constant(c: Constant) -> str:
    shape = f"[{', '.join(map(str, c.shape))}]" if c.shape else ""
    values = ", ".join(map(_number, c.values))
    return f"{c.name} = Constant <value = {c.kind}{shape} {{{values}}}> ()"


def _node(node: Node) -> str:
    given = [f"{name} = {_attribute(v)}" for name, v in node.attributes.items()]
    between = f" <{', '.join(given)}>" if given else ""
    return f"{node.output} = {node.op}{between} ({', '.join(node.inputs)})"


def _attribute(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(str, value))}]"
    return _number(value)


def _number(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else repr(value)
