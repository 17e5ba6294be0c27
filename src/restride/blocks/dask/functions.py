"""The plain functions over Dask arrays: each names an operator and gives its layer."""

from __future__ import annotations

from typing import Any

from restride.blocks.dask.collection import collect
from restride.blocks.dask.view import view
from restride.lazy import View

__all__ = ["as_strided", "pad", "slice", "strided_slice", "windows"]


def _made(seen: View, label: str) -> Any:
    return collect(seen.array, seen.chain, label)


def slice(x: Any, index: Any) -> Any:
    """The elements of `x` at `index`; see :func:`restride.slice`.

    Parameters
    ----------
    x : dask.array.Array or DaskView
    index : int, slice, None, Ellipsis, a tuple of these, or the same as text

    Returns
    -------
    dask.array.Array

    Raises
    ------
    ShapeError, BoundsError, DTypeError, UnsupportedError
        `index` does not fit `x`; `x` is no Dask array that restride moves.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> rs.dask.slice(da.arange(6, chunks=2), "::-2").compute().tolist()
    [5, 3, 1]
    """
    return _made(view(x)[index], "slice")


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
) -> Any:
    """A slice in TensorFlow's encoding; see :func:`restride.strided_slice`.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> x = da.arange(4, chunks=3)
    >>> rs.dask.strided_slice(x, [-2], [0], [-1], end_mask=1).compute().tolist()
    [2, 1, 0]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    seen = view(x).strided_slice(begin, end, strides, *masks)
    return _made(seen, "strided_slice")


def as_strided(
    x: Any, size: Any, stride: Any, offset: int = 0, *, strict: bool = False
) -> Any:
    """``y[i...] = flat(x)[offset + sum(i * stride)]``; see :func:`restride.as_strided`.

    The array is nowhere laid flat: each chunk of the result reads the spans it needs.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> x = da.arange(9, chunks=2).reshape(3, 3)
    >>> rs.dask.as_strided(x, (2, 2), (2, 3), 1).compute().tolist()
    [[1, 4], [3, 6]]
    """
    return _made(view(x).as_strided(size, stride, offset, strict=strict), "as_strided")


def pad(
    x: Any,
    paddings: Any,
    mode: str = "constant",
    constant_values: Any = 0,
    *,
    axes: Any = None,
    paddings_contiguous: bool = True,
    strict: bool = False,
) -> Any:
    """Extend each axis, in every mode, by any width; see :func:`restride.pad`.

    Parameters
    ----------
    x : dask.array.Array or DaskView
    paddings, mode, constant_values, axes, paddings_contiguous, strict
        As of :func:`restride.pad`.

    Returns
    -------
    dask.array.Array
        Chunked at the edges of x's chunks; what is added in chunks of x's usual size.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> y = rs.dask.pad(da.arange(3, chunks=2), (4, 1), "reflect")
    >>> y.compute().tolist()
    [0, 1, 2, 1, 0, 1, 2, 1]
    """
    words = {"axes": axes, "paddings_contiguous": paddings_contiguous, "strict": strict}
    return _made(view(x).pad(paddings, mode, constant_values, **words), "pad")


def windows(
    x: Any, size: Any, step: Any = 1, dilation: Any = 1, *, axis: Any = None
) -> Any:
    """Sliding windows; the window axes come last.  See :func:`restride.windows`.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> rs.dask.windows(da.arange(5, chunks=2), 3, step=2).compute().tolist()
    [[0, 1, 2], [2, 3, 4]]
    """
    return _made(view(x).windows(size, step, dilation, axis=axis), "windows")
