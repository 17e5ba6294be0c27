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

from restride.errors import ShapeError, UnsupportedError
from restride.layout.axis import MAX_PIECES, AxisMap, Piece, new, reading

__all__ = ["MODES", "window"]

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


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
        first, last = (left, 0, 0, fills[0]), (right, 0, 0, fills[1])
        return AxisMap((new(Piece, first), inside, new(Piece, last)))
    if high == low:
        return AxisMap(())
    if n == 0:
        raise ShapeError(
            f"mode '{mode}' has no element to repeat on an extent of 0; "
            "use mode 'constant' or pad by 0."
        )
    if mode == "edge" or n == 1:
        left, inside, right = _sides(low, high, n)
        return AxisMap((reading(left, 0, 0), inside, reading(right, n - 1, 0)))
    return AxisMap(_cycle(low, high, *_turns(n, mode)))


def _sides(low: int, high: int, n: int) -> tuple[int, Piece, int]:
    """How much of a window lies before the axis, the part inside, how much after."""
    left = (high if high < 0 else 0) - low if low < 0 else 0
    right = high - (low if low > n else n) if high > n else 0
    inside = (high - low - left - right, low if low > 0 else 0, 1, None)
    return left, new(Piece, inside), right


Turn = tuple[int, int]
"""Where a turn of a cycle begins, and its step."""


def _turns(n: int, mode: str) -> tuple[int, int, tuple[Turn, ...]]:
    """Turns of equal length that follow each other for ever: that length, the position
    where the first one stands, and each.

    A mirrored element that is not repeated ends the turn before it.
    """
    if mode == "wrap":
        return n, 0, ((0, 1),)
    if mode == "symmetric":
        return n, 0, ((0, 1), (n - 1, -1))
    return n - 1, 1, ((1, 1), (n - 2, -1))


def _cycle(
    low: int, high: int, length: int, first: int, turns: tuple[Turn, ...]
) -> list[Piece]:
    period = length * len(turns)
    if (high - low) // period * len(turns) > MAX_PIECES:
        raise UnsupportedError(
            f"{high - low} positions repeat {period} elements more than "
            f"{MAX_PIECES} times over; pad in two steps, or tile the result."
        )
    which, inside = divmod(low - first, length)
    pieces = []
    while low < high:
        begin, step = turns[which % len(turns)]
        count = min(length - inside, high - low)
        pieces.append(reading(count, begin + inside * step, step))
        low += count
        which, inside = which + 1, 0
    return pieces
