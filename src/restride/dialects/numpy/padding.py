"""NumPy's `pad`: what moves data is moved by restride, what computes is NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.api import pad as move
from restride.arrays import as_source
from restride.dialects.numpy.errors import NumpyError, refusal
from restride.dialects.numpy.widths import read_constants, read_widths
from restride.errors import DTypeError, RestrideError, UnsupportedError
from restride.lazy import view

__all__ = ["pad"]

Array = np.ndarray[Any, Any]

KEYWORDS = {
    "constant": "constant_values",
    "edge": "",
    "empty": "",
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "median": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
    "wrap": "",
}
"""The one keyword that each mode takes (numpy.pad, "Parameters")."""

MOVING = {"constant", "edge", "empty", "reflect", "symmetric", "wrap"}
"""Modes whose results are elements of the array, constants, or left open."""


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """``y[k] = x[k - before]`` inside `array`; outside, what `mode` says.

    Parameters
    ----------
    array : array_like
    pad_width : int, pair, table or dict
        Elements to add: one number, one (before, after), one pair per axis, or a dict
        of ints or pairs by axis.
    mode : str or callable
        "constant", "edge", "reflect", "symmetric", "wrap" and "empty" are moved here.
        "linear_ramp", "maximum", "mean", "median", "minimum", a callable, and
        ``reflect_type`` other than "even" compute, and are NumPy's own.
    **kwargs
        `constant_values`, `reflect_type`, `stat_length`, `end_values`: one per mode.

    Returns
    -------
    ndarray
        Fresh; in Fortran's order where `array` is.  Mode "empty" leaves zero bytes.

    Raises
    ------
    NumpyError
        As NumPy refuses; also a masked array, and more than a million turns of a
        mirror or wraps on one axis.

    Notes
    -----
    numpy.pad of NumPy 2.4.  Elements that are Python objects, and arrays of classes
    with an ``__array_function__`` of their own, go to NumPy's own function too.

    Examples
    --------
    >>> pad([[1, 2]], {1: (1, 2)}, constant_values=7).tolist()
    [[7, 1, 2, 7, 7]]
    """
    if _has_own_pad(array):
        return np.pad(array, pad_width, mode, **kwargs)
    x, moves = _read_array(array)
    widths = read_widths(pad_width, x.ndim)
    if callable(mode):
        return np.pad(x, pad_width, mode, **kwargs)
    _check_mode(mode, kwargs)
    if not moves or mode not in MOVING or kwargs.get("reflect_type", "even") != "even":
        return np.pad(x, pad_width, mode, **kwargs)
    _check_empty_axes(x, widths, mode)
    if mode == "constant":
        values = read_constants(kwargs.get("constant_values", 0), x.ndim, x.dtype)
        return _moved(x, widths, mode, values)
    return _moved(x, widths, "constant" if mode == "empty" else mode, None)


def _has_own_pad(array: Any) -> bool:
    """True for classes that answer NumPy's functions themselves, such as Dask's."""
    method = getattr(type(array), "__array_function__", None)
    return method is not None and method is not np.ndarray.__array_function__


def _read_array(array: Any) -> tuple[Array, bool]:
    """The array, and whether its elements are bytes that can be moved."""
    try:
        return as_source(array, "array"), True
    except DTypeError:
        return np.asarray(array), False
    except (RestrideError, TypeError, RuntimeError) as error:
        like = None if isinstance(error, RestrideError) else error
        raise refusal("array", f"pad: {error}", like) from None


def _check_mode(mode: Any, kwargs: dict[str, Any]) -> None:
    """As NumPy: the mode must be known, and take every keyword given."""
    if not isinstance(mode, str) or mode not in KEYWORDS:
        raise NumpyError(
            "mode",
            f"pad: mode '{mode}' is not supported; use one of {', '.join(KEYWORDS)}, "
            "or a callable.",
        )
    extra = set(kwargs) - {KEYWORDS[mode]}
    if extra:
        taken = KEYWORDS[mode] or "no keyword"
        raise NumpyError(
            "keyword",
            f"pad: unsupported keyword arguments for mode '{mode}': {sorted(extra)}; "
            f"it takes {taken}.",
        )


def _check_empty_axes(x: Array, widths: Any, mode: str) -> None:
    if x.size or mode in ("constant", "empty"):
        return
    for axis, (before, after) in enumerate(widths):
        if x.shape[axis] == 0 and before + after:
            raise NumpyError(
                "empty_axis",
                f"pad: can't extend empty axis {axis} using modes other than "
                "'constant' or 'empty': it has no element to repeat.",
            )


def _moved(x: Array, widths: Any, mode: str, values: Any) -> Array:
    """Run it; the axes are turned round where NumPy answers in Fortran's order."""
    try:
        if x.flags.fnc:
            steps = view(x).pad(widths, mode, values).transpose()
            return steps.copy().T
        return move(x, widths, mode, values)
    except UnsupportedError as error:
        raise NumpyError("turns", str(error)) from None
    except RestrideError as error:
        raise NumpyError("too_large", str(error)) from None
