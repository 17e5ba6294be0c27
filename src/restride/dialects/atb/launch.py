"""What Execute checks: what Setup noted, and the data of each tensor, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.dialects.atb.context import Context
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.tensors import Tensor, TensorDesc, VariantPack
from restride.targets import dtype_named

__all__ = ["Ready", "arrays_of", "check_pack", "check_ready"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Ready:
    """What a successful Setup noted; one value, so that threads see all or nothing."""

    pack: VariantPack
    context: Context
    workspace_size: int


def check_ready(
    ready: Ready | None, workspace: Any, workspace_size: Any, context: Context | None
) -> Ready:
    """All of Execute's checks but those of the tensors; returns what Setup noted."""
    if context is None:
        # The vendor dereferences it before any check.
        raise _refused("context", "it is None; give a Context.")
    if ready is None:
        raise _refused("setup first", "no Setup has succeeded.")
    if ready.context.stream is None:
        raise _refused("stream", "the execute stream is None.")
    if context is not ready.context:
        raise _refused("context", "it is not the one of Setup.")
    needed = ready.workspace_size
    if type(workspace_size) is not int or workspace_size < needed:
        raise _refused(
            "workspace size",
            f"{workspace_size!r} bytes given; Setup asked for {needed}.",
        )
    if workspace is None and needed:
        raise _refused("workspace", f"it is None; Setup asked for {needed} B.")
    return ready


def check_pack(pack: VariantPack, before: VariantPack) -> None:
    """Inputs, then outputs: their number, and per tensor its bytes and its data."""
    for what in ("in_tensors", "out_tensors"):
        tensors, noted = getattr(pack, what), getattr(before, what)
        if len(tensors) != len(noted):
            raise _refused(what, f"{len(tensors)} given; Setup had {len(noted)}.")
        for k, (tensor, old) in enumerate(zip(tensors, noted, strict=True)):
            # An array, which a tensor may have been given since, is no number.
            if np.ndim(tensor.data_size) or tensor.data_size != old.desc.byte_size:
                raise _refused(
                    "data size",
                    f"{what}[{k}] has {tensor.data_size} bytes; its description in "
                    f"Setup has {old.desc.byte_size}.",
                )
            if tensor.data is None:
                raise _refused("data", f"{what}[{k}] has no data.")


def _refused(rule: str, message: str) -> AtbError:
    return AtbError(ErrorType.ERROR_INVALID_PARAM, "execute", rule, message)


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
