"""An index over a shape: what each of its entries takes.

>>> resolve((-1, None, slice(None, None, -2)), (3, 4), "slice")
[2, None, (3, -2, 2)]
"""

from __future__ import annotations

from collections.abc import Iterable

from restride.checks import MAX_RANK
from restride.errors import BoundsError, ShapeError
from restride.layout.index_map import Entry
from restride.layout.notation import IndexEntry, shown

__all__ = ["NAME", "resolve", "resolve_each", "taken"]

Ints = tuple[int, ...]

NAME = "strided_slice"
"""The operator's name in messages."""


def resolve(index: tuple[IndexEntry, ...], shape: Ints, caller: str) -> list[Entry]:
    """What the entries of an index that is checked take; see :func:`resolve_each`."""
    used = len(index) - index.count(None) - index.count(Ellipsis)
    return resolve_each(index, used, shape, caller)


def resolve_each(
    index: Iterable[IndexEntry], used: int, shape: Ints, caller: str = NAME
) -> list[Entry]:
    """What each entry takes from an array of `shape`, covering every axis.

    Parameters
    ----------
    index : iterable of int, slice, None and at most one Ellipsis
        Of plain ints; no step is 0.  Without an ellipsis one stands after the last.
    used : int
        How many of the entries take an axis.
    shape : tuple of int
        Extents of the array.
    caller : str
        Whose words an error uses: a name other than the operator's own says
        ``index[k]`` in place of the lists and masks.

    Returns
    -------
    list of int | (begin, step, count) | None
        A position whose axis goes, a resolved range, or a new axis.  A range of no
        elements is ``(0, 1, 0)`` and of one element ``(begin, 1, 1)``.

    Raises
    ------
    ShapeError
        Too many entries, or a result of more than 64 axes.
    BoundsError
        A single index outside its axis.
    """
    spare = len(shape) - used
    if spare < 0:
        raise ShapeError(
            f"{caller}: {used} of the entries need an axis and shape {shape} has "
            f"{len(shape)}; leave out {-spare}."
        )
    found: list[Entry] = []
    axis = 0
    for k, entry in enumerate(index):
        if entry is None:
            found.append(None)
        elif entry is Ellipsis:
            found.extend([(0, 1, n) for n in shape[axis : axis + spare]])
            axis += spare
        else:
            found.append(_one(k, entry, axis, shape[axis], caller))
            axis += 1
    found.extend([(0, 1, n) for n in shape[axis:]])
    if len(found) > MAX_RANK:
        _check_rank(found, caller)
    return found


def _one(k: int, entry: int | slice, axis: int, n: int, caller: str) -> Entry:
    """What entry k takes of an axis of extent `n`."""
    if isinstance(entry, slice):
        return taken(entry, n)
    if -n <= entry < n:
        return entry % n
    mine = caller == NAME
    bit = f" (shrink_axis_mask bit {k})" if mine else ""
    rule = f"must lie in {-n}..{n - 1}" if n else "does not exist there"
    raise BoundsError(
        f"{caller}: {'begin' if mine else 'index'}[{k}] = {shown(entry)} is outside "
        f"axis {axis} of extent {n}; a single index{bit} {rule}. A range is cut to "
        "fit instead."
    )


def taken(entry: slice, n: int) -> tuple[int, int, int]:
    """(begin, step, count) of what a range takes of an axis of extent `n`.

    Its step is not 0; Python's own rule cuts its bounds.

    Examples
    --------
    >>> taken(slice(-2, None, -1), 4)
    (2, -1, 3)
    >>> taken(slice(1, 9, 7), 4)
    (1, 1, 1)
    """
    start, stop, step = entry.indices(n)
    count = -((start - stop) // step)
    if count > 1:
        return (start, step, count)
    # A start of n or a step of 2**70 is read by nobody: keep it out.
    return (start, 1, 1) if count == 1 else (0, 1, 0)


def _check_rank(found: list[Entry], caller: str) -> None:
    rank = len([entry for entry in found if not isinstance(entry, int)])
    if rank > MAX_RANK:
        raise ShapeError(
            f"{caller}: the result would have {rank} axes; at most {MAX_RANK} are "
            "allowed. Leave out some new axes."
        )
