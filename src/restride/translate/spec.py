"""One operator in the words of one dialect, and the forms in which it may be given.

>>> as_calls("foo[1, ::-2]")
(Call('numpy', 'getitem', {'index': '[1, ::-2]'}),)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import prod
from types import EllipsisType
from typing import Any

from restride.checks import MAX_RANK
from restride.layout.notation import as_entries, format_index
from restride.ops.as_strided import AsStrided
from restride.ops.pad import Pad
from restride.ops.set_value import SetValue
from restride.ops.strided_slice import StridedSlice
from restride.translate.errors import SpecError

__all__ = ["Call", "as_calls", "shown_value"]

OPERATORS: dict[type, str] = {
    StridedSlice: "strided_slice",
    Pad: "pad",
    AsStrided: "as_strided",
    SetValue: "set_value",
}
"""restride's operators, and the functions that take the same parameters."""

ATB_PARAMS = {
    "AsStridedParam": ("size", "stride", "offset"),
    "SetValueParam": ("starts", "ends", "strides"),
}
"""ATB's parameter structs, told by their names, and what they hold."""

MOST_VALUES = 1 << 20
"""Longest list a parameter may be; no index, pad or region needs more."""

MOST_BITS = 1024
"""Longest integer of a parameter, far beyond any array."""

MAX_DEPTH = 8
"""Deepest nesting of a parameter's lists."""


@dataclass(frozen=True, slots=True)
class Call:
    """One operator: whose words, its name there, its parameters.

    Examples
    --------
    >>> c = Call("tensorflow", "pad", {"paddings": [[1, 1]]})
    >>> c
    Call('tensorflow', 'pad', {'paddings': ((1, 1),)})
    >>> c == Call("tensorflow", "pad", {"paddings": ((1, 1),)})
    True
    """

    dialect: str
    """atb, cann, aclnn, tensorflow, onnx, pytorch, numpy or restride."""
    op: str
    """The operator's name in that dialect."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Its parameters by that dialect's names; lists become tuples."""
    inputs: tuple[str, ...] = ("x",)
    """Names of the arrays it reads."""
    output: str = "y"
    """Name of its result."""

    def __post_init__(self) -> None:
        for name in ("dialect", "op"):
            if not isinstance(getattr(self, name), str):
                given = shown_value(getattr(self, name))
                raise SpecError(f"{name} = {given} is no str.")
        if not isinstance(self.params, Mapping):
            kind = type(self.params).__name__
            raise SpecError(f"params is a {kind}; give a dict of names and values.")
        frozen = {}
        for name, value in self.params.items():
            if not isinstance(name, str):
                raise SpecError(f"params has the key {shown_value(name)}; give names.")
            frozen[name] = _frozen(value, name)
        object.__setattr__(self, "params", frozen)

    def __hash__(self) -> int:
        return hash((self.dialect, self.op, repr(self.params), self.inputs))

    def __repr__(self) -> str:
        return f"Call({self.dialect!r}, {self.op!r}, {dict(self.params)!r})"


def _frozen(value: Any, name: str, depth: int = 0) -> Any:
    """Lists and arrays as tuples, so that a later change of them is lost."""
    if type(value) is int and value.bit_length() > MOST_BITS:
        raise SpecError(
            f"{name} holds an integer of {value.bit_length()} bits; no array is so "
            f"large, and at most {MOST_BITS} bits are read."
        )
    if hasattr(value, "tolist") and hasattr(value, "ndim") and value.ndim:
        if prod(value.shape) > MOST_VALUES:
            raise SpecError(f"{name} is an array of {prod(value.shape)} values.")
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return value
    if depth > MAX_DEPTH or len(value) > MOST_VALUES:
        raise SpecError(f"{name} is nested too deep or too long for a parameter.")
    return tuple([_frozen(v, name, depth + 1) for v in value])


def as_calls(spec: Any) -> tuple[Call, ...]:
    """The calls that `spec` stands for: one, or several in a row.

    Parameters
    ----------
    spec : Call, str, index, restride operator, ATB parameter, NodeProto, dict, or list
        A str or an index (slices, ints, None, ...) is read as NumPy's ``x[index]``; a
        dict holds "dialect", "op" and "params"; a list holds calls, or ONNX nodes of
        which the Constant nodes give the inputs of the others.

    Raises
    ------
    SpecError, ShapeError, UnsupportedError, DTypeError
        None of these, or an index outside NumPy's basic ones.
    """
    if isinstance(spec, Call):
        return (spec,)
    calls = getattr(spec, "calls", None)
    if isinstance(calls, tuple) and calls and all(isinstance(c, Call) for c in calls):
        return calls
    if type(spec) in OPERATORS:
        return (_of_operator(spec),)
    if type(spec).__name__ in ATB_PARAMS:
        return (_of_atb(spec),)
    if isinstance(spec, Mapping):
        return (_of_dict(spec),)
    if _is_node(spec) or (isinstance(spec, (list, tuple)) and any(map(_is_node, spec))):
        from restride.translate.protos import calls_of

        return calls_of([spec] if _is_node(spec) else list(spec))
    if isinstance(spec, list):
        return _of_list(spec)
    if isinstance(spec, (str, tuple, slice, EllipsisType, int)) and not isinstance(
        spec, bool
    ):
        return (Call("numpy", "getitem", {"index": format_index(as_entries(spec))}),)
    raise SpecError(
        f"a {type(spec).__name__} is no operator; give a Call, an index text such as "
        "'x[1, ::2]', a restride operator, an ATB parameter, an ONNX node or a dict "
        "of dialect, op and params."
    )


def _of_operator(spec: Any) -> Call:
    params = {f.name: getattr(spec, f.name) for f in fields(spec)}
    return Call("restride", OPERATORS[type(spec)], params)


def _of_atb(spec: Any) -> Call:
    kind = type(spec).__name__
    params = {name: getattr(spec, name, ()) for name in ATB_PARAMS[kind]}
    return Call("atb", kind, {name: list(value) for name, value in params.items()})


def _of_dict(spec: Mapping[Any, Any]) -> Call:
    extra = [k for k in spec if k not in ("dialect", "op", "params")]
    if extra or "dialect" not in spec or "op" not in spec:
        given = ", ".join(shown_value(k) for k in list(spec)[:8])
        raise SpecError(
            f"a dict with {given or 'nothing'}; its keys are dialect, op and params."
        )
    return Call(spec["dialect"], spec["op"], spec.get("params", {}))


def _of_list(spec: list[Any]) -> tuple[Call, ...]:
    if not 0 < len(spec) <= MAX_RANK:
        raise SpecError(f"a list of {len(spec)} calls; give 1 to {MAX_RANK}.")
    return tuple([call for item in spec for call in as_calls(item)])


def _is_node(spec: Any) -> bool:
    """True of an ONNX NodeProto, or of anything with its fields."""
    return all(hasattr(spec, name) for name in ("op_type", "attribute", "input"))


def shown_value(value: Any) -> str:
    """`value` for a message: short, whatever it is.

    Examples
    --------
    >>> shown_value("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    try:
        text = repr(value)
    except Exception:  # a foreign object's repr, or an int too long to print
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
