"""ONNX's Pad."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from restride.calls import reads_within
from restride.dialects.onnx.errors import running, speaking
from restride.dialects.onnx.fills import read_fill
from restride.dialects.onnx.forms import NEWEST_OPSET, Form, form_of
from restride.dialects.onnx.runtimes import padded_by_onnxruntime, read_runtime
from restride.dialects.onnx.strings import moved_text
from restride.dialects.onnx.values import is_text, read_axes, read_data, read_ints
from restride.lazy import View, view

__all__ = ["pad"]

Array = np.ndarray[Any, Any]
Pairs = tuple[tuple[int, int], ...]


@reads_within(partial(running, "Pad"))
def pad(
    data: Any,
    pads: Any,
    constant_value: Any = None,
    axes: Any = None,
    *,
    mode: str = "constant",
    opset: int = NEWEST_OPSET,
    runtime: str | None = None,
) -> View | Array:
    """``output[k] = data[k - begin]`` inside data; outside, what `mode` says.

    Parameters
    ----------
    data : array_like
        A tensor; strings are taken too.
    pads : sequence of int
        Elements to add, or to remove if negative: all begins, then all ends.  int64.
        Opset 1 calls it ``paddings`` and removes nothing.
    constant_value : scalar of data's type, optional
        Left out: 0, False or "".  Below opset 11 the attribute ``value``, a float of
        32 bits for every type of data.
    axes : sequence of int, optional
        Axes that `pads` speaks of, each once; left out, all.  Since opset 18.
    mode : str
        "constant", "reflect", "edge"; since opset 19 "wrap".
    opset : int
        The model's opset: it selects the operator's version.
    runtime : str, optional
        "onnxruntime": by its rules where the text leaves something open.

    Raises
    ------
    OnnxError
        Of kind "axis", "data", "dtype", "mode", "opset", "pads", "shape", "size" or
        "value".

    Notes
    -----
    ONNX operator Pad, versions 1, 2, 11, 13, 18, 19, 21, 23, 24 and 25.  The text's
    own example mirrors an axis of 2 by 2, so reflect takes any width.  It does not
    say whether removing or mirroring comes first: here pads read the endless mirror
    of the whole axis.

    Examples
    --------
    >>> x = [[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]]
    >>> pad(x, [0, 2, 0, 0], mode="reflect").tolist()[0]
    [1.0, 1.2, 1.0, 1.2]
    >>> pad([1, 2, 3], [-1, 2], constant_value=7).tolist()
    [2, 3, 7, 7]
    """
    form = form_of("Pad", opset)
    with speaking(form.operator, form.version):
        array = read_data(data, form)
        pairs = _read_pairs(pads, axes, array.ndim, form)
        _check_mode(mode, form)
        runtime = read_runtime(runtime, form)
        fill = read_fill(constant_value, array, mode, pairs, form)
        text = is_text(array)
        held = array.size if text else fill

        def padded(v: View) -> View:
            _check_extents(v.shape, pairs, mode, form)
            if runtime == "onnxruntime":
                return padded_by_onnxruntime(v, pairs, mode, held, form)
            return v.pad(pairs, mode, held)

        if text:
            return moved_text(array, fill, padded)
        return padded(view(array))


def _read_pairs(pads: Any, axes: Any, rank: int, form: Form) -> Pairs:
    """(begin, end) per axis of data."""
    name = "paddings" if form.version == 1 else "pads"
    types = ("int64",) if form.version >= 11 else ("int32", "int64")
    widths = read_ints(pads, name, form, types)
    if axes is not None and form.version < 18:
        raise form.error("opset", "axes exist since opset 18; pad every axis.")
    named = range(rank) if axes is None else read_axes(axes, rank, form)
    count = len(named)
    if len(widths) != 2 * count:
        raise form.error(
            "shape",
            f"{name} has length {len(widths)}; {count} axes need {2 * count}, all "
            "begins and then all ends.",
        )
    if form.version == 1 and min(widths, default=0) < 0:
        raise form.error(
            "pads", f"paddings = {list(widths)}; opset 1 removes nothing, opset 2 does."
        )
    pairs = dict(
        zip(named, zip(widths[:count], widths[count:], strict=True), strict=True)
    )
    return tuple([pairs.get(axis, (0, 0)) for axis in range(rank)])


def _check_mode(mode: Any, form: Form) -> None:
    word = mode if isinstance(mode, str) else ""
    if word in form.modes:
        return
    since = "; wrap exists since opset 19" if word == "wrap" else ""
    raise form.error(
        "mode", f"mode = {mode!r}; this version knows {', '.join(form.modes)}{since}."
    )


def _check_extents(shape: tuple[int, ...], pairs: Pairs, mode: str, form: Form) -> None:
    for axis, (n, (begin, end)) in enumerate(zip(shape, pairs, strict=True)):
        where = f"pads of axis {axis}, {begin} and {end}, on an extent of {n}"
        extent = begin + n + end
        if extent < 0:
            raise form.error(
                "pads", f"{where} leave {extent}; remove at most {n} in all."
            )
        if n == 0 and extent and mode != "constant":
            raise form.error(
                "pads", f"{where}: mode '{mode}' finds no element; use 'constant'."
            )
