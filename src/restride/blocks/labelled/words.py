"""What a caller says about dimensions, checked: widths, selections, fillers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from restride.checks import as_index, as_ints
from restride.errors import DTypeError, ShapeError

__all__ = ["Widths", "as_widths", "missing", "of_dims"]

Widths = dict[Hashable, tuple[int, int]]
"""Elements to add before and after, per dimension; fewer than none are cropped."""

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
    for dim in found:
        if dim not in dims:
            known = ", ".join(map(str, dims)) or "none"
            raise ShapeError(
                f"{what}: there is no dimension {dim!r}; there are: {known}."
            )
    return dict(found)


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
