"""StridedSlice, its gradient, and the update of a slice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from restride.calls import reads_within, written
from restride.checks import as_shape
from restride.dialects.tensorflow.errors import TensorFlowError, in_words
from restride.dialects.tensorflow.kernels import check_kernel, check_kernel_rank
from restride.dialects.tensorflow.spec import Spec, as_spec
from restride.dialects.tensorflow.tensors import as_integers, as_tensor, as_value
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.lazy import View, view

__all__ = ["strided_slice", "strided_slice_grad", "tensor_strided_slice_update"]

Array = np.ndarray[Any, Any]


@reads_within(partial(in_words, "strided_slice"))
def strided_slice(
    input: Any,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: Any = None,
) -> View:
    """``output[i...] = input[begin + i * strides]``, as ``tf.raw_ops.StridedSlice``.

    Parameters
    ----------
    input : array_like
    begin, end, strides : sequence of int
        Of one length, at most 31; int16, int32 or int64.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
        Bit k speaks of entry k; see :func:`restride.strided_slice`.
    name : str, optional
        Of the node in a graph; without meaning here.

    Returns
    -------
    ndarray
        A fresh array.

    Raises
    ------
    TensorFlowError
        In this order: other (dtypes, masks beyond 32 bits), shape_mismatch,
        multiple_ellipsis, too_many_indices or scalar_input; then axis by axis
        zero_stride, shrink_stride, index_out_of_bounds; then rank.

    Notes
    -----
    TensorFlow 2.21, tensorflow/core/kernels/strided_slice_op.cc.  Its kernels have up
    to 8 axes; more are taken only where no kernel runs: all elements in order, an empty
    result, or rows of a multiple of 64 bytes.

    Examples
    --------
    >>> strided_slice([1, 2, 3, 4], [-2], [0], [-1], end_mask=1).tolist()
    [3, 2, 1]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    spec = as_spec("strided_slice", begin, end, strides, masks)
    array = as_tensor("strided_slice", "input", input)
    entries = spec.entries(array.shape)
    check_kernel(spec, entries, array.shape, array.itemsize)
    return View(array, Chain.identity(array.shape).select(entries))


def strided_slice_grad(
    shape: Any,
    begin: Any,
    end: Any,
    strides: Any,
    dy: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: Any = None,
) -> Array:
    """Zeros of `shape` with `dy` where the slice reads: its gradient.

    Parameters
    ----------
    shape : sequence of int
        Extents of the array that was sliced; int32 or int64, as are `begin` to
        `strides`.
    dy : array_like
        The gradient of the slice, of exactly its shape.
    name : str, optional
        Of the node in a graph; without meaning here.

    Raises
    ------
    TensorFlowError
        As for :func:`strided_slice`, but `shape` is looked at first (shape_mismatch
        where it is no list, other where an extent is negative); then shape_mismatch of
        `dy`; then rank, above 8 axes.

    Notes
    -----
    ``tf.raw_ops.StridedSliceGrad``, strided_slice_op.cc.  Above 8 axes TensorFlow 2.21
    finds no kernel and returns memory that it never wrote; here that is refused.

    Examples
    --------
    >>> strided_slice_grad([4], [3], [0], [-2], [7, 8]).tolist()
    [0, 8, 0, 7]
    """
    op = "strided_slice_grad"
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    with in_words(op):
        source = as_tensor(op, "dy", dy)
        extents = _extents(op, shape)
        spec = as_spec(op, begin, end, strides, masks)
        cells = _cells(spec, extents)
        if cells.shape != source.shape:
            raise TensorFlowError(
                op,
                "shape_mismatch",
                f"dy has shape {source.shape} and the slice {cells.shape}; they must "
                "be equal.",
            )
        check_kernel_rank(op, len(extents))
        zeros = view(np.zeros((), source.dtype)).broadcast_to(extents).copy()
        return _write(zeros, source, cells)


def tensor_strided_slice_update(
    input: Any,
    begin: Any,
    end: Any,
    strides: Any,
    value: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: Any = None,
) -> Array:
    """A copy of `input` with `value` where the slice reads.

    Parameters
    ----------
    input : array_like
        Not changed.
    value : array_like
        Of input's dtype, or Python numbers that it holds; broadcasts to the slice,
        leading axes of extent 1 dropped.  Not looked at where the slice is empty.
    name : str, optional
        Of the node in a graph; without meaning here.

    Raises
    ------
    TensorFlowError
        As for :func:`strided_slice`; then shape_mismatch of `value`; then rank, above
        8 axes, unless the slice is empty.

    Notes
    -----
    ``tf.raw_ops.TensorStridedSliceUpdate``, strided_slice_op.cc.

    Examples
    --------
    >>> tensor_strided_slice_update([1, 2, 3], [0], [3], [2], [7, 8]).tolist()
    [7, 2, 8]
    """
    op = "tensor_strided_slice_update"
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    with in_words(op):
        spec = as_spec(op, begin, end, strides, masks)
        array = as_tensor(op, "input", input)
        source = as_value(op, "value", value, array.dtype)
        cells = _cells(spec, array.shape)
        result = view(array).copy()
        if cells.size == 0:
            return result
        _check_broadcast(op, source.shape, cells.shape)
        check_kernel_rank(op, array.ndim)
        return _write(result, source, cells)


def _extents(op: str, shape: Any) -> tuple[int, ...]:
    """The `shape` argument, its checks before all others."""
    given = as_integers(op, "shape", shape)
    if given.ndim != 1:
        raise TensorFlowError(
            op, "shape_mismatch", f"shape has shape {given.shape}; give a list."
        )
    return as_shape(given.tolist())


def _cells(spec: Spec, shape: Sequence[int]) -> IndexMap:
    """The elements of an array of `shape` that the slice names."""
    entries = spec.entries(shape)
    return Chain.identity(tuple(shape)).select(entries).maps[0]


def _write(target: Array, source: Array, cells: IndexMap) -> Array:
    write = written(target, source, lambda shape, src: cells, "assign")
    made: Array = write.prepared(write.target, write.source)
    return made


def _check_broadcast(op: str, given: Sequence[int], cells: Sequence[int]) -> None:
    """`given` has at most the extents of `cells`, or 1, from the last axis on."""
    spare = max(len(given) - len(cells), 0)
    kept = given[spare:]
    wanted = cells[len(cells) - len(kept) :]
    fits = all(g in (1, n) for g, n in zip(kept, wanted, strict=True))
    if not fits or any(n != 1 for n in given[:spare]):
        raise TensorFlowError(
            op,
            "shape_mismatch",
            f"value of shape {tuple(given)} does not broadcast to the slice of shape "
            f"{tuple(cells)}.",
        )
