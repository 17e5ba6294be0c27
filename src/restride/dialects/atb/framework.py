"""What ATB checks of every operation, before the operation's own rules.

Each function checks one step; the order is that of its callers in `operation.py`.
Ascend ATB 8.5.0, src/atb/operation/operation_base.cpp, src/atb/utils/tensor_check.cpp,
ops_configs/atb_ops_info.ini.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from restride.dialects.atb.errors import AtbError, AtbWarning, ErrorType
from restride.dialects.atb.tensors import BYTES_OF, UNDEFINED, TensorDesc
from restride.targets import Product, support

__all__ = ["Columns", "check_bf16", "check_columns", "check_count", "check_shapes"]

MAX_DIM = 8
"""Most axes of a tensor."""

MOST_BYTES = 2**38
"""Most bytes of a tensor, 256 GiB; so many are still allowed."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The table of dtypes of an operation: column k of every row must match at once.

    Every column's format is nd in both operations' tables.
    """

    inputs: tuple[tuple[str, ...], ...]
    """Per input, its dtype in each column."""
    outputs: tuple[tuple[str, ...], ...]
    """The same per output."""

    def match(self, *tensors: TensorDesc) -> bool:
        """True when one column fits all tensors, inputs first."""
        if any(desc.format != "nd" for desc in tensors):
            return False
        rows = (*self.inputs, *self.outputs)[: len(tensors)]
        given = tuple(desc.dtype for desc in tensors)
        return given in zip(*rows, strict=True)


def check_count(stage: str, what: str, given: int, wanted: int) -> None:
    """The number of inputs or outputs; both answer with the code of inputs."""
    if given != wanted:
        raise AtbError(
            ErrorType.ERROR_INVALID_IN_TENSOR_NUM,
            stage,
            f"number of {what}s",
            f"{given} {what} tensor(s) given; the operation has {wanted}.",
        )


def check_shapes(stage: str, names: Sequence[str], descs: Sequence[TensorDesc]) -> None:
    """Each tensor in order: its number of axes, then its size in bytes."""
    for name, desc in zip(names, descs, strict=True):
        if not 1 <= desc.dim_num <= MAX_DIM:
            raise AtbError(
                ErrorType.ERROR_INVALID_TENSOR_DIM,
                stage,
                "1 to 8 dims",
                f"{name} has {desc.dim_num} dims; ATB takes 1 to {MAX_DIM}. "
                "Give a scalar as a tensor of one element, and merge axes.",
            )
        if not 0 < desc.byte_size <= MOST_BYTES:
            raise AtbError(
                ErrorType.ERROR_INVALID_TENSOR_SIZE,
                stage,
                "1 byte to 256 GiB",
                f"{name} {_told(desc)} {_size_fault(desc)}; ATB takes 1 to "
                f"{MOST_BYTES} bytes.",
            )


def _size_fault(desc: TensorDesc) -> str:
    if min(desc.shape) <= 0:
        return "has an extent of 0 or less, so no bytes"
    if desc.byte_size:
        return f"has {desc.byte_size} bytes"
    if desc.dtype not in BYTES_OF:
        return "is of a dtype whose size ATB does not know"
    return "has more bytes than 64 bits count"


def check_columns(
    stage: str,
    operation: str,
    columns: Columns,
    inputs: Sequence[TensorDesc],
    outputs: Sequence[TensorDesc] = (),
) -> None:
    """One column of the table must fit all tensors by dtype and format."""
    tensors = (*inputs, *outputs)
    if not columns.match(*tensors):
        given = ", ".join(f"{d.dtype}/{d.format}" for d in tensors)
        raise AtbError(
            ErrorType.ERROR_INVALID_TENSOR_INI_MATCH,
            stage,
            "table of dtypes and formats",
            f"tensors are {given}; all must be nd and of one dtype of "
            f"{', '.join(columns.inputs[0])}. {_instead(operation, tensors)}".strip(),
        )


def _instead(operation: str, tensors: Sequence[TensorDesc]) -> str:
    """What does work for a dtype that is the same everywhere, if something does."""
    kinds = {desc.dtype for desc in tensors}
    if UNDEFINED in kinds:
        return "'undefined' is no dtype given, or one that the Python binding lacks."
    return (len(kinds) == 1 and support(operation, kinds.pop()).instead) or ""


def check_bf16(
    stage: str, operation: str, descs: Sequence[TensorDesc], product: Product | None
) -> None:
    """bf16 by product: the document's list refuses, the source's longer one warns.

    Notes
    -----
    Ascend ATB SetValueOperation, Applicable Products, excludes Atlas inference only;
    src/atb/utils/tensor_check.h also refuses Atlas training and 200I/500 A2.
    """
    if product is None or all(desc.dtype != "bf16" for desc in descs):
        return
    told = support(operation, "bf16", product)
    if told.code == ErrorType.ERROR_INVALID_TENSOR_DTYPE.name:
        raise AtbError(
            ErrorType.ERROR_INVALID_TENSOR_DTYPE,
            stage,
            "bf16 by product",
            f"{told.reason} {told.instead or ''}".strip(),
        )
    if told.ok and told.note:
        text = f"{operation} on {product}: {told.note}"
        warnings.warn(text, AtbWarning, stacklevel=4)


def _told(desc: TensorDesc) -> str:
    return f"({desc.dtype}, shape {desc.shape})"
