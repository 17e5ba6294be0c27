"""The operators of the tables: who speaks each, its parameters and its inputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from restride.conform.errors import CaseError
from restride.conform.fields import shown

__all__ = [
    "ATB",
    "TENSORFLOW",
    "VENDOR",
    "Operator",
    "atb_params",
    "check_names",
]


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator of ATB's or CANN's tables."""

    dialect: str
    """atb or cann."""
    params: tuple[str, ...]
    """Names of its parameters; of an aclnn function in the order of its arguments."""
    inputs: tuple[str, ...]
    """Names of its input tensors, in order."""
    optional: int = 0
    """How many of the last inputs it can do without."""
    deciding: tuple[int, ...] = ()
    """Inputs whose values decide the shape of the result."""
    adds: bool = False
    """True where elements of the result are sums."""


MASKS = tuple(
    f"{name}_mask" for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
)
SLICE = ("begin", "end", "strides")
ACLNN_SLICE = (
    *SLICE,
    "beginMask",
    "endMask",
    "ellipsisMask",
    "newAxisMask",
    "shrinkAxisMask",
)
PAD = ("mode", "paddings_contiguous")

ATB = {
    "AsStridedOperation": Operator("atb", ("size", "stride", "offset", "rsv"), ("x",)),
    "SetValueOperation": Operator(
        "atb", ("starts", "ends", "strides", "rsv"), ("dst", "src")
    ),
}
CANN = {
    "PadV3": Operator("cann", PAD, ("x", "paddings", "constant_values"), 1, (1,)),
    "PadV3Grad": Operator("cann", PAD, ("x", "paddings"), 0, (1,), True),
    "StridedSlice": Operator("cann", MASKS, ("x", *SLICE), 0, (1, 2, 3)),
    "StridedSliceGrad": Operator(
        "cann", MASKS, ("shape", *SLICE, "dy"), 0, (0, 1, 2, 3)
    ),
    "aclnnConstantPadNd": Operator("cann", ("pad", "value"), ("self",)),
    "aclnnStridedSlice": Operator("cann", ACLNN_SLICE, ("self",)),
}
for _kind in ("Replication", "Reflection"):
    for _n in (1, 2, 3):
        CANN[f"aclnn{_kind}Pad{_n}d"] = Operator("cann", ("padding",), ("self",))
        CANN[f"aclnn{_kind}Pad{_n}dBackward"] = Operator(
            "cann", ("padding",), ("gradOutput", "self"), adds=True
        )

VENDOR = ATB | CANN
"""Operators of the tables that name inputs and outputs."""

TENSORFLOW = {
    "StridedSlice": (*SLICE, *MASKS),
    "StridedSliceGrad": (*SLICE, *MASKS),
    "TensorStridedSliceUpdate": (*SLICE, *MASKS),
    "Pad": ("paddings",),
    "PadV2": ("paddings", "constant_values"),
    "MirrorPad": ("paddings", "mode"),
    "MirrorPadGrad": ("paddings", "mode"),
}
"""TensorFlow's operators, and their arguments beside the tensors and `shape`."""


def check_names(op: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a parameter that the operator has not.

    Raises
    ------
    CaseError
        The first of `given` that is not `known`.

    Examples
    --------
    >>> check_names("PadV3", ["mod"], ["mode", "paddings_contiguous"])
    Traceback (most recent call last):
    restride.conform.errors.CaseError: PadV3 has no parameter 'mod'; known are mode, \
paddings_contiguous.
    """
    names = tuple(known)
    for name in given:
        if name not in names:
            raise CaseError(
                f"{op} has no parameter {shown(name)}; known are {', '.join(names)}."
            )


def atb_params(op: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters as the vendor's tests read them.

    What is left out or null is the empty list, and one number is a list of one.

    Notes
    -----
    Ascend ATB, tests/framework/c++/atb_torch/operation/operation_funcs.cpp, which does
    not look at names that it does not know; here they are refused.

    Examples
    --------
    >>> atb_params("AsStridedOperation", {"size": [2], "offset": 0})
    {'size': [2], 'stride': [], 'offset': [0], 'rsv': []}
    """
    found = {name: given.get(name) for name in ATB[op].params}
    return {
        name: [] if value is None else value if isinstance(value, list) else [value]
        for name, value in found.items()
    }
