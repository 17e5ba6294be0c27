"""`as_strided`, `narrow` and `flip`: the first two share the caller's memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from restride.arrays import memory
from restride.checks import MAX_BYTES, MAX_RANK
from restride.dialects.pytorch.arguments import as_dim, as_int, as_int_list
from restride.dialects.pytorch.errors import (
    TorchError,
    TorchIndexError,
    TorchNotImplementedError,
    limits,
)
from restride.dialects.pytorch.tensors import Storage, read
from restride.lazy import view

__all__ = ["as_strided", "flip", "narrow", "read_strides"]

NOT_FLIPPED = ("uint16", "uint32", "uint64", "float8")
"""Starts of the dtypes that PyTorch 2.13 cannot flip on a CPU."""


def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:  # noqa: A002
    """``y[i...] = storage(input)[storage_offset + sum(i * stride)]``, a view.

    Parameters
    ----------
    input : torch.Tensor or ndarray
        Strides go over its storage, whatever its own shape and strides are.  That of
        an array is the memory of the array it is a view of, or its own.
    size : tuple of int
    stride : tuple of int
        In elements, 0 or more.
    storage_offset : int, optional
        Element of the storage to start with; default the one `input` starts with.

    Returns
    -------
    torch.Tensor or ndarray
        As `input` is, in the same memory.

    Raises
    ------
    TorchError
        An element outside the storage; a negative size, stride or offset.

    Notes
    -----
    torch.as_strided of PyTorch 2.13.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(6)[2:]
    >>> as_strided(x, (2, 2), (1, 2)).tolist(), as_strided(x, (2,), (3,), 0).tolist()
    ([[2, 4], [3, 5]], [0, 3])
    """
    tensor = read(input, "as_strided")
    held = tensor.storage()
    size, stride, offset = read_strides(
        "as_strided", held, size, stride, storage_offset
    )
    return tensor.back(held.strided(size, stride, offset))


def read_strides(
    name: str, held: Storage, size: Any, stride: Any, storage_offset: Any
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The parameters of a view over a storage, proven to stay inside."""
    extents, steps = as_int_list(size, "size"), as_int_list(stride, "stride")
    offset = held.offset
    if storage_offset is not None:
        offset = as_int(storage_offset, "storage_offset")
    _check_signs(name, extents, steps, offset)
    spanned = prod(n for n in extents if n) * held.dtype.itemsize
    if len(extents) > MAX_RANK or spanned > MAX_BYTES:
        raise TorchError(
            "too_large",
            f"{name}(): size {list(extents)}: at most {MAX_RANK} axes and 2**63 - 1 "
            "bytes, repeats included, are taken.",
        )
    if 0 not in extents:
        _check_inside(name, held, extents, steps, offset)
    return extents, steps, offset


def _check_inside(
    name: str, held: Storage, extents: Sequence[int], steps: Sequence[int], offset: int
) -> None:
    reach = sum((n - 1) * s for n, s in zip(extents, steps, strict=True))
    most = held.size - 1 - reach
    if offset > most:
        mend = (
            f"the largest offset that fits is {most}" if most >= 0 else "no offset fits"
        )
        raise TorchError(
            "outside",
            f"{name}(): sizes {list(extents)}, strides {list(steps)}, storage offset "
            f"{offset} reach element {offset + reach} and are out of bounds for "
            f"storage of {held.size} elements; {mend}.",
        )


def _check_signs(
    name: str, extents: Sequence[int], steps: Sequence[int], offset: int
) -> None:
    if len(extents) != len(steps):
        raise TorchError(
            "stride",
            f"{name}(): mismatch in length of strides and shape: {len(steps)} strides "
            f"for {len(extents)} sizes.",
        )
    if min(steps, default=0) < 0:
        raise TorchError(
            "stride",
            f"{name}(): Negative strides are not supported, got strides: {list(steps)};"
            " flip() copies in reverse.",
        )
    if offset < 0:
        raise TorchError(
            "storage_offset", f"{name}(): invalid storage offset {offset}."
        )
    if min(extents, default=0) < 0:
        raise TorchError("size", f"{name}(): negative size in {list(extents)}.")


def narrow(input: Any, dim: Any, start: Any, length: Any) -> Any:  # noqa: A002
    """``y[..., k, ...] = input[..., start + k, ...]`` for k below `length`, a view.

    Parameters
    ----------
    input : torch.Tensor or ndarray
    dim : int
    start : int
        From the front, or from the end where negative; nothing is cut to fit.
    length : int
        Elements kept along `dim`.

    Raises
    ------
    TorchError
        Elements outside `dim`; an input without axes; no such `dim`.

    Notes
    -----
    torch.narrow of PyTorch 2.13.

    Examples
    --------
    >>> import numpy as np
    >>> narrow(np.arange(6).reshape(2, 3), 1, -2, 2).tolist()
    [[1, 2], [4, 5]]
    """
    tensor = read(input, "narrow")
    array = tensor.array
    axis, first = as_int(dim, "dim"), as_int(start, "start")
    count = as_int(length, "length")
    if not array.ndim:
        raise TorchError("rank", "narrow() cannot be applied to a 0-dim tensor.")
    if count < 0:
        raise TorchError(
            "length", f"narrow(): length must be non-negative, not {count}."
        )
    axis = as_dim(axis, array.ndim)
    extent = array.shape[axis]
    if not -extent <= first <= extent:
        raise TorchIndexError(
            "start",
            f"narrow(): start out of range (expected to be in range of [{-extent}, "
            f"{extent}], but got {first}).",
        )
    first += extent if first < 0 else 0
    if first + count > extent:
        raise TorchError(
            "length",
            f"narrow(): start ({first}) + length ({count}) exceeds dimension size "
            f"({extent}).",
        )
    shape = (*array.shape[:axis], count, *array.shape[axis + 1 :])
    begin = first * array.strides[axis] if prod(shape) else 0
    return tensor.back(memory(array, begin, shape, array.strides, array.dtype))


def flip(input: Any, dims: Any) -> Any:  # noqa: A002
    """``y[..., k, ...] = input[..., n - 1 - k, ...]`` along each of `dims`, a copy.

    Raises
    ------
    TorchError
        No such dim, one named twice, or a dtype that PyTorch cannot flip.

    Notes
    -----
    torch.flip of PyTorch 2.13.

    Examples
    --------
    >>> import numpy as np
    >>> flip(np.array([[1, 2], [3, 4]]), (0, -1)).tolist()
    [[4, 3], [2, 1]]
    """
    tensor = read(input, "flip")
    rank = tensor.array.ndim
    axes = [as_dim(dim, rank) for dim in as_int_list(dims, "dims")]
    for axis in axes:
        if axes.count(axis) > 1:
            raise TorchError(
                "dim", f"flip(): dim {axis} appears multiple times in the list of dims."
            )
    if _turns(tensor.array, axes) and tensor.array.dtype.name.startswith(NOT_FLIPPED):
        raise TorchNotImplementedError(
            "dtype", f"flip() is not implemented for '{tensor.array.dtype}' on a CPU."
        )
    with limits("flip"):
        return tensor.back(view(tensor.array).flip(axes if rank else ()).copy())


def _turns(x: np.ndarray[Any, Any], axes: Sequence[int]) -> bool:
    """True where two elements change places; elsewhere PyTorch copies any dtype."""
    return x.size > 0 and any(
        x.shape[axis] > 1 and x.strides[axis] != 0 for axis in axes if x.ndim
    )
