"""The plain functions: each names an operator and runs its map."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from restride.arrays import as_dtype
from restride.calls import Write, reads, writes, written
from restride.checks import as_flag, as_shape
from restride.engines.prepared import Prepared
from restride.errors import DTypeError, ShapeError
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.layout.notation import as_entries
from restride.lazy import View, once, prepare
from restride.ops.ranges import resolve
from restride.ops.set_value import SetValue

__all__ = [
    "as_strided",
    "assign",
    "pad",
    "plan",
    "set_value",
    "slice",
    "strided_slice",
    "windows",
]

Array = np.ndarray[Any, Any]


class Operator(Protocol):
    """Anything with a check and a map: the four operators, and a caller's own."""

    def check(self, shape: Any, dtype: Any = None, strict: bool = False) -> None:
        """Refuse what is not defined on `shape`."""

    def chain(self, shape: Any) -> Chain:
        """What it reads, as a map over an array of `shape`."""


@reads
def slice(x: Any, index: Any, *, out: Any = None) -> View:
    """The elements of `x` at `index`, in a fresh array or in `out`.

    Parameters
    ----------
    x : array_like or View
    index : int, slice, None, Ellipsis, a tuple of these, or the same as text
    out : ndarray, optional
        Written instead of a fresh array; it may share memory with `x`.

    Raises
    ------
    ShapeError, BoundsError, DTypeError
        `index` does not fit `x`, or is no such index; `out` does not fit.

    Examples
    --------
    >>> import restride as rs
    >>> rs.slice([[1, 2, 3], [4, 5, 6]], "::-1, ::2").tolist()
    [[4, 6], [1, 3]]
    """
    return once(x)[index]


@writes(second=2)
def assign(dst: Array, index: Any, src: Any) -> Write:
    """Write `src` into exactly the cells that ``slice(dst, index)`` reads.

    `src` has dst's dtype, or is a Python number that dst holds or a list of them; it
    broadcasts as in NumPy's assignment, may be a View, and may share memory with `dst`.
    Returns `dst`.

    Raises
    ------
    ShapeError, BoundsError, DTypeError, UnsupportedError
        As for `slice`; `src` does not broadcast or has another dtype; `dst` is
        read-only or has two indices in the same memory.

    Examples
    --------
    >>> import numpy as np, restride as rs
    >>> rs.assign(np.zeros(4, int), "::2", [7, 8]).tolist()
    [7, 0, 8, 0]
    """

    def region(shape: tuple[int, ...], source: tuple[int, ...]) -> IndexMap:
        return IndexMap.cells(shape, resolve(as_entries(index), shape, "assign"))

    return written(dst, src, region, "assign")


