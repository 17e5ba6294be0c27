"""The forms in which NumPy takes pad widths and constants: one, a pair, or a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.dialects.numpy.errors import NumpyError, NumpyTypeError, refusal

__all__ = ["pairs_of", "read_constants", "read_widths"]

Pairs = tuple[tuple[int, int], ...]

FORMS = "Give one int, one pair (before, after), or one pair per axis."


def read_widths(pad_width: Any, rank: int) -> Pairs:
    """(before, after) per axis.

    Raises
    ------
    NumpyTypeError
        Not of a signed integer type, as NumPy asks.
    NumpyError
        A negative width, or a form that does not spread over `rank` axes.

    Examples
    --------
    >>> read_widths({-1: (1, 2)}, 2)
    ((0, 0), (1, 2))
    >>> read_widths([[1], [2]], 2)
    ((1, 1), (2, 2))
    """
    if isinstance(pad_width, dict):
        pad_width = _from_dict(pad_width, rank)
    try:
        given = np.asarray(pad_width)
    except (ValueError, TypeError, OverflowError) as error:
        raise refusal("pad_width", f"pad: pad_width is no array: {error}", error) from (
            None
        )
    if given.dtype.kind != "i":
        raise NumpyTypeError(
            "pad_width",
            f"pad: `pad_width` must be of integral type. It has dtype {given.dtype}; "
            "signed integers of at most 64 bits are taken.",
        )
    # More values than a table has spread over no axes, whatever they are.
    if 0 < given.size <= max(2 * rank, 2) and given.min() < 0:
        raise NumpyError(
            "pad_width",
            f"pad: index can't contain negative values: pad_width has {given.min()}. "
            "Crop with a slice.",
        )
    rows = pairs_of(given, rank, "pad_width")
    return tuple((int(before), int(after)) for before, after in rows)


def _from_dict(widths: dict[Any, Any], rank: int) -> list[tuple[int, int]]:
    """Widths by axis; other axes stay as they are."""
    pairs = [(0, 0)] * rank
    for axis, width in widths.items():
        try:
            pairs[axis] = _pair(width)
        except (IndexError, TypeError) as error:
            text = f"pad: pad_width names axis {axis!r} of an array of {rank} axes."
            raise refusal("pad_width", text, error) from None
    return pairs


def _pair(width: Any) -> tuple[int, int]:
    match width:
        case int(both):
            return both, both
        case tuple((int(before), int(after))):
            return before, after
    raise NumpyTypeError(
        "pad_width",
        f"pad: pad_width has {width!r} for an axis; in a dict give an int or a tuple "
        "(before, after) of ints.",
    )


def pairs_of(given: np.ndarray[Any, Any], rank: int, name: str) -> list[Any]:
    """One pair per axis, spread as NumPy does.

    A single value and a pair keep NumPy's scalars, a table has Python's: NumPy's own
    `pad` assigns them so, and an integer that does not fit is cut in one case and
    refused in the other.
    """
    if given.ndim < 3 and given.size == 1:
        return [(given.flat[0], given.flat[0])] * rank
    if given.ndim < 3 and given.size == 2 and given.shape != (2, 1):
        return [(given.flat[0], given.flat[1])] * rank
    try:
        return list(np.broadcast_to(given, (rank, 2)).tolist())
    except ValueError as error:
        text = f"pad: {name} of shape {given.shape} for {rank} axes: {error}. {FORMS}"
        raise NumpyError(name, text) from None


def read_constants(
    values: Any, rank: int, dtype: np.dtype[Any]
) -> tuple[tuple[Any, Any], ...]:
    """(before, after) constants per axis, converted as NumPy's assignment does.

    So a float is cut to an integer, and what NumPy warns of it warns of here.

    Examples
    --------
    >>> read_constants(1.9, 1, np.dtype("int8"))
    ((np.int8(1), np.int8(1)),)
    """
    try:
        given = [(None, None)] * rank
        if values is not None:
            given = pairs_of(np.asarray(values), rank, "constant_values")
        return tuple((_held(a, dtype), _held(b, dtype)) for a, b in given)
    except NumpyError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        text = f"pad: constant_values = {values!r:.100} in dtype {dtype}: {error}."
        raise refusal("constant_values", text, error) from None


def _held(value: Any, dtype: np.dtype[Any]) -> Any:
    held = np.zeros(1, dtype)
    held[:1] = value
    return held[0]
