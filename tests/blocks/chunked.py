"""Dask arrays cut in every way, for the tests of `restride.blocks.dask`."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from hypothesis import strategies as st

Array = np.ndarray[Any, Any]


@st.composite
def chunkings(draw: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Chunks of one element, of one length, of any lengths, some of them 0."""
    return tuple(draw(cuts(n)) for n in shape)


@st.composite
def cuts(draw: Any, n: int) -> tuple[int, ...]:
    """One axis of `n` elements cut into chunks."""
    how = draw(st.sampled_from(("one", "ones", "even", "any")))
    if how == "one" or n == 0:
        return (n,)
    if how == "ones":
        return (1,) * n
    if how == "even":
        size = draw(st.integers(1, n))
        return tuple(min(size, n - at) for at in range(0, n, size))
    edges = sorted(draw(st.lists(st.integers(0, n), max_size=5)))
    return tuple(b - a for a, b in zip([0, *edges], [*edges, n], strict=True))


def cut(x: Array, chunks: tuple[tuple[int, ...], ...]) -> Any:
    """`x` as a Dask array with these chunks."""
    return da.from_array(x, chunks=chunks)


def layer_of(x: Any) -> Any:
    """The layer that a Dask array was made by."""
    return x.dask.layers[x.name]


def own_tasks(x: Any, source: Any) -> int:
    """Tasks of `x` beside those of the array it was made from."""
    known = set(source.dask.layers)
    return sum(len(layer) for name, layer in x.dask.layers.items() if name not in known)
