"""restride's own result of a movement node, on arrays.

Slice and Pad go through the ONNX dialect, asked for ONNX Runtime's rules; the rest are
the steps that the model check reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from restride.api import assign
from restride.dialects.onnx import run_node
from restride.lazy import View, view
from restride.models.constant import Constant
from restride.models.known import Known, Node
from restride.models.movements.of_node import movement_of
from restride.translate.meaning import Gather, Step, Write, applied

__all__ = ["NotRunError", "own_results"]

Array = np.ndarray[Any, Any]


class NotRunError(Exception):
    """A node that has no steps, and why."""


def own_results(
    node: Node, arrays: Sequence[Array | None], shapes: Sequence[tuple[int, ...]]
) -> list[Array]:
    """What restride makes of a node's inputs, by output.

    Parameters
    ----------
    node : Node
        A movement node.
    arrays : sequence of array
        Its inputs; None where one is left out.
    shapes : sequence of tuple
        Shapes of its outputs, which a Reshape does not always say.

    Raises
    ------
    NotRunError
        It is not a movement on these inputs.
    RestrideError
        It is not defined on them.
    """
    data = arrays[0] if arrays else None
    if data is None:
        raise NotRunError("its data is missing")
    if node.op in ("Slice", "Pad"):
        given = dict(zip(node.proto.input, arrays, strict=False))
        inputs = {name: a for name, a in given.items() if name}
        made = run_node(node.proto, inputs, opset=node.opset, runtime="onnxruntime")
        return [np.asarray(made)]
    known = tuple(
        None if a is None else _known(o, a)
        for o, a in zip(node.inputs, arrays, strict=True)
    )
    outputs = tuple(
        replace(out or Known(""), shape=shape)
        for out, shape in zip(node.outputs, shapes, strict=False)
    )
    movement = movement_of(replace(node, inputs=known, outputs=outputs))
    if movement is None or movement.outputs is None:
        why = "" if movement is None else movement.open or movement.wrong
        raise NotRunError(why or "it is no movement on these inputs")
    return [_moved(steps, data, arrays) for steps in movement.outputs]


def _known(before: Known | None, array: Array) -> Known:
    """An input of which all is known."""
    name = "" if before is None else before.name
    dtype = str(array.dtype) if array.dtype != object else "string"
    constant = Constant(array.shape, dtype, lambda: array)
    return Known(name, dtype, array.shape, constant)


def _moved(steps: Sequence[Step], data: Array, arrays: Sequence[Any]) -> Array:
    v: View = view(data)
    for step in steps:
        if isinstance(step, Write):
            target = v.copy()
            assign(target, step.entries, _fitting(target, step, arrays[2]))
            v = view(target)
        elif isinstance(step, Gather):
            v = _gathered(v, step)
        else:
            chain = applied(step, v.chain)
            if chain is None:
                raise NotRunError(f"a step {type(step).__name__} of it is not run")
            v = View(v.array, chain)
    return v.copy()


def _fitting(target: Array, step: Write, source: Any) -> Array:
    """The updates in the shape of the cells they go to."""
    cells = view(target).chain.select(step_entries(step, target.shape))
    made: Array = np.asarray(source).reshape(cells.shape)
    return made


def step_entries(step: Write, shape: tuple[int, ...]) -> Any:
    """The region as resolved entries."""
    from restride.ops.strided_slice import encode

    return encode(step.entries).entries(shape)


def _gathered(v: View, step: Gather) -> View:
    """Slices at the positions of a table, one after the other."""
    flat = np.array(step.table.values(), np.int64).reshape(-1).tolist()
    whole = (slice(None),) * step.axis
    parts = [v[(*whole, k)].copy() for k in flat]
    made = np.stack(parts, axis=step.axis) if parts else _none(v, step)
    shape = (*v.shape[: step.axis], *step.table.shape, *v.shape[step.axis + 1 :])
    return view(made.reshape(shape))


def _none(v: View, step: Gather) -> Array:
    shape = (*v.shape[: step.axis], 0, *v.shape[step.axis + 1 :])
    return np.empty(shape, v.dtype)
