"""NumPy's stride tricks, held inside the memory that the array may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from restride.arrays import whole_memory
from restride.checks import MAX_BYTES, MAX_RANK, as_ints
from restride.dialects.numpy.errors import (
    NumpyError,
    NumpyIndexError,
    NumpyTypeError,
    refusal,
)
from restride.errors import DTypeError, RestrideError

__all__ = ["as_strided", "sliding_window_view"]

Array = np.ndarray[Any, Any]


def as_strided(
    x: Any,
    shape: Any = None,
    strides: Any = None,
    subok: bool = False,
    writeable: bool = True,
) -> Array:
    """``y[i...]`` is the element ``sum(i * strides)`` bytes after the first of `x`.

    Parameters
    ----------
    x : array_like
    shape : sequence of int, optional
        Default that of `x`.
    strides : sequence of int, optional
        In bytes, of any sign; default those of `x`.
    subok : bool
        Keep a subclass of ndarray.
    writeable : bool
        False gives a read-only view; True one as writeable as `x`.  As in NumPy two
        indices of it may share memory.

    Returns
    -------
    ndarray
        A view; nothing is copied.

    Raises
    ------
    NumpyError
        An element would lie outside the memory that `x` may see: that of the array it
        is a view of, or its own.  NumPy reads it.

    Notes
    -----
    numpy.lib.stride_tricks.as_strided of NumPy 2.4.

    Examples
    --------
    >>> x = np.arange(6, dtype="u1")
    >>> as_strided(x, (2, 3), (2, 1)).tolist()
    [[0, 1, 2], [2, 3, 4]]
    >>> as_strided(x, (2, 3), (4, 1))
    Traceback (most recent call last):
    restride.dialects.numpy.errors.NumpyError: as_strided: shape (2, 3), strides (4, 1) reaches bytes [0, 7) counted from the first element of x; its memory is [0, 6). Make shape or strides smaller.
    """  # noqa: E501
    array = _read(x, subok, "as_strided")
    extents = array.shape if shape is None else _ints(shape, "shape")
    steps = array.strides if strides is None else _ints(strides, "strides")
    _check_form(extents, steps, array.itemsize)
    if 0 not in extents:
        _check_inside(array, extents, steps)
    return _view(array, extents, steps, subok, writeable)


def sliding_window_view(
    x: Any,
    window_shape: Any,
    axis: Any = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> Array:
    """``y[..., w..., j...] = x[..., w + j, ...]``, a view; the windows' axes come last.

    Parameters
    ----------
    x : array_like
    window_shape : int or sequence of int
        Elements per window, one per windowed axis.
    axis : int or sequence of int, optional
        The windowed axes, default all; one may be named again.
    subok, writeable : bool
        As for `as_strided`.

    Raises
    ------
    NumpyError
        As NumPy refuses: a negative size, one larger than its axis, an axis that `x`
        has not, another number of sizes than of axes.

    Notes
    -----
    numpy.lib.stride_tricks.sliding_window_view of NumPy 2.4.

    Examples
    --------
    >>> sliding_window_view(np.arange(4), 2).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    array = _read(x, subok, "sliding_window_view")
    sizes = _ints(_listed(window_shape), "window_shape")
    if min(sizes, default=0) < 0:
        raise NumpyError(
            "window_shape",
            f"`window_shape` cannot contain negative values; it is {sizes}.",
        )
    axes = _axes(axis, array.ndim, len(sizes))
    left = list(array.shape)
    for k, size in zip(axes, sizes, strict=True):
        if size > left[k]:
            raise NumpyError(
                "window_shape",
                "window shape cannot be larger than input array shape: "
                f"{size} on axis {k}, where {left[k]} places are left.",
            )
        left[k] -= size - 1
    steps = array.strides + tuple(array.strides[k] for k in axes)
    return as_strided(array, (*left, *sizes), steps, subok, writeable)


def _read(x: Any, subok: bool, name: str) -> Array:
    if isinstance(x, np.ma.MaskedArray):
        raise NumpyError(
            "array", f"{name}: a masked array would lose its mask; use its .data."
        )
    try:
        array: Array = np.array(x, copy=None, subok=bool(subok))
    except (ValueError, TypeError, RuntimeError) as error:
        raise refusal("array", f"{name}: {error}", error) from None
    return array


