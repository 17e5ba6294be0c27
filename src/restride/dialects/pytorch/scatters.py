"""`slice_scatter`, `select_scatter`, `as_strided_scatter`: a copy with cells written.

``y`` is a fresh copy of `input` in which the cells that a view names hold `src`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.api import assign
from restride.arrays import is_injective, memory
from restride.dialects.pytorch.arguments import as_dim, as_int
from restride.dialects.pytorch.errors import TorchError, TorchIndexError, limits
from restride.dialects.pytorch.tensors import Tensor, read
from restride.dialects.pytorch.views import read_strides
from restride.lazy import view

__all__ = ["as_strided_scatter", "select_scatter", "slice_scatter"]

Array = np.ndarray[Any, Any]


def slice_scatter(
    input: Any,  # noqa: A002
    src: Any,
    dim: Any = 0,
    start: Any = None,
    end: Any = None,
    step: Any = 1,
) -> Any:
    """A copy of `input` with ``y[..., start:end:step, ...] = src`` along `dim`.

    Parameters
    ----------
    input, src : torch.Tensor or ndarray
        Of one dtype; `src` has exactly the shape of the slice.
    dim : int
    start, end : int, optional
        Negative ones count from the end; both are cut to the axis.
    step : int
        Above 0.

    Raises
    ------
    TorchError
        `src` of another shape or dtype; a step below 1; an input without axes.

    Notes
    -----
    torch.slice_scatter of PyTorch 2.13, which converts a `src` of another dtype.

    Examples
    --------
    >>> import numpy as np
    >>> slice_scatter(np.zeros(4, int), np.array([7, 8]), start=-3, step=2).tolist()
    [0, 7, 0, 8]
    """
    tensor, source = _read_both(input, src, "slice_scatter")
    axis, stride = as_int(dim, "dim"), as_int(step, "step")
    first = None if start is None else as_int(start, "start")
    last = None if end is None else as_int(end, "end")
    _check_axes(tensor, "slice")
    axis = as_dim(axis, tensor.array.ndim)
    if stride < 1:
        raise TorchError(
            "step", f"slice_scatter(): slice step must be positive, not {stride}."
        )
    begin, stop, _ = slice(first, last).indices(tensor.array.shape[axis])
    index = slice(begin, max(begin, stop), stride)
    return _written(tensor, source, axis, index, "slice_scatter")


def select_scatter(input: Any, src: Any, dim: Any, index: Any) -> Any:  # noqa: A002
    """A copy of `input` with ``y[..., index, ...] = src`` along `dim`.

    Parameters
    ----------
    input, src : torch.Tensor or ndarray
        Of one dtype; `src` has the shape of `input` without `dim`.
    dim, index : int
        Negative ones count from the end; nothing is cut to fit.

    Raises
    ------
    TorchError
        `src` of another shape or dtype; an index outside; an input without axes.

    Notes
    -----
    torch.select_scatter of PyTorch 2.13.

    Examples
    --------
    >>> import numpy as np
    >>> select_scatter(np.zeros((2, 2), int), np.array([7, 8]), 1, -1).tolist()
    [[0, 7], [0, 8]]
    """
    tensor, source = _read_both(input, src, "select_scatter")
    axis, at = as_int(dim, "dim"), as_int(index, "index")
    _check_axes(tensor, "select")
    axis = as_dim(axis, tensor.array.ndim)
    extent = tensor.array.shape[axis]
    if not -extent <= at < extent:
        raise TorchIndexError(
            "index",
            f"select(): index {at} out of range for tensor of size "
            f"{list(tensor.array.shape)} at dimension {axis}.",
        )
    return _written(tensor, source, axis, at, "select_scatter")


def as_strided_scatter(
    input: Any,  # noqa: A002
    src: Any,
    size: Any,
    stride: Any,
    storage_offset: Any = None,
) -> Any:
    """A copy of `input` with ``storage(y)[storage_offset + sum(i * stride)] = src[i]``.

    The whole storage is copied and written, and read where `input` reads its own: a
    cell between the elements of `input` may be written and does not show.

    Parameters
    ----------
    input, src : torch.Tensor or ndarray
        Of one dtype; `src` has shape `size`.
    size, stride, storage_offset
        As for `as_strided`.

    Raises
    ------
    TorchError
        As for `as_strided`; `src` of another shape or dtype; two indices that write
        one cell; an `input` that repeats elements by a stride of 0.

    Notes
    -----
    torch.as_strided_scatter of PyTorch 2.13.  Where two indices write one cell it
    refuses a stride of 0 and else leaves the order open; an `input` with a stride of 0
    it copies first, in an order of its own.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(4).reshape(2, 2)
    >>> as_strided_scatter(x, np.array([7, 8]), (2,), (3,)).tolist()
    [[7, 1], [2, 8]]
    """
    name = "as_strided_scatter"
    tensor, source = _read_both(input, src, name)
    held, array = tensor.storage(), tensor.array
    steps = zip(array.strides, array.shape, strict=True)
    if array.size and any(s == 0 and n > 1 for s, n in steps):
        raise TorchError(
            "overlap",
            f"{name}(): input repeats elements by a stride of 0, so its storage has "
            "not its shape; give .contiguous() (NumPy: .copy()).",
        )
    extents, strides, offset = read_strides(name, held, size, stride, storage_offset)
    _check_source(source, extents, name)
    with limits(name):
        line = view(held.line).copy()
        fresh = type(held)(line, held.dtype, held.offset, held.strides)
        cells = fresh.strided(extents, strides, offset)
        if not is_injective(cells):
            raise TorchError(
                "overlap",
                f"{name}(): sizes {list(extents)}, strides {list(strides)} write one "
                "cell more than once; make them meet each cell once.",
            )
        assign(cells, ..., source)
        return tensor.back(_as_input(array, held.line, line))


def _as_input(array: Array, old: Array, new: Array) -> Array:
    """The elements of `new` that `array` reads in `old`, as a fresh array."""
    if not array.size:
        return np.empty(array.shape, array.dtype)
    offset = array.ctypes.data - old.ctypes.data
    seen = memory(new, offset, array.shape, array.strides, array.dtype)
    return view(seen).copy()


def _read_both(given: Any, src: Any, name: str) -> tuple[Tensor, Array]:
    tensor, source = read(given, name), read(src, name, "src").array
    if source.dtype != tensor.array.dtype:
        raise TorchError(
            "dtype",
            f"{name}(): src has dtype {source.dtype} and input {tensor.array.dtype}; "
            "elements are moved and not converted. Convert src first.",
        )
    return tensor, source


def _check_axes(tensor: Tensor, name: str) -> None:
    if not tensor.array.ndim:
        raise TorchIndexError("rank", f"{name}() cannot be applied to a 0-dim tensor.")


def _check_source(source: Array, wanted: tuple[int, ...], name: str) -> None:
    if source.shape != wanted:
        raise TorchError(
            "src",
            f"{name}(): expected src to have a size equal to the slice of self. src "
            f"size = {list(source.shape)}, slice size = {list(wanted)}.",
        )


def _written(tensor: Tensor, source: Array, axis: int, entry: Any, name: str) -> Any:
    """A fresh copy with `source` at `entry` of one axis."""
    index = (slice(None),) * axis + (entry,)
    with limits(name):
        _check_source(source, view(tensor.array)[index].shape, name)
        result = view(tensor.array).copy()
        return tensor.back(assign(result, index, source))
