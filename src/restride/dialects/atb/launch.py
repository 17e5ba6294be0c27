"""From the tensors of a call to the arrays that run it: what Execute checks of data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.tensors import Tensor, TensorDesc, VariantPack
from restride.targets import dtype_named

__all__ = ["arrays_of", "check_pack"]

Array = np.ndarray[Any, Any]


def check_pack(pack: VariantPack, before: VariantPack) -> None:
    """Inputs, then outputs: their number, and per tensor its bytes and its data."""
    for what in ("in_tensors", "out_tensors"):
        tensors, noted = getattr(pack, what), getattr(before, what)
        if len(tensors) != len(noted):
            _refuse(what, f"{len(tensors)} given; Setup had {len(noted)}.")
        for k, (tensor, old) in enumerate(zip(tensors, noted, strict=True)):
            if tensor.data_size != old.desc.byte_size:
                _refuse(
                    "data size",
                    f"{what}[{k}] has {tensor.data_size} bytes; its description in "
                    f"Setup has {old.desc.byte_size}.",
                )
            if tensor.data is None:
                _refuse("data", f"{what}[{k}] has no data.")


def _refuse(rule: str, message: str) -> None:
    raise AtbError(ErrorType.ERROR_INVALID_PARAM, "execute", rule, message)


def arrays_of(
    tensors: Sequence[Tensor], noted: Sequence[Tensor], names: Sequence[str]
) -> list[Array]:
    """The data of each tensor in the shape and dtype that Setup noted.

    Raises
    ------
    AtbError
        The data is no array of that dtype, or of another number of elements: on a
        device its bytes would be read as something else (4).
    """
    triples = zip(tensors, noted, names, strict=True)
    return [_array(tensor.data, old.desc, name) for tensor, old, name in triples]


def _array(data: Any, desc: TensorDesc, name: str) -> Array:
    if not isinstance(data, np.ndarray):
        told = "no data" if data is None else f"a {type(data).__name__} as data"
        raise _unusable(name, f"has {told}; give a NumPy array")
    wanted = as_dtype(dtype_named(desc.dtype).numpy)
    if data.dtype != wanted:
        raise _unusable(name, f"has data of {data.dtype}; its description is {wanted}")
    if data.shape == desc.shape:
        return data
    if data.size == desc.numel and data.flags.c_contiguous:
        return data.reshape(desc.shape)
    raise _unusable(name, f"has data of shape {data.shape}, described as {desc.shape}")


def _unusable(name: str, fault: str) -> AtbError:
    return AtbError(ErrorType.ERROR_RT_FAIL, "execute", "data", f"{name} {fault}.")
