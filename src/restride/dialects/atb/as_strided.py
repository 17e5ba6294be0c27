"""AsStridedOperation: its rules in the vendor's order, its result's shape, and its run.

Ascend ATB AsStridedOperation, "Restrictions"; where that is silent, ATB 8.5.0,
src/ops/ops_infer/as_strided/as_strided_operation.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from restride.api import as_strided
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.framework import MAX_DIM, Columns
from restride.dialects.atb.params import AsStridedParam
from restride.dialects.atb.tensors import TensorDesc

__all__ = ["AsStridedRules"]

Array = np.ndarray[Any, Any]

INT64_MAX = 2**63 - 1


class AsStridedRules:
    """What AsStridedOperation adds to the framework's checks."""

    name = "AsStridedOperation"
    inputs = ("x",)
    outputs = ("y",)
    columns = Columns((("float16", "int64"),), (("float16", "int64"),))

    def __init__(self, param: AsStridedParam) -> None:
        given = param.values()
        self.size, self.stride = given["size"], given["stride"]
        self.offset = given["offset"]

    def check(self, stage: str, descs: Sequence[TensorDesc]) -> None:
        """The rules of InferShape, which Setup repeats."""
        self._check_lengths(stage)
        reach = self._check_axes(stage)
        start, numel = self.offset[0], descs[0].numel
        if start + reach > INT64_MAX:
            _refuse(stage, "int64", f"offset {start} + {reach} does not fit int64.")
        if start + reach >= numel:
            _refuse(
                stage,
                "furthest element",
                f"offset {start} + sum((size - 1) * stride) {reach} reads element "
                f"{start + reach} of x, which has {numel}; make size, stride or offset "
                "smaller.",
            )

    def _check_lengths(self, stage: str) -> None:
        size, stride, offset = self.size, self.stride, self.offset
        if len(size) > MAX_DIM:
            _refuse(stage, "length of size", f"{len(size)} entries; 8 is the most.")
        if len(size) != len(stride):
            _refuse(
                stage,
                "length of stride",
                f"size has length {len(size)} and stride {len(stride)}; give one of "
                "each per axis of y.",
            )
        if len(offset) != 1:
            _refuse(stage, "length of offset", f"{len(offset)} entries; give one.")
        if offset[0] < 0:
            _refuse(stage, "offset >= 0", f"offset[0] = {offset[0]}.")

    def _check_axes(self, stage: str) -> int:
        """Each axis in turn; returns how far the last element lies from the first."""
        reach = 0
        for i, (n, step) in enumerate(zip(self.size, self.stride, strict=True)):
            if n <= 0 or step < 0:
                _refuse(
                    stage,
                    "size > 0, stride >= 0",
                    f"size[{i}] = {n}, stride[{i}] = {step}.",
                )
            far = (n - 1) * step
            if far > INT64_MAX or reach + far > INT64_MAX:
                _refuse(
                    stage,
                    "int64",
                    f"(size[{i}] - 1) * stride[{i}] = {far}, and with the axes before "
                    f"it {reach + far}, must fit int64.",
                )
            reach += far
        return reach

    def check_setup(
        self, stage: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc]
    ) -> None:
        """The output's rank, then its extents, then the rules of InferShape."""
        shape = outputs[0].shape
        if len(shape) != len(self.size):
            raise AtbError(
                ErrorType.ERROR_INVALID_TENSOR_SIZE,
                stage,
                "rank of y",
                f"y has {len(shape)} dims and size {len(self.size)} entries.",
            )
        if shape != self.size:
            raise AtbError(
                ErrorType.ERROR_INVALID_TENSOR_DIM,
                stage,
                "shape of y",
                f"y has shape {shape}; size is {self.size}.",
            )
        self.check(stage, inputs)

    def infer(self, descs: Sequence[TensorDesc]) -> list[TensorDesc]:
        """x's dtype, format nd always, size as shape."""
        return [TensorDesc(descs[0].dtype, "nd", self.size)]

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
        """Copy into `outputs`, or into a fresh array where none is given.

        The documents speak of a view; the operator copies.
        """
        out = outputs[0] if outputs else None
        return [as_strided(inputs[0], self.size, self.stride, self.offset[0], out=out)]


def _refuse(stage: str, rule: str, message: str) -> NoReturn:
    raise AtbError(ErrorType.ERROR_INVALID_PARAM, stage, rule, message)
