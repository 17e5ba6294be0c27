"""Between Dask's collections and recipes: what is taken in, and what is given out."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.arrays import checked_dtype
from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.chunks import choose, choose_flat
from restride.constants import constant_bytes
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts

__all__ = ["as_dask", "axes_of", "collect", "collection"]

Axes = tuple[ChunkAxis, ...]


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
            f"{name} is a {type(x).__name__}, not a Dask array; make one with "
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
    return tuple(map(ChunkAxis, x.chunks, x.shape, x.chunksize))


def collect(x: Any, chain: Chain, label: str) -> Any:
    """The Dask array that `chain` makes of `x`: a layer per map, a task per chunk.

    Parameters
    ----------
    x : dask.array.Array
        As `as_dask` gives it.
    chain : Chain
        Over an array of its shape.
    label : str
        What its keys begin with, after "restride-".
    """
    maps = [in_bytes(m, x.dtype) for m in crop_cuts(chain)]
    if maps[-1].shape != chain.shape:
        maps.append(IndexMap.identity(chain.shape))
    shape, axes = x.shape, axes_of(x)
    for m in maps:
        if m != IndexMap.identity(shape):
            x, axes = _mapped(x, shape, axes, m, label)
        shape = m.shape
    return x


def _mapped(
    x: Any, shape: tuple[int, ...], axes: Axes, m: IndexMap, label: str
) -> tuple[Any, Axes]:
    """One map of a Dask array of `shape`, whose chunks are `axes`; and its chunks."""
    from restride.blocks.dask.layer import BlockLayer
    from restride.blocks.dask.recipe import Recipe

    limit, chain = limit_bytes(), Chain(shape, (m,), m.shape)
    chosen = choose if m.source_shape == shape else choose_flat
    lengths = chosen(m, axes, x.dtype.itemsize, limit)
    chunks = tuple([n.written() for n in lengths])
    largest = [n.largest for n in lengths]
    made = tuple(map(ChunkAxis, chunks, m.shape, largest))
    name = named(f"restride-{label}", x.name, chain, limit)
    layer = BlockLayer(Recipe(name, chain, x.dtype, made, x.name, axes))
    return collection(layer, m.shape, chunks, x.dtype, [x]), made


def collection(
    layer: Any,
    shape: tuple[int, ...],
    chunks: tuple[tuple[int, ...], ...],
    dtype: Any,
    sources: list[Any],
) -> Any:
    """A Dask array from its one layer and the collections it is made from."""
    from dask.array import Array
    from dask.highlevelgraph import HighLevelGraph

    graph = HighLevelGraph.from_collections(layer.name, layer, dependencies=sources)
    meta = np.empty((0,) * len(shape), dtype)
    # One chunk per axis at first: Dask would go through a million chunks to check
    # them.  What the chunks are is then set as its compute_chunk_sizes() sets it.
    whole = tuple([(n,) for n in shape])
    made: Any = Array(graph, layer.name, whole, meta=meta)  # type: ignore[no-untyped-call]
    made._chunks = chunks
    layer.collection_annotations["chunks"] = chunks
    return made


def limit_bytes() -> int:
    """The most bytes of a chunk, from Dask's configuration."""
    from dask import config
    from dask.utils import parse_bytes

    return int(parse_bytes(config.get("array.chunk-size")))


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