def _listed(value: Any) -> Any:
    return value if isinstance(value, Iterable) else (value,)


def _ints(values: Any, kind: str) -> tuple[int, ...]:
    if isinstance(values, Iterator):  # it may have no end
        values = tuple(islice(values, 2 * MAX_RANK))
    try:
        return as_ints(values, kind)
    except DTypeError as error:
        raise NumpyTypeError(kind, str(error)) from None
    except RestrideError as error:
        raise NumpyError("too_large", str(error)) from None


def _axes(axis: Any, rank: int, count: int) -> tuple[int, ...]:
    """The windowed axes, one per size; an axis may come twice."""
    given = range(rank) if axis is None else _ints(_listed(axis), "axis")
    for k in given:
        if not -rank <= k < rank:
            raise NumpyIndexError(
                "axis",
                f"axis {k} is out of bounds for array of dimension {rank}; "
                f"allowed is {-rank} to {rank - 1}.",
            )
    if len(given) != count:
        raise NumpyError(
            "window_shape",
            f"window_shape has length {count} for {len(given)} axes; give one each.",
        )
    return tuple(k % rank for k in given)


def _check_form(extents: Sequence[int], steps: Sequence[int], itemsize: int) -> None:
    """What NumPy cannot hold as an array at all."""
    if len(extents) != len(steps):
        raise NumpyError(
            "strides",
            f"as_strided: mismatch in length of strides and shape: shape has "
            f"{len(extents)} entries and strides {len(steps)}; give one of each per "
            "axis.",
        )
    if min(extents, default=0) < 0:
        raise NumpyError(
            "shape",
            f"as_strided: negative dimensions are not allowed: shape {extents}.",
        )
    if len(extents) > MAX_RANK:
        raise NumpyError(
            "shape", f"as_strided: {len(extents)} axes; at most {MAX_RANK}."
        )
    spanned = prod(n for n in extents if n) * max(itemsize, 1)
    if spanned > MAX_BYTES or any(abs(s) > MAX_BYTES for s in steps):
        raise NumpyError(
            "too_large",
            f"as_strided: shape {extents}, strides {steps}: NumPy counts at most "
            "2**63 - 1 bytes, repeats included.",
        )


def _check_inside(x: Array, extents: Sequence[int], steps: Sequence[int]) -> None:
    """Every byte must lie in memory that `x` may see; objects must be whole ones."""
    line, at = whole_memory(x)
    reach = [(n - 1) * s for n, s in zip(extents, steps, strict=True)]
    low = sum(r for r in reach if r < 0)
    high = sum(r for r in reach if r > 0) + x.itemsize
    if at + low < 0 or at + high > line.size:
        raise NumpyError(
            "outside",
            f"as_strided: shape {tuple(extents)}, strides {tuple(steps)} reaches bytes "
            f"[{low}, {high}) counted from the first element of x; its memory is "
            f"[{-at}, {line.size - at}). Make shape or strides smaller.",
        )
    if x.dtype.hasobject and not _on_objects(x, extents, steps):
        raise NumpyError(
            "objects",
            f"as_strided: strides {tuple(steps)} could meet bytes that are no Python "
            "object; step along the axes of x by its own strides, and stay inside.",
        )


def _on_objects(x: Array, extents: Sequence[int], steps: Sequence[int]) -> bool:
    """True where every step is one along an axis of `x` and stays on that axis."""
    own = {s: n - 1 for n, s in sorted(zip(x.shape, x.strides, strict=True))}
    reach: Counter[int] = Counter()
    for n, s in zip(extents, steps, strict=True):
        reach[s] += n - 1 if s else 0
    return all(far <= own.get(s, 0) for s, far in reach.items())


def _view(
    x: Array, extents: Sequence[int], steps: Sequence[int], subok: bool, writeable: bool
) -> Array:
    """NumPy's own view, now that it is known to stay inside."""
    trick = np.lib.stride_tricks.as_strided
    try:
        return trick(x, tuple(extents), tuple(steps), bool(subok), bool(writeable))
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        raise refusal("too_large", f"as_strided: {error}.", error) from None
