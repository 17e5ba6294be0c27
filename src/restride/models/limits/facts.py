"""What a movement is, in the facts that tables of limits ask for."""

from __future__ import annotations

from math import prod
from typing import Any

from restride.models.movements.movement import Movement
from restride.models.movements.tf_names import TF_INPUTS, tf_op
from restride.translate.meaning import Extend, Select, Step, Transpose, Write

__all__ = ["INPUTS", "facts_of"]

INPUTS = {
    "Slice": ("data", "starts", "ends", "axes", "steps"),
    "Pad": ("data", "pads", "constant_value", "axes"),
    "Expand": ("input", "shape"),
    "Tile": ("input", "repeats"),
    "Split": ("input", "split"),
    "CenterCropPad": ("input_data", "shape"),
    "Gather": ("data", "indices"),
    "GatherND": ("data", "indices"),
    "ScatterND": ("data", "indices", "updates"),
    "Reshape": ("data", "shape"),
    "Squeeze": ("data", "axes"),
    "Unsqueeze": ("data", "axes"),
}
"""ONNX's names of inputs; an operator that is not here has one, ``input``."""


def facts_of(m: Movement) -> dict[str, Any]:
    """The facts of :data:`restride.models.limits.rules.CONDITIONS`; None: not known."""
    data, out = m.data, m.node.output()
    rank = None if data is None else data.rank
    axes = _axes(m, rank)
    return {
        "dtype": None if data is None else data.dtype,
        "mode": m.params.get("mode"),
        "rank": rank,
        "result_rank": None if out is None else out.rank,
        "opset": m.node.opset or None,
        "steps": _steps(m),
        "pads": _pads(m),
        "fill": _fill(m),
        "axes": axes,
        "axes_from_last": None if axes is None or rank is None else _back(axes, rank),
        "dynamic": m.dynamic,
        "given": _given(m),
        "shape_known": data is not None and data.extents is not None,
        "empty": _empty(m),
        "inner": _inner(m),
    }


def _inner(m: Movement) -> int | None:
    """Elements behind the axis that a Gather takes slices of."""
    axis = m.params.get("axis", 0)
    shape = None if m.data is None else m.data.extents
    if m.node.op != "Gather" or shape is None or not isinstance(axis, int):
        return None
    return prod(shape[axis % len(shape) + 1 :]) if shape else None


def _first(m: Movement, kind: type[Any]) -> Any:
    """The first step of a kind."""
    for steps in m.outputs or ():
        for step in steps:
            if isinstance(step, kind):
                return step
    return None


def _steps(m: Movement) -> tuple[int, ...] | None:
    step = _first(m, Select) or _first(m, Write)
    if step is None:
        return None
    return tuple([e.step or 1 for e in step.entries if isinstance(e, slice)])


def _pads(m: Movement) -> tuple[int, ...] | None:
    step = _first(m, Extend)
    return None if step is None else tuple([v for pair in step.pairs for v in pair])


def _fill(m: Movement) -> Any:
    step = _first(m, Extend)
    if step is None or not step.fills:
        return None
    return step.fills[0][0] if isinstance(step.fills[0][0], (int, float)) else None


def _axes(m: Movement, rank: int | None) -> tuple[int, ...] | None:
    """Axes that change, of an operator that is one step."""
    if m.outputs is None or not m.outputs or len(m.outputs[0]) != 1:
        return None
    found = {axis for steps in m.outputs for axis in _changed(steps[0], rank)}
    return tuple(sorted(found))


def _changed(step: Step, rank: int | None) -> list[int]:
    if isinstance(step, Extend):
        return [k for k, pair in enumerate(step.pairs) if any(pair)]
    if isinstance(step, Transpose):
        return [k for k, axis in enumerate(step.order) if k != axis]
    if isinstance(step, (Select, Write)) and None not in step.entries:
        return [k for k, e in enumerate(step.entries) if e != slice(None)]
    return list(range(rank or 0))


def _back(axes: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return tuple([axis - rank for axis in axes])


def _given(m: Movement) -> tuple[str, ...]:
    table, op = (TF_INPUTS, tf_op(m.node)) if m.node.domain else (INPUTS, m.node.op)
    names = table.get(op, ("input",))
    inputs = zip(names, m.node.inputs, strict=False)
    return (*[n for n, known in inputs if known is not None], *m.node.attributes)


def _empty(m: Movement) -> bool | None:
    shapes = [known.extents for known in (m.data, m.node.output()) if known is not None]
    whole = [shape for shape in shapes if shape is not None]
    if any(prod(shape) == 0 for shape in whole):
        return True
    return None if len(whole) < len(shapes) else False
