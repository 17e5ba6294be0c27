"""An index over a shape: what each of its entries takes.

>>> resolve((-1, None, slice(None, None, -2)), (3, 4), "slice")
[2, None, (3, -2, 2)]
"""

from __future__ import annotations

from collections.abc import Sequence

from restride.checks import MAX_RANK
from restride.errors import BoundsError, ShapeError
from restride.layout.index_map import Entry
from restride.layout.notation import IndexEntry, shown

__all__ = ["NAME", "resolve", "taken"]

NAME = "strided_slice"
"""The operator's name in messages."""


def resolve(
    index: Sequence[IndexEntry], shape: Sequence[int], caller: str = NAME
) -> list[Entry]:
    """What each entry takes from an array of `shape`, covering every axis.

    Parameters
    ----------
    index : sequence of int, slice, None and at most one Ellipsis
        Of plain ints; no step is 0.  Without an ellipsis one stands after the last.
    shape : sequence of int
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
    new = index.count(None)
    spare = len(shape) - (len(index) - new - index.count(Ellipsis))
    if spare < 0:
        raise ShapeError(
            f"{caller}: {len(shape) - spare} of the entries need an axis and shape "
            f"{shape} has {len(shape)}; leave out {-spare}."
        )
    found: list[Entry] = []
    for k, entry in enumerate(index if Ellipsis in index else (*index, Ellipsis)):
        axis = len(found) - found.count(None)
        if entry is None:
            found.append(None)
        elif entry is Ellipsis:
            found.extend([(0, 1, n) for n in shape[axis : axis + spare]])
        elif isinstance(entry, slice):
            step = 1 if entry.step is None else entry.step
            found.append(taken(entry.start, entry.stop, step, shape[axis]))
        elif -shape[axis] <= entry < shape[axis]:
            found.append(entry % shape[axis])
        else:
            raise _outside(k, entry, axis, shape[axis], caller)
    rank = len([entry for entry in found if not isinstance(entry, int)])
    if rank > MAX_RANK:
        raise ShapeError(
            f"{caller}: the result would have {rank} axes; at most {MAX_RANK} are "
            "allowed. Leave out some new axes."
        )
    return found


def taken(
    begin: int | None, end: int | None, step: int, n: int
) -> tuple[int, int, int]:
    """(begin, step, count) of the range ``begin:end:step`` on an axis of extent `n`.

    None is the furthest end in the direction of `step`, which is not 0.

    Examples
    --------
    >>> taken(-2, None, -1, 4)
    (2, -1, 3)
    >>> taken(1, 9, 7, 4)
    (1, 1, 1)
    """
    first, last = (0, n) if step > 0 else (n - 1, -1)
    start = first if begin is None else _cut(begin, n, step)
    stop = last if end is None else _cut(end, n, step)
    count = max(0, -((start - stop) // step))
    if count < 2:
        # A start of n or a step of 2**70 is read by nobody: keep it out.
        return (start if count else 0, 1, count)
    return (start, step, count)


def _cut(bound: int, n: int, step: int) -> int:
    """`bound` counted from n if negative, then cut to what `step` can reach."""
    bound = bound + n if bound < 0 else bound
    return min(max(bound, 0), n) if step > 0 else min(max(bound, -1), n - 1)


def _outside(k: int, index: int, axis: int, n: int, caller: str) -> BoundsError:
    mine = caller == NAME
    bit = f" (shrink_axis_mask bit {k})" if mine else ""
    rule = f"must lie in {-n}..{n - 1}" if n else "does not exist there"
    return BoundsError(
        f"{caller}: {'begin' if mine else 'index'}[{k}] = {shown(index)} is outside "
        f"axis {axis} of extent {n}; a single index{bit} {rule}. A range is cut to "
        "fit instead."
    )
