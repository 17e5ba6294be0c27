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
from restride.conform.operators import TENSORFLOW

__all__ = ["REFUSED", "read"]

REFUSED = "error"
"""The stage of every refusal: TensorFlow runs an operator in one step."""

OTHER = "other"
"""The word for a refusal of no kind that has a name: any kind will do."""

LISTS = ("begin", "end", "strides")
MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")

ARGUMENTS = {
    "Pad": ("paddings",),
    "PadV2": ("paddings", "constant"),
    "MirrorPad": ("paddings", "mode"),
    "MirrorPadGrad": ("paddings", "mode"),
}
"""Arguments that a case must give, beside the shape; the slices' are `LISTS`."""


def read(raw: dict[str, Any], table: str, where: str, name: str) -> Case:
    """One case from its fields; fields that are no argument are ignored.

    Raises
    ------
    CaseError
        A field is missing or is not of its kind.
    """
    op = text(raw.get("op", ""), "op")
    if op not in TENSORFLOW:
        return Case(table, where, name, op, "", Expect(None, None))
    shape = integers(raw.get("shape"), "shape")
    needed = ARGUMENTS.get(op, LISTS)
    for argument in needed:
        if argument not in raw:
            raise CaseError(f"it has no {argument}, which {op} needs.")
    optional = (f"{mask}_mask" for mask in MASKS if needed is LISTS)
    params = {k: raw[k] for k in ("shape", *needed, *optional) if k in raw}
    if "error" in raw:
        kind = text(raw["error"], "error")
        expect = Expect(REFUSED, None if kind == OTHER else kind)
    elif "out" in raw:
        expect = Expect(OK, OK)
    else:
        raise CaseError("it names nothing to expect; give 'out' or 'error'.")
    inputs = _inputs(op, shape, raw)
    outputs = (_output(raw),) if expect.stage == OK else None
    return Case(table, where, name, op, "tensorflow", expect, params, inputs, outputs)


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
