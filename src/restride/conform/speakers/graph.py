"""CANN's graph operators: shape inference, tiling, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, Final

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case
from restride.conform.errors import CaseError
from restride.conform.operators import VENDOR
from restride.conform.speakers.acl import tensor
from restride.conform.values import MOST_ELEMENTS
from restride.dialects import cann
from restride.targets import Product

__all__ = ["ask"]

Array = np.ndarray[Any, Any]
Tensors = Sequence[cann.AclTensor | None]

INFER_SHAPE: Final = "infer_shape"
TILING: Final = "tiling"
"""Stages where a case may be told to stop."""

CALLS = {
    "PadV3": "pad_v3",
    "PadV3Grad": "pad_v3_grad",
    "StridedSlice": "strided_slice",
    "StridedSliceGrad": "strided_slice_grad",
}

MOVED = {"StridedSliceGrad": 4}
"""Place of the input whose elements are moved, where it is not the first."""

DONE = cann.GraphStatus.GRAPH_SUCCESS.name


def ask(case: Case, inputs: Sequence[Array | None], product: Product | None) -> Answer:
    """What the operator answers.

    Raises
    ------
    GraphError
        It refuses.
    NoDataError
        It would have to know values that the table does not give.
    """
    tensors = _tensors(case, inputs)
    words = {name: v for name, v in case.params.items() if v is not None}
    if case.op == "PadV3" and case.expect.stage == TILING:
        # The vendor's tests of it call it alone; shape inference may refuse sooner.
        cann.tiling_pad_v3(*tensors, **words, product=product)
        return Answer(TILING, DONE)
    shape = _inferred(case, tensors, words)
    if case.op == "PadV3" and _lacks_values(tensors[1]):
        # To the vendor's shape inference every dim is unknown now: no answer to a case.
        if case.expect.stage != INFER_SHAPE:
            cann.tiling_pad_v3(*tensors, **words, product=product)
        raise cann.NoDataError(case.op, INFER_SHAPE, "paddings")
    moved = MOVED.get(case.op, 0)
    held = tensors[moved]
    told = None if held is None else ((held.dtype.name, shape),)
    if case.expect.stage == INFER_SHAPE:
        return Answer(INFER_SHAPE, DONE, shapes=told)
    if held is not None and prod(shape) > MOST_ELEMENTS:
        tensors[moved] = replace(held, data=None)
    made = getattr(cann, CALLS[case.op])(*tensors, **words, product=product)
    assert held is not None, "the call has refused it"
    shapes = ((held.dtype.name, made.shape),)
    if isinstance(made, cann.AclTensor):
        return Answer(OK, DONE, shapes=shapes)
    return Answer(OK, DONE, outputs=(made,), shapes=shapes)


def _tensors(case: Case, inputs: Sequence[Array | None]) -> list[cann.AclTensor | None]:
    """The inputs; those that are left out at the end are absent."""
    tensors = [
        None if spec is None else tensor(spec, x)
        for spec, x in zip(case.inputs, inputs, strict=True)
    ]
    known = VENDOR[case.op]
    if len(tensors) > len(known.inputs):
        raise CaseError(
            f"it has {len(tensors)} inputs; {case.op} takes {', '.join(known.inputs)}."
        )
    least = len(known.inputs) - known.optional
    return tensors + [None] * (least - len(tensors))


def _lacks_values(held: cann.AclTensor | None) -> bool:
    return held is not None and held.data is None


def _inferred(case: Case, tensors: Tensors, words: dict[str, Any]) -> tuple[int, ...]:
    if case.op == "StridedSlice":
        return cann.infer_shape_strided_slice(*tensors, **words)
    if case.op == "StridedSliceGrad":
        return cann.infer_shape_strided_slice_grad(tensors[0])
    infer = (
        cann.infer_shape_pad_v3 if case.op == "PadV3" else cann.infer_shape_pad_v3_grad
    )
    return infer(*tensors[:2], **{k: v for k, v in words.items() if k != "mode"})
