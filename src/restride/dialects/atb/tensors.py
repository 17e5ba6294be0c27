"""Tensors as ATB sees them: a description, a pointer, and a size in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from restride.checks import MAX_RANK, as_index, as_ints
from restride.dialects.atb.errors import ErrorType, answering
from restride.errors import ShapeError
from restride.targets import dtype_named, format_named

__all__ = ["BYTES_OF", "UNDEFINED", "Tensor", "TensorDesc", "VariantPack"]

Array = np.ndarray[Any, Any]

UNDEFINED = "undefined"
"""ATB's default dtype and format."""

ELEMENT_BYTES = {
    1: "bool int8 uint8 hifloat8 float8_e5m2 float8_e4m3fn float8_e8m0 undefined",
    2: "float16 bf16 int16 uint16",
    4: "float int32 uint32",
    8: "int64 uint64 double complex64",
    16: "complex128",
    32: "string",
}
"""Sizes ATB knows; a dtype without one has no size (src/atb/utils/utils.cpp)."""

BYTES_OF = {
    name: size for size, names in ELEMENT_BYTES.items() for name in names.split()
}

MOST_COUNTED = 2**64 - 1
"""Where the vendor's count of elements or bytes overflows and becomes 0."""


@dataclass(frozen=True, slots=True)
class TensorDesc:
    """What a tensor is: dtype, format and shape.

    Parameters
    ----------
    dtype : str, NumPy or torch dtype
        By any name that `restride.targets` knows.
    format : str
        Such as "nd"; "undefined" is the vendor's default.
    shape : sequence of int
        Any integers: whether ATB takes them is checked by InferShape and Setup.

    Raises
    ------
    AtbError
        A name that is not known, or a shape that is no sequence of integers; at stage
        "create".

    Examples
    --------
    >>> TensorDesc("float16", "nd", (3, 3)).byte_size
    18
    """

    dtype: str = UNDEFINED
    """As the vendor's tables write it."""
    format: str = UNDEFINED
    """In lower case."""
    shape: tuple[int, ...] = ()
    """Extents; what ATB calls dims."""

    def __post_init__(self) -> None:
        with answering("create", ErrorType.ERROR_INVALID_PARAM, "TensorDesc"):
            object.__setattr__(self, "dtype", dtype_named(self.dtype).name)
            object.__setattr__(self, "format", format_named(self.format))
            object.__setattr__(self, "shape", _dims(self.shape))

    @property
    def dim_num(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def numel(self) -> int:
        """Number of elements, or 0 where ATB counts none.

        That is where an extent is 0 or negative, or the count does not fit 64 bits.
        """
        if min(self.shape, default=1) <= 0:
            return 0
        count = prod(self.shape)
        return count if count <= MOST_COUNTED else 0

    @property
    def byte_size(self) -> int:
        """Number of bytes, or 0 where ATB counts none; nothing is allocated for it.

        Notes
        -----
        Ascend ATB 8.5.0, src/atb/utils/utils.cpp: also 0 for a dtype whose size ATB
        does not know, such as int4 or complex32.
        """
        size = self.numel * BYTES_OF.get(self.dtype, 0)
        return size if size <= MOST_COUNTED else 0


def _dims(shape: Any) -> tuple[int, ...]:
    dims = as_ints(shape, "shape")
    if len(dims) > MAX_RANK:
        raise ShapeError(f"shape has more than {MAX_RANK} entries; ATB takes 8.")
    return dims


@dataclass(slots=True, eq=False)
class Tensor:
    """A tensor: what it is, where its elements lie, and how many bytes those are.

    Parameters
    ----------
    desc : TensorDesc
    data : ndarray, optional
        The elements; None is a null pointer.  Setup does not look at it.
    data_size : int, optional
        Bytes, which Execute compares with the description given to Setup; by default
        the description's own.

    Raises
    ------
    AtbError
        `desc` is no TensorDesc, or `data_size` no integer; at stage "create".

    Examples
    --------
    >>> Tensor(TensorDesc("int64", "nd", (2, 2))).data_size
    32
    """

    desc: TensorDesc
    data: Array | None = None
    data_size: int | None = None

    def __post_init__(self) -> None:
        with answering("create", ErrorType.ERROR_INVALID_PARAM, "Tensor"):
            if not isinstance(self.desc, TensorDesc):
                kind = type(self.desc).__name__
                raise ShapeError(f"desc is a {kind}; give a TensorDesc.")
            if self.data_size is None:
                self.data_size = self.desc.byte_size
            self.data_size = as_index(self.data_size, "data_size")

    @classmethod
    def of(cls, data: Array) -> Tensor:
        """The tensor of a NumPy array's own dtype and shape, in format nd.

        Examples
        --------
        >>> Tensor.of(np.zeros((2, 3), np.float16)).desc.shape
        (2, 3)
        """
        kind = getattr(data, "dtype", UNDEFINED)
        return cls(TensorDesc(kind, "nd", getattr(data, "shape", ())), data)


@dataclass(slots=True, eq=False)
class VariantPack:
    """The tensors of one call."""

    in_tensors: list[Tensor] = field(default_factory=list)
    """Inputs, in the operator's order."""
    out_tensors: list[Tensor] = field(default_factory=list)
    """Outputs, in the operator's order; SetValueOperation has none."""
