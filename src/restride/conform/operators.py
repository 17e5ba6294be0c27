"""Which dialect speaks which operator of the tables."""

from __future__ import annotations

from typing import Any

__all__ = ["ATB", "CANN", "TENSORFLOW", "atb_params", "dialect_of"]

ATB = {
    "AsStridedOperation": ("size", "stride", "offset", "rsv"),
    "SetValueOperation": ("starts", "ends", "strides", "rsv"),
}
"""Operations, and the lists that their parameters are."""
CANN_GRAPH = ("PadV3", "StridedSlice")
ACLNN = (
    "aclnnConstantPadNd",
    *(
        f"aclnn{kind}Pad{n}d"
        for kind in ("Replication", "Reflection")
        for n in (1, 2, 3)
    ),
    "aclnnStridedSlice",
)
CANN = CANN_GRAPH + ACLNN
TENSORFLOW = (
    "StridedSlice",
    "StridedSliceGrad",
    "TensorStridedSliceUpdate",
    "Pad",
    "PadV2",
    "MirrorPad",
    "MirrorPadGrad",
)


def dialect_of(op: str) -> str:
    """The dialect of an operator of ATB's or CANN's tables; empty where none is.

    Examples
    --------
    >>> dialect_of("PadV3"), dialect_of("LinearOperation")
    ('cann', '')
    """
    return "atb" if op in ATB else "cann" if op in CANN else ""


def atb_params(op: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters as the vendor's tests read them.

    What they do not know is left out, null is the empty list, and one number is a list
    of one.

    Notes
    -----
    Ascend ATB, tests/framework/c++/atb_torch/operation/operation_funcs.cpp.

    Examples
    --------
    >>> atb_params("AsStridedOperation", {"size": [2], "offset": 0, "note": "x"})
    {'size': [2], 'stride': [], 'offset': [0], 'rsv': []}
    """
    found = {name: given.get(name) for name in ATB[op]}
    return {
        name: [] if value is None else value if isinstance(value, list) else [value]
        for name, value in found.items()
    }
