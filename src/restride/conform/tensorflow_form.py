"""TensorFlow's cases in JSON: raw arguments beside the shape, and `out` or `error`.

The input is ``arange(prod(shape))`` as int64.  StridedSliceGrad's gradient is 1 to n
over the slice's shape, TensorStridedSliceUpdate's value -1 to -n.
"""

from __future__ import annotations

from typing import Any

from restride.conform.case import OK, Case, Expect, Fill, TensorSpec
from restride.conform.definition import slice_shape
from restride.conform.errors import CaseError
from restride.conform.fields import flat, integers, text
from restride.conform.operators import TENSORFLOW, check_names
from restride.conform.words import tensorflow_kind

__all__ = ["REFUSED", "read"]

REFUSED = "error"
"""The stage of every refusal: TensorFlow runs an operator in one step."""

OTHER = "other"
"""The word for a refusal of no kind that has a name: any kind will do."""

RENAMED = {"constant": "constant_values"}
"""Names of tables for what the operator calls otherwise; both are taken."""

EXPECTED = ("shape_out", "out", "error")
NOTES = ("op", "name", "id", "category", "source", "basis", "note", "tags", "soc")
"""Fields that are no argument and may stand in any case."""

LISTS = ("begin", "end", "strides")
MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")


def read(raw: dict[str, Any], table: str, where: str, name: str) -> Case:
    """One case from its fields.

    Raises
    ------
    CaseError
        A field is missing, unknown, or not of its kind.
    """
    op = text(raw["op"], "op")
    shape = integers(raw.get("shape"), "shape")
    params = _params(op, raw)
    expect = _expect(raw)
    inputs = _inputs(op, shape, raw)
    outputs = (_output(raw),) if expect.stage == OK else None
    return Case(table, where, name, op, "tensorflow", expect, params, inputs, outputs)


def _params(op: str, raw: dict[str, Any]) -> dict[str, Any]:
    """The arguments by the operator's own names; only masks may be left out."""
    arguments = {k: v for k, v in raw.items() if k not in (*EXPECTED, *NOTES)}
    for theirs, ours in RENAMED.items():
        if ours in TENSORFLOW[op] and theirs in arguments:
            if ours in arguments:
                raise CaseError(f"it has {theirs!r} and {ours!r}, which are one.")
            arguments[ours] = arguments.pop(theirs)
    check_names(op, arguments, ("shape", *TENSORFLOW[op]))
    for name in TENSORFLOW[op]:
        if name not in arguments and not name.endswith("_mask"):
            raise CaseError(f"it has no {name}, which {op} needs.")
    return arguments


def _expect(raw: dict[str, Any]) -> Expect:
    if "error" in raw:
        kind = tensorflow_kind(text(raw["error"], "error"))
        return Expect(REFUSED, None if kind == OTHER else kind)
    if "out" not in raw:
        raise CaseError("it names nothing to expect; give 'out' or 'error'.")
    return Expect(OK, OK)


def _inputs(
    op: str, shape: tuple[int, ...], raw: dict[str, Any]
) -> tuple[TensorSpec, ...]:
    """The tensors that the table means and does not say."""
    if op == "StridedSliceGrad":
        return (TensorSpec("int64", _cut(shape, raw), fill=Fill("count")),)
    x = TensorSpec("int64", shape, fill=Fill("arange"))
    if op == "TensorStridedSliceUpdate":
        return x, TensorSpec("int64", _cut(shape, raw), fill=Fill("negative"))
    return (x,)


def _cut(shape: tuple[int, ...], raw: dict[str, Any]) -> tuple[int, ...]:
    """The slice's shape; of a slice that does not exist, any will do."""
    masks = {name: raw.get(f"{name}_mask", 0) for name in MASKS}
    try:
        return slice_shape(shape, [raw[name] for name in LISTS], masks)
    except (IndexError, KeyError, OverflowError, TypeError, ValueError):
        return ()


def _output(raw: dict[str, Any]) -> TensorSpec:
    shape = integers(raw.get("shape_out") or [], "shape_out")
    return TensorSpec("int64", shape, data=tuple(flat(raw["out"], "out")))
