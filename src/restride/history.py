"""The steps that made a view, kept as words and told again as operators.

A view's chain says what is read; its history says in which steps the caller wrote it,
so that each can be shown, and changed, alone.

>>> step = recorded("pad", (3,), ((1, 2), "edge"), {})
>>> step.text(), step.operator()["params"]["paddings"]
("pad((1, 2), 'edge')", ((1, 2),))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import EllipsisType
from typing import Any, NamedTuple

from restride.checks import as_axes, as_ints, as_shape, spread
from restride.layout.chain import Chain
from restride.layout.notation import as_entries, format_index
from restride.ops.as_strided import AsStrided
from restride.ops.extents import fill_extent, read_windows
from restride.ops.pad import padded, read_mode
from restride.ops.paddings import constants_on_axes, on_axes
from restride.ops.strided_slice import StridedSlice, encode

__all__ = ["Step", "recorded"]

Params = dict[str, Any]
Shape = tuple[int, ...]

FIXED = (int, float, complex, str, bytes, slice, EllipsisType, type(None))
"""Types of arguments that cannot change once given."""

PLAIN = frozenset(FIXED)
"""The same, to be asked of many arguments at once."""


class Step(NamedTuple):
    """One step of a view: a method, what it was given, and the shape it stood on."""

    name: str
    """The method's name."""
    shape: Shape
    """Extents before the step."""
    args: tuple[Any, ...]
    """Its arguments, lists as tuples."""
    keywords: tuple[tuple[str, Any], ...]
    """Its arguments by name."""

    def text(self) -> str:
        """The step as Python writes it after the view.

        Examples
        --------
        >>> recorded("__getitem__", (3,), (slice(None, None, -1),), {}).text()
        '[::-1]'
        """
        if self.name == "__getitem__":
            return format_index(as_entries(self.args[0]))
        given = [_shown(value) for value in self.args]
        given += [f"{name}={_shown(value)}" for name, value in self.keywords]
        return f"{self.name}({', '.join(given)})"

    def operator(self) -> dict[str, Any]:
        """The same as an operator and its parameters, all of them, in plain ints.

        Returns
        -------
        dict
            ``op``, one of strided_slice, pad, as_strided, transpose, broadcast_to,
            windows and reshape, and its ``params``.
        """
        op, read = READERS[self.name]
        return {"op": op, "params": read(self.shape, *self.args, **dict(self.keywords))}

    def chain(self) -> Chain:
        """The step alone, over an array of the shape it stood on."""
        found = self.operator()
        return CHAINS[found["op"]](Chain.identity(self.shape), **found["params"])


