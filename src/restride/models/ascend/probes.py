"""Shapes to ask a product about where the model leaves an extent open.

Every bound on a parameter grows with the extent, so what a small and a large extent are
both given, all between are; and the least one that is, is found by halving.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from restride.models.known import Known

__all__ = ["SMALL", "open_axes", "probes", "shaped"]

Shape = tuple[int, ...]

SMALL = 1
"""Least extent tried where one is open."""

MOST_BITS, LEAST_BITS = 48, 6
"""Bits of the number of elements of the large shape, which no limit on bytes refuses,
and the least bits of one large extent."""


def open_axes(data: Known | None) -> list[int]:
    """Axes whose extent is not known.

    Examples
    --------
    >>> open_axes(Known("x", "float32", ("N", 3, None)))
    [0, 2]
    """
    given = () if data is None or data.shape is None else data.shape
    return [k for k, n in enumerate(given) if not isinstance(n, int)]


def shaped(data: Known | None, wanted: Mapping[int, int] | None = None) -> Shape:
    """The shape, with `wanted` extents where they are open and large ones elsewhere.

    Examples
    --------
    >>> shaped(Known("x", "float32", ("N", 3)), {0: 1}), shaped(Known("x", None, ()))
    ((1, 3), ())
    """
    given = () if data is None or data.shape is None else data.shape
    large = _large([n for n in given if isinstance(n, int)], len(open_axes(data)))
    chosen = wanted or {}
    return tuple(
        [n if isinstance(n, int) else chosen.get(k, large) for k, n in enumerate(given)]
    )


def _large(known: list[int], count: int) -> int:
    """A large extent for each of `count` open axes."""
    left = MOST_BITS - prod([max(n, 1) for n in known]).bit_length()
    return 1 << max(left // max(count, 1), LEAST_BITS)


def probes(data: Known | None) -> list[Shape]:
    """The shape; or, where an extent is open, a large and a small one."""
    left = open_axes(data)
    if not left:
        return [shaped(data)]
    return [shaped(data), shaped(data, dict.fromkeys(left, SMALL))]