@reads
def strided_slice(
    x: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    out: Any = None,
) -> View:
    """A slice in the encoding of TensorFlow's StridedSlice.

    Parameters
    ----------
    x : array_like or View
    begin, end, strides : sequence of int
        One entry per index; `strides` None means all 1.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
        Bit i speaks of entry i: ignore its begin, ignore its end, stand for any
        number of whole axes, add an axis of extent 1, take begin and drop the axis.
    out : ndarray, optional

    Raises
    ------
    ShapeError, BoundsError
        A stride of 0, too many entries, a single index outside its axis.

    Notes
    -----
    TensorFlow StridedSlice; precedence ellipsis, new axis, shrink, range.

    Examples
    --------
    >>> import restride as rs
    >>> rs.strided_slice([1, 2, 3, 4], [-2], [0], [-1], end_mask=1).tolist()
    [3, 2, 1]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return once(x).strided_slice(begin, end, strides, *masks)


@reads
def as_strided(
    x: Any,
    size: Any,
    stride: Any,
    offset: int = 0,
    *,
    copy: bool = True,
    strict: bool = False,
    out: Any = None,
) -> View | Array:
    """``y[i...] = flat(x)[offset + sum(i * stride)]``, never outside `x`.

    Parameters
    ----------
    x : array_like or View
        Read row-major, whatever its memory looks like.
    size : sequence of int
        Shape of the result.
    stride : sequence of int
        Elements (not bytes) between neighbours on each axis; 0 and negative work.
    offset : int
        Element to start with.
    copy : bool
        False gives a NumPy view, read-only where two indices share an element.
    strict : bool
        Only what the operator document allows: at most 8 sizes above 0, strides >= 0.
    out : ndarray, optional

    Raises
    ------
    BoundsError
        An element outside `x` would be read.
    UnsupportedError
        ``copy=False`` where the result is no strided view of `x`'s memory.

    Notes
    -----
    Ascend ATB AsStridedOperation.

    Examples
    --------
    >>> import restride as rs
    >>> x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    >>> rs.as_strided(x, (2, 2), (2, 3)).tolist()
    [[1, 4], [3, 6]]
    """

    seen = once(x).as_strided(size, stride, offset, strict=strict)
    if copy is True or as_flag(copy, "as_strided: copy"):
        return seen
    if out is not None:
        raise ShapeError("as_strided: copy=False gives a view; leave out= away.")
    return seen.as_numpy()


@reads
def pad(
    x: Any,
    paddings: Any,
    mode: str = "constant",
    constant_values: Any = 0,
    *,
    axes: Any = None,
    paddings_contiguous: bool = True,
    strict: bool = False,
    out: Any = None,
) -> View:
    """Extend each axis of `x` before and after; negative widths crop.

    Parameters
    ----------
    x : array_like or View
    paddings : int, pair, or table
        Elements to add: one int or one (before, after) for all axes, ``[rank, 2]``,
        ``[2, rank]`` with ``paddings_contiguous=False``, or a flat ``2 * rank``.
    mode : str
        "constant", "edge", "reflect" ("REFLECT"), "symmetric" ("SYMMETRIC"), "wrap".
    constant_values : scalar, pair, or table
        For mode "constant"; no effect in the others, as in PadV3.  One value or one
        (before, after) for all axes, ``[rank, 2]``, or for three axes or more one
        value per axis.  Where two axes meet, the later axis wins.
    axes : int or sequence of int, optional
        The axes that `paddings` and `constant_values` speak of; the others stay.
    strict : bool
        Only what PadV3's document allows (REFLECT up to n-1, SYMMETRIC up to n).
    out : ndarray, optional

    Raises
    ------
    ShapeError
        A form that does not fit, a negative extent, an axis with nothing to repeat.
    DTypeError
        A constant that the dtype does not hold.

    Notes
    -----
    CANN PadV3.

    Examples
    --------
    >>> import restride as rs
    >>> rs.pad([[0, 1, 2]], [[0, 0], [2, 2]], "REFLECT").tolist()
    [[2, 1, 0, 1, 2, 1, 0]]
    """
    words = {"axes": axes, "paddings_contiguous": paddings_contiguous, "strict": strict}
    return once(x).pad(paddings, mode, constant_values, **words)


@writes(second=1)
def set_value(
    dst: Array,
    src: Any,
    starts: Any,
    ends: Any,
    strides: Any = None,
    *,
    strict: bool = False,
) -> Write:
    """Write `src` into ``dst[starts:ends:strides]`` in place; nothing wraps or clamps.

    Parameters
    ----------
    dst : ndarray
        Changed and returned.
    src : array_like or View
        Of dst's dtype, or a Python number that dst holds or a list of them; broadcasts
        as in NumPy's assignment; may share memory.
    starts, ends, strides : sequence of int
        One entry per axis of `dst`; `strides` None means all 1.
    strict : bool
        Only what the operator document allows.

    Raises
    ------
    BoundsError
        A cell outside `dst`; nothing is written.
    ShapeError, DTypeError, UnsupportedError
        `src` does not fit; `dst` is read-only or overlaps itself.

    Notes
    -----
    Ascend ATB SetValueOperation.

    Examples
    --------
    >>> import numpy as np, restride as rs
    >>> rs.set_value(np.zeros((2, 3), int), [[5, 6]], (1, 0), (2, 2)).tolist()
    [[0, 0, 0], [5, 6, 0]]
    """

    def region(shape: tuple[int, ...], source: tuple[int, ...]) -> IndexMap:
        spec = SetValue(starts, ends, strides)
        return spec.cells(shape, strict, source)

    return written(dst, src, region, "set_value")


@reads
def windows(
    x: Any,
    size: Any,
    step: Any = 1,
    dilation: Any = 1,
    *,
    axis: Any = None,
    out: Any = None,
) -> View:
    """Sliding windows of `x`, as a fresh array; the window axes come last.

    Parameters
    ----------
    x : array_like or View
    size : int or sequence of int
        Elements per window, one per windowed axis.
    step, dilation : int or sequence of int
        Elements between windows, and between elements of one window.
    axis : int or sequence of int, optional
        Axes that slide; default all.
    out : ndarray, optional

    Raises
    ------
    ShapeError
        A window larger than its axis, or a size, step or dilation below 1.

    Notes
    -----
    With step and dilation 1, the elements of NumPy's ``sliding_window_view``.

    Examples
    --------
    >>> import restride as rs
    >>> rs.windows([1, 2, 3, 4], 2, step=2).tolist()
    [[1, 2], [3, 4]]
    """
    return once(x).windows(size, step, dilation, axis=axis)


def plan(
    view_or_operator: View | Operator | SetValue, shape: Any = None, dtype: Any = None
) -> Prepared:
    """The plan of a view or operator, ready to run over any array of shape and dtype.

    Parameters
    ----------
    view_or_operator : View or operator
    shape, dtype
        Of the array it will run over; for `SetValue`, of dst.  Taken from a View.

    Returns
    -------
    Prepared
        Call it as ``p(x, out=None)``, for `SetValue` as ``p(dst, src)``;
        ``p.adjoint()`` is the same map read backwards.  Equal maps give equal plans.

    Examples
    --------
    >>> import numpy as np, restride as rs
    >>> p = rs.plan(rs.Pad(1, "edge"), (3,), "int64")
    >>> p(np.arange(3)).tolist(), p.adjoint()(np.ones(5, int)).tolist()
    ([0, 0, 1, 2, 2], [2, 1, 2])
    """
    if isinstance(view_or_operator, View):
        _check_view(view_or_operator, shape, dtype)
        return view_or_operator.prepared()
    if not hasattr(view_or_operator, "check"):
        kind = type(view_or_operator).__name__
        raise DTypeError(f"plan: takes a View or one operator, not a {kind}.")
    if shape is None or dtype is None:
        raise ShapeError("plan: an operator needs shape= and dtype= of its array.")
    return _prepared(view_or_operator, as_shape(shape), as_dtype(dtype))


def _check_view(given: View, shape: Any, dtype: Any) -> None:
    """A view brings the shape and dtype of its array; others would be ignored."""
    array = given.array
    if shape is not None and as_shape(shape) != array.shape:
        raise ShapeError(f"plan: shape={shape} for a view of {array.shape}; leave out.")
    if dtype is not None and as_dtype(dtype) != array.dtype:
        raise DTypeError(f"plan: dtype={dtype} for a view of {array.dtype}; leave out.")


def _prepared(
    spec: Operator | SetValue, shape: tuple[int, ...], dtype: Any
) -> Prepared:
    spec.check(shape, dtype)
    if isinstance(spec, SetValue):
        region = spec.region(shape)
        return prepare(Chain.identity(region.shape), dtype, region)
    return prepare(spec.chain(shape), dtype)
