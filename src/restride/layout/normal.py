"""The one normal form of an :class:`IndexMap`, so that equal functions are equal.

Small rules, applied in this order, each keeping the function:

* an empty result reads nothing: every axis stands still;
* an axis of extent 1, or one whose positions are all the same, moves into `base`;
* an axis without source elements raises the `background` to its weakest constant,
  and a background hides every source element and every weaker constant;
* constants are renumbered by what they can be told apart by: the order of two
  matters only on different axes and with different values; of several that could be
  the background, the one that appears first is.
"""

from __future__ import annotations

from typing import NamedTuple

from restride.layout.axis import AxisMap, Piece, new
from restride.layout.constant import Constant

__all__ = ["Axis", "Parts"]


class Axis(NamedTuple):
    """One result axis: the source axis it walks and how."""

    source: int | None
    """Source axis walked; None where the axis only repeats (or holds constants)."""
    map: AxisMap
    """Positions along that axis, to be added to the base."""

    @staticmethod
    def still(extent: int) -> Axis:
        """An axis that repeats one position."""
        return Axis(None, AxisMap.affine(extent, 0, 0))


class Parts:
    """The fields of an IndexMap on their way to normal form."""

    __slots__ = (
        "axes",
        "background",
        "base",
        "fills",
        "holds",
        "is_bent",
        "is_covered",
    )

    def __init__(
        self,
        axes: list[Axis],
        base: list[int],
        fills: tuple[Constant, ...],
        background: int | None,
    ) -> None:
        self.axes, self.base = axes, base
        self.fills, self.background = fills, background
        # Noted while axes settle: that one is bent, that one holds constants, and that
        # one holds nothing else.
        self.is_bent = self.holds = self.is_covered = False

    def normalise(self, is_empty: bool) -> Parts:
        """Apply the rules above, to a result without elements or with; returns self."""
        if is_empty:
            self._stand_still()
            self.fills, self.background = (), None
            return self
        self.axes = [
            self._settle_straight(axis) if axis.map.is_affine else self._settle(axis)
            for axis in self.axes
        ]
        if self.is_bent and any(self.base):
            self._spread_base()
        if not self.fills or (self.background is None and not self.holds):
            self.fills = ()
            return self
        if self.is_covered or self.background is not None:
            self._raise_background()
        if self.background is None and (len(self.fills) == 1 or self._all_alike()):
            return self
        self._renumber()
        self._hide_below_background()
        self._choose_background()
        self._drop_unused()
        return self

    def _stand_still(self) -> None:
        self.axes = [Axis.still(axis.map.extent) for axis in self.axes]
        self.base = [0] * len(self.base)

    def _settle(self, axis: Axis) -> Axis:
        """Move what does not vary along a bent axis into base or background."""
        source, m = axis
        if m.all_fill and m.extent == 1:
            self._cover(m.pieces[0].fill)
            return Axis.still(1)
        if m.fills:
            self.holds, self.is_covered = True, self.is_covered or m.all_fill
        if source is None or m.all_fill:
            return Axis(None, _flattened(m))
        spot = None if m.moves else _only_position(m)
        if spot is None:
            self.is_bent = True
            return axis
        self.base[source] += spot
        return Axis(None, m.shifted(-spot))

    def _settle_straight(self, axis: Axis) -> Axis:
        """The same for one straight piece."""
        source, m = axis
        count, begin, step, _ = m.pieces[0]
        if source is None:
            return Axis.still(count) if begin or step else axis
        self.base[source] += begin
        if step == 0:
            return Axis.still(count)
        return new(Axis, (source, AxisMap.affine(count, 0, step))) if begin else axis

    def _cover(self, fill: int | None) -> None:
        if fill is not None and (self.background is None or fill > self.background):
            self.background = fill

    def _spread_base(self) -> None:
        """A bent axis carries its own base, so that the base is written one way."""
        for r, (source, m) in enumerate(self.axes):
            if source is not None and self.base[source] and not m.is_affine:
                self.axes[r] = Axis(source, m.shifted(self.base[source]))
                self.base[source] = 0

    def _raise_background(self) -> None:
        for axis in self.axes:
            if axis.map.all_fill:
                self._cover(min(axis.map.fills))
        if self.background is not None:
            self.base = [0] * len(self.base)
            self.axes = [Axis(None, _flattened(axis.map)) for axis in self.axes]

    def _hide_below_background(self) -> None:
        bottom = self.background
        if bottom is None:
            return
        self.axes = [
            Axis(None, AxisMap(tuple(_transparent(p, bottom) for p in a.map.pieces)))
            for a in self.axes
        ]

    def _choose_background(self) -> None:
        """Of constants that could all be the background, take the first along an axis.

        A constant could, where it is told from none on another axis, or is weaker.
        """
        for _ in range(len(self.axes)):
            found = self._earlier_background()
            if found is None:
                return
            self._exchange(*found)
            self._renumber()
            self._hide_below_background()

    def _earlier_background(self) -> tuple[int, int] | None:
        if self.background is None:
            return None
        for r, axis in enumerate(self.axes):
            could = {f for f in axis.map.fills if self._is_weakest(f, r)}
            if could:
                seen = [p.fill for p in axis.map.pieces]
                first = next(f for f in seen if f is None or f in could)
                return None if first is None else (r, first)
        return None

    def _is_weakest(self, fill: int, home: int) -> bool:
        others = set().union(
            *(a.map.fills for r, a in enumerate(self.axes) if r != home)
        )
        key = self.fills[fill].key
        return all(g > fill or self.fills[g].key == key for g in others)

    def _exchange(self, home: int, fill: int) -> None:
        """Make `fill` the background, and the background a fill on axis `home`."""
        old = self.background or 0
        number = {f: f + 2 for f in range(len(self.fills))}
        for r, axis in enumerate(self.axes):
            pieces = axis.map.renumbered(number).pieces
            if r == home:
                pieces = tuple(_exchanged(p, number[fill]) for p in pieces)
            self.axes[r] = Axis(None, AxisMap(pieces))
        self.fills = (self.fills[fill], self.fills[old], *self.fills)
        self.background = 0

    def _all_alike(self) -> bool:
        """Constants of one value and no background: one number serves them all."""
        used = self._used()
        if len({self.fills[f].key for f in used}) > 1:
            return False
        self._number_all(dict.fromkeys(used, 0), (self.fills[used[0]],))
        return True

    def _renumber(self) -> None:
        used = self._used()
        if self.background is not None:
            used = [f for f in used if f >= self.background]
            used = sorted({*used, self.background})
        level = self._levels(used)
        order: dict[tuple[int, object], int] = {}
        for fill in sorted(used, key=lambda f: (level[f], self._first(f))):
            order.setdefault((level[fill], self.fills[fill].key), len(order))
        number = {f: order[level[f], self.fills[f].key] for f in used}
        if self.background is not None:
            hidden = set(self._used()) - set(used)
            number.update(dict.fromkeys(hidden, number[self.background]))
            self.background = number[self.background]
        fills: dict[int, Constant] = {}
        for old in used:
            fills.setdefault(number[old], self.fills[old])
        self._number_all(number, tuple(fills[k] for k in range(len(fills))))

    def _used(self) -> list[int]:
        """Numbers of the constants that stand on an axis."""
        return sorted(set().union(*[axis.map.fills for axis in self.axes]))

    def _number_all(self, number: dict[int, int], fills: tuple[Constant, ...]) -> None:
        self.fills = fills
        if any(old != new for old, new in number.items()):
            self.axes = [Axis(a.source, a.map.renumbered(number)) for a in self.axes]

    def _levels(self, used: list[int]) -> dict[int, int]:
        """Length of the longest chain of distinguishable constants below each."""
        homes = {f: self._homes(f) for f in used}
        level: dict[int, int] = {}
        for fill in used:
            below = [
                level[other]
                for other in level
                if self.fills[other].key != self.fills[fill].key
                and (len(homes[other] | homes[fill]) > 1)
            ]
            level[fill] = 1 + max(below, default=-1)
        return level

    def _homes(self, fill: int) -> frozenset[int]:
        """Axes a constant stands on; the background counts as one of its own."""
        on = {r for r, a in enumerate(self.axes) if fill in a.map.fills}
        return frozenset(on | ({-1} if fill == self.background else set()))

    def _first(self, fill: int) -> tuple[int, int]:
        if fill == self.background:
            return -1, 0
        for r, axis in enumerate(self.axes):
            for k, piece in enumerate(axis.map.pieces):
                if piece.fill == fill:
                    return r, k
        return len(self.axes), 0

    def _drop_unused(self) -> None:
        used = set(self._used())
        if self.background is not None:
            used.add(self.background)
        number = {old: new for new, old in enumerate(sorted(used))}
        self._number_all(number, tuple(self.fills[old] for old in number))
        if self.background is not None:
            self.background = number[self.background]


def _only_position(axis: AxisMap) -> int | None:
    """The one source position of pieces that stand still, or None where they differ."""
    spot: int | None = None
    for _, begin, _, fill in axis.pieces:
        if fill is None:
            if spot is not None and begin != spot:
                return None
            spot = begin
    return spot


def _flattened(axis: AxisMap) -> AxisMap:
    """The same constants over positions that stand still."""
    return AxisMap(tuple(Piece(p.count) if p.fill is None else p for p in axis.pieces))


def _transparent(piece: Piece, bottom: int) -> Piece:
    hidden = piece.fill is None or piece.fill <= bottom
    return Piece(piece.count) if hidden else piece


def _exchanged(piece: Piece, fill: int) -> Piece:
    """Pieces of `fill` see the background; those that saw it are the fill 1."""
    if piece.fill == fill:
        return Piece(piece.count)
    return Piece(piece.count, fill=1) if piece.fill is None else piece
