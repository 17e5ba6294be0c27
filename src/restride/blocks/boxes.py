"""Boxes of one size that tile a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from restride.blocks.intervals import Interval
from restride.blocks.restrict import Box
from restride.errors import ShapeError

__all__ = ["Grid"]


@dataclass(frozen=True)
class Grid:
    """Boxes of one size that tile a result, row-major; those at the ends are cut short.

    Examples
    --------
    >>> boxes = Grid((5, 4), (3, 4))
    >>> boxes.shape, len(boxes), list(boxes)
    ((2, 1), 2, [((0, 3), (0, 4)), ((3, 5), (0, 4))])
    >>> list(Grid((7,), (3,), first=(2,)))
    [((0, 2),), ((2, 5),), ((5, 7),)]
    """

    extents: tuple[int, ...]
    """Extents of the result, in elements."""
    block: tuple[int, ...]
    """Extents of a box, in elements; at least 1."""
    first: tuple[int, ...] = ()
    """Extents of the first box along each axis, less than `block`; 0, or no entries:
    it is as long as the others."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many boxes along each axis."""
        return tuple([self._count(axis) for axis in range(len(self.block))])

    def begin(self, axis: int) -> int:
        """Where the second box begins if the first one is shorter, else 0."""
        return min(self.first[axis], self.extents[axis]) if self.first else 0

    def _count(self, axis: int) -> int:
        begin, n = self.begin(axis), self.extents[axis]
        return (begin > 0) + -(-(n - begin) // self.block[axis])

    def __len__(self) -> int:
        return prod(self.shape)

    def __iter__(self) -> Iterator[Box]:
        return _products([self._along(axis) for axis in range(len(self.block))])

    def ranges(self, axis: int) -> list[Interval]:
        """The half-open ranges along one axis."""
        return list(self._along(axis)())

    def _along(self, axis: int) -> Callable[[], Iterator[Interval]]:
        """The ranges along one axis, one after the other: there may be many."""
        return lambda: (self.range(axis, k) for k in range(self._count(axis)))

    def range(self, axis: int, k: int) -> Interval:
        """The half-open range of box `k` along one axis."""
        n, b, begin = self.extents[axis], self.block[axis], self.begin(axis)
        low = k * b - (b - begin if begin else 0)
        return max(0, low), min(low + b, n)

    def box(self, number: int) -> Box:
        """The box of this number, counted row-major.

        Raises
        ------
        ShapeError
            There is no such box.

        Examples
        --------
        >>> Grid((5, 4), (3, 2)).box(3)
        ((3, 5), (2, 4))
        """
        if not 0 <= number < len(self):
            raise ShapeError(f"box {number} of {len(self)}; they count from 0.")
        found: list[Interval] = []
        for axis, count in reversed(list(enumerate(self.shape))):
            number, k = divmod(number, count)
            found.append(self.range(axis, k))
        return tuple(reversed(found))


def _products(axes: Sequence[Callable[[], Iterator[Interval]]]) -> Iterator[Box]:
    """All choices of one range per axis, none of them kept."""
    if not axes:
        yield ()
        return
    for box in _products(axes[:-1]):
        for last in axes[-1]():
            yield (*box, last)
