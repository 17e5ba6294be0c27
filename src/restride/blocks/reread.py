"""Where an array is read row-major under another shape: which axes go together.

A reshape deals elements out inside the finest groups of axes with equal products.  A
group of one axis on both sides passes intervals through; any other passes one range
of rows that is whole on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm, prod
from typing import NamedTuple

from restride.blocks.intervals import Intervals
from restride.layout.flat import groups

__all__ = ["Regroup", "Reread"]


class Regroup(NamedTuple):
    """A run of axes of both shapes that hold the same elements."""

    made: tuple[int, ...]
    """Axes of the array as it was made."""
    read: tuple[int, ...]
    """Axes it is read with."""


class Reread:
    """An array made with one shape and read row-major with another.

    >>> Reread((2, 3, 4), (6, 4)).made([((2, 4),), ((1, 3),)]) is None
    True
    >>> Reread((2, 3, 4), (6, 4)).aligns([True] * 3)
    [3, None]
    """

    def __init__(self, made: tuple[int, ...], read: tuple[int, ...]) -> None:
        self.shape, self.read_shape = made, read
        self.is_same = made == read
        self.groups = () if self.is_same or 0 in made else tuple(_named(made, read))

    def aligns(self, takes_lists: Sequence[bool]) -> list[int | None]:
        """Per axis read: None where any intervals will do, else the rows to read by.

        `takes_lists` says of each axis made whether several intervals can be made.
        """
        read = self.read_shape
        found: list[int | None] = [None] * len(read)
        if self.is_same:
            return [None if takes else 1 for takes in takes_lists]
        for group in self.groups:
            if self._is_one(group):
                found[group.read[0]] = None if takes_lists[group.made[0]] else 1
                continue
            lead = _lead(group.read, read)
            for axis in group.read:
                found[axis] = read[axis]
            if lead is not None:
                row = prod(_after(group.read, lead, read))
                onto = _lead(group.made, self.shape)
                rows = 1 if onto is None else prod(_after(group.made, onto, self.shape))
                found[lead] = lcm(row, rows) // row
        return found

    def merged(self) -> list[tuple[int, ...]] | None:
        """Per axis read, the axes made that it is one after the other, without those
        of one position; None where anything is dealt out in another way.

        Examples
        --------
        >>> Reread((5, 2, 3), (5, 6)).merged(), Reread((6,), (2, 3)).merged()
        ([(0,), (1, 2)], None)
        """
        found: list[tuple[int, ...]] = [()] * len(self.read_shape)
        for group in self.groups:
            wide = [axis for axis in group.read if self.read_shape[axis] > 1]
            if len(wide) > 1:
                return None
            made = tuple([axis for axis in group.made if self.shape[axis] > 1])
            for axis in wide:
                found[axis] = made
        return found

    def made(self, lists: Sequence[Intervals]) -> tuple[Intervals, ...] | None:
        """What is made for `lists` to be read, or None where they are not whole rows.

        `lists` has one entry per axis read, and none is empty.
        """
        if self.is_same:
            return tuple(lists)
        found: list[Intervals] = [((0, n),) for n in self.shape]
        for group in self.groups:
            if self._is_one(group):
                (made,), (read,) = group
                found[made] = lists[read]
                continue
            rows = self._rows(group, lists)
            if rows is None:
                return None
            lead = _lead(group.made, self.shape)
            if lead is not None:
                found[lead] = rows
        return tuple(found)

    def _is_one(self, group: Regroup) -> bool:
        return len(group.made) == len(group.read) == 1

    def _rows(self, group: Regroup, lists: Sequence[Intervals]) -> Intervals | None:
        """The rows made, from one interval of rows read and the rest whole."""
        read, made = self.read_shape, self.shape
        lead, onto = _lead(group.read, read), _lead(group.made, made)
        if lead is None or onto is None:
            return ((0, 1),)
        rest = [a for a in group.read if a > lead]
        if len(lists[lead]) != 1 or any(lists[a] != ((0, read[a]),) for a in rest):
            return None
        row = prod(_after(group.read, lead, read))
        rows = prod(_after(group.made, onto, made))
        low, high = lists[lead][0]
        if low * row % rows or high * row % rows:
            return None
        return ((low * row // rows, high * row // rows),)


def _after(axes: Sequence[int], lead: int, shape: Sequence[int]) -> list[int]:
    return [shape[a] for a in axes if a > lead]


def _lead(axes: Sequence[int], shape: Sequence[int]) -> int | None:
    """The first axis of several positions."""
    return next((a for a in axes if shape[a] > 1), None)


def _named(made: tuple[int, ...], read: tuple[int, ...]) -> Iterator[Regroup]:
    for old, new in groups(made, read):
        yield Regroup(tuple(old), tuple(new))
