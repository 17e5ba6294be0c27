"""torch tensors as arrays of the same memory and back, without importing torch."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from restride.errors import UnsupportedError

__all__ = ["from_torch", "is_torch", "to_torch"]

Array = np.ndarray[Any, Any]


def is_torch(x: Any) -> bool:
    """True for a torch tensor; only a caller that imported torch can have one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def from_torch(x: Any) -> Array:
    """`x` as an array in the same memory; bfloat16 through ml_dtypes.

    Raises
    ------
    UnsupportedError
        A tensor that NumPy cannot see: on a device, sparse, quantized.
    """
    torch = sys.modules["torch"]
    try:
        seen = x.detach()
        if seen.dtype == torch.bfloat16:
            import ml_dtypes

            raw: Array = seen.view(torch.int16).numpy()
            return raw.view(ml_dtypes.bfloat16)
        array: Array = seen.numpy()
    except (RuntimeError, TypeError, NotImplementedError) as error:
        raise UnsupportedError(
            f"a torch tensor of {x.dtype} on {x.device} cannot be read in place: "
            f"{error}"
        ) from None
    return array


def to_torch(array: Array) -> Any:
    """`array` as a torch tensor in the same memory."""
    return sys.modules["torch"].from_numpy(array)
