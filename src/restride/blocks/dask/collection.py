"""Between Dask's collections and recipes: what is taken in, and what is given out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from restride.arrays import checked_dtype
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.fuse import Stage, stages
from restride.blocks.dask.later import Axes
from restride.checks import kind_of
from restride.constants import constant_bytes
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts

__all__ = ["as_dask", "axes_of", "collect", "collection"]


def as_dask(x: Any, name: str = "x") -> Any:
    """`x`, if it is a Dask array of known chunks whose chunks are NumPy's.

    Raises
    ------
    UnsupportedError
        Dask is not installed; chunks of another library; Dask's query planning.
    DTypeError
        `x` is no Dask array, or has elements that are no fixed bytes.
    ShapeError
        The sizes of its chunks are not known.
    """
    try:
        import dask.array as da
    except ImportError:
        raise UnsupportedError(
            "Dask is not installed, and rs.dask works on its arrays: "
            "pip install 'restride[dask]'."
        ) from None
    if not isinstance(x, da.Array):
        raise DTypeError(
            f"{name} is {kind_of(x)}, not a Dask array; make one with "
            "dask.array.from_array(x), or use the plain function, such as rs.pad."
        )
    if hasattr(x, "expr"):
        raise UnsupportedError(
            f"{name} is an array of Dask's query planning, which has no graph of "
            "layers; set array.query-planning to False before dask.array is imported."
        )
    meta = x._meta
    if type(meta) is not np.ndarray:
        kind = f"{type(meta).__module__}.{type(meta).__qualname__}"
        raise UnsupportedError(
            f"{name} has chunks of {kind}, and only NumPy's are moved; convert them "
            "with map_blocks first."
        )
    checked_dtype(meta, name)
    for axis, n in enumerate(x.shape):
        if n != n:  # unknown, which Dask writes as NaN
            raise ShapeError(
                f"{name} has chunks of unknown size on axis {axis}; call "
                "compute_chunk_sizes() on it first."
            )
    return x


def axes_of(x: Any) -> Axes:
    """The chunks of a Dask array."""
    layers = getattr(x.dask, "layers", {})
    recipe = getattr(layers.get(x.name), "recipe", None)
    if recipe is not None and recipe.name == x.name:
        axes: Axes = recipe.axes
        return axes
    return tuple(map(ChunkAxis.of, x.chunks, x.shape, x.chunksize))


def collect(x: Any, chain: Chain, label: str) -> Any:
    """The Dask array that `chain` makes of `x`: a task per chunk, or a few (`fuse`).

    Parameters
    ----------
    x : dask.array.Array
        As `as_dask` gives it.
    chain : Chain
        Over an array of its shape.
    label : str
        What its keys begin with, after "restride-".
    """
    limit = limit_bytes()
    maps = list(_in_need(x.shape, chain, x.dtype))
    found = stages(maps, x.shape, axes_of(x), x.dtype.itemsize, limit)
    chunked_by = (limit, maps if len(found) > 1 else ())
    for stage in found:
        x = _staged(x, stage, label, chunked_by)
    return x


def _in_need(
    shape: tuple[int, ...], chain: Chain, dtype: np.dtype[Any]
) -> Iterator[IndexMap]:
    """The maps of a chain that are not as if they were not there."""
    maps = crop_cuts(chain)
    if maps[-1].shape != chain.shape:
        maps.append(IndexMap.identity(chain.shape))
    for m in maps:
        if m != IndexMap.identity(shape):
            yield in_bytes(m, dtype)
        shape = m.shape


def _staged(x: Any, stage: Stage, label: str, chunked_by: tuple[Any, ...]) -> Any:
    """One layer over a Dask array; `chunked_by` is what its chunks follow from."""
    from restride.blocks.dask.layer import BlockLayer
    from restride.blocks.dask.recipe import Recipe

    name = named(f"restride-{label}", x.name, stage.chain, chunked_by)
    recipe = Recipe(name, stage.chain, x.dtype, stage.axes, x.name, axes_of(x))
    return collection(BlockLayer(recipe), x.dtype, [x])


def collection(layer: Any, dtype: np.dtype[Any], sources: list[Any]) -> Any:
    """A Dask array from its one layer and the collections it is made from."""
    from dask.highlevelgraph import HighLevelGraph

    from restride.blocks.dask.unwritten import made_of

    axes: Axes = layer.recipe.axes
    graph = HighLevelGraph.from_collections(layer.name, layer, dependencies=sources)
    meta = np.empty((0,) * len(axes), dtype)
    return made_of(graph, layer.name, axes, meta)


def limit_bytes() -> int:
    """The most bytes of a chunk, from Dask's configuration.

    Raises
    ------
    ShapeError
        It is no number of bytes.
    """
    from dask import config
    from dask.utils import parse_bytes

    told = config.get("array.chunk-size", None)
    try:
        return int(parse_bytes(told))
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise ShapeError(
            f"Dask's array.chunk-size is {told!r}, which is no number of bytes; set "
            "one, as '128MiB'."
        ) from None


def in_bytes(m: IndexMap, dtype: np.dtype[Any]) -> IndexMap:
    """The map with its constants as bytes of one element, or their refusal."""
    if not m.fills:
        return m
    raw = [constant_bytes(constant.value, dtype) for constant in m.fills]
    return m.refilled(tuple(map(Constant, raw)))


def named(label: str, *parts: Any) -> str:
    """A name that is equal where everything it follows from is."""
    from dask.tokenize import tokenize

    return f"{label}-{tokenize(*parts)}"
