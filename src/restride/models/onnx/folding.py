"""Parameters that a model computes from what it says: folded, number by number.

Exporters write pads, starts and shapes as small graphs of Shape, Gather, Concat and
their like.  Each number is followed by itself, so one unknown extent leaves the others
known.  Nothing with more than :data:`MOST_NUMBERS` numbers is followed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.errors import RestrideError
from restride.models.constant import Constant
from restride.models.files.tensors import dtype_name
from restride.models.known import MOST_NUMBERS, Known, Node, Numbers, numbers_of

__all__ = ["folded"]

Array = np.ndarray[Any, Any]

FLOATS = ("float16", "bfloat16", "float32", "float64")
"""Each result is rounded to its type; one rounding more, from float64, alters none."""

INTS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "int64": (-(2**63), 2**63 - 1),
}
"""What an integer of a type can hold; beyond it nothing is known."""

EXACT = 2**53
"""Up to here a float64 holds every integer."""


def folded(node: Node) -> tuple[Known | None, ...]:
    """The node's outputs, the first one with its numbers where they follow.

    Examples
    --------
    >>> x = Known("x", "float32", ("N", 3))
    >>> node = Node((), 0, "", "Shape", "", 18, {}, (x,), (Known("s"),))
    >>> folded(node)[0].numbers
    Numbers(shape=(2,), items=(None, 3))
    """
    first = node.output()
    fold = FOLDS.get(node.op) if not node.domain else None
    if first is None or fold is None:
        return node.outputs
    try:
        made = fold(node)
    except (*HARMLESS, RestrideError):
        return node.outputs  # not defined here: the check says so, if it matters
    if made is None:
        return node.outputs
    return (_with(first, node, made), *node.outputs[1:])


HARMLESS = (ArithmeticError, IndexError, LookupError, TypeError, ValueError)
"""What a fold may run into where a node is not defined on its inputs."""


def _with(known: Known, node: Node, made: Array | Constant) -> Known:
    dtype = known.dtype or _dtype_after(node)
    if isinstance(made, Constant):
        kept = replace(known, dtype=made.dtype, shape=made.shape, constant=made)
        return replace(kept, origin="the model")
    with np.errstate(all="ignore"):  # to infinity is where a float overflows
        items = tuple([_number(v, dtype) for v in made.ravel().tolist()])
    found = Numbers(tuple(made.shape), items)
    return replace(known, dtype=dtype, shape=found.shape, numbers=found)


def _dtype_after(node: Node) -> str | None:
    """The element type by the operator itself, where inference did not say it."""
    if node.op in ("Shape", "Size"):
        return "int64"
    if node.op in ("Equal", "Greater", "Less"):
        return "bool"
    if node.op == "Cast":
        to = node.attributes.get("to")
        return dtype_name(to) if isinstance(to, int) else None
    if node.op in ("Constant", "ConstantOfShape"):
        given = node.attributes.get("value")
        if isinstance(given, Constant):
            return given.dtype
        ints = "value_int" in node.attributes or "value_ints" in node.attributes
        return "int64" if ints else "float32"
    first = node.input(1 if node.op == "Where" else 0)
    return None if first is None else first.dtype


def _number(value: Any, dtype: str | None) -> int | float | None:
    """A number as its type holds it; what is none, or overflows, is not followed."""
    if not isinstance(value, (int, float, np.integer)):
        return None
    if dtype == "bool":
        return int(bool(value))
    if dtype in FLOATS:
        if isinstance(value, int) and abs(value) > EXACT:
            return None
        return float(as_dtype(dtype).type(value))
    low, high = INTS.get(dtype or "int64", (0, -1))
    return int(value) if not isinstance(value, float) and low <= value <= high else None


def _array(known: Known | None) -> Array:
    """A value's numbers as an array of objects; raises where they are not known."""
    found = numbers_of(known)
    if found is None:
        raise LookupError
    made = np.empty(len(found.items), object)
    made[:] = found.items
    return made.reshape(found.shape)


def _ints(known: Known | None) -> list[int]:
    """A value's numbers as ints; raises where one is not known."""
    return [operator.index(v) for v in _array(known).ravel().tolist()]


