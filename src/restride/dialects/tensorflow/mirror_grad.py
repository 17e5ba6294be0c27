"""MirrorPadGrad: what was mirrored is folded back and added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.dialects.tensorflow.errors import TensorFlowError, in_words
from restride.dialects.tensorflow.kernels import check_mirror_rank
from restride.dialects.tensorflow.paddings import (
    as_paddings,
    check_added,
    check_mirrored,
    read_mode,
)
from restride.dialects.tensorflow.tensors import as_tensor
from restride.lazy import view

__all__ = ["mirror_pad_grad"]

Array = np.ndarray[Any, Any]
Pair = tuple[int, int]


def mirror_pad_grad(input: Any, paddings: Any, mode: str, name: Any = None) -> Array:
    """The gradient of `mirror_pad`: `input` folded back at its borders.

    Parameters
    ----------
    input : array_like
        The gradient of the padded array; no bool.
    paddings : [rank, 2] of int
        Those of the pad; int32 or int64.
    mode : str
        "REFLECT" or "SYMMETRIC".
    name : str, optional
        Of the node in a graph; without meaning here.

    Returns
    -------
    ndarray
        Extents of `input` less the paddings.

    Raises
    ------
    TensorFlowError
        In this order: other (`mode`), rank (more than 5 axes), shape_mismatch or rank
        of `paddings`; then axis by axis other (negative), padding_too_large where
        nothing is left and where a side is wider than what is left.

    Notes
    -----
    TensorFlow 2.21, tensorflow/core/kernels/image/mirror_pad_op.h: the axes are folded
    one after the other, the side before first, each sum in the dtype itself.  Sums of
    floats depend on that order, so it is kept here, apart from the engine's adjoint,
    which sums 16-bit floats in 32.

    Examples
    --------
    >>> mirror_pad_grad([1, 2, 4, 8], [[2, 0]], "SYMMETRIC").tolist()
    [6, 9]
    """
    op = "mirror_pad_grad"
    with in_words(op):
        array = as_tensor(op, "input", input)
        mirror = read_mode(op, mode)
        given = as_paddings(op, paddings)
        check_mirror_rank(op, array.ndim)
        pairs = given.pairs(array.shape)
        for axis, (n, pair) in enumerate(zip(array.shape, pairs, strict=True)):
            _check_axis(axis, n, pair, mirror)
        return _folded(view(array).copy(), pairs, once=mirror == "reflect")


def _check_axis(axis: int, n: int, pair: Pair, mirror: str) -> None:
    op = "mirror_pad_grad"
    check_added(op, axis, pair)
    if sum(pair) >= n:
        raise TensorFlowError(
            op,
            "padding_too_large",
            f"paddings[{axis}] = {pair} on axis {axis} of extent {n}; together they "
            f"must be below {n}.",
        )
    check_mirrored(op, axis, pair, n - sum(pair), mirror, "remaining extent")


def _folded(total: Array, pairs: Sequence[Pair], once: bool) -> Array:
    """`total`, changed on the way, without its borders, each added where it came from.

    `once` leaves out the border element itself, of which there is one.
    """
    for axis, (before, after) in enumerate(pairs):
        seen = np.moveaxis(total, axis, 0)
        last = len(seen) - after
        with np.errstate(all="ignore"):
            if before:
                begin = before + once
                seen[begin : begin + before] += seen[:before][::-1]
            if after:
                end = last - once
                seen[end - after : end] += seen[last:][::-1]
        total = np.moveaxis(seen[before:last], 0, axis)
    return np.ascontiguousarray(total).reshape(total.shape)
