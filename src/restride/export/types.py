"""Element types: ONNX's name for a NumPy dtype, what each operator takes, and detours.

Types an operator takes are ONNX's type constraints by version (``Operators.md`` and
``Changelog.md`` of ONNX 1.23.2, read from its schemas).  Types that ONNX Runtime's CPU
kernels lack are those of its ``docs/OperatorKernels.md``, as version 1.32.0 answers
when each is tried; the tests try them again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from restride.errors import DTypeError

__all__ = ["DETOURS", "KINDS", "LACKS", "Detour", "allowed", "kind_of"]

KINDS = {
    "bool": "BOOL",
    "int8": "INT8",
    "int16": "INT16",
    "int32": "INT32",
    "int64": "INT64",
    "uint8": "UINT8",
    "uint16": "UINT16",
    "uint32": "UINT32",
    "uint64": "UINT64",
    "float16": "FLOAT16",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "complex64": "COMPLEX64",
    "complex128": "COMPLEX128",
    "bfloat16": "BFLOAT16",
    "float8_e4m3fn": "FLOAT8E4M3FN",
    "float8_e4m3fnuz": "FLOAT8E4M3FNUZ",
    "float8_e5m2": "FLOAT8E5M2",
    "float8_e5m2fnuz": "FLOAT8E5M2FNUZ",
    "float8_e8m0fnu": "FLOAT8E8M0",
    "float4_e2m1fn": "FLOAT4E2M1",
    "int4": "INT4",
    "uint4": "UINT4",
    "int2": "INT2",
    "uint2": "UINT2",
}
"""By NumPy's and ml_dtypes' names."""

COMPLEX = {"COMPLEX64", "COMPLEX128"}
FLOATS = {"FLOAT16", "FLOAT", "DOUBLE"}
NUMBERS = FLOATS | {f"{sign}INT{n}" for sign in ("", "U") for n in (8, 16, 32, 64)}
PLAIN = NUMBERS | {"BOOL", "STRING"} | COMPLEX
IR4 = PLAIN | {"BFLOAT16"}
IR9 = IR4 | {"FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"}
IR10 = IR9 | {"INT4", "UINT4"}
IR11 = IR10 | {"FLOAT4E2M1"}
IR12 = IR11 | {"FLOAT8E8M0"}
IR13 = IR12 | {"INT2", "UINT2"}

NEWER = ((19, IR9), (21, IR10), (23, IR11), (24, IR12), (25, IR13))

SINCE: dict[str, tuple[tuple[int, set[str]], ...]] = {
    "Slice": ((1, PLAIN), (13, IR4)),
    "Gather": ((1, PLAIN), (13, IR4)),
    "Concat": ((1, FLOATS), (4, PLAIN), (13, IR4)),
    "Expand": ((8, PLAIN), (13, IR4)),
    "Tile": ((6, PLAIN), (13, IR4)),
    "Transpose": ((1, PLAIN), (13, IR4), *NEWER[1:]),
    "Reshape": ((5, PLAIN), (13, IR4), *NEWER),
    "Squeeze": ((1, PLAIN), (13, IR4), *NEWER[1:]),
    "Unsqueeze": ((1, PLAIN), (13, IR4), *NEWER[1:]),
    "Pad": ((2, FLOATS), (11, NUMBERS), (13, IR4), *NEWER[1:]),
    "Constant": ((1, FLOATS), (9, PLAIN), (13, IR4), *NEWER),
    "Identity": ((1, PLAIN), (13, IR4), *NEWER),
    "Cast": (
        (6, NUMBERS | {"BOOL"}),
        (9, PLAIN - COMPLEX),
        (13, IR4 - COMPLEX),
        *((since, kinds - COMPLEX) for since, kinds in NEWER),
    ),
    "BitCast": ((26, IR13 - {"STRING"}),),
}
"""The types that an operator takes from an opset on."""

NARROW = IR13 - IR4
"""Types of which ONNX Runtime has few kernels."""

LACKS: dict[str, set[str]] = {
    "Slice": NARROW | COMPLEX,
    "Gather": NARROW | COMPLEX,
    "Concat": NARROW | COMPLEX,
    "Expand": NARROW | COMPLEX | {"BFLOAT16"},
    "Tile": NARROW | COMPLEX | {"BFLOAT16"},
    "Pad": NARROW | COMPLEX | {"BFLOAT16", "INT16", "UINT16", "STRING"},
    "Transpose": COMPLEX | {"FLOAT4E2M1", "FLOAT8E8M0"},
    "Reshape": (NARROW - (IR9 - IR4)) | COMPLEX,
    "Squeeze": NARROW | COMPLEX,
    "Unsqueeze": NARROW | COMPLEX,
    "Constant": COMPLEX,
    "Identity": (NARROW - (IR9 - IR4)) | COMPLEX,
    "Cast": COMPLEX | {"FLOAT4E2M1", "FLOAT8E8M0", "INT2", "UINT2"},
    "BitCast": IR13,
}
"""The types for which ONNX Runtime has no kernel on a CPU."""


class Detour(NamedTuple):
    """An exact way through another type: there, and back again."""

    op: str
    """"Cast" or "BitCast"."""
    kind: str
    """The type in which elements move."""


DETOURS: dict[str, Detour] = {
    "INT16": Detour("Cast", "INT32"),
    "UINT16": Detour("Cast", "INT32"),
    "INT4": Detour("Cast", "INT8"),
    "UINT4": Detour("Cast", "UINT8"),
    "INT2": Detour("Cast", "INT8"),
    "UINT2": Detour("Cast", "UINT8"),
    "FLOAT4E2M1": Detour("Cast", "FLOAT"),
    "FLOAT8E4M3FN": Detour("BitCast", "UINT8"),
    "FLOAT8E4M3FNUZ": Detour("BitCast", "UINT8"),
    "FLOAT8E5M2": Detour("BitCast", "UINT8"),
    "FLOAT8E5M2FNUZ": Detour("BitCast", "UINT8"),
    "FLOAT8E8M0": Detour("BitCast", "UINT8"),
}
"""Each keeps every bit: whole numbers in wider ones, a type without NaN in float, and
bits as they are where a Cast may change a NaN."""


def allowed(op: str, kind: str, opset: int) -> bool:
    """True where `op` takes elements of `kind` at an opset.

    Examples
    --------
    >>> allowed("Pad", "BOOL", 11), allowed("Pad", "BOOL", 13)
    (False, True)
    """
    taken: set[str] = set()
    for since, kinds in SINCE[op]:
        if opset >= since:
            taken = kinds
    return kind in taken


def kind_of(dtype: Any) -> str:
    """ONNX's name for a NumPy dtype, of any byte order.

    Raises
    ------
    DTypeError
        ONNX has no such type.

    Examples
    --------
    >>> import numpy as np
    >>> kind_of(np.dtype(">f4"))
    'FLOAT'
    """
    if dtype.kind in "UT":
        return "STRING"
    kind = KINDS.get(dtype.name)
    if kind is None:
        raise DTypeError(
            f"ONNX has no tensors of dtype {dtype}; move them as bytes of a type that "
            "it has, such as x.view('uint8')."
        )
    return kind