def _axes(node: Node, k: int = 1) -> list[int] | None:
    """Axes as an input, or as the attribute of older versions; None: none given."""
    if "axes" in node.attributes:
        return [int(a) for a in node.attributes["axes"]]
    return None if node.input(k) is None else _ints(node.input(k))


# -------------------------------------------------------------------------- sources


def _constant(node: Node) -> Array | Constant | None:
    for name in ("value", "value_int", "value_ints", "value_float", "value_floats"):
        if name in node.attributes:
            given = node.attributes[name]
            if isinstance(given, Constant):
                return given
            if isinstance(given, tuple) and len(given) > MOST_NUMBERS:
                return None
            return np.array(given, object)
    return None


def _shape(node: Node) -> Array | None:
    x = node.input(0)
    if x is None or x.shape is None or len(x.shape) > MOST_NUMBERS:
        return None
    start, end = node.attributes.get("start", 0), node.attributes.get("end")
    extents = x.shape[start:end]
    made = np.empty(len(extents), object)
    made[:] = [n if isinstance(n, int) else None for n in extents]
    return made


def _size(node: Node) -> Array | None:
    x = node.input(0)
    extents = None if x is None else x.extents
    return None if extents is None else np.array(prod(extents), object)


def _constant_of_shape(node: Node) -> Array | None:
    shape = _ints(node.input(0))
    if not 0 <= prod(shape) <= MOST_NUMBERS or min(shape, default=0) < 0:
        return None
    given = node.attributes.get("value")
    fill = given.array().ravel().tolist()[0] if isinstance(given, Constant) else 0.0
    return np.full(shape, fill, object)


def _range(node: Node) -> Array | None:
    start, limit, delta = [_ints(node.input(k))[0] for k in range(3)]
    found = range(start, limit, delta)
    return np.array(list(found), object) if len(found) <= MOST_NUMBERS else None


# ------------------------------------------------------------------------- movement


def _identity(node: Node) -> Array | Constant | None:
    x = node.input(0)
    if x is not None and x.constant is not None:
        return x.constant
    return _array(x)


def _cast(node: Node) -> Array:
    x, to = _array(node.input(0)), node.attributes.get("to")
    if to in (6, 7, 2, 3, 4, 5, 12, 13):
        return _each(lambda v: int(v), x)
    if to == 9:
        return _each(lambda v: int(bool(v)), x)
    return _each(float, x)


def _concat(node: Node) -> Array | None:
    parts = [_array(known) for known in node.inputs]
    if sum(part.size for part in parts) > MOST_NUMBERS:
        return None
    return np.concatenate(parts, node.attributes.get("axis", 1))


def _unsqueeze(node: Node) -> Array:
    return np.expand_dims(_array(node.input(0)), tuple(_axes(node) or ()))


def _squeeze(node: Node) -> Array:
    axes = _axes(node)
    return np.squeeze(_array(node.input(0)), None if axes is None else tuple(axes))


def _reshape(node: Node) -> Array:
    x = _array(node.input(0))
    given = node.attributes.get("shape")
    wanted = _ints(node.input(1)) if given is None else list(given)
    if not node.attributes.get("allowzero"):
        wanted = [x.shape[k] if n == 0 else n for k, n in enumerate(wanted)]
    return x.reshape(wanted)


def _transpose(node: Node) -> Array:
    return np.transpose(_array(node.input(0)), node.attributes.get("perm"))


def _slice(node: Node) -> Array:
    x = _array(node.input(0))
    if "starts" in node.attributes:
        starts, ends = node.attributes["starts"], node.attributes["ends"]
        axes, steps = node.attributes.get("axes"), None
    else:
        starts, ends = _ints(node.input(1)), _ints(node.input(2))
        axes = None if node.input(3) is None else _ints(node.input(3))
        steps = None if node.input(4) is None else _ints(node.input(4))
    entries: list[slice] = [slice(None)] * x.ndim
    count = len(starts)
    for k, axis in enumerate(range(count) if axes is None else axes):
        step = 1 if steps is None else steps[k]
        entries[axis] = slice(*_clamped(starts[k], ends[k], step, x.shape[axis]))
    found: Array = x[tuple(entries)]
    return found


