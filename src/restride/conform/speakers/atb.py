"""ATB's cases: create, InferShape, Setup, Execute, up to where the table stops."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case, TensorSpec
from restride.conform.errors import CaseError
from restride.conform.values import MOST_ELEMENTS
from restride.dialects import atb
from restride.targets import Product

__all__ = ["speak"]

Array = np.ndarray[Any, Any]

STAGES = ("create", "infer_shape", "setup", "execute")
SETUP, EXECUTE = STAGES[2:]

IN_PLACE = "SetValueOperation"
"""It has no output: what it writes is its first input."""


def speak(
    case: Case, inputs: Sequence[Array | None], product: Product | None
) -> Answer:
    """Where the case ends, with which code, and what was written."""
    stop = case.expect.stage if case.expect.stage in STAGES else EXECUTE
    data = [None if x is None else x.copy() for x in inputs]
    told = _run(SETUP if stop == EXECUTE else stop, case, data, product)
    if told.error is None and stop == EXECUTE and _can_execute(told, data):
        told = _run(EXECUTE, case, data, product)
    if told.error is not None:
        return Answer(told.stage, told.code.name, str(told.error))
    stage = OK if case.expect.stage not in STAGES else stop
    outputs, descs = told.outputs, told.out_descs
    if case.op == IN_PLACE:
        outputs = tuple(x for x in data[:1] if x is not None)
        descs = tuple(_descs(case.inputs[:1]))
    ran = told.stage == EXECUTE
    shapes = tuple((desc.dtype, desc.shape) for desc in descs)
    return Answer(
        stage, told.code.name, outputs=outputs if ran else None, shapes=shapes
    )


def _can_execute(told: atb.Outcome, data: Sequence[Array | None]) -> bool:
    """True where every tensor has, or can get, its data here."""
    small = all(desc.numel <= MOST_ELEMENTS for desc in told.out_descs)
    return small and all(x is not None for x in data)


def _run(
    stage: str, case: Case, data: Sequence[Array | None], product: Product | None
) -> atb.Outcome:
    """One run up to `stage`."""
    outs = None if case.outputs is None else _descs(case.outputs)
    ins = _descs(case.inputs)
    with warnings.catch_warnings():
        # Where the document takes what the source refuses; the table tells us which.
        warnings.simplefilter("ignore", atb.AtbWarning)
        return atb.run_to(
            stage, case.op, case.params, ins, outs, data=data, product=product
        )


def _descs(specs: Sequence[TensorSpec | None]) -> list[atb.TensorDesc]:
    """Descriptions; an absent tensor has ATB's defaults."""
    try:
        return [
            atb.TensorDesc()
            if spec is None
            else atb.TensorDesc(spec.dtype, spec.format, spec.shape)
            for spec in specs
        ]
    except atb.AtbError as error:
        raise CaseError(str(error)) from None
