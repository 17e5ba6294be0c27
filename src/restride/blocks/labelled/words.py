"""What a caller says about dimensions, checked: widths, places, modes, fillers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from restride.checks import as_index, as_ints
from restride.errors import BoundsError, DTypeError, ShapeError, UnsupportedError
from restride.layout.extension import MODES
from restride.ops.pad import read_mode

__all__ = [
    "Widths",
    "as_widths",
    "check_mode",
    "check_names",
    "missing",
    "of_dims",
    "place_of",
]

Widths = dict[Hashable, tuple[int, int]]
"""Elements to add before and after, per dimension; fewer than none are cropped."""

COMPUTED = ("linear_ramp", "maximum", "mean", "median", "minimum")
"""Modes of xarray's pad that make values which are nowhere in the array."""

EXACT = 53
"""Bits of a whole number that a float64 holds."""


def of_dims(
    what: str, given: Any, words: Mapping[Any, Any], dims: Any
) -> dict[Hashable, Any]:
    """The mapping that is given, or the keywords, by dimensions that are there.

    Raises
    ------
    DTypeError, ShapeError
        Both are given, or no mapping; or there is no such dimension.
    """
    if given is not None and words:
        raise DTypeError(f"{what}: give a mapping or keywords, not both.")
    found: Any = words if given is None else given
    if not isinstance(found, Mapping):
        raise DTypeError(
            f"{what} takes a mapping of dimensions, as {{'x': (1, 2)}}, not a "
            f"{type(found).__name__}."
        )
    check_names(found, dims, f"{what}: there is no dimension")
    return dict(found)


def check_names(given: Iterable[Any], known: Iterable[Any], told: str) -> None:
    """Refuse a name that is none of those known; `told` begins the sentence.

    Raises
    ------
    ShapeError
        There is such a name; all that are known are listed.
    """
    there = list(known)
    for name in given:
        if name not in there:
            listed = ", ".join(map(str, there)) or "none"
            raise ShapeError(f"{told} {name!r}; there are: {listed}.")


def check_mode(mode: Any) -> None:
    """Refuse a mode that is not restride's, also where nothing is padded.

    Raises
    ------
    UnsupportedError
        xarray has it, and it computes.
    ShapeError
        Nobody has it.
    """
    if isinstance(mode, str) and mode in COMPUTED:
        raise UnsupportedError(
            f"pad: mode {mode!r} computes values, and restride moves those that are "
            f"there: {', '.join(MODES)}. xarray's own pad has it."
        )
    read_mode(mode)


def place_of(dim: Hashable, index: Any, n: int) -> slice | int:
    """A slice, or one of the `n` places of a dimension, as ``isel`` counts them.

    Raises
    ------
    DTypeError, BoundsError
        A label, a list or anything else; a place that is not there.

    Examples
    --------
    >>> place_of("t", slice(None, None, -2), 5), place_of("t", -1, 5)
    (slice(None, None, -2), -1)
    """
    if isinstance(index, slice):
        for part in (index.start, index.stop, index.step):
            if part is not None:
                _position(dim, part)
        return index
    place = _position(dim, index)
    if not -n <= place < n:
        raise BoundsError(
            f"slice: {dim!r} has {n} places, and {place} is none of them; a range is "
            "cut to fit instead."
        )
    return place


def _position(dim: Hashable, given: Any) -> int:
    try:
        return as_index(given, f"the index of {dim!r}")
    except DTypeError:
        kind = type(given).__name__
        word = f" {given!r}" if isinstance(given, (str, float)) else ""
        raise DTypeError(
            f"slice: the index of {dim!r} holds{word} of type {kind}; give an int, or "
            "a slice of ints. isel takes lists of places, and sel takes labels."
        ) from None


def as_widths(given: Mapping[Any, Any]) -> Widths:
    """Per dimension a pair; one number is for both sides.

    Examples
    --------
    >>> as_widths({"x": 2, "y": (0, -1)})
    {'x': (2, 2), 'y': (0, -1)}
    """
    found: Widths = {}
    for dim, width in given.items():
        name = f"the width of {dim!r}"
        if isinstance(width, (tuple, list, np.ndarray)):
            pair = as_ints(width, name)
            if len(pair) != 2:
                raise ShapeError(f"{name} is {pair}; give one number or a pair.")
            found[dim] = pair[0], pair[1]
        else:
            n = as_index(width, name)
            found[dim] = n, n
    return found


def missing(x: Any, name: Hashable, give: str) -> tuple[Any, Any]:
    """The array in a dtype with a missing value, and that value.

    Whole numbers become float64, as xarray has it, where each is held exactly.

    Raises
    ------
    DTypeError
        The dtype has no missing value.
    """
    kind = x.dtype.kind
    if kind in "mM":
        return x, x.dtype.type("NaT")
    if kind in "fc":
        return x, float("nan")
    small = kind in "iu" and x.dtype.itemsize <= 4
    if small or (kind in "iu" and isinstance(x, np.ndarray) and _held(x)):
        return x.astype(np.float64), float("nan")
    raise DTypeError(
        f"{name!r} holds {x.dtype}, which has no missing value to fill in; give one "
        f"with {give}."
    )


def _held(x: Any) -> bool:
    least, most = (int(x.min()), int(x.max())) if x.size else (0, 0)
    return bool(max(-least, most) <= 2**EXACT)
