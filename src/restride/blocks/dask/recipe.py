"""All that the tasks of a result follow from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.restrict import Box
from restride.layout.chain import Chain

__all__ = ["Index", "Recipe", "box_of"]

Index = tuple[int, ...]


class Recipe(NamedTuple):
    """A chain over a chunked source, and the chunks of its result: small, always."""

    name: str
    """Of the result: its keys are (name, i, j, ...)."""
    chain: Chain
    """Its constants are bytes of the dtype."""
    dtype: np.dtype[Any]
    axes: tuple[ChunkAxis, ...]
    """The chunks of the result."""
    source_name: str
    source_axes: tuple[ChunkAxis, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """What the tasks read."""
        return (self.source_name,)

    def renamed(self, names: Mapping[str, str]) -> Recipe:
        """The same over arrays of other names."""
        return self._replace(
            name=names.get(self.name, self.name),
            source_name=names.get(self.source_name, self.source_name),
        )

    def maker(self) -> Any:
        """What makes the tasks; loads Dask."""
        from restride.blocks.dask.tasks import Tasks

        return Tasks(self)

    def indices(self) -> Iterator[Index]:
        """The chunks of the result by number, last axis fastest."""
        return product(*[range(axis.count) for axis in self.axes])

    def box(self, index: Index) -> Box:
        """The ranges of one chunk of the result."""
        return box_of(self.axes, index)


def box_of(axes: Sequence[ChunkAxis], index: Index) -> Box:
    """The ranges of one chunk of an array cut as `axes`."""
    return tuple([axis.range_of(k) for axis, k in zip(axes, index, strict=True)])
