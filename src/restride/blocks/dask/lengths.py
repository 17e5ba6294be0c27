"""Lengths of chunks as patterns that repeat: a million equal ones are one pattern.

Dask keeps the length of every chunk; until it is given them, nothing here looks at
them one by one.

>>> lengths = Lengths.of((3,)) + Lengths((((4,), 5), ((1,), 1)))
>>> lengths.total, lengths.largest, lengths.split(2).written()
(7, 4, (2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Lengths"]

Pattern = tuple[int, ...]
Parts = tuple[tuple[Pattern, int], ...]

SHORT = 1 << 10
"""Lengths of so few numbers are known by them again."""


class Lengths(NamedTuple):
    """Lengths in a row: patterns, none empty, and how often each is repeated."""

    parts: Parts = ()

    @staticmethod
    def of(lengths: Sequence[int]) -> Lengths:
        """These lengths, once."""
        return Lengths(((tuple(lengths), 1),) if lengths else ())

    @staticmethod
    def even(extent: int, length: int) -> Lengths:
        """`extent` in chunks of `length`, the last one what is left.

        >>> Lengths.even(10, 4).written(), Lengths.even(0, 4).written()
        ((4, 4, 2), (0,))
        """
        length = max(length, 1)
        times, rest = divmod(extent, length)
        tail = Lengths.of((rest,) if rest or not times else ())
        return (Lengths((((length,), times),)) if times else Lengths()) + tail

    @property
    def total(self) -> int:
        """How many chunks there are."""
        return sum([len(pattern) * times for pattern, times in self.parts])

    @property
    def largest(self) -> int:
        """The longest of them; 0 of none."""
        return max([max(pattern) for pattern, _ in self.parts], default=0)

    @property
    def first(self) -> int:
        """Length of the first chunk; there is one."""
        return self.parts[0][0][0]

    @property
    def last(self) -> int:
        """Length of the last chunk; there is one."""
        return self.parts[-1][0][-1]

    def __add__(self, other: Lengths) -> Lengths:  # type: ignore[override]
        return Lengths(self.parts + other.parts)

    def joined(self, other: Lengths) -> Lengths:
        """The same where the last chunk and the first of `other` are one chunk."""
        before, after = self.flipped()._after_first(), other._after_first()
        middle = Lengths.of((self.last + other.first,))
        return before.flipped() + middle + after

    def flipped(self) -> Lengths:
        """From the last to the first."""
        return Lengths(tuple([(p[::-1], times) for p, times in self.parts[::-1]]))

    def count_within(self, most: int) -> int:
        """How many there are after :meth:`split`."""
        return sum(
            [times * sum([-(-n // most) or 1 for n in p]) for p, times in self.parts]
        )

    def split(self, most: int) -> Lengths:
        """The same, where each chunk longer than `most` is several."""
        if self.largest <= most:
            return self
        made = []
        for pattern, times in self.parts:
            cut = [Lengths.even(n, most).written() for n in pattern]
            made.append((tuple([n for part in cut for n in part]), times))
        return Lengths(tuple(made))

    def _after_first(self) -> Lengths:
        (pattern, times), *others = self.parts
        rest = Lengths.of(pattern[1:])
        if times > 1:
            rest += Lengths(((pattern, times - 1),))
        return rest + Lengths(tuple(others))

    def written(self) -> tuple[int, ...]:
        """Every length."""
        is_short = sum([len(pattern) for pattern, _ in self.parts]) < SHORT
        return _remembered(self.parts) if is_short else _written(self.parts)


def _written(parts: Parts) -> tuple[int, ...]:
    made: list[int] = []
    for pattern, times in parts:
        made += pattern * times
    return tuple(made)


_remembered = lru_cache(8)(_written)
"""Arrays of one shape have equal chunks, and a million lengths take 8 MB."""
