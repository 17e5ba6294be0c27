"""Which file reads which dialect, and how a call is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from restride.translate.abilities import ALIASES
from restride.translate.errors import SpecError
from restride.translate.meaning import Step
from restride.translate.spec import Call, shown_value
from restride.translate.words import Frame, Words

__all__ = ["Operator", "dialect_named", "read_call"]

HOMES = {
    "atb": "atb",
    "cann": "cann",
    "aclnn": "cann",
    "tensorflow": "tensorflow",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "pytorch": "pytorch",
    "numpy": "numpy",
    "restride": "restride",
}
"""The module of each dialect, here and in `writers`."""


class Operator(NamedTuple):
    """How one operator is read."""

    names: str
    """Its parameters, between spaces."""
    read: Callable[[Words, Frame], Step | tuple[Step, ...]]
    """From its parameters to what it means."""


def dialect_named(name: object) -> str:
    """The dialect of that name or short name.

    Examples
    --------
    >>> dialect_named("torch")
    'pytorch'
    """
    if isinstance(name, str):
        found = ALIASES.get(name.lower(), name.lower())
        if found in HOMES:
            return found
    raise SpecError(
        f"dialect {shown_value(name)} is not known; the dialects are "
        f"{', '.join(HOMES)}."
    )


def read_call(call: Call, frame: Frame) -> tuple[tuple[Step, ...], list[str]]:
    """What one call means on an array of `frame`."""
    dialect = dialect_named(call.dialect)
    operators: Mapping[str, Operator] = import_module(
        f"restride.translate.readers.{HOMES[dialect]}"
    ).OPERATORS
    operator = operators.get(call.op) or operators.get(_snake(call.op))
    if operator is None:
        raise SpecError(
            f"{dialect} has no operator {shown_value(call.op)} here; its operators are "
            f"{', '.join(name for name in operators)}."
        )
    words = Words(call, operator.names)
    made = operator.read(words, frame)
    return (made if isinstance(made, tuple) else (made,)), words.notes


def _snake(name: str) -> str:
    """``StridedSlice`` as ``strided_slice``, ``aclnnPad2d`` as ``aclnn_pad2d``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name[:99]).lstrip("_")
