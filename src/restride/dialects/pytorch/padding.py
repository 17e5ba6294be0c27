"""`pad`: PyTorch's order of widths, its ranks and its bounds, over restride's pad."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from restride.api import pad as move
from restride.dialects.pytorch.arguments import as_int_list
from restride.dialects.pytorch.errors import (
    TorchError,
    TorchNotImplementedError,
    TorchTypeError,
    limits,
)
from restride.dialects.pytorch.tensors import read
from restride.dialects.pytorch.values import as_element
from restride.lazy import view

__all__ = ["pad"]

Array = np.ndarray[Any, Any]
Pairs = tuple[tuple[int, int], ...]

MODES = {
    "constant": "constant",
    "reflect": "reflect",
    "replicate": "edge",
    "circular": "wrap",
}
"""PyTorch's modes in restride's words."""

NOT_MIRRORED = ("bool", "uint16", "uint32", "uint64", "float8")
"""Starts of the dtypes that reflect and replicate lack on a CPU (PyTorch 2.13)."""


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:  # noqa: A002
    """Extend the last axes of `input`; the first pair of `pad` is the last axis's.

    Parameters
    ----------
    input : torch.Tensor or ndarray
    pad : tuple of int
        (before, after) of the last axis, then of the one before it, and so on.
        Negative widths crop.
    mode : str
        "constant"; "reflect", up to the extent less 1; "replicate", any width;
        "circular", up to the extent.  The last three pad the last 1, 2 or 3 axes of an
        input with one or two axes more.
    value : float, optional
        For "constant"; converted as PyTorch does, through a double.

    Returns
    -------
    torch.Tensor or ndarray
        As `input` is, fresh and row-major.

    Raises
    ------
    TorchError
        As PyTorch refuses; also "circular" that would repeat more elements than a
        crop on the other side has left.

    Notes
    -----
    torch.nn.functional.pad of PyTorch 2.13.  "circular" crops before it repeats; the
    other modes extend the original axis.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1, 2, 3]])
    >>> pad(x, (1, 0, 0, 1), value=7).tolist()
    [[7, 1, 2, 3], [7, 7, 7, 7]]
    >>> pad(x, (-1, 2), "circular").tolist(), pad(x, (-1, 2), "reflect").tolist()
    ([[2, 3, 2, 3]], [[2, 3, 2, 1]])
    """
    tensor = read(input, "pad")
    widths = as_int_list(pad, "pad")
    _check_mode(mode)
    pairs = _by_axis(widths, tensor.array.ndim)
    with limits("pad"):
        if mode == "constant":
            return tensor.back(_constant(tensor.array, pairs, value))
        _check_value(value, mode)
        _check_rank(len(widths), tensor.array.ndim)
        if mode == "circular":
            return tensor.back(_circular(tensor.array, pairs))
        _check_mirror(tensor.array, pairs, len(widths) // 2, mode)
        return tensor.back(move(tensor.array, pairs, MODES[mode]))


def _check_mode(mode: Any) -> None:
    if not isinstance(mode, str):
        raise TorchTypeError(
            "argument",
            f"pad(): argument 'mode' must be str, not {type(mode).__name__}.",
        )
    if mode not in MODES:
        raise TorchNotImplementedError(
            "mode",
            f"pad(): Unrecognised padding mode {mode:.40}; use one of "
            f"{', '.join(MODES)}.",
        )


def _by_axis(widths: Sequence[int], rank: int) -> Pairs:
    """(before, after) for every axis, the first one first."""
    if len(widths) % 2:
        raise TorchError(
            "pad", f"pad(): Padding length must be divisible by 2, not {len(widths)}."
        )
    if len(widths) > 2 * rank:
        raise TorchError(
            "pad",
            "pad(): Padding length should be less than or equal to two times the input "
            f"dimension but got padding length {len(widths)} and input of dimension "
            f"{rank}.",
        )
    given = list(zip(widths[::2], widths[1::2], strict=True))
    return ((0, 0),) * (rank - len(given)) + tuple(reversed(given))


def _check_left(axis: int, n: int, pair: tuple[int, int], left: int) -> None:
    """`left` elements of an axis must not be fewer than none."""
    if left < 0:
        raise TorchError(
            "pad",
            f"pad(): the input size {n}, plus padding {pair[0]} and {pair[1]}, "
            f"results in a negative output size. Check dimension {axis} of your input.",
        )


def _constant(x: Array, pairs: Pairs, value: Any) -> Array:
    for axis, (n, pair) in enumerate(zip(x.shape, pairs, strict=True)):
        _check_left(axis, n, pair, n + min(pair[0], 0) + min(pair[1], 0))
    is_crop = all(side <= 0 for pair in pairs for side in pair)
    held = None if is_crop else as_element(value, x.dtype)
    return move(x, pairs, "constant", held)


def _check_value(value: Any, mode: str) -> None:
    if value is not None and as_element(value, np.dtype(np.float64)) != 0:
        raise TorchError(
            "value",
            f"pad(): Padding mode '{mode}' doesn't take in value argument, and {value} "
            "was given; leave it away.",
        )


def _check_rank(length: int, rank: int) -> None:
    if length not in (2, 4, 6) or rank not in (length // 2 + 1, length // 2 + 2):
        raise TorchNotImplementedError(
            "rank",
            f"pad(): Padding size {length} is not supported for {rank}D input tensor. "
            "Other modes than constant take a padding size of 2 for 2D or 3D input, 4 "
            "for 3D or 4D, and 6 for 4D or 5D.",
        )


def _check_mirror(x: Array, pairs: Pairs, count: int, mode: str) -> None:
    """What PyTorch's reflection_pad and replication_pad ask of the shape."""
    if x.dtype.name.startswith(NOT_MIRRORED):
        raise TorchNotImplementedError(
            "dtype",
            f"pad(): mode '{mode}' is not implemented for '{x.dtype}' on a CPU.",
        )
    is_batch = x.ndim == count + 2
    if 0 in x.shape[is_batch:]:
        raise TorchError(
            "size",
            f"pad(): mode '{mode}' expects a {count + 1}D or {count + 2}D (batch mode) "
            "tensor with possibly 0 batch size and other non-zero dimensions for "
            f"input, but got: {list(x.shape)}.",
        )
    for axis, pair in enumerate(pairs):
        _check_left(axis, x.shape[axis], pair, x.shape[axis] + sum(pair))
        if mode == "reflect" and max(pair) >= max(x.shape[axis], 1):
            raise TorchError(
                "pad",
                "pad(): Padding size should be less than the corresponding input "
                f"dimension, but got: padding {pair} at dimension {axis} of input "
                f"{list(x.shape)}.",
            )
    made = [n + sum(pair) for n, pair in zip(x.shape, pairs, strict=True)][-count:]
    if max(made) < 1:
        raise TorchError(
            "pad",
            f"pad(): input {list(x.shape)} is too small. Calculated output {made}.",
        )


def _circular(x: Array, pairs: Pairs) -> Array:
    """Crop, then repeat what is left."""
    made = tuple(n + sum(pair) for n, pair in zip(x.shape, pairs, strict=True))
    for axis, (n, pair) in enumerate(zip(x.shape, pairs, strict=True)):
        if max(pair) > n:
            raise TorchError(
                "pad",
                f"pad(): Padding value causes wrapping around more than once: {pair} "
                f"at dimension {axis} of input {list(x.shape)}.",
            )
        kept = n + min(pair[0], 0) + min(pair[1], 0)
        _check_left(axis, n, pair, min(kept, made[axis]))
        if prod(made) and max(pair) > kept:
            raise TorchError(
                "pad",
                f"pad(): circular padding {pair} at dimension {axis} crops to {kept} "
                f"elements and repeats {max(pair)}, so PyTorch would return memory it "
                "has not written. Crop less.",
            )
    if not prod(made):
        return np.empty(made, x.dtype)
    crops = [(min(before, 0), min(after, 0)) for before, after in pairs]
    grows = [(max(before, 0), max(after, 0)) for before, after in pairs]
    return view(x).pad(crops).pad(grows, "wrap").copy()
