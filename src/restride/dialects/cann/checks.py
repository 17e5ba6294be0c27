"""Checks that several aclnn functions make, each raising the status it stands for."""

from __future__ import annotations

from typing import NoReturn, TypeVar

from restride.dialects.cann.errors import INVALID, NULLPTR, AclnnError, aclnn_errors
from restride.dialects.cann.tensor import PRIVATE_FORMATS, AclTensor
from restride.targets import Product, product, support

__all__ = ["Door"]

ASSUMED = ("A2", "950")
"""Where no product is named: the first of these that has the function.

The vendor's own tests run as Atlas A2 where they say nothing
(ops-math, tests/ut/op_api/stub/opdev/platform.cpp)."""

Ints = tuple[int, ...]
Given = TypeVar("Given")


class Door:
    """One aclnn function on one product: its name, and how it refuses.

    Parameters
    ----------
    operator : str
        The function's name, as the support tables have it.
    on : str, Product or None
        None: the dtypes of Atlas A2, or of the 950 where only that has the function.
    """

    def __init__(self, operator: str, on: str | Product | None) -> None:
        self.operator = operator
        if on is None:
            on = next(key for key in ASSUMED if support(operator, None, key).ok)
        with aclnn_errors(operator, INVALID):
            self.product = product(on)

    def refuse(self, why: str) -> NoReturn:
        """ACLNN_ERR_PARAM_INVALID."""
        raise AclnnError(self.operator, INVALID, why)

    def pointer(self, name: str, value: Given | None) -> Given:
        """`value`, unless it is a null pointer."""
        if value is None:
            raise AclnnError(
                self.operator, NULLPTR, f"{name} is null (None); the function needs it."
            )
        return value

    def check_product(self) -> None:
        """Refuse a product that the function's document does not list."""
        told = support(self.operator, None, self.product)
        if not told.ok:
            self.refuse(f"{told.reason} {told.instead or ''}".rstrip())

    def check_dtypes(self, /, **tensors: AclTensor) -> None:
        """Refuse the first tensor whose dtype the product does not take."""
        for name, tensor in tensors.items():
            told = support(self.operator, tensor.dtype, self.product)
            if not told.ok:
                self.refuse(f"{name}: {told.reason} {told.instead or ''}".rstrip())

    def check_same_dtype(self, /, **tensors: AclTensor) -> None:
        """Refuse two tensors of different dtypes."""
        (a, first), *rest = tensors.items()
        for b, other in rest:
            if other.dtype != first.dtype:
                self.refuse(
                    f"{a} has dtype {first.dtype} and {b} {other.dtype}; they must be "
                    "equal."
                )

    def check_view_formats(self, /, **tensors: AclTensor) -> None:
        """Refuse two tensors of different view formats."""
        (a, first), *rest = tensors.items()
        for b, other in rest:
            if other.format != first.format:
                self.refuse(
                    f"{a} has format {first.format} and {b} {other.format}; they must "
                    "be equal."
                )

    def check_public_formats(self, /, **tensors: AclTensor) -> None:
        """Refuse storage that only the device lays out."""
        for name, tensor in tensors.items():
            if tensor.storage_format in PRIVATE_FORMATS:
                self.refuse(
                    f"{name} has storage format {tensor.storage_format}, a private "
                    "one; only nd is supported."
                )

    def check_rank(self, name: str, tensor: AclTensor, least: int, most: int) -> None:
        """Refuse a rank outside ``least..most``."""
        if not least <= tensor.rank <= most:
            self.refuse(
                f"{name} has {tensor.rank} dims, shape {tensor.shape}; allowed are "
                f"{least} to {most}."
            )

    def check_same_rank(self, /, **tensors: AclTensor) -> None:
        """Refuse two tensors of different ranks."""
        (a, first), *rest = tensors.items()
        for b, other in rest:
            if other.rank != first.rank:
                self.refuse(
                    f"{a} has {first.rank} dims and {b} {other.rank}; they must be "
                    "equal."
                )

    def check_length(self, name: str, values: Ints, wanted: int) -> None:
        """Refuse an int array of another length."""
        if len(values) != wanted:
            self.refuse(f"{name} has length {len(values)}; it must have {wanted}.")

    def check_reflection(self, self_shape: Ints, padding: Ints) -> None:
        """Refuse a mirror as wide as its dim: each padding must be below it."""
        for k, width in enumerate(padding):
            axis = len(self_shape) - 1 - k // 2
            if width >= self_shape[axis]:
                self.refuse(
                    f"padding[{k}] = {width} on dim {axis} of extent "
                    f"{self_shape[axis]}; it must be below the extent."
                )
