"""What stands in a cell: a number of the source, or a constant, as plain data.

>>> ravel((1, 2), (3, 4)), unravel(6, (3, 4))
(6, (1, 2))
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from restride.checks import shown
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap

__all__ = ["plain", "ravel", "taken", "traced", "unravel"]

Index = tuple[int, ...]


def traced(
    passes: Sequence[IndexMap], shape: Sequence[int], index: Sequence[int]
) -> int | Constant:
    """The source element, by number, or constant at a result index of `passes`."""
    flat = ravel(index, shape)
    for m in reversed(passes):
        found = m.at(unravel(flat, m.shape))
        if isinstance(found, Constant):
            return found
        flat = ravel(found, m.source_shape)
    return flat


def taken(index: Sequence[int], source_shape: Sequence[int]) -> int:
    """Number of the src element at a region index, as broadcasting takes it.

    Examples
    --------
    >>> taken((1, 2), (3,)), taken((1, 2), (2, 1))
    (2, 1)
    """
    spare = len(index) - len(source_shape)
    here = tuple(index[spare:]) if spare >= 0 else (0,) * -spare + tuple(index)
    pairs = zip(here, source_shape, strict=True)
    return ravel([k if n > 1 else 0 for k, n in pairs], source_shape)


def plain(value: Any) -> Any:
    """A constant as JSON can say it; None, which means zero bytes, as 0."""
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "size", 1) == 1:
        value = item()
    if value is None:
        return 0
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    return str(value) if isinstance(value, (complex, float)) else shown(value)


def ravel(index: Sequence[int], shape: Sequence[int]) -> int:
    """Row-major number of an index."""
    flat = 0
    for k, n in zip(index, shape, strict=True):
        flat = flat * n + k
    return flat


def unravel(flat: int, shape: Sequence[int]) -> Index:
    """Index of a row-major number."""
    index = []
    for n in reversed(shape):
        flat, k = divmod(flat, n)
        index.append(k)
    return tuple(reversed(index))
