"""CANN's aclnn functions: the first phase, then the second."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case
from restride.conform.errors import CaseError
from restride.conform.operators import VENDOR
from restride.conform.speakers.acl import output, tensor
from restride.conform.values import number_of
from restride.dialects import cann
from restride.targets import Product, dtype_named

__all__ = ["ask"]

Array = np.ndarray[Any, Any]

FIRST_PHASE = "get_workspace_size"
"""Stage where a case may be told to stop."""

DONE = cann.AclnnStatus.ACLNN_SUCCESS.name


def ask(case: Case, inputs: Sequence[Array | None], product: Product | None) -> Answer:
    """What the function answers: inputs, parameters, then the output it writes.

    Raises
    ------
    AclnnError
        It refuses.
    """
    known = VENDOR[case.op]
    if len(case.inputs) < len(known.inputs) or not case.outputs:
        raise CaseError(
            f"{case.op} takes the inputs {', '.join(known.inputs)} and one output, "
            "each of which may be null."
        )
    specs = case.inputs[: len(known.inputs)]
    sources = [
        None if spec is None else tensor(spec, x)
        for spec, x in zip(specs, inputs, strict=False)
    ]
    out = case.outputs[0]
    target = None if out is None else output(out, inputs[0] is not None)
    given = [_argument(name, case.params) for name in known.params]
    call = getattr(cann, f"{_function(case.op)}_get_workspace_size")
    _, executor = call(*sources, *given, target, product=product)
    assert out is not None, "the call has refused it"
    assert target is not None
    if case.expect.stage == FIRST_PHASE:
        return Answer(FIRST_PHASE, DONE)
    shapes = ((dtype_named(out.dtype).name, out.shape),)
    if target.data is None or inputs[0] is None or executor.does_nothing:
        return Answer(OK, DONE, shapes=shapes)
    executor.run()
    return Answer(OK, DONE, outputs=(np.asarray(target.array),), shapes=shapes)


def _function(op: str) -> str:
    """The dialect's name of a function.

    Examples
    --------
    >>> _function("aclnnReflectionPad1dBackward")
    'aclnn_reflection_pad1d_backward'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", op).lower()


def _argument(name: str, params: dict[str, Any]) -> Any:
    value = params.get(name)
    if value is None:
        return 0 if name.endswith("Mask") else None
    if name == "value" and isinstance(value, dict):
        return cann.AclScalar(number_of(value), value.get("dtype"))
    return value
