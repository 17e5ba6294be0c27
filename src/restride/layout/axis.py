"""One axis: a total function from result positions to source positions.

An :class:`AxisMap` is a short list of straight :class:`Piece` objects that tile
``0..extent``.  Slices, flips, broadcasts, crops and every pad mode are AxisMaps, and
an AxisMap of an AxisMap is an AxisMap, so chains of them never grow in kind.

>>> AxisMap.identity(5).take(4, -2, 3)
AxisMap(4:-2 x3)

Cost: linear in the number of pieces, never in the number of positions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from restride.errors import ShapeError, UnsupportedError

__all__ = ["MAX_PIECES", "AxisMap", "Piece", "holding", "new", "reading"]

MAX_PIECES = 1_000_000
"""Most pieces one axis may hold: beyond it the map costs more than the data."""

STRAIGHT = 1024
"""Straight maps that are remembered: most start at 0, and a program meets few."""


NO_FILLS: frozenset[int] = frozenset()

new = tuple.__new__
"""``new(Piece, (5, 0, 1, None))`` is ``Piece(5, 0, 1, None)`` in a third of the time.

A named tuple's own constructor is a function in Python.  Used where the algebra makes
values for every step.
"""


class Piece(NamedTuple):
    """A straight run of result positions: ``begin, begin + step, ...`` or a fill."""

    count: int  # type: ignore[assignment]  # a tuple's count is never meant here
    """Number of result positions."""
    begin: int = 0
    """Source position of the first one; 0 for a fill."""
    step: int = 0
    """Source positions between neighbours: any sign, 0 repeats; 0 when count is 1."""
    fill: int | None = None
    """None, or the number of the constant that stands here instead."""

    def at(self, k: int) -> int:
        """Source position of the k-th result position."""
        return self.begin + k * self.step

    def plain(self) -> Piece:
        """The same positions in their one form: no step where nothing follows."""
        if self.fill is None:
            is_plain = self.count > 1 or self.step == 0
        else:
            is_plain = self.begin == 0 and self.step == 0
        return self if is_plain else self.part(0, self.count)

    def part(self, first: int, count: int, stride: int = 1) -> Piece:
        """The positions ``first, first + stride, ...`` of this piece, as a piece."""
        _, begin, step, fill = self
        if fill is not None:
            return holding(count, fill)
        return reading(count, begin + first * step, step * stride if count > 1 else 0)

    def __str__(self) -> str:
        if self.fill is not None:
            return f"fill#{self.fill} x{self.count}"
        step = f":{self.step}" if self.count > 1 else ""
        return f"{self.begin}{step} x{self.count}"


def reading(count: int, begin: int, step: int) -> Piece:
    """A piece of source positions."""
    return new(Piece, (count, begin, step, None))


def holding(count: int, fill: int) -> Piece:
    """A piece of one constant."""
    return new(Piece, (count, 0, 0, fill))


class Told(NamedTuple):
    """What is asked of an axis map, found once when it is made.

    Values of the algebra are tuples: made in one step, compared and hashed in C.
    """

    pieces: tuple[Piece, ...]
    """The longest straight runs, from the left."""
    ends: tuple[int, ...]
    """Result position after each piece."""
    extent: int
    """Number of result positions."""
    fills: frozenset[int]
    """Numbers of the constants that stand somewhere."""
    step: int
    """Source positions between neighbours of a straight map."""
    is_affine: bool
    """True when every position is ``begin + k * step`` (or there is none)."""
    all_fill: bool
    """True when there are positions and every one is a constant."""
    moves: bool
    """True when a piece steps, so that not all positions are the same."""


class AxisMap(Told):
    """Pieces that tile ``0..extent``, in the one normal form of their function.

    The form: each piece is the longest straight run that starts where the piece
    before it ends.  It depends on the positions alone, so two AxisMaps are equal
    exactly when their functions are.

    Examples
    --------
    >>> AxisMap((Piece(2, 0, 1), Piece(3, 2, 1)))
    AxisMap(0:1 x5)
    """

    __slots__ = ()

    def __new__(cls, pieces: Iterable[Piece]) -> AxisMap:
        """The map that `pieces` tile, from the left."""
        runs = tuple(longest_runs(pieces))
        end, ends, held, moves = 0, [], [], False
        for count, _, along, fill in runs:
            end += count
            ends.append(end)
            if fill is not None:
                held.append(fill)
            elif along:
                moves = True
        step = runs[0][2] if runs else 0
        fills = frozenset(held) if held else NO_FILLS
        straight, full = not held and len(runs) < 2, 0 < len(held) == len(runs)
        told = (runs, tuple(ends), end, fills, step, straight, full, moves)
        return new(cls, told)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.pieces,)

    @staticmethod
    def identity(extent: int) -> AxisMap:
        """The map of an axis onto itself."""
        return AxisMap.affine(extent, 0, 1)

    @staticmethod
    @lru_cache(STRAIGHT)
    def affine(count: int, begin: int, step: int) -> AxisMap:
        """One straight piece."""
        return AxisMap((reading(count, begin, step),))

    def at(self, k: int) -> int | Piece:
        """Source position of result position k, or the fill piece it lies in."""
        which = bisect_right(self.ends, k)
        piece = self.pieces[which]
        if piece.fill is not None:
            return piece
        return piece.at(k - (self.ends[which] - piece.count))

    def span(self) -> tuple[int, int] | None:
        """Smallest and largest source position, or None when none is read."""
        live = [p for p in self.pieces if p.fill is None]
        if not live:
            return None
        tips = [t for p in live for t in (p.begin, p.at(p.count - 1))]
        return min(tips), max(tips)

    def shifted(self, by: int) -> AxisMap:
        """The same map with `by` added to every source position."""
        if by == 0:
            return self
        if self.is_affine and self.pieces:
            count, begin, step, _ = self.pieces[0]
            return AxisMap.affine(count, begin + by, step)
        return AxisMap(
            [
                p if p.fill is not None else reading(p.count, p.begin + by, p.step)
                for p in self.pieces
            ]
        )

    def take(self, begin: int, step: int, count: int) -> AxisMap:
        """The positions ``begin, begin + step, ...`` of this map, `count` of them.

        Every one must lie in ``0..extent - 1``; the caller has checked that.
        """
        if self.is_affine and count > 0:
            _, first, stride, _ = self.pieces[0]
            return AxisMap.affine(count, first + begin * stride, step * stride)
        return AxisMap(self._walk(begin, step, count))

    def _walk(self, begin: int, step: int, count: int) -> list[Piece]:
        walked: list[Piece] = []
        while count > 0:
            which = bisect_right(self.ends, begin)
            piece = self.pieces[which]
            inside = begin - (self.ends[which] - piece.count)
            room = piece.count - 1 - inside if step > 0 else inside
            here = min(count, room // abs(step) + 1) if step else count
            walked.append(piece.part(inside, here, step))
            begin += here * step
            count -= here
        return walked

    def compose(self, inner: AxisMap) -> AxisMap:
        """``inner(self(k))``: this map read out of `inner`; own fills stay.

        Examples
        --------
        >>> flip = AxisMap.affine(4, 3, -1)
        >>> flip.compose(flip) == AxisMap.identity(4)
        True
        """
        if inner.is_affine and inner.step == 1 and inner.pieces[0].begin == 0:
            return self  # the identity
        parts: list[Piece] = []
        for piece in self.pieces:
            if piece.fill is not None:
                parts.append(piece)
            else:
                parts.extend(inner._walk(piece.begin, piece.step, piece.count))
            if len(parts) > MAX_PIECES:
                raise UnsupportedError(
                    f"one axis of the chain would hold more than {MAX_PIECES} pieces; "
                    "copy() what stands before this step, and go on from the copy."
                )
        return AxisMap(parts)

    def renumbered(self, number: dict[int, int]) -> AxisMap:
        """The same map with each fill's number looked up in `number`."""
        return AxisMap(
            [
                p if p.fill is None else holding(p.count, number[p.fill])
                for p in self.pieces
            ]
        )

    def __repr__(self) -> str:
        return f"AxisMap({', '.join(map(str, self.pieces))})"


