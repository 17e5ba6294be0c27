"""CANN's cases: graph operators, and aclnn functions in their two phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case, TensorSpec
from restride.conform.errors import CaseError, NotRunError
from restride.conform.fields import shown
from restride.conform.values import MOST_ELEMENTS, can_hold, element_type, number_of
from restride.dialects import cann
from restride.targets import Product, dtype_named

__all__ = ["speak"]

Array = np.ndarray[Any, Any]
Arrays = Sequence[Array | None]

INFER_SHAPE, TILING, FIRST_PHASE = "infer_shape", "tiling", "get_workspace_size"
"""Stages where a case may be told to stop."""

GRAPH = {"PadV3": "pad_v3", "StridedSlice": "strided_slice"}
ATTRIBUTES = {
    "PadV3": ("mode", "paddings_contiguous"),
    "StridedSlice": (
        "begin_mask",
        "end_mask",
        "ellipsis_mask",
        "new_axis_mask",
        "shrink_axis_mask",
    ),
}
TENSORS = {"PadV3": (2, 3), "StridedSlice": (4, 4)}
"""Least and most inputs."""

INDEX_INPUTS = {"PadV3": (1,), "StridedSlice": (1, 2, 3)}
"""Inputs whose values decide the shape of the output."""

ACLNN = {
    "aclnnConstantPadNd": ("aclnn_constant_pad_nd", ("pad", "value")),
    "aclnnStridedSlice": (
        "aclnn_strided_slice",
        (
            "begin",
            "end",
            "strides",
            "beginMask",
            "endMask",
            "ellipsisMask",
            "newAxisMask",
            "shrinkAxisMask",
        ),
    ),
    **{
        f"aclnn{kind}Pad{n}d": (f"aclnn_{kind.lower()}_pad{n}d", ("padding",))
        for kind in ("Replication", "Reflection")
        for n in (1, 2, 3)
    },
}
"""Each function, and its arguments between self and out."""

UNWRITTEN = 0x5A
"""Byte that outputs are filled with before a run: what stays shows."""


def speak(case: Case, inputs: Arrays, product: Product | None) -> Answer:
    """The result, or the stage and status of the refusal."""
    try:
        if case.op in GRAPH:
            return _graph(case, inputs, product)
        return _aclnn(case, inputs, product)
    except (cann.GraphError, cann.AclnnError) as error:
        return Answer(error.stage, error.code.name, str(error))


def _graph(case: Case, inputs: Arrays, product: Product | None) -> Answer:
    tensors = [
        None if spec is None else _tensor(spec, x)
        for spec, x in zip(case.inputs, inputs, strict=True)
    ]
    least, most = TENSORS[case.op]
    if len(tensors) > most:
        raise CaseError(f"it has {len(tensors)} inputs; {case.op} takes {most}.")
    tensors += [None] * (least - len(tensors))
    for k in INDEX_INPUTS[case.op]:
        if tensors[k] is not None and inputs[k] is None:
            raise NotRunError(
                f"input {k} of {case.op} decides the shape, and has no data"
            )
    words, done = _attributes(case), cann.GraphStatus.GRAPH_SUCCESS.name
    if case.op == "PadV3" and case.expect.stage == TILING:
        # The vendor's tests of it call it alone; shape inference may refuse sooner.
        cann.tiling_pad_v3(*tensors, **words, product=product)
        return Answer(TILING, done)
    shape = _inferred(case, tensors, words)
    assert case.inputs[0] is not None  # shape inference has refused it
    kind = dtype_named(case.inputs[0].dtype).name
    if case.expect.stage == INFER_SHAPE:
        return Answer(INFER_SHAPE, done, shapes=((kind, shape),))
    if prod(shape) > MOST_ELEMENTS and tensors[0] is not None:
        tensors[0] = replace(tensors[0], data=None)
    call = getattr(cann, GRAPH[case.op])
    result = call(*tensors, **words, product=product)
    if isinstance(result, cann.AclTensor):
        return Answer(OK, done, shapes=((kind, result.shape),))
    return Answer(OK, done, outputs=(result,), shapes=((kind, result.shape),))


def _inferred(
    case: Case, tensors: Sequence[cann.AclTensor | None], words: dict[str, Any]
) -> tuple[int, ...]:
    if case.op == "StridedSlice":
        return cann.infer_shape_strided_slice(*tensors, **words)
    known = {k: v for k, v in words.items() if k != "mode"}
    return cann.infer_shape_pad_v3(*tensors[:2], **known)


def _attributes(case: Case) -> dict[str, Any]:
    """The attributes that the case sets; null leaves one at its default."""
    words = {name: v for name, v in case.params.items() if v is not None}
    for name in words:
        if name not in ATTRIBUTES[case.op]:
            raise NotRunError(f"{case.op} has no attribute {shown(name)} here")
    return words


def _aclnn(case: Case, inputs: Arrays, product: Product | None) -> Answer:
    name, arguments = ACLNN[case.op]
    given = [_argument(argument, case.params) for argument in arguments]
    specs = [*case.inputs[:1], *(case.outputs or ())[:1]]
    if len(specs) != 2:
        raise CaseError(f"{case.op} takes one input and one output, null or not.")
    source = None if specs[0] is None else _tensor(specs[0], inputs[0])
    out = None if specs[1] is None else _output(specs[1], inputs[0] is not None)
    call = getattr(cann, f"{name}_get_workspace_size")
    _, executor = call(source, *given, out, product=product)
    assert specs[1] is not None
    assert out is not None
    done = cann.AclnnStatus.ACLNN_SUCCESS.name
    if case.expect.stage == FIRST_PHASE:
        return Answer(FIRST_PHASE, done)
    shapes = ((dtype_named(specs[1].dtype).name, specs[1].shape),)
    if out.data is None or inputs[0] is None or executor.does_nothing:
        return Answer(OK, done, shapes=shapes)
    executor.run()
    return Answer(OK, done, outputs=(np.asarray(out.array),), shapes=shapes)


def _argument(name: str, params: dict[str, Any]) -> Any:
    value = params.get(name)
    if value is None:
        return 0 if name.endswith("Mask") else None
    if name == "value" and isinstance(value, dict):
        return cann.AclScalar(number_of(value), value.get("dtype"))
    return value


def _tensor(spec: TensorSpec, values: Array | None) -> cann.AclTensor:
    """The input with its values, laid out as the table says."""
    if values is None or spec.strides is None:
        return _described(spec, values)
    room = spec.storage_shape if spec.storage_shape is not None else spec.shape
    data = np.zeros(room, values.dtype)
    held = _described(spec, data)
    seen = held.array
    assert seen is not None
    seen[...] = values
    return held


def _output(spec: TensorSpec, with_data: bool) -> cann.AclTensor:
    kind = element_type(spec) if with_data else None
    if kind is None or not can_hold(spec):
        return _described(spec, None)
    room = spec.storage_shape if spec.storage_shape is not None else spec.shape
    if kind.kind == "b":
        return _described(spec, np.ones(room, kind))
    data = np.empty(room, kind)
    data.reshape(-1).view(np.uint8)[...] = UNWRITTEN
    return _described(spec, data)


def _described(spec: TensorSpec, data: Array | None) -> cann.AclTensor:
    return cann.AclTensor(
        spec.shape,
        spec.dtype,
        spec.format,
        data=data,
        strides=spec.strides,
        offset=spec.offset,
        storage_shape=spec.storage_shape,
    )
