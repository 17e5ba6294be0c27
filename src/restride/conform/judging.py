"""Is the answer what the table says?  And how sure is that?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case, TensorSpec
from restride.conform.compare import first_difference
from restride.conform.errors import CaseError
from restride.conform.expected import outputs_of
from restride.conform.values import values_of
from restride.targets import DType, UnknownNameError, dtype_named

__all__ = ["Judged", "judge"]

Array = np.ndarray[Any, Any]

DONE = ("NO_ERROR", "GRAPH_SUCCESS", "ACLNN_SUCCESS")
"""Codes of success, which a stage alone, other than ok, does not expect."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one answer."""

    why: str = ""
    """What differs; empty where nothing does."""
    checked: str = "status"
    """How: a key of `restride.conform.report.CHECKS`."""


def judge(case: Case, inputs: Sequence[Array | None], answer: Answer) -> Judged:
    """Compare the answer with the table, and its data with all that is known of it."""
    expect = case.expect
    if expect.stage not in (None, answer.stage) or expect.code not in (
        None,
        answer.code,
    ):
        return Judged(answer.why or "the dialect accepts it")
    if expect.code is None and expect.stage != OK and answer.code in DONE:
        return Judged("the dialect accepts it")
    if answer.stage != OK:
        return Judged()
    return _shapes(case, answer) or _data(case, inputs, answer)


def _shapes(case: Case, answer: Answer) -> Judged | None:
    """What is wrong with the outputs' dtypes and shapes, or None."""
    if answer.shapes is None or not case.outputs:
        return None
    if len(answer.shapes) != len(case.outputs):
        return Judged(f"{len(answer.shapes)} outputs, not {len(case.outputs)}")
    pairs = zip(case.outputs, answer.shapes, strict=True)
    for k, (spec, (dtype, shape)) in enumerate(pairs):
        if spec is None:
            continue
        if shape != spec.shape:
            return Judged(f"output {k} has shape {shape}, not {spec.shape}")
        if dtype_named(dtype) != _known(spec):
            return Judged(f"output {k} has dtype {dtype}, not {spec.dtype}")
    return None


def _known(spec: TensorSpec) -> DType:
    """The dtype that the table writes."""
    try:
        return dtype_named(spec.dtype)
    except UnknownNameError as error:
        raise CaseError(str(error)) from None


def _data(case: Case, inputs: Sequence[Array | None], answer: Answer) -> Judged:
    if answer.outputs is None:
        return Judged(checked="status" if answer.shapes is None else "shape")
    told = _table_data(case.outputs)
    known = told if told is not None else outputs_of(case, inputs)
    if known is None:
        return Judged(checked="shape")
    for k, (expected, got) in enumerate(zip(known, answer.outputs, strict=True)):
        wrong = first_difference(expected, got)
        if wrong:
            return Judged(f"output {k}: {wrong}")
    return Judged(checked="definition" if told is None else "data")


def _table_data(
    outputs: tuple[TensorSpec | None, ...] | None,
) -> tuple[Array, ...] | None:
    """The outputs' values, where the table gives all of them."""
    if not outputs:
        return None
    specs = [spec for spec in outputs if spec is not None and spec.data is not None]
    if len(specs) != len(outputs):
        return None
    return tuple(values_of(spec, 0, "", k) for k, spec in enumerate(specs))
