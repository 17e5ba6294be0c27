"""Region writes over Dask arrays: a new array, in which the region is another's."""

from __future__ import annotations

from typing import Any

from restride.arrays import as_source
from restride.blocks.dask.collection import as_dask, axes_of, collect, collection, named
from restride.blocks.dask.view import DaskView, view
from restride.calls import Region, check_same_dtype
from restride.constants import of_numbers
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.layout.notation import as_entries
from restride.lazy import View, fit
from restride.ops.ranges import resolve
from restride.ops.set_value import SetValue

__all__ = ["assign", "set_value"]


def set_value(
    dst: Any,
    src: Any,
    starts: Any,
    ends: Any,
    strides: Any = None,
    *,
    strict: bool = False,
) -> Any:
    """`dst` with `src` in ``dst[starts:ends:strides]``; see :func:`restride.set_value`.

    Parameters
    ----------
    dst : dask.array.Array
        Not changed.
    src : dask.array.Array, DaskView, array_like, View or number
        Of dst's dtype, or a Python number that dst holds or a list of them; broadcasts
        as in NumPy's assignment.
    starts, ends, strides, strict
        As of :func:`restride.set_value`: nothing wraps, nothing is cut.

    Returns
    -------
    dask.array.Array
        Of dst's shape and chunks.

    Raises
    ------
    BoundsError, ShapeError, DTypeError, UnsupportedError
        A cell outside `dst`; `src` does not fit; no Dask array that restride moves.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> dst = da.zeros((2, 3), chunks=2, dtype=int)
    >>> rs.dask.set_value(dst, [[5, 6]], (1, 0), (2, 2)).compute().tolist()
    [[0, 0, 0], [5, 6, 0]]
    """

    def region(shape: tuple[int, ...], source: tuple[int, ...]) -> IndexMap:
        return SetValue(starts, ends, strides).cells(shape, strict, source)

    return _written(dst, src, region, "set_value")


def assign(dst: Any, index: Any, src: Any) -> Any:
    """`dst` with `src` in the cells that ``slice(dst, index)`` reads.

    See :func:`set_value` for `dst`, `src` and what comes back.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> rs.dask.assign(da.zeros(4, chunks=3, dtype=int), "::2", [7, 8]).compute()
    array([7, 0, 8, 0])
    """

    def region(shape: tuple[int, ...], source: tuple[int, ...]) -> IndexMap:
        return IndexMap.cells(shape, resolve(as_entries(index), shape, "assign"))

    return _written(dst, src, region, "assign")


def _written(dst: Any, src: Any, region: Region, label: str) -> Any:
    from restride.blocks.dask.layer import BlockLayer
    from restride.blocks.dask.write_tasks import WriteRecipe

    target = as_dask(dst.copy() if isinstance(dst, DaskView) else dst, "dst")
    source = _source(of_numbers(src, target.dtype, "src"))
    check_same_dtype(source.dtype, target.dtype, label)
    cells = region(target.shape, source.shape)
    filled = _fitted(source, cells.shape, label)
    if cells.size == 0:
        return target
    y = collect(filled.array, filled.chain, label)
    name = named(f"restride-{label}", target.name, y.name, cells)
    recipe = WriteRecipe(
        name, cells, target.dtype, axes_of(target), target.name, y.name, axes_of(y)
    )
    layer = BlockLayer(recipe)
    return collection(layer, target.dtype, [target, y])


def _fitted(source: View, shape: tuple[int, ...], label: str) -> View:
    """A source that fits cells of `shape`, with as many axes.

    An axis of one element stays one: each task repeats it by itself, and no array of
    the region's size is made of a number.
    """
    fit(source, shape, label)
    spare = source.ndim - len(shape)
    return source[(0,) * spare if spare > 0 else (None,) * -spare]


def _source(src: Any) -> DaskView:
    """What is written, as a view of a Dask array."""
    from dask.array import Array, from_array

    if isinstance(src, (Array, DaskView)):
        return view(src)
    seen = src if isinstance(src, View) else None
    array = as_source(src, "src") if seen is None else seen.array
    chain = Chain.identity(array.shape) if seen is None else seen.chain
    whole: Any = from_array(array)  # type: ignore[no-untyped-call]
    return DaskView(whole, chain, None)
