"""Pad, PadV2 and MirrorPad."""

from __future__ import annotations

from functools import partial
from typing import Any

from restride.calls import reads_within
from restride.dialects.tensorflow.errors import TensorFlowError, in_words
from restride.dialects.tensorflow.kernels import (
    check_mirror_rank,
    check_pad_kernel,
    check_pad_rank,
)
from restride.dialects.tensorflow.paddings import (
    as_paddings,
    check_added,
    check_mirrored,
    read_mode,
)
from restride.dialects.tensorflow.tensors import as_tensor, as_value
from restride.lazy import View, view

__all__ = ["mirror_pad", "pad", "pad_v2"]


@reads_within(partial(in_words, "pad"))
def pad(input: Any, paddings: Any, name: Any = None) -> View:
    """Zeros round `input`, as ``tf.raw_ops.Pad``.

    Parameters
    ----------
    input : array_like
    paddings : [rank, 2] of int
        Elements to add before and after on each axis; int32 or int64.
    name : str, optional
        Of the node in a graph; without meaning here.

    Raises
    ------
    TensorFlowError
        In this order: rank (more than 8 axes), shape_mismatch or rank of `paddings`,
        other (a negative padding, a result too large), rank (a kernel of 6 axes).

    Notes
    -----
    TensorFlow 2.21, tensorflow/core/kernels/pad_op.cc.

    Examples
    --------
    >>> pad([[1, 2]], [[0, 0], [1, 2]]).tolist()
    [[0, 1, 2, 0, 0]]
    """
    return _padded("pad", input, paddings, None)


@reads_within(partial(in_words, "pad_v2"))
def pad_v2(input: Any, paddings: Any, constant_values: Any, name: Any = None) -> View:
    """One constant round `input`, as ``tf.raw_ops.PadV2``.

    Parameters
    ----------
    input : array_like
    paddings : [rank, 2] of int
        As for :func:`pad`.
    constant_values : scalar
        Of input's dtype, or a Python number that it holds.
    name : str, optional
        Of the node in a graph; without meaning here.

    Raises
    ------
    TensorFlowError
        As for :func:`pad`; shape_mismatch where `constant_values` is no scalar comes
        before what `paddings` holds.

    Notes
    -----
    TensorFlow 2.21, tensorflow/core/kernels/pad_op.cc.

    Examples
    --------
    >>> pad_v2([1, 2], [[1, 1]], -1).tolist()
    [-1, 1, 2, -1]
    """
    return _padded("pad_v2", input, paddings, constant_values)


@reads_within(partial(in_words, "mirror_pad"))
def mirror_pad(input: Any, paddings: Any, mode: str, name: Any = None) -> View:
    """`input` mirrored at its ends, as ``tf.raw_ops.MirrorPad``.

    Parameters
    ----------
    input : array_like
    paddings : [rank, 2] of int
        Elements to add before and after; int32 or int64.
    mode : str
        "REFLECT": the border once, each padding below the extent.  "SYMMETRIC": the
        border twice, each padding at most the extent.
    name : str, optional
        Of the node in a graph; without meaning here.

    Raises
    ------
    TensorFlowError
        In this order: other (`mode`), rank (more than 5 axes), shape_mismatch or rank
        of `paddings`; then axis by axis other (negative) and padding_too_large.

    Notes
    -----
    TensorFlow 2.21, tensorflow/core/kernels/image/mirror_pad_op.cc.  REFLECT refuses an
    axis without elements even where it adds nothing.

    Examples
    --------
    >>> mirror_pad([1, 2, 3], [[2, 0]], "REFLECT").tolist()
    [3, 2, 1, 2, 3]
    """
    op = "mirror_pad"
    array = as_tensor(op, "input", input)
    mirror = read_mode(op, mode)
    given = as_paddings(op, paddings)
    check_mirror_rank(op, array.ndim)
    pairs = given.pairs(array.shape)
    for axis, (n, pair) in enumerate(zip(array.shape, pairs, strict=True)):
        check_added(op, axis, pair)
        check_mirrored(op, axis, pair, n, mirror)
    return view(array).pad(pairs, mirror)


def _padded(op: str, input: Any, paddings: Any, constant: Any) -> View:
    array = as_tensor(op, "input", input)
    given = as_paddings(op, paddings)
    fill = None
    if op == "pad_v2":
        fill = as_value(op, "constant_values", constant, array.dtype)
    check_pad_rank(op, array.ndim)
    pairs = given.pairs(array.shape)
    if fill is not None and fill.ndim:
        raise TensorFlowError(
            op,
            "shape_mismatch",
            f"constant_values has shape {fill.shape}; give one number.",
        )
    for axis, pair in enumerate(pairs):
        check_added(op, axis, pair)
    check_pad_kernel(op, array.shape, pairs)
    return view(array).pad(pairs, "constant", None if fill is None else fill[()])
