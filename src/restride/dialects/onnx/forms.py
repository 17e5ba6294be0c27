"""The versions of Slice and Pad: their inputs, attributes, modes and element types.

An operator's version is the opset that introduced it; a model's opset selects the
newest version not above it.

>>> form_of("Pad", 17).version, form_of("Pad", 17).inputs
(13, ('data', 'pads', 'constant_value'))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from restride.checks import as_index
from restride.dialects.onnx.errors import OnnxError
from restride.errors import RestrideError

__all__ = ["FORMS", "NEWEST_OPSET", "Form", "form_of"]

NEWEST_OPSET = 28
"""The newest opset known, that of onnx 1.23.2."""


@dataclass(frozen=True)
class Form:
    """One version of one operator."""

    operator: str
    version: int
    inputs: tuple[str, ...]
    types: frozenset[str]
    """Element types of `data`, by ONNX's names: "float" is 32 bits, "double" 64."""
    attributes: dict[str, str] = field(default_factory=dict)
    """Name and kind, "ints", "float" or "string"."""
    required: frozenset[str] = frozenset({"data"})
    """Inputs and attributes that may not be left out."""
    modes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Operator and version, as messages write it."""
        return f"{self.operator}-{self.version}"

    def error(self, kind: str, text: str) -> OnnxError:
        """An error that names this operator and version."""
        message = f"{self.name}: {text}"
        return OnnxError(message, kind, self.operator, self.version)


def _types(names: str) -> frozenset[str]:
    return frozenset(names.split())


INTEGERS = _types("int8 int16 int32 int64 uint8 uint16 uint32 uint64")
FLOATS = _types("float16 float double")
CLASSIC = INTEGERS | FLOATS | _types("bool string complex64 complex128")
FLOAT8 = _types("float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz")
PAD_TYPES = {
    1: FLOATS,
    11: INTEGERS | FLOATS,
    13: CLASSIC | {"bfloat16"},
    21: CLASSIC | {"bfloat16"} | FLOAT8 | {"int4", "uint4"},
}
PAD_TYPES[23] = PAD_TYPES[21] | {"float4e2m1"}
PAD_TYPES[24] = PAD_TYPES[23] | {"float8e8m0"}
PAD_TYPES[25] = PAD_TYPES[24] | {"int2", "uint2"}

SLICE_INPUTS = ("data", "starts", "ends", "axes", "steps")
PAD_INPUTS = ("data", "pads", "constant_value", "axes")
OLD_MODES = ("constant", "reflect", "edge")
MODES = (*OLD_MODES, "wrap")


def _slice(version: int, types: frozenset[str]) -> Form:
    needed = frozenset({"data", "starts", "ends"})
    if version < 10:
        given = {"starts": "ints", "ends": "ints", "axes": "ints"}
        return Form("Slice", version, ("data",), types, given, needed)
    return Form("Slice", version, SLICE_INPUTS, types, required=needed)


def _pad(version: int) -> Form:
    types = PAD_TYPES[max(since for since in PAD_TYPES if since <= version)]
    modes = MODES if version >= 19 else OLD_MODES
    mode = {"mode": "string"}
    if version < 11:
        widths = "paddings" if version == 1 else "pads"
        given = {widths: "ints", "value": "float"} | mode
        needed = frozenset({"data", widths})
        return Form("Pad", version, ("data",), types, given, needed, modes)
    inputs = PAD_INPUTS if version >= 18 else PAD_INPUTS[:3]
    needed = frozenset({"data", "pads"})
    return Form("Pad", version, inputs, types, mode, needed, modes)


FORMS = {
    "Slice": [
        _slice(1, CLASSIC),
        _slice(10, CLASSIC),
        _slice(11, CLASSIC),
        _slice(13, CLASSIC | {"bfloat16"}),
    ],
    "Pad": [_pad(version) for version in (1, 2, 11, 13, 18, 19, 21, 23, 24, 25)],
}
"""Every version, oldest first; onnx 1.23.2, onnx/defs/tensor/defs.cc and old.cc."""


def form_of(operator: str, opset: Any) -> Form:
    """The version of `operator` that a model of this opset means.

    Raises
    ------
    OnnxError
        An opset that is no int, or not between 1 and the newest known.
    """
    try:
        number = as_index(opset, "opset")
    except RestrideError as error:
        raise OnnxError(f"{operator}: {error}", "opset", operator) from None
    if not 1 <= number <= NEWEST_OPSET:
        raise OnnxError(
            f"{operator}: opset = {number}; known are 1 to {NEWEST_OPSET}. Convert the "
            "model to one of them.",
            "opset",
            operator,
        )
    return max(
        (form for form in FORMS[operator] if form.version <= number),
        key=lambda form: form.version,
    )
