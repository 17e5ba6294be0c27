"""One labelled variable padded or sliced: its array by restride, its labels kept."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from restride.api import pad as pad_array
from restride.api import slice as slice_array
from restride.blocks.labelled.words import Widths, missing
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.packages import needed

__all__ = ["as_xarray", "held", "is_dask", "of_dask", "padded", "sliced"]


def as_xarray() -> Any:
    """The package.

    Raises
    ------
    UnsupportedError
        It is not installed.
    """
    return needed("xarray", "xarray", "A labelled array")


def padded(
    variable: Any, name: Hashable, widths: Widths, mode: str, fill: Any, give: str
) -> Any:
    """The variable padded along those of its dimensions that `widths` has.

    `fill` is None for the missing value of its dtype, a constant, a pair, or a mapping
    of dimensions to these; `give` is how the caller gives one.
    """
    dims = [dim for dim in variable.dims if dim in widths]
    if not dims:
        return variable
    x = held(variable, name)
    value: Any = 0
    if mode == "constant":
        if fill is None and _adds(widths, dims):
            x, fill = missing(x, name, give)
        value = _constants(fill, dims)
    axes = [variable.dims.index(dim) for dim in dims]
    table = [widths[dim] for dim in dims]
    pad = of_dask("pad") if is_dask(x) else pad_array
    made = pad(x, table, mode, value, axes=axes)
    return _again(variable, made, variable.dims)


def sliced(variable: Any, name: Hashable, taken: Mapping[Hashable, Any]) -> Any:
    """The variable at slices and places of those of its dimensions that `taken` has."""
    index = tuple([taken.get(dim, slice(None)) for dim in variable.dims])
    if all(dim not in taken for dim in variable.dims):
        return variable
    if _is_in_store(variable):
        return variable.isel({d: taken[d] for d in variable.dims if d in taken})
    x = held(variable, name)
    made = (of_dask("slice") if is_dask(x) else slice_array)(x, index)
    left = [
        d for d, i in zip(variable.dims, index, strict=True) if isinstance(i, slice)
    ]
    return _again(variable, made, left, variable.encoding)


def held(variable: Any, name: Hashable) -> Any:
    """The array of a variable: NumPy's or Dask's, whose elements are fixed bytes."""
    x = variable.data
    if not isinstance(x, np.ndarray) and not is_dask(x):
        if not _is_index(variable):
            kind = f"{type(x).__module__}.{type(x).__qualname__}"
            raise UnsupportedError(
                f"{name!r} holds an array of {kind}, and NumPy's and Dask's are moved; "
                "convert it first."
            )
        x = variable.values
    if x.dtype.hasobject:
        raise DTypeError(
            f"{name!r} holds Python objects ({x.dtype}), which are not moved; convert "
            "it first, with .astype(str) for text."
        )
    return x


def _is_in_store(variable: Any) -> bool:
    """True of an array that xarray has opened and not read: its parts stay there."""
    data = getattr(variable, "_data", None)
    is_lazy = type(data).__module__.partition(".")[0] == "xarray"
    return is_lazy and not getattr(variable, "_in_memory", True)


def is_dask(x: Any) -> bool:
    """True for an array of Dask."""
    return type(x).__module__.partition(".")[0] == "dask"


def _is_index(variable: Any) -> bool:
    return isinstance(variable, as_xarray().IndexVariable)


def of_dask(name: str) -> Any:
    """The function of this name over arrays of Dask."""
    from restride.blocks.dask import functions

    return getattr(functions, name)


def _again(variable: Any, data: Any, dims: Any, encoding: Any = None) -> Any:
    """A variable like another of other data.

    How it lay in a file (chunks among it) is kept where its elements are; one that has
    grown may need other chunks there, and xarray's own pad forgets it too.
    """
    return as_xarray().Variable(dims, data, variable.attrs, encoding)


def _adds(widths: Widths, dims: list[Hashable]) -> bool:
    return any(n > 0 for dim in dims for n in widths[dim])


def _constants(fill: Any, dims: list[Hashable]) -> Any:
    """Constants as a table of a row per dimension, where they differ."""
    if fill is None:
        return 0
    if not isinstance(fill, Mapping):
        return fill
    rows = []
    for dim in dims:
        value = fill.get(dim)
        if value is None:
            raise ShapeError(
                f"constant_values has none for the dimension {dim!r}; give one for "
                "each that is padded."
            )
        pair = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
        if len(pair) != 2:
            raise ShapeError(
                f"constant_values of {dim!r} is {value}; give one value or a pair."
            )
        rows.append(pair)
    return rows
