"""ONNX's Slice."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from restride.calls import reads_within
from restride.dialects.onnx.errors import running, speaking
from restride.dialects.onnx.forms import NEWEST_OPSET, Form, form_of
from restride.dialects.onnx.runtimes import read_runtime
from restride.dialects.onnx.strings import moved_text
from restride.dialects.onnx.values import (
    is_text,
    read_axes,
    read_data,
    read_ints,
    same_type,
)
from restride.lazy import View, view

__all__ = ["effective_range", "slice"]

Array = np.ndarray[Any, Any]
Range = tuple[int, int, int]
"""Start, end and step, as given."""

INT_MAX = (2**31 - 1, 2**63 - 1)
"""What the text recommends for "to the end" of an axis of unknown extent."""


@reads_within(partial(running, "Slice"))
def slice(  # noqa: A001  (ONNX's name)
    data: Any,
    starts: Any,
    ends: Any,
    axes: Any = None,
    steps: Any = None,
    *,
    opset: int = NEWEST_OPSET,
    runtime: str | None = None,
) -> View | Array:
    """``output[i] = data[start + i * step]`` on each axis named, as ONNX's Slice.

    Parameters
    ----------
    data : array_like
        A tensor; strings are taken too.
    starts, ends : sequence of int
        One per entry of `axes`; int32 or int64, the same for all four lists.
    axes : sequence of int, optional
        Axes that are sliced, each once; left out, the first ones.
    steps : sequence of int, optional
        None of them 0; left out, all 1.  Since opset 10.
    opset : int
        The model's opset: it selects the operator's version.
    runtime : str, optional
        "onnxruntime": by its rules where they are not the text's.

    Raises
    ------
    OnnxError
        Of kind "axis", "data", "dtype", "opset", "shape", "step" or "value".

    Notes
    -----
    ONNX operator Slice, versions 1, 10, 11 and 13; the clamping rules are those that
    version 13 spells out.  A start below the axis clamps to its first element even
    when slicing backwards, which is not NumPy's rule.

    Examples
    --------
    >>> slice([[1, 2, 3, 4], [5, 6, 7, 8]], [1, 0], [2, 3], [0, 1], [1, 2]).tolist()
    [[5, 7]]
    >>> slice([1, 2, 3], [-9], [-9], [0], [-1]).tolist()
    [1]
    """
    form = form_of("Slice", opset)
    with speaking(form.operator, form.version):
        array = read_data(data, form)
        ranges = _read_ranges(starts, ends, axes, steps, array.ndim, form)
        runtime = read_runtime(runtime, form)
        _check_runtime(array.ndim, runtime, form)

        def sliced(v: View) -> View:
            whole = [(0, 1, n) for n in v.shape]
            for axis, given in ranges.items():
                whole[axis] = effective_range(*given, v.shape[axis], runtime)
            return View(v.array, v.chain.select(whole))

        if is_text(array):
            return moved_text(array, "", sliced)
        return sliced(view(array))


def effective_range(
    start: int, end: int, step: int, n: int, runtime: str | None = None
) -> tuple[int, int, int]:
    """(begin, step, count) of a range on an axis of extent `n`.

    A range of no elements is ``(0, 1, 0)`` and of one ``(begin, 1, 1)``.

    Examples
    --------
    >>> effective_range(-1, 2**31 - 1, -1, 4)
    (0, 1, 0)
    >>> effective_range(-1, 2**31 - 1, -1, 4, "onnxruntime")
    (3, -1, 4)
    """
    last = n if step > 0 else n - 1
    begin = _clamped(start, n, 0, last)
    stop = _clamped(end, n, 0 if step > 0 else -1, last)
    if runtime == "onnxruntime" and end in INT_MAX:
        stop = n if step > 0 else -1  # it reads INT_MAX as "no end", either way
    count = max(0, -((begin - stop) // step))
    if count < 2:
        return (begin if count else 0, 1, count)
    return (begin, step, count)


def _clamped(bound: int, n: int, low: int, high: int) -> int:
    """`bound` counted from n if negative, then clamped; high wins where n is 0."""
    return min(max(bound + n if bound < 0 else bound, low), high)


def _read_ranges(
    starts: Any, ends: Any, axes: Any, steps: Any, rank: int, form: Form
) -> dict[int, Range]:
    """What is given per axis sliced."""
    if steps is not None and form.version < 10:
        raise form.error("opset", "steps exist since opset 10; leave them out.")
    lists = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
    given = {
        name: read_ints(value, name, form)
        for name, value in lists.items()
        if value is not None or name in form.required
    }
    same_type(lists, form)
    count = len(given["starts"])
    for name, values in given.items():
        if len(values) != count:
            raise form.error(
                "shape",
                f"starts has length {count} and {name} {len(values)}; give one of "
                "each per axis.",
            )
    if count > rank:
        raise form.error(
            "shape", f"starts has length {count} and data {rank} axes; leave some out."
        )
    named = range(count) if axes is None else read_axes(axes, rank, form)
    taken = given.get("steps", (1,) * count)
    if 0 in taken:
        k = taken.index(0)
        raise form.error("step", f"steps[{k}] = 0; give 1 or more, or -1 or less.")
    ranges = zip(given["starts"], given["ends"], taken, strict=True)
    return dict(zip(named, ranges, strict=True))


def _check_runtime(rank: int, runtime: str | None, form: Form) -> None:
    if runtime == "onnxruntime" and rank == 0:
        raise form.error("shape", "data has no axes; ONNX Runtime slices no scalar.")
