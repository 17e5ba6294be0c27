"""The infinite extension of an axis, and the window of it that a pad is.

A mode is a total function on all integers; ``pad(before, after)`` on an axis of
extent n is its window ``[-before, n + after)``:

========== ===========================================================
constant   k inside ``0..n-1``, the constant elsewhere
edge       k clamped to ``0..n-1``
reflect    period 2(n-1): ``0, 1, .. n-1, n-2, .. 1`` (n = 1: always 0)
symmetric  period 2n: ``0, 1, .. n-1, n-1, .. 0``
wrap       period n
========== ===========================================================

So positive sides extend the original axis and negative sides crop afterwards.

>>> window(3, -1, 2, "reflect")
AxisMap(1:1 x2, 1:-1 x2)
"""

from __future__ import annotations

from collections.abc import Iterator

from restride.errors import ShapeError, UnsupportedError
from restride.layout.axis import AxisMap, Piece

__all__ = ["MAX_PIECES", "MODES", "window"]

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")

MAX_PIECES = 1_000_000
"""Most pieces one axis may hold: beyond it the map costs more than the data."""


def window(
    n: int, before: int, after: int, mode: str, fills: tuple[int, int] = (0, 0)
) -> AxisMap:
    """The axis of extent `n` seen through ``[-before, n + after)`` in `mode`.

    `fills` numbers the constants of the two sides; only "constant" uses them.

    Raises
    ------
    ShapeError
        The window has a negative extent, or would read an axis of extent 0.
    UnsupportedError
        It would need more than a million pieces.

    Examples
    --------
    >>> window(3, 2, 2, "constant", (0, 1))
    AxisMap(fill#0 x2, 0:1 x3, fill#1 x2)
    """
    if before == 0 == after:
        return AxisMap.identity(n)
    low, high = -before, n + after
    if high < low:
        raise ShapeError(
            f"({before}, {after}) on an extent of {n} gives {high - low}; "
            f"the two may take away at most {n} together."
        )
    if mode == "constant":
        left, inside, right = _sides(low, high, n)
        return AxisMap(
            (Piece(left, fill=fills[0]), inside, Piece(right, fill=fills[1]))
        )
    if high == low:
        return AxisMap(())
    if n == 0:
        raise ShapeError(
            f"mode '{mode}' has no element to repeat on an extent of 0; "
            "use mode 'constant' or pad by 0."
        )
    if mode == "edge" or n == 1:
        left, inside, right = _sides(low, high, n)
        return AxisMap((Piece(left, 0), inside, Piece(right, n - 1)))
    return AxisMap(_cycle(low, high, _turns(n, mode)))


def _sides(low: int, high: int, n: int) -> tuple[int, Piece, int]:
    """How much of a window lies before the axis, the part inside, how much after."""
    left = (high if high < 0 else 0) - low if low < 0 else 0
    right = high - (low if low > n else n) if high > n else 0
    return left, Piece(high - low - left - right, low if low > 0 else 0, 1), right


def _turns(n: int, mode: str) -> tuple[Piece, ...]:
    """One period of the extension, starting at source position 0."""
    if mode == "wrap":
        return (Piece(n, 0, 1),)
    if mode == "symmetric":
        return Piece(n, 0, 1), Piece(n, n - 1, -1)
    return Piece(n - 1, 0, 1), Piece(n - 1, n - 1, -1)


def _cycle(low: int, high: int, turns: tuple[Piece, ...]) -> Iterator[Piece]:
    period = sum([p.count for p in turns])
    if (high - low) // period * len(turns) > MAX_PIECES:
        raise UnsupportedError(
            f"{high - low} positions repeat {period} elements more than "
            f"{MAX_PIECES} times over; pad in two steps, or tile the result."
        )
    at = low - low % period
    while at < high:
        for turn in turns:
            end = at + turn.count
            first = at if at > low else low
            last = end if end < high else high
            if first < last:
                yield turn.part(first - at, last - first)
            at = end
