"""Index entries to StridedSlice's lists and masks, and what a mask's bits say.

What an entry leaves open is 0 in begin and end and 1 in strides, so that readers
who check every number, used or not, take the encoding too.

>>> encoded((1, slice(None, None, -1), ...))
((1, 0, 0), (2, 0, 0), (1, -1, 1), 2, 2, 4, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Literal

from restride.checks import as_index
from restride.errors import ShapeError
from restride.layout.notation import IndexEntry, shown
from restride.ops.ranges import NAME

__all__ = ["Kind", "encoded", "kinds"]

Kind = Literal["ellipsis", "new axis", "index", "range"]
"""What an entry is, by its mask bits."""

Ints = tuple[int, ...]


def encoded(
    entries: Sequence[IndexEntry], rank: Any = None
) -> tuple[Ints, Ints, Ints, int, int, int, int, int]:
    """Begin, end, strides and the begin, end, ellipsis, new axis and shrink masks.

    `rank`, where given, is the most entries that may need an axis.
    """
    if rank is not None:
        _check_entries(entries, as_index(rank, "encode: rank"))
    ranges = [_bounds(entry) for entry in entries]
    return (
        tuple([begin or 0 for begin, _, _ in ranges]),
        tuple([end or 0 for _, end, _ in ranges]),
        tuple([1 if step is None else step for _, _, step in ranges]),
        _bits([isinstance(e, slice) and e.start is None for e in entries]),
        _bits([isinstance(e, slice) and e.stop is None for e in entries]),
        _bits([isinstance(e, EllipsisType) for e in entries]),
        _bits([e is None for e in entries]),
        _bits([isinstance(e, int) for e in entries]),
    )


def _bounds(entry: IndexEntry) -> tuple[int | None, int | None, int | None]:
    if isinstance(entry, slice):
        return (entry.start, entry.stop, entry.step)
    if isinstance(entry, int):
        return (entry, entry + 1, 1)
    return (None, None, None)


def _bits(flags: Sequence[bool]) -> int:
    return sum(1 << k for k, flag in enumerate(flags) if flag)


def _check_entries(entries: Sequence[IndexEntry], rank: int) -> None:
    used = sum(isinstance(entry, (int, slice)) for entry in entries)
    if used > rank:
        raise ShapeError(
            f"encode: {used} of the entries need an axis and rank is {shown(rank)}; "
            f"leave out {shown(used - rank)}."
        )


def kinds(n: int, ellipsis: int, new_axis: int, shrink: int) -> list[Kind]:
    """What each of `n` entries is; of several bits the first mask here decides.

    Examples
    --------
    >>> kinds(4, 0b0010, 0b0011, 0b0111)
    ['new axis', 'ellipsis', 'index', 'range']
    """
    if ellipsis & (ellipsis - 1):
        raise ShapeError(
            f"{NAME}: ellipsis_mask = {shown(ellipsis)} has more than one bit; an "
            "index holds at most one ellipsis. Keep one bit."
        )
    return [_kind(ellipsis >> k, new_axis >> k, shrink >> k) for k in range(n)]


def _kind(ellipsis: int, new_axis: int, shrink: int) -> Kind:
    """What the entry of the lowest bits is."""
    if ellipsis & 1:
        return "ellipsis"
    if new_axis & 1:
        return "new axis"
    return "index" if shrink & 1 else "range"
