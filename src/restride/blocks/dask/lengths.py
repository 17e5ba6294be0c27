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
    def extent(self) -> int:
        """Their sum."""
        return sum([sum(pattern) * times for pattern, times in self.parts])

    @property
    def largest(self) -> int:
        """The longest of them; 0 of none."""
        return max([max(pattern) for pattern, _ in self.parts], default=0)

    @property
    def common(self) -> int:
        """The length of all but the last, which is no longer; 0 where they differ."""
        if not self.parts:
            return 0
        *before, (pattern, times) = self.parts
        size, last = self.first, pattern[-1]
        equal = all(len(set(p)) == 1 and p[0] == size for p, _ in before)
        others = pattern.count(size) - (last == size)
        fits = last == size or (times == 1 and last < size)
        return size if equal and fits and others == len(pattern) - 1 else 0

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

    def part(self, first: int, last: int) -> Lengths:
        """Those numbered ``first .. last - 1``.

        >>> Lengths((((4, 3), 9), ((1,), 1))).part(3, 19).written()[-3:]
        (4, 3, 1)
        """
        made = Lengths()
        for pattern, times in self.parts:
            n = len(pattern)
            low, high = max(first, 0), min(last, n * times)
            if low < high:
                made += _turns(pattern, low, high)
            first, last = first - n * times, last - n * times
        return made

    def without_empty(self) -> Lengths:
        """Those that are not 0."""
        if all(0 not in pattern for pattern, _ in self.parts):
            return self
        kept = [(tuple(filter(None, pattern)), times) for pattern, times in self.parts]
        return Lengths(tuple([(pattern, times) for pattern, times in kept if pattern]))

    def count_within(self, most: int) -> int:
        """How many there are after :meth:`split`."""
        if self.largest <= most:
            return self.total
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


def _turns(pattern: Pattern, low: int, high: int) -> Lengths:
    """Of a pattern that repeats, the lengths numbered ``low .. high - 1``."""
    n = len(pattern)
    first, last = -(-low // n), high // n
    if first > last:
        return Lengths.of(pattern[low % n : low % n + high - low])
    head, tail = pattern[n - (first * n - low) :], pattern[: high - last * n]
    whole = Lengths(((pattern, last - first),)) if first < last else Lengths()
    return Lengths.of(head if first * n > low else ()) + whole + Lengths.of(tail)


def _written(parts: Parts) -> tuple[int, ...]:
    made: list[int] = []
    for pattern, times in parts:
        made += pattern * times
    return tuple(made)


_remembered = lru_cache(8)(_written)
"""Arrays of one shape have equal chunks, and a million lengths take 8 MB."""
