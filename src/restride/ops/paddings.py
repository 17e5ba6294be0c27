"""The forms in which paddings and pad constants are written, and their one meaning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from restride.checks import (
    LEAST,
    MOST_ENTRIES,
    USUAL,
    as_axes,
    as_flag,
    as_index,
    as_ints,
    shown,
    usual_ints,
)
from restride.errors import ShapeError

__all__ = [
    "constants_on_axes",
    "on_axes",
    "read_constants",
    "read_paddings",
    "refuse_unordered",
]

Pairs = tuple[tuple[int, int], ...]

LISTS = (list, tuple)
"""Usual types of a table."""

NUMBERS = (int, float, bool, complex)
"""Usual types of one constant."""


def read_paddings(given: Any, rank: int, contiguous: bool = True) -> Pairs:
    """(before, after) per axis from any of the accepted forms.

    One int or one pair serves every axis; otherwise ``[rank, 2]``, or ``[2, rank]``
    when not `contiguous`, or a flat list of ``2 * rank`` in the same order.

    Raises
    ------
    ShapeError
        `given` is in none of these forms.

    Examples
    --------
    >>> read_paddings([[2, 1], [2, 1]], 2, contiguous=False)
    ((2, 2), (1, 1))
    >>> read_paddings((1, 2), 2)
    ((1, 2), (1, 2))
    """
    if contiguous is not True and contiguous is not False:
        contiguous = as_flag(contiguous, "pad: paddings_contiguous")
    usual = _usual_pairs(given, rank) if contiguous else None
    if usual is not None:
        return usual
    if type(given) not in LISTS:
        if _is_scalar(given):
            width = as_index(given, "pad: paddings")
            return ((width, width),) * rank
        refuse_unordered(given)
    rows = list(islice(given, MOST_ENTRIES + 1))
    table = [usual_ints(row) for row in rows]
    if table and None not in table:
        return _table(table, rank, contiguous)
    if rows and True not in [_is_scalar(row) for row in rows]:
        return _table(
            [as_ints(r, f"paddings[{i}]") for i, r in enumerate(rows)], rank, contiguous
        )
    flat = as_ints(rows, "pad: paddings")
    if len(flat) == 2 * rank:
        return _flat(flat, rank, contiguous)
    if len(flat) == 2:
        return (flat,) * rank
    raise _unreadable(f"{len(flat)} values", rank, contiguous)


def _usual_pairs(given: Any, rank: int) -> Pairs | None:
    """A list of `rank` pairs of usual ints, as most callers write it; None: look on."""
    if type(given) not in LISTS or len(given) != rank:
        return None
    pairs = []
    for row in given:
        if type(row) not in LISTS or len(row) != 2:
            return None
        before, after = row
        if type(before) is not int or type(after) is not int:
            return None
        if not (LEAST < before < USUAL and LEAST < after < USUAL):
            return None
        pairs.append((before, after))
    return tuple(pairs)


def on_axes(
    paddings: Any, axes: Any, rank: int, contiguous: bool = True
) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis; 0 on those that `axes` does not name."""
    if axes is None:
        return read_paddings(paddings, rank, contiguous)
    chosen = as_axes(axes, rank, "pad: axes")
    given = read_paddings(paddings, len(chosen), contiguous)
    pairs = dict(zip(chosen, given, strict=True))
    return tuple(pairs.get(axis, (0, 0)) for axis in range(rank))


def refuse_unordered(given: Any) -> None:
    """Refuse a dict or set, whose order says nothing of axes or sides."""
    if isinstance(given, (dict, set, frozenset)):
        raise ShapeError(
            f"pad: a {type(given).__name__} was given; its order says nothing here. "
            "Give ints, pairs or lists."
        )


def _table(rows: Sequence[Any], rank: int, contiguous: bool) -> Pairs:
    if len(rows) == 1 and len(rows[0]) == 2:
        return ((rows[0][0], rows[0][1]),) * rank
    wide = set(map(len, rows))
    if contiguous and len(rows) == rank and wide == {2}:
        return tuple(rows)
    if not contiguous and len(rows) == 2 and wide == {rank}:
        return tuple(zip(*rows, strict=True))
    found = f"{len(rows)} rows of {' or '.join(map(str, sorted(wide)))}"
    raise _unreadable(found, rank, contiguous)


