"""SetValueOperation: its rules in the vendor's order, and its run in place.

Ascend ATB SetValueOperation, "Constraints"; where that is silent, ATB 8.5.0,
src/ops/ops_infer/set_value/set_value_operation.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.api import set_value
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.framework import Columns
from restride.dialects.atb.params import SetValueParam
from restride.dialects.atb.tensors import TensorDesc

__all__ = ["SetValueRules"]

Array = np.ndarray[Any, Any]

DTYPES = ("float16", "float", "int32", "int64", "bf16")


class SetValueRules:
    """What SetValueOperation adds to the framework's checks."""

    name = "SetValueOperation"
    inputs = ("dst", "src")
    outputs = ()
    """The document lists dst; the operation has none, and writes in place."""
    columns = Columns((DTYPES, DTYPES), ())

    def __init__(self, param: SetValueParam) -> None:
        given = param.values()
        self.starts, self.ends = given["starts"], given["ends"]
        self.strides = given["strides"]

    def check(self, stage: str, descs: Sequence[TensorDesc]) -> None:
        """The rules of InferShape, which Setup repeats."""
        dst, src = descs[0].shape, descs[1].shape
        self._check_lengths(stage, dst, src)
        for axis, (n, m) in enumerate(zip(dst, src, strict=True)):
            if m > n:
                raise AtbError(
                    ErrorType.ERROR_INVALID_TENSOR_DIM,
                    stage,
                    "src within dst",
                    f"dim {axis} of src is {m} and of dst {n}; src may not be larger.",
                )
        for axis, step in enumerate(self.strides):
            if step != 1:
                raise AtbError(
                    ErrorType.ERROR_INVALID_PARAM,
                    stage,
                    "strides all 1",
                    f"strides[{axis}] = {step}; only 1 is allowed.",
                )
        self._check_cells(stage, dst, src)
        _check_differences(stage, dst, src)

    def _check_lengths(
        self, stage: str, dst: tuple[int, ...], src: tuple[int, ...]
    ) -> None:
        if len(dst) != len(src):
            raise AtbError(
                ErrorType.ERROR_INVALID_TENSOR_DIM_NUM,
                stage,
                "equal ranks",
                f"dst has {len(dst)} dims and src {len(src)}; give both as many.",
            )
        for name in ("strides", "starts", "ends"):
            given = getattr(self, name)
            if len(given) != len(dst):
                raise AtbError(
                    ErrorType.ERROR_INVALID_PARAM,
                    stage,
                    f"length of {name}",
                    f"{name} has length {len(given)} and dst {len(dst)} dims; give "
                    "one per dim.",
                )

    def _check_cells(
        self, stage: str, dst: tuple[int, ...], src: tuple[int, ...]
    ) -> None:
        axes = zip(self.starts, self.ends, dst, src, strict=True)
        for axis, (start, end, n, m) in enumerate(axes):
            if start < 0 or end > n or start >= end or end - start != m:
                raise AtbError(
                    ErrorType.ERROR_INVALID_PARAM,
                    stage,
                    "cells within dst, as many as src has",
                    f"dim {axis}: starts {start} and ends {end}, with dst {n} and src "
                    f"{m}; needed is 0 <= starts < ends <= {n} and ends - starts = "
                    f"{m}. Nothing wraps: add {n} to a negative index yourself.",
                )

    def check_setup(
        self, stage: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc]
    ) -> None:
        """Setup repeats the rules of InferShape."""
        self.check(stage, inputs)

    def infer(self, descs: Sequence[TensorDesc]) -> list[TensorDesc]:
        """No outputs."""
        return []

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
        """Write src into the cells of dst, in place."""
        set_value(inputs[0], inputs[1], self.starts, self.ends)
        return []


def _check_differences(stage: str, dst: tuple[int, ...], src: tuple[int, ...]) -> None:
    """Exactly one dim after dim 0 differs; dim 0 may differ too.

    The document says it the other way round: one or two dims differ, never dim 0 alone,
    and of two one is dim 0.  So equal shapes and rank 1 are always refused.
    """
    differ = [axis for axis in range(1, len(dst)) if dst[axis] != src[axis]]
    if len(differ) != 1:
        raise AtbError(
            ErrorType.ERROR_INVALID_TENSOR_DIM,
            stage,
            "one dim after dim 0 differs",
            f"dst {dst} and src {src} differ on dims {differ} after dim 0; exactly one "
            "must differ. Write in several calls, or reshape so that one does.",
        )
