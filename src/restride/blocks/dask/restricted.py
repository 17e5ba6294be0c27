"""A chain prepared for many boxes over chunks, which lie in memory."""

from __future__ import annotations

from functools import lru_cache

from restride.blocks.restrict import Restriction
from restride.layout.chain import Chain

__all__ = ["restriction"]


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