def _clamped(start: int, end: int, step: int, n: int) -> tuple[int, int | None, int]:
    """ONNX's clamping (Slice-13): a backward slice may start and end outside."""
    start, end = start + n * (start < 0), end + n * (end < 0)
    if step > 0:
        return min(max(start, 0), n), min(max(end, 0), n), step
    end = min(max(end, -1), n - 1)
    return min(max(start, 0), max(n - 1, 0)), None if end < 0 else end, step


def _gather(node: Node) -> Array | None:
    x, at = _array(node.input(0)), _array(node.input(1))
    axis = node.attributes.get("axis", 0)
    if x.size and at.size * x.size > MOST_NUMBERS * MOST_NUMBERS:
        return None
    found: Array = np.take(x, at.astype(np.int64), axis)
    return found if found.size <= MOST_NUMBERS else None


def _expand(node: Node) -> Array | None:
    x, wanted = _array(node.input(0)), _ints(node.input(1))
    if prod(max(n, 1) for n in wanted) > MOST_NUMBERS:
        return None
    return np.array(np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(wanted))))


# ----------------------------------------------------------------------- arithmetic


def _each(function: Callable[..., Any], *given: Array) -> Array:
    """`function` of the numbers at each place; None where one of them is."""

    def safe(*values: Any) -> Any:
        return None if None in values else function(*values)

    if prod(np.broadcast_shapes(*[x.shape for x in given])) > MOST_NUMBERS:
        raise ValueError
    return np.array(np.frompyfunc(safe, len(given), 1)(*given), object)


def _plain(function: Callable[..., Any]) -> Callable[[Node], Array]:
    return lambda node: _each(function, *[_array(known) for known in node.inputs])


def _divided(a: Any, b: Any) -> Any:
    """Towards 0 for integers, as ONNX's Div has it."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


def _remainder(a: Any, b: Any) -> Any:
    """With the sign of the first, as C's fmod has it."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b * _divided(a, b)
    return math.fmod(a, b)


def _mod(node: Node) -> Array:
    exact = _remainder if node.attributes.get("fmod") else operator.mod
    return _each(exact, *[_array(known) for known in node.inputs])


def _many(function: Callable[..., Any]) -> Callable[[Node], Array]:
    def fold(node: Node) -> Array:
        made = _array(node.inputs[0])
        for known in node.inputs[1:]:
            made = _each(function, made, _array(known))
        return made

    return fold


def _where(node: Node) -> Array:
    which, a, b = [_array(known) for known in node.inputs]
    if prod(np.broadcast_shapes(which.shape, a.shape, b.shape)) > MOST_NUMBERS:
        raise ValueError
    pick = np.frompyfunc(lambda w, p, q: None if w is None else p if w else q, 3, 1)
    return np.array(pick(which, a, b), object)


def _product(node: Node) -> Array:
    x, axes = _array(node.input(0)), _axes(node)
    if x.ndim != 1 or axes not in (None, [0], [-1]) or None in x.tolist():
        raise ValueError
    made = np.array(prod(x.tolist()), object)
    return made.reshape(1) if node.attributes.get("keepdims", 1) else made


FOLDS: dict[str, Callable[[Node], Array | Constant | None]] = {
    "Constant": _constant,
    "Shape": _shape,
    "Size": _size,
    "ConstantOfShape": _constant_of_shape,
    "Range": _range,
    "Identity": _identity,
    "Cast": _cast,
    "Concat": _concat,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Transpose": _transpose,
    "Slice": _slice,
    "Gather": _gather,
    "Expand": _expand,
    "Add": _plain(operator.add),
    "Sub": _plain(operator.sub),
    "Mul": _plain(operator.mul),
    "Div": _plain(_divided),
    "Neg": _plain(operator.neg),
    "Abs": _plain(abs),
    "Floor": _plain(lambda v: float(math.floor(v))),
    "Ceil": _plain(lambda v: float(math.ceil(v))),
    "Equal": _plain(lambda a, b: int(a == b)),
    "Greater": _plain(lambda a, b: int(a > b)),
    "Less": _plain(lambda a, b: int(a < b)),
    "Not": _plain(lambda v: int(not v)),
    "Mod": _mod,
    "Min": _many(min),
    "Max": _many(max),
    "Where": _where,
    "ReduceProd": _product,
}
"""Operators that are followed, by ONNX's definitions of them."""
