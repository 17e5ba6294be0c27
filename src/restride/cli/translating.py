"""``translate``: an operator in another dialect's words, and whether dialects agree."""

from __future__ import annotations

import json
import re
from typing import Any

from restride.cli.show import emit, emit_json
from restride.cli.values import shape as parse_shape
from restride.errors import ShapeError
from restride.translate import Agreement, Call, Translation, agree, as_calls, translate
from restride.translate.readers.table import dialect_named, operator_named, operators_of
from restride.translate.spec import shown_value

__all__ = ["run"]

CALLED = re.compile(r"\s*(?:\w+\s*\.\s*)*([A-Za-z_]\w*)\s*\(")
"""The name of an operator that is written as Python calls it."""


def run(
    dialect: str,
    operator: str,
    params: str | None,
    to: str | None,
    shape: str | None,
    rank: int | None,
    opset: int,
    dtype: str | None,
    agree_with: str | None,
    as_json: bool,
) -> None:
    """Print the translation, the agreement, or both."""
    spec = _spec(dialect, operator, params)
    extents = None if shape is None else parse_shape(shape)
    made = told = None
    if to is not None or agree_with is None:
        made = translate(
            spec, to or "onnx", extents, rank=rank, opset=opset, dtype=dtype
        )
    if agree_with is not None:
        told = _agreement(spec, agree_with, extents, opset)
    if as_json:
        emit_json(_document(spec, made, told))
    else:
        emit("\n\n".join(_told(made, told)))


def _spec(dialect: str, operator: str, params: str | None) -> Call:
    """The call that the words on the command line name."""
    written = CALLED.match(operator)
    if written is not None:
        raise _no_call(dialect, operator, written[1])
    if params is not None:
        return Call(dialect, operator, _read_json(params))
    if dialect.lower() in ("numpy", "np", "pytorch", "torch", "restride"):
        if operator in operators_of(dialect_named(dialect)):
            how = _as_json(dialect, operator)
            raise ShapeError(f"{operator} needs its parameters: {how}")
        (call,) = as_calls(operator)
        op = "slice" if dialect.lower() == "restride" else "getitem"
        return Call(dialect, op, call.params)
    return Call(dialect, operator, {})


def _no_call(dialect: str, text: str, name: str) -> ShapeError:
    """What to write instead of Python's `text`, which nothing here evaluates."""
    how = _as_json(dialect, operator_named(Call(dialect, name)))
    return ShapeError(
        f"{shown_value(text)} is written as a call, and calls are not read; {how}"
    )


def _as_json(dialect: str, op: str) -> str:
    """How to give an operator's parameters, and what they are called."""
    names = operators_of(dialect_named(dialect))[op].names.split()
    shown = ", ".join(f'"{given}": ...' for given in names[:3])
    return (
        "give the operator's name and its parameters as JSON, as in: "
        f"{dialect} {op} --params '{{{shown}}}'. Its parameters are {', '.join(names)}."
    )


def _read_json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ShapeError(
            f"--params is not JSON ({error}); write it as "
            '\'{"begin": [0], "end": [2], "strides": [1]}\'.'
        ) from None
    if not isinstance(found, dict):
        raise ShapeError("--params is no JSON object; write names and values in {}.")
    return found


def _agreement(
    spec: Call, dialects: str, extents: tuple[int, ...] | None, opset: int
) -> Agreement:
    if extents is None:
        raise ShapeError("--agree compares elements, so it needs --shape.")
    names = [name.strip() for name in dialects.split(",")]
    return agree(spec, names, extents, opset=opset)


def _told(made: Translation | None, told: Agreement | None) -> list[str]:
    parts = []
    if made is not None:
        notes = [f"note: {note}" for note in made.notes]
        parts.append("\n".join([made.text(), *(["", *notes] if notes else [])]))
    if told is not None:
        parts.append(told.text())
    return parts


def _document(
    spec: Call, made: Translation | None, told: Agreement | None
) -> dict[str, Any]:
    document: dict[str, Any] = {"dialect": spec.dialect, "op": spec.op}
    if made is not None:
        document["translation"] = made.to_dict() | {"text": made.text()}
    if told is not None:
        document["agreement"] = told.to_dict()
    return document
