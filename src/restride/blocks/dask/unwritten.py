"""A Dask array of many chunks, whose lengths are written down when they are looked at.

Dask keeps the length of every chunk, and writing down a million takes longer than
all that making an array of them takes otherwise.

>>> from restride.dask import pad
>>> import dask.array as da
>>> x = pad(da.zeros(1_000_000, chunks=10), 1)
>>> type(x).__name__, x.shape, x.chunks[0][-2:], x.numblocks
('UnwrittenArray', (1000002,), (10, 11), (100000,))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dask.array import Array

from restride.blocks.dask.chunk_axis import ChunkAxis

__all__ = ["UnwrittenArray", "made_of"]

MANY = 1 << 12
"""An axis of so many chunks is not written down at once."""


class UnwrittenArray(Array):
    """An array of Dask whose `chunks` are written on first use, and then are Dask's."""

    __slots__ = ("_axes",)

    _axes: tuple[ChunkAxis, ...] | None

    @property
    def _chunks(self) -> Any:
        axes = getattr(self, "_axes", None)
        if axes is not None:
            self._chunks = tuple([axis.lengths.written() for axis in axes])
            self._tell(axes)
        return super()._chunks

    @_chunks.setter
    def _chunks(self, chunks: Any) -> None:
        self._axes = None
        Array._chunks.__set__(self, chunks)  # type: ignore[attr-defined]

    @property  # type: ignore[misc]
    def chunks(self) -> Any:
        """Elements of each chunk, per axis."""
        return self._chunks

    @property
    def chunksize(self) -> Any:
        """The longest of them, per axis."""
        axes = self._axes
        return super().chunksize if axes is None else _largest(axes)

    def promise(self, axes: Sequence[ChunkAxis]) -> None:
        """Take these chunks without writing them down."""
        self._reset_cache()  # type: ignore[no-untyped-call]
        self._tell(axes)
        self._axes = tuple(axes)

    def _tell(self, axes: Sequence[ChunkAxis]) -> None:
        """Fill cached properties for which Dask would go through all chunks."""
        self.__dict__["shape"] = tuple([axis.extent for axis in axes])
        if all(axis.is_told for axis in axes):
            self.__dict__["numblocks"] = tuple([axis.count for axis in axes])


def made_of(graph: Any, name: str, axes: Sequence[ChunkAxis], meta: Any) -> Any:
    """The Dask array of a graph's top layer.

    It is made with one chunk per axis: Dask would go through a million chunks to
    check them.  What the chunks are is then set as ``compute_chunk_sizes()`` sets it.
    """
    is_many = any(not axis.is_told or axis.count > MANY for axis in axes)
    kind = UnwrittenArray if is_many else Array
    whole = tuple([(axis.extent,) for axis in axes])
    made: Any = kind(graph, name, whole, meta=meta)  # type: ignore[no-untyped-call]
    annotations = graph.layers[name].collection_annotations
    if is_many:
        made.promise(axes)
        annotations["type"] = "dask.array.core.Array"
        del annotations["chunks"], annotations["chunksize"]
    else:
        made._chunks = tuple([axis.lengths.written() for axis in axes])
        annotations["chunks"] = made._chunks
    if all(axis.is_told for axis in axes):
        annotations["chunksize"] = _largest(axes)
    return made


def _largest(axes: Sequence[ChunkAxis]) -> tuple[int, ...]:
    return tuple([axis.largest for axis in axes])
