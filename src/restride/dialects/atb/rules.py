"""Which operation parameters make, and which product has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from restride.dialects.atb.as_strided import AsStridedRules
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.framework import Columns
from restride.dialects.atb.params import AsStridedParam, SetValueParam
from restride.dialects.atb.set_value import SetValueRules
from restride.dialects.atb.tensors import TensorDesc
from restride.targets import Product, support

__all__ = ["Rules", "check_product", "rules_of"]

Array = np.ndarray[Any, Any]

INVALID = ErrorType.ERROR_INVALID_PARAM


class Rules(Protocol):
    """What an operation adds to the framework; see `as_strided.py`, `set_value.py`."""

    @property
    def name(self) -> str:
        """The operation's name."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of its inputs."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of its outputs."""

    @property
    def columns(self) -> Columns:
        """Its table of dtypes."""

    def check(self, stage: str, descs: Sequence[TensorDesc]) -> None:
        """Its rules at InferShape."""

    def check_setup(
        self, stage: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc]
    ) -> None:
        """Its rules at Setup."""

    def infer(self, descs: Sequence[TensorDesc]) -> list[TensorDesc]:
        """The descriptions of its outputs."""

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
        """Move the elements."""


def rules_of(param: Any) -> Rules:
    """A copy of the parameters as rules; CreateOperation's own checks.

    Notes
    -----
    Ascend ATB 8.5.0, src/atb/operation/op_param_funcs.h: only the reserved bytes are
    looked at.  Hopeless parameters are created, and fail at InferShape.
    """
    if not isinstance(param, (AsStridedParam, SetValueParam)):
        raise AtbError(
            INVALID,
            "create",
            "parameters",
            f"a {type(param).__name__} is given; an AsStridedParam or a SetValueParam "
            "makes an operation.",
        )
    if any(param.rsv):
        raise AtbError(
            INVALID, "create", "reserved bytes", f"rsv = {param.rsv}; all must be 0."
        )
    if isinstance(param, AsStridedParam):
        return AsStridedRules(param)
    return SetValueRules(param)


def check_product(stage: str, operation: str, product: Product | None) -> None:
    """A product without the operator: there the vendor finds no kernel."""
    if product is not None:
        told = support(operation, None, product)
        if not told.ok:
            message = f"{told.reason} {told.instead or ''}".strip()
            raise AtbError(INVALID, stage, "product", message)
