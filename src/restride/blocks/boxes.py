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
    """Boxes of one size that tile a result, row-major; the last ones are cut short.

    Examples
    --------
    >>> boxes = Grid((5, 4), (3, 4))
    >>> boxes.shape, len(boxes), list(boxes)
    ((2, 1), 2, [((0, 3), (0, 4)), ((3, 5), (0, 4))])
    """

    extents: tuple[int, ...]
    """Extents of the result, in elements."""
    block: tuple[int, ...]
    """Extents of a box, in elements; at least 1."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many boxes along each axis."""
        return tuple(
            [-(-n // b) for n, b in zip(self.extents, self.block, strict=True)]
        )

    def __len__(self) -> int:
        return prod(self.shape)

    def __iter__(self) -> Iterator[Box]:
        return _products([self._along(axis) for axis in range(len(self.block))])

    def ranges(self, axis: int) -> list[Interval]:
        """The half-open ranges along one axis."""
        return list(self._along(axis)())

    def _along(self, axis: int) -> Callable[[], Iterator[Interval]]:
        """The ranges along one axis, one after the other: there may be many."""
        n, b = self.extents[axis], self.block[axis]
        return lambda: ((low, min(low + b, n)) for low in range(0, n, b))

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
        axes = zip(self.extents, self.block, self.shape, strict=True)
        for n, b, count in reversed(list(axes)):
            number, k = divmod(number, count)
            found.append((k * b, min((k + 1) * b, n)))
        return tuple(reversed(found))


def _products(axes: Sequence[Callable[[], Iterator[Interval]]]) -> Iterator[Box]:
    """All choices of one range per axis, none of them kept."""
    if not axes:
        yield ()
        return
    for box in _products(axes[:-1]):
        for last in axes[-1]():
            yield (*box, last)
