"""The one value of the algebra: for each result element, its source element.

An :class:`IndexMap` is separable: each result axis walks at most one source axis by
an AxisMap, and the source position is the sum of what its walkers say.  It speaks
of source indices, never of memory, and holds plain ints only.

>>> m = IndexMap.identity((3, 4)).transpose((1, 0))
>>> m.shape, m.at((3, 0))
((4, 3), (0, 3))

Steps return a new map, or None where the result is no such map ("not expressible");
what is wrong raises.  Cost: the number of pieces, never the number of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from restride.errors import ShapeError
from restride.layout.axis import AxisMap, Piece, new
from restride.layout.constant import Constant
from restride.layout.normal import Axis, Parts

__all__ = ["Axis", "Entry", "IndexMap", "Walk", "row_major"]

IDENTITIES = 256
"""Shapes whose identity is remembered: a program meets few, and each step needs one."""

Entry = int | tuple[int, int, int] | None
"""Of a resolved slice: take and drop an axis, (begin, step, count), or a new axis."""

Walk = tuple[int | None, int, int]
"""Of a new result axis: the axis it walks (None: none), its step, its extent."""


class IndexMap(NamedTuple):
    """``source index[s] = base[s] + sum of axes[r].map(i[r]) over walkers r of s``.

    Where any axis holds a constant at ``i[r]`` the result is a constant: the one
    with the largest number.  Build one with :meth:`make`, which normalises.
    """

    source_shape: tuple[int, ...]
    """Extents of the source."""
    shape: tuple[int, ...]
    """Extents of the result: those of its axes."""
    axes: tuple[Axis, ...]
    """One entry per result axis."""
    base: tuple[int, ...]
    """Start position on each source axis."""
    fills: tuple[Constant, ...] = ()
    """Constants by number; a larger number wins where two meet."""
    background: int | None = None
    """Number of a constant that hides the whole source, or None."""

    @staticmethod
    def make(
        source_shape: tuple[int, ...],
        axes: Sequence[Axis],
        base: Sequence[int],
        fills: tuple[Constant, ...] = (),
        background: int | None = None,
    ) -> IndexMap | None:
        """The map in normal form, or None where walkers of one axis would bend."""
        shape = tuple([m.extent for _, m in axes])
        parts = Parts(list(axes), list(base), fills, background).normalise(0 in shape)
        settled = tuple(parts.axes)
        if parts.is_bent and _bend(settled):
            return None
        start, fills, background = tuple(parts.base), parts.fills, parts.background
        told = (source_shape, shape, settled, start, fills, background)
        return new(IndexMap, told)

    @staticmethod
    @lru_cache(IDENTITIES)
    def identity(shape: tuple[int, ...]) -> IndexMap:
        """The map of an array onto itself."""
        axes = [Axis(s, AxisMap.identity(n)) for s, n in enumerate(shape)]
        return _made(IndexMap.make(shape, axes, [0] * len(shape)))

    @staticmethod
    def cells(shape: tuple[int, ...], entries: Sequence[Entry]) -> IndexMap:
        """The cells of an array of `shape` that a resolved slice names."""
        return _made(IndexMap.identity(shape).select(entries))

    @property
    def size(self) -> int:
        """Number of result elements."""
        return prod(self.shape)

    @property
    def is_affine(self) -> bool:
        """True when every axis is one straight piece and no constant stands."""
        return not self.fills and False not in [a.map.is_affine for a in self.axes]

    def at(self, index: Sequence[int]) -> tuple[int, ...] | Constant:
        """Source index of result index `index`, or the constant that stands there.

        Examples
        --------
        >>> IndexMap.identity((4,)).select([(3, -2, 2)]).at((1,))
        (1,)
        """
        if len(index) != len(self.axes):
            raise ShapeError(f"{len(index)} indices for {len(self.axes)} axes.")
        found = list(self.base)
        fill = -1 if self.background is None else self.background
        for axis, k in zip(self.axes, index, strict=True):
            position = axis.map.at(k)
            if isinstance(position, Piece):
                fill = max(fill, -1 if position.fill is None else position.fill)
            elif axis.source is not None:
                found[axis.source] += position
        return self.fills[fill] if fill >= 0 else tuple(found)

    def reads(self) -> tuple[tuple[int, int], ...] | None:
        """Per source axis the smallest half-open range read; None: nothing read."""
        if self.size == 0 or self.background is not None:
            return None
        low, high = list(self.base), list(self.base)
        for axis in self.axes:
            span = axis.map.span()
            if axis.source is not None and span is not None:
                low[axis.source] += span[0]
                high[axis.source] += span[1]
        return tuple((a, b + 1) for a, b in zip(low, high, strict=True))

    # -- steps ---------------------------------------------------------------

    def select(self, entries: Sequence[Entry]) -> IndexMap | None:
        """Take a position, a range, or add an axis; entries cover every axis."""
        axes: list[Axis] = []
        base, background = list(self.base), self.background
        old = iter(self.axes)
        for entry in entries:
            if entry is None:
                axes.append(Axis.still(1))
                continue
            axis = next(old)
            if isinstance(entry, tuple):
                axes.append(_taken(axis, entry, base))
                continue
            position = axis.map.at(entry)
            if isinstance(position, Piece):
                background = _stronger(background, position.fill)
            elif axis.source is not None:
                base[axis.source] += position
        return IndexMap.make(self.source_shape, axes, base, self.fills, background)

    def extend(
        self, outer: Sequence[AxisMap], fills: tuple[Constant, ...] = ()
    ) -> IndexMap | None:
        """Read each axis through its map of `outer`, whose constants are `fills`."""
        if self.fills:
            number = {k: len(self.fills) + k for k in range(len(fills))}
            outer = [through.renumbered(number) for through in outer]
        axes = [
            new(Axis, (axis.source, through.compose(axis.map)))
            for axis, through in zip(self.axes, outer, strict=True)
        ]
        return IndexMap.make(
            self.source_shape, axes, self.base, self.fills + fills, self.background
        )

    def transpose(self, order: Sequence[int]) -> IndexMap:
        """Result axis r is the axis ``order[r]`` of this map."""
        axes = [self.axes[r] for r in order]
        return self._remade(axes, self.base)

    def broadcast_to(self, shape: tuple[int, ...]) -> IndexMap:
        """Repeat axes of extent 1 and add leading axes, as NumPy does."""
        lead = len(shape) - len(self.axes)
        for axis, (have, want) in enumerate(zip(self.shape, shape[lead:], strict=True)):
            if have not in (1, want):
                raise ShapeError(
                    f"broadcast_to: axis {axis} has extent {have} and cannot become "
                    f"{want}; only an extent of 1 repeats."
                )
        axes = [Axis.still(n) for n in shape[:lead]] + [
            axis if axis.map.extent == n else Axis.still(n)
            for axis, n in zip(self.axes, shape[lead:], strict=True)
        ]
        return self._remade(axes, self.base)

    def walk(self, walks: Sequence[Walk], start: Sequence[int]) -> IndexMap | None:
        """New result axes that walk the axes of this map from index `start`.

        Every position reached must lie inside; the caller has checked that.  A bent
        axis can be walked by one new axis at most.
        """
        if 0 in [count for _, _, count in walks]:
            return self._remade([Axis.still(n) for _, _, n in walks], self.base)
        base, background = list(self.base), self.background
        # A walk that takes no step is of no axis.
        walked = [source for source, step, n in walks if step and n > 1]
        for s, axis in enumerate(self.axes):
            if s in walked and not axis.map.is_affine:
                if walked.count(s) > 1:
                    return None
                continue
            position = axis.map.at(start[s])
            if isinstance(position, Piece):
                background = _stronger(background, position.fill)
            elif axis.source is not None:
                base[axis.source] += position
        axes = [self._walked(walk, start) for walk in walks]
        return IndexMap.make(self.source_shape, axes, base, self.fills, background)

    def _walked(self, walk: Walk, start: Sequence[int]) -> Axis:
        source, step, count = walk
        if source is None or step == 0 or count == 1:
            return Axis.still(count)
        axis = self.axes[source]
        if axis.map.is_affine:
            m = AxisMap.affine(count, 0, axis.map.step * step)
            return new(Axis, (axis.source, m))
        return Axis(axis.source, axis.map.take(start[source], step, count))

    def refilled(self, fills: tuple[Constant, ...]) -> IndexMap:
        """The same map with other constants under the same numbers."""
        if len(fills) == 1 or _tell_apart_alike(self.fills, fills):
            return new(IndexMap, (*self[:4], fills, self.background))
        made = IndexMap.make(
            self.source_shape, self.axes, self.base, fills, self.background
        )
        return _made(made)

    def _remade(self, axes: Sequence[Axis], base: Sequence[int]) -> IndexMap:
        made = IndexMap.make(self.source_shape, axes, base, self.fills, self.background)
        return _made(made)

    def __repr__(self) -> str:
        axes = ", ".join(
            f"{'-' if a.source is None else a.source}<-{a.map}" for a in self.axes
        )
        tail = f", fills={[f.value for f in self.fills]}" if self.fills else ""
        return f"IndexMap({self.source_shape} -> {self.shape}: [{axes}]{tail})"


@lru_cache(IDENTITIES)
def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Elements between neighbours along each axis of a row-major array.

    Examples
    --------
    >>> row_major((2, 3, 4))
    (12, 4, 1)
    """
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return tuple(strides)


