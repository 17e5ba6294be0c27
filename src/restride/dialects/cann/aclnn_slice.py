"""aclnnStridedSlice: a strided slice behind the two-phase form."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from restride.api import strided_slice
from restride.dialects.cann.checks import Door
from restride.dialects.cann.errors import INNER_NULLPTR, aclnn_errors
from restride.dialects.cann.executor import Executor
from restride.dialects.cann.tensor import AclTensor, as_tensor, int64, int_array
from restride.errors import ShapeError
from restride.ops.strided_slice import StridedSlice
from restride.targets import Product

__all__ = ["aclnn_strided_slice", "aclnn_strided_slice_get_workspace_size"]

Array = np.ndarray[Any, Any]
NAME = "aclnnStridedSlice"
MOST_DIMS = 8
UNSIGNED = 2**64 - 1
"""Masks are int64 attributes read as uint64."""


def aclnn_strided_slice(
    self: Any,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: Any,
    end_mask: Any,
    ellipsis_mask: Any,
    new_axis_mask: Any,
    shrink_axis_mask: Any,
    out: Any,
    *,
    product: str | Product | None = None,
) -> Array | None:
    """Take the slice that TensorFlow's lists and masks name, into `out`.

    Parameters
    ----------
    self, out : AclTensor, ndarray or None
        Of one dtype, self of at most 8 dims; None is a null pointer.
    begin, end, strides : sequence of int or None
        One entry each per index; no stride may be 0, masked or not.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
        Bit k speaks of entry k; see `restride.strided_slice`.
    product : str or Product, optional
        Only the 950 has this function; None: its dtypes.

    Returns
    -------
    ndarray
        `out`, written; left as it is where `self` is empty.

    Raises
    ------
    AclnnError
        In this order: a null pointer; the product and dtypes; rank; lengths and zero
        strides; several ellipsis bits, a shrink bit whose stride is not above 0; a
        slice that does not exist (561103, not 161002); another out shape.

    Notes
    -----
    CANN ops-math, conversion/strided_slice/op_api/aclnn_strided_slice.cpp.  No entries
    at all mean a plain copy, whose shapes are compared when it runs.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.empty((2, 3), np.int32)
    >>> x = np.arange(12, dtype=np.int32).reshape(3, 4)
    >>> aclnn_strided_slice(x, [1, -1], [3, -4], [1, -1], 0, 0, 0, 0, 0, out).tolist()
    [[7, 6, 5], [11, 10, 9]]
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    made = aclnn_strided_slice_get_workspace_size(
        self, begin, end, strides, *masks, out, product=product
    )
    return made[1].run()


def aclnn_strided_slice_get_workspace_size(
    self: Any,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: Any,
    end_mask: Any,
    ellipsis_mask: Any,
    new_axis_mask: Any,
    shrink_axis_mask: Any,
    out: Any,
    *,
    product: str | Product | None = None,
) -> tuple[int, Executor]:
    """First phase of `aclnn_strided_slice`: (workspace size, executor)."""
    door = Door(NAME, product)
    source = door.pointer("self", as_tensor(self, "self", NAME))
    lists = tuple(
        door.pointer(name, int_array(given, name, NAME))
        for name, given in (("begin", begin), ("end", end), ("strides", strides))
    )
    target = door.pointer("out", as_tensor(out, "out", NAME))
    given = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    masks = {name: int64(mask, name, NAME) & UNSIGNED for name, mask in given.items()}
    _check(door, source, lists, masks, target)
    executor = _planned(door, source, lists, masks, target)
    return executor.workspace_size, executor


def _check(
    door: Door,
    self: AclTensor,
    lists: tuple[tuple[int, ...], ...],
    masks: dict[str, int],
    out: AclTensor,
) -> None:
    begin, end, strides = lists
    door.check_product()
    door.check_dtypes(self=self, out=out)
    door.check_same_dtype(self=self, out=out)
    door.check_rank("self", self, 0, MOST_DIMS)
    if not len(begin) == len(end) == len(strides):
        door.refuse(
            f"begin has length {len(begin)}, end {len(end)} and strides "
            f"{len(strides)}; they must be as many."
        )
    for k, stride in enumerate(strides):
        if stride == 0:
            door.refuse(f"strides[{k}] = 0; every stride must be other than 0.")
    dots = masks["ellipsis_mask"]
    if dots & (dots - 1):
        door.refuse(f"ellipsis_mask = {dots} has several bits; at most one is allowed.")
    for k, stride in enumerate(strides):
        if masks["shrink_axis_mask"] >> k & 1 and stride <= 0:
            door.refuse(
                f"strides[{k}] = {stride} where shrink_axis_mask has bit {k}; it must "
                "be above 0."
            )


def _planned(
    door: Door,
    self: AclTensor,
    lists: tuple[tuple[int, ...], ...],
    masks: dict[str, int],
    out: AclTensor,
) -> Executor:
    tensors = {"self": self, "out": out}
    if self.is_empty:
        return Executor(NAME, None, tensors)
    if not lists[0]:
        return Executor(NAME, _copy, tensors)
    with aclnn_errors(NAME, INNER_NULLPTR):
        spec = StridedSlice(lists[0], lists[1], lists[2], *masks.values())
        shape = spec.infer_shape(self.shape)
    # Two one-element shapes count as equal: CheckShapeAndScalarSame.
    if shape != out.shape and not prod(shape) == prod(out.shape) == 1:
        door.refuse(f"out has shape {out.shape}; the slice has {shape}.")

    def work(source: Array, target: Array) -> None:
        if target.shape == shape:
            strided_slice(source, *lists, **masks, out=target)
        else:
            target[...] = strided_slice(source, *lists, **masks).reshape(target.shape)

    return Executor(NAME, work, tensors)


def _copy(source: Array, target: Array) -> None:
    if source.shape != target.shape:
        raise ShapeError(
            f"out has shape {target.shape} and self {source.shape}; without entries "
            "the slice is a copy, and they must be equal."
        )
    target[...] = source