def longest_runs(pieces: Iterable[Piece]) -> list[Piece]:
    """The same positions as the longest straight runs, taken from the left.

    Raises
    ------
    ShapeError
        A piece has a negative count.
    """
    runs: list[Piece] = []
    for piece in pieces:
        count, begin, step, fill = piece
        if count < 1:
            if count < 0:
                raise ShapeError(f"a piece of {count} positions; 0 is the least.")
            continue
        if (step and count == 1) or (fill is not None and (begin or step)):
            piece = piece.plain()
        if runs:
            so_far, first, along, other = runs[-1]
            if fill == other and (
                fill is not None or so_far == 1 or first + so_far * along == begin
            ):
                runs[-1], rest = _absorb(runs[-1], piece)
                if rest is None:
                    continue
                piece = rest
        runs.append(piece)
    return runs


def _absorb(run: Piece, piece: Piece) -> tuple[Piece, Piece | None]:
    """As much of `piece` as continues `run`, and what is left of it.

    Its first position does, and both are of source elements or of one constant.
    """
    so_far, first, step, fill = run
    count, begin, stride, _ = piece
    if fill is not None:
        return holding(so_far + count, fill), None
    if so_far == 1:
        step = begin - first
    if count == 1 or stride == step:
        return reading(so_far + count, first, step), None
    return reading(so_far + 1, first, step), piece.part(1, count - 1)
