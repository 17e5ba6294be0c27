"""The operators once more, element by element as their documents define them.

A table often gives shapes and no values.  What a dialect then answers is compared with
what these few lines say, which share nothing with the dialects, the algebra or the
engines: NumPy's plain indexing over lists of source positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = [
    "as_strided",
    "pad",
    "pad_grad",
    "set_value",
    "slice_shape",
    "strided_slice",
    "strided_slice_grad",
]

Array = np.ndarray[Any, Any]
Ints = Sequence[int]


def as_strided(x: Array, size: Ints, stride: Ints, offset: int) -> Array:
    """``y[i0, ...] = flat(x)[offset + i0 * stride[0] + ...]``.

    Notes
    -----
    Ascend ATB, document AsStridedOperation.

    Examples
    --------
    >>> as_strided(np.arange(6), (2, 2), (3, 1), 1).tolist()
    [[1, 2], [4, 5]]
    """
    place = np.full((1,) * len(size), offset, np.int64)
    for axis, (extent, step) in enumerate(zip(size, stride, strict=True)):
        along = [1] * len(size)
        along[axis] = extent
        place = place + (np.arange(extent) * step).reshape(along)
    return x.reshape(-1)[np.broadcast_to(place, size)]


def set_value(dst: Array, src: Array, starts: Ints, ends: Ints) -> Array:
    """`dst` with ``dst[starts[0]:ends[0], ...] = src``, as a new array.

    Notes
    -----
    Ascend ATB, document SetValueOperation.
    """
    result = dst.copy()
    result[tuple(slice(s, e) for s, e in zip(starts, ends, strict=True))] = src
    return result


def _edge(k: Array, n: int) -> Array:
    return np.clip(k, 0, n - 1)


def _reflect(k: Array, n: int) -> Array:
    return np.where(k < 0, -k, np.where(k > n - 1, 2 * (n - 1) - k, k))


def _symmetric(k: Array, n: int) -> Array:
    return np.where(k < 0, -k - 1, np.where(k > n - 1, 2 * n - 1 - k, k))


def _circular(k: Array, n: int) -> Array:
    return k % n


MODES: dict[str, Callable[[Array, int], Array]] = {
    "edge": _edge,
    "reflect": _reflect,
    "symmetric": _symmetric,
    "circular": _circular,
}
"""Source position of place k, for an axis of n; mirrors reach once, as documented."""


def pad(x: Array, pads: Sequence[tuple[int, int]], mode: str, value: Any) -> Array:
    """Place o of an axis reads place ``o - before`` where x has it, else by mode.

    Parameters
    ----------
    x : array
    pads : sequence of (before, after), one pair per axis, in elements; negative crops
    mode : str
        "constant", "edge", "reflect", "symmetric" or "circular", in any case.
    value : scalar of x's dtype
        For "constant".

    Notes
    -----
    CANN document PadV3; ops-math conversion/pad_v3 for circular and negative sides.

    Examples
    --------
    >>> pad(np.arange(3), [(2, 2)], "REFLECT", 0).tolist()
    [2, 1, 0, 1, 2, 1, 0]
    """
    places = [
        np.arange(-before, n + after)
        for n, (before, after) in zip(x.shape, pads, strict=True)
    ]
    if mode.lower() == "constant":
        return _constant(x, places, value)
    find = MODES[mode.lower()]
    # An axis without places needs no element, and an empty one has none to give.
    sources = [
        find(k, n) if k.size else k for k, n in zip(places, x.shape, strict=True)
    ]
    return np.asarray(x[np.ix_(*sources)])


def pad_grad(
    dy: Array, shape: Ints, pads: Sequence[tuple[int, int]], mode: str
) -> Array:
    """Each element of `dy` added to the place that `pad` copied it from.

    Parameters
    ----------
    dy : array
        Whole numbers, so that it does not matter in which order they are added.
    shape : of the array that was padded
    pads, mode
        As in `pad`.

    Notes
    -----
    CANN ops-math, conversion/pad_v3_grad.

    Examples
    --------
    >>> pad_grad(np.ones(5), (3,), [(1, 1)], "reflect").tolist()
    [1.0, 3.0, 1.0]
    """
    if mode.lower() == "constant":
        return pad(dy, [(-before, -after) for before, after in pads], mode, 0)
    find = MODES[mode.lower()]
    total = np.zeros(shape, np.complex128 if dy.dtype.kind == "c" else np.float64)
    places = [
        np.arange(-before, n + after)
        for n, (before, after) in zip(shape, pads, strict=True)
    ]
    sources = [find(k, n) if k.size else k for k, n in zip(places, shape, strict=True)]
    np.add.at(total, np.ix_(*sources), dy.astype(total.dtype))
    return total.astype(dy.dtype)


def _constant(x: Array, places: list[Array], value: Any) -> Array:
    result = np.full([k.size for k in places], value, x.dtype)
    inside = [(k >= 0) & (k < n) for k, n in zip(places, x.shape, strict=True)]
    kept = [k[held] for k, held in zip(places, inside, strict=True)]
    if places:
        result[np.ix_(*(np.flatnonzero(held) for held in inside))] = x[np.ix_(*kept)]
    else:
        result[()] = x[()]
    return result


def strided_slice(x: Array, lists: Sequence[Ints], masks: dict[str, int]) -> Array:
    """What begin, end, strides and the five masks select.

    Parameters
    ----------
    x : array
    lists : begin, end and strides, one entry of each per entry of the index
    masks : dict
        begin, end, ellipsis, new_axis and shrink_axis; missing ones are 0.

    Notes
    -----
    TensorFlow, document of StridedSlice: at one place the ellipsis wins over a new
    axis, and that over shrinking.

    Examples
    --------
    >>> strided_slice(np.arange(5), [[-1], [0], [-2]], {"end": 1}).tolist()
    [4, 2, 0]
    """

    return np.array(x[_index(lists, masks)])


def strided_slice_grad(
    dy: Array, shape: Ints, lists: Sequence[Ints], masks: dict[str, int]
) -> Array:
    """Zeros of `shape` with `dy` where `strided_slice` reads.

    Notes
    -----
    TensorFlow, document of StridedSliceGrad.

    Examples
    --------
    >>> strided_slice_grad(np.array([5, 6]), (4,), [[3], [0], [-2]], {}).tolist()
    [0, 6, 0, 5]
    """
    result = np.zeros(shape, dy.dtype)
    result[_index(lists, masks)] = dy
    return result


def slice_shape(
    shape: Ints, lists: Sequence[Ints], masks: dict[str, int]
) -> tuple[int, ...]:
    """Shape of `strided_slice`'s result; no array is made.

    Raises
    ------
    IndexError, TypeError, ValueError, OverflowError
        Whatever NumPy says of lists and masks that select nothing.

    Examples
    --------
    >>> slice_shape((4, 5), [[1], [9], [2]], {})
    (2, 5)
    """
    found: Array = np.broadcast_to(np.int8(0), shape)[_index(lists, masks)]
    extents: tuple[int, ...] = found.shape
    return extents


def _index(lists: Sequence[Ints], masks: dict[str, int]) -> tuple[Any, ...]:
    """The index that Python writes for the lists and masks."""

    def bit(name: str, k: int) -> bool:
        return bool(masks.get(name, 0) >> k & 1)

    index: list[Any] = []
    for k, (b, e, s) in enumerate(zip(*lists, strict=True)):
        if bit("ellipsis", k):
            index.append(...)
        elif bit("new_axis", k):
            index.append(None)
        elif bit("shrink_axis", k):
            index.append(b)
        else:
            first = None if bit("begin", k) else b
            index.append(slice(first, None if bit("end", k) else e, s))
    return tuple(index)