def recorded(
    name: str, shape: Shape, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Step | None:
    """A step to be kept, or None where an argument could change or be used up.

    Examples
    --------
    >>> recorded("pad", (3,), (iter([1, 2]),), {}) is None
    True
    """
    try:
        kept = _fixed(args)
        values = _fixed(tuple(keywords.values()))
    except TypeError:
        return None
    return Step(name, shape, kept, tuple(zip(keywords, values, strict=True)))


def _fixed(value: Any) -> Any:
    """`value`, or a copy of it, that cannot change; a list as a tuple."""
    if isinstance(value, (list, tuple)):
        plain = PLAIN.issuperset(map(type, value))  # a first call has no time to ask
        return tuple(value if plain else map(_fixed, value))
    if isinstance(value, FIXED) or type(value).__module__ == "ml_dtypes":
        return value
    if type(value).__module__ == "numpy" and hasattr(value, "copy"):
        return value.copy()
    raise TypeError(f"a {type(value).__name__} may change")


def _shown(value: Any) -> str:
    if isinstance(value, slice):
        return f"slice({value.start}, {value.stop}, {value.step})"
    if type(value).__module__ in ("numpy", "ml_dtypes") and hasattr(value, "tolist"):
        value = value.tolist()
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


# ------------------------------------------------------- parameters, method by method


def _slice(shape: Shape, index: Any) -> Params:
    return _masked(encode(as_entries(index)))


def _strided_slice(
    shape: Shape, begin: Any, end: Any, strides: Any = None, *masks: int, **named: int
) -> Params:
    return _masked(StridedSlice(begin, end, strides, *masks, **named))


def _flip(shape: Shape, axis: Any = None) -> Params:
    chosen = range(len(shape))
    axes = chosen if axis is None else as_axes(axis, len(shape), "flip: axis")
    back = slice(None, None, -1)
    index = tuple([back if r in axes else slice(None) for r in chosen])
    return _masked(encode(index))


def _masked(spec: StridedSlice) -> Params:
    return {field.name: getattr(spec, field.name) for field in fields(spec)}


def _pad(
    shape: Shape,
    paddings: Any,
    mode: str = "constant",
    constant_values: Any = 0,
    *,
    axes: Any = None,
    paddings_contiguous: bool = True,
    strict: bool = False,
) -> Params:
    spelled, rank = read_mode(mode), len(shape)
    constant = spelled == "constant"
    return {
        "paddings": on_axes(paddings, axes, rank, paddings_contiguous),
        "mode": spelled,
        "constant_values": constants_on_axes(constant_values, axes, rank)
        if constant
        else (),
    }


def _as_strided(
    shape: Shape, size: Any, stride: Any, offset: Any = 0, *, strict: bool = False
) -> Params:
    return _fields(AsStrided(size, stride, offset))


def _fields(spec: AsStrided) -> Params:
    return {"size": spec.size, "stride": spec.stride, "offset": spec.offset}


def _transpose(shape: Shape, *axes: Any) -> Params:
    rank = len(shape)
    if not axes or axes == (None,):
        return {"order": tuple(reversed(range(rank)))}
    return {"order": as_axes(spread(axes), rank, "transpose: axes")}


def _broadcast_to(shape: Shape, wanted: Any = None, **named: Any) -> Params:
    return {"shape": as_shape(named.get("shape", wanted), "broadcast_to: shape")}


def _reshape(shape: Shape, *wanted: Any) -> Params:
    return {"shape": fill_extent(as_ints(spread(wanted), "reshape: shape"), shape)}


def _windows(
    shape: Shape, size: Any, step: Any = 1, dilation: Any = 1, *, axis: Any = None
) -> Params:
    found = read_windows(len(shape), size, step, dilation, axis)
    return dict(zip(("size", "step", "dilation", "axis"), found, strict=True))


READERS: Mapping[str, tuple[str, Callable[..., Params]]] = {
    "__getitem__": ("strided_slice", _slice),
    "strided_slice": ("strided_slice", _strided_slice),
    "flip": ("strided_slice", _flip),
    "pad": ("pad", _pad),
    "as_strided": ("as_strided", _as_strided),
    "transpose": ("transpose", _transpose),
    "broadcast_to": ("broadcast_to", _broadcast_to),
    "reshape": ("reshape", _reshape),
    "windows": ("windows", _windows),
}
"""For each step of a view, the operator it is and what reads its parameters."""


# ------------------------------------------------------------- operators as chains


def _selected(whole: Chain, **params: Any) -> Chain:
    return whole.select(StridedSlice(**params).entries(whole.shape))


def _extended(whole: Chain, paddings: Any, mode: str, constant_values: Any) -> Chain:
    return padded(whole, paddings, mode, constant_values)


def _windowed(whole: Chain, size: Any, step: Any, dilation: Any, axis: Any) -> Chain:
    return whole.windows(size, step, dilation, axis)


CHAINS: Mapping[str, Callable[..., Chain]] = {
    "strided_slice": _selected,
    "pad": _extended,
    "as_strided": Chain.as_strided,
    "transpose": Chain.transpose,
    "broadcast_to": Chain.broadcast_to,
    "reshape": Chain.reshape,
    "windows": _windowed,
}
"""For each operator, what puts it after a chain."""