def _taken(axis: Axis, taken: tuple[int, int, int], base: list[int]) -> Axis:
    """A range of an axis; a straight one begins at 0, and its begin is in `base`."""
    source, m = axis
    begin, step, count = taken
    if not m.is_affine or source is None:
        return Axis(source, m.take(begin, step, count))
    base[source] += begin * m.step
    return new(Axis, (source, AxisMap.affine(count, 0, step * m.step)))


def _bend(axes: Sequence[Axis]) -> bool:
    """True where an axis is bent whose source another one walks too."""
    walked: list[int] = []
    shared: list[int] = []
    for source, _ in axes:
        if source is not None:
            (shared if source in walked else walked).append(source)
    return bool(shared) and True in [s in shared and not m.is_affine for s, m in axes]


def _stronger(background: int | None, fill: int | None) -> int | None:
    if fill is None:
        return background
    return fill if background is None else max(background, fill)


def _tell_apart_alike(before: Sequence[Constant], after: Sequence[Constant]) -> bool:
    """True when two of `after` are equal exactly where those of `before` are.

    The normal form asks nothing else of constants.
    """
    old, new = [c.key for c in before], [c.key for c in after]
    pairs = set(zip(old, new, strict=True))
    return len(set(old)) == len(set(new)) == len(pairs)


def _made(made: IndexMap | None) -> IndexMap:
    """For steps that always have a map."""
    if made is None:
        raise AssertionError("a step that keeps straight axes straight bent one")
    return made
