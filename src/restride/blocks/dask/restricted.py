"""A chain prepared for many boxes over chunks, which lie in memory."""

from __future__ import annotations

from functools import lru_cache

from restride.blocks.components import components
from restride.blocks.restrict import Restriction
from restride.layout.chain import Chain

__all__ = ["front", "restriction"]


@lru_cache(64)
def restriction(chain: Chain) -> Restriction:
    """The chain prepared, made once per process.

    From a file, rows far apart are read one by one; of a chunk all rows are there, and
    those from the first to the last are a view of it.

    >>> import numpy as np, restride as rs
    >>> seen = rs.view(np.zeros((70, 5000)))[::7]
    >>> restriction(seen.chain)(((0, 10), (0, 5000))).reads[0]
    ((0, 64),)
    """
    return Restriction(chain, in_memory=True)


def front(chain: Chain, shape: tuple[int, ...]) -> Chain:
    """The chain making only the front of its result, of this shape.

    Where an axis keeps its extent, the chain goes on reading its source part as that
    was laid out, with what it holds and does not read.

    >>> import numpy as np, restride as rs
    >>> front(rs.view(np.zeros((4, 3)))[::3].chain, (2, 2)).source_shape
    (4, 2)
    """
    same = [n == full for n, full in zip(shape, chain.shape, strict=True)]
    return _fronts(chain, tuple(same))(tuple([(0, n) for n in shape])).chain


@lru_cache(64)
def _fronts(chain: Chain, same: tuple[bool, ...]) -> Restriction:
    made = Restriction(chain, in_memory=True)
    for part in components(made):
        for lane in part.lanes[0]:
            if lane.extent and all(same[r] for r in part.rows):
                lane.align = lane.extent
    return made