def _flat(flat: tuple[int, ...], rank: int, contiguous: bool) -> Pairs:
    if contiguous:
        return tuple(zip(flat[0::2], flat[1::2], strict=True))
    return tuple(zip(flat[:rank], flat[rank:], strict=True))


def _unreadable(found: str, rank: int, contiguous: bool) -> ShapeError:
    table = f"[{rank}, 2]" if contiguous else f"[2, {rank}]"
    order = "befores, then afters" if not contiguous else "before, after per axis"
    return ShapeError(
        f"pad: paddings has {found}; for {rank} {'axis' if rank == 1 else 'axes'} give "
        f"one int, one pair (before, after), a table {table} or {2 * rank} values "
        f"({order})."
    )


def read_constants(given: Any, rank: int) -> tuple[tuple[Any, Any], ...]:
    """(before, after) constants per axis: one value, one pair, or an entry per axis.

    An entry is one value or a pair; two values alone are a pair for all axes, so one
    value per axis is for three axes or more.  None or an empty sequence means all-zero
    bytes.

    Examples
    --------
    >>> read_constants(7, 2)
    ((7, 7), (7, 7))
    >>> read_constants([[1, 2], [3, 4]], 2)
    ((1, 2), (3, 4))
    >>> read_constants([7, 8, 9], 3)
    ((7, 7), (8, 8), (9, 9))
    """
    value = given if type(given) in NUMBERS else _single(given)
    if type(value) in NUMBERS or _is_scalar(value):
        return ((value, value),) * rank
    value = list(islice(value, MOST_ENTRIES))
    rows = [_single(row) for row in value]
    if not rows:
        return ((None, None),) * rank
    if len(rows) == 2 and all(_is_scalar(v) for v in rows):
        return ((rows[0], rows[1]),) * rank
    pairs = [tuple(r) if not _is_scalar(r) else (r, r) for r in value]
    if len(pairs) in (1, rank) and all(len(p) == 2 for p in pairs):
        full = pairs * rank if len(pairs) == 1 else pairs
        return tuple((a, b) for a, b in full)
    flat = f", {rank} values, one per axis," if rank > 2 else ""
    raise ShapeError(
        f"pad: constant_values = {shown(given)}; for {rank} "
        f"{'axis' if rank == 1 else 'axes'} give one value, one pair (before, after)"
        f"{flat} or [{rank}, 2] values."
    )


def constants_on_axes(given: Any, axes: Any, rank: int) -> tuple[tuple[Any, Any], ...]:
    """(before, after) constants per axis, of which `given` names those of `axes`.

    To the other axes nothing is added; they get those of the first one named, so that
    one constant for all stays one.

    Examples
    --------
    >>> constants_on_axes([[1, 2], [3, 4]], (2, 0), 3)
    ((3, 4), (1, 2), (1, 2))
    """
    if axes is None:
        return read_constants(given, rank)
    refuse_unordered(given)
    chosen = as_axes(axes, rank, "pad: axes")
    fills = read_constants(given, len(chosen))
    of_axis = dict(zip(chosen, fills, strict=True))
    others = fills[0] if fills else (0, 0)
    return tuple(of_axis.get(axis, others) for axis in range(rank))


def _is_scalar(value: Any) -> bool:
    if isinstance(value, (int, float, str, bytes)) or value is None:
        return True
    if isinstance(value, (list, tuple)):
        return False
    if getattr(value, "ndim", None) is not None:
        return bool(value.ndim == 0)
    return not isinstance(value, Sequence) and not hasattr(value, "__iter__")


def _single(value: Any) -> Any:
    """The element of a one-element or 0-d array or list; anything else as it is."""
    while not isinstance(value, (str, bytes)) and not _is_scalar(value):
        try:
            if len(value) != 1:
                return value
        except (TypeError, OverflowError):
            return list(islice(value, MOST_ENTRIES))
        value = value[0]
    is_text = isinstance(value, (str, bytes))  # NumPy's have ndim, and no [()]
    return value[()] if getattr(value, "ndim", None) == 0 and not is_text else value
