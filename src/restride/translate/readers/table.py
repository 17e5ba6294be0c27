"""Which file reads which dialect, and how a call is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from restride.errors import RestrideError
from restride.translate.abilities import ALIASES
from restride.translate.errors import SpecError
from restride.translate.meaning import Step
from restride.translate.spec import Call, shown_value
from restride.translate.words import Frame, Words

__all__ = ["Operator", "dialect_named", "operator_named", "read_call"]

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


def read_call(
    call: Call, frame: Frame, lenient: bool = False
) -> tuple[tuple[Step, ...], list[str]]:
    """What one call says of an array of `frame`; lenient: or would, were it taken."""
    dialect = dialect_named(call.dialect)
    operators = operators_of(dialect)
    operator = operators[operator_named(call)]
    words = Words(call, operator.names, lenient)
    try:
        made = operator.read(words, frame)
    except RestrideError:
        raise
    except Exception as error:  # what a caller's own object may raise when asked
        told = shown_value(str(error) or type(error).__name__)
        raise SpecError(
            f"{dialect} {call.op}: a value cannot be read: {told}"
        ) from None
    return (made if isinstance(made, tuple) else (made,)), words.notes


def operators_of(dialect: str) -> Mapping[str, Operator]:
    """What a dialect's operators are called, and how each is read."""
    module = import_module(f"restride.translate.readers.{HOMES[dialect]}")
    found: Mapping[str, Operator] = module.OPERATORS
    return found


def operator_named(call: Call) -> str:
    """The operator's name as its dialect's reader has it.

    Examples
    --------
    >>> operator_named(Call("tensorflow", "StridedSlice"))
    'strided_slice'
    """
    operators = operators_of(dialect_named(call.dialect))
    for name in (call.op, _snake(call.op)):
        if name in operators:
            return name
    raise SpecError(
        f"{call.dialect} has no operator {shown_value(call.op)} here; its operators "
        f"are {', '.join(operators)}."
    )


def _snake(name: str) -> str:
    """``StridedSlice`` as ``strided_slice``, ``aclnnPad2d`` as ``aclnn_pad2d``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name[:99]).lstrip("_")
