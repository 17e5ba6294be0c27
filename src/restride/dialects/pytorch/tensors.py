"""The door for tensors: their memory as NumPy arrays, and results back as they came.

PyTorch is never imported here: a tensor can only exist where its caller imported it.
Nothing is copied on the way in.  A NumPy array stands for a tensor of its elements
whose storage is the memory of the array it is a view of, or its own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.arrays import as_dtype, as_source, memory, whole_memory
from restride.checks import MAX_RANK
from restride.dialects.pytorch.errors import TorchError, TorchTypeError
from restride.errors import RestrideError

__all__ = ["Storage", "Tensor", "read"]

Array = np.ndarray[Any, Any]

DTYPES = {
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
    *("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
}
"""Types of PyTorch (torch.dtype, 2.13) that NumPy or ml_dtypes has too, by name."""


@dataclass(frozen=True, slots=True)
class Storage:
    """The memory that a tensor is a view of, in elements from its start."""

    line: Array
    """All its bytes, as uint8."""
    dtype: np.dtype[Any]
    """Of the elements."""
    offset: int
    """The tensor's first element."""
    strides: tuple[int, ...]
    """Elements between neighbours along each of the tensor's axes."""

    @property
    def size(self) -> int:
        """Whole elements that it holds."""
        return int(self.line.size // self.dtype.itemsize)

    def strided(
        self, size: Sequence[int], strides: Sequence[int], offset: int
    ) -> Array:
        """The elements at ``offset + sum(i * strides)``; the caller has proven them."""
        item = self.dtype.itemsize
        steps = [
            s * item if n > 1 else item for n, s in zip(size, strides, strict=True)
        ]
        if 0 in size:
            return np.empty(tuple(size), self.dtype)
        return memory(self.line, offset * item, size, steps, self.dtype)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A caller's tensor or array, open to restride."""

    array: Array
    """Its elements in its own memory."""
    torch: Any = None
    """The module, where the caller's is a tensor."""
    dtype: Any = None
    """The tensor's torch.dtype."""
    held: Storage | None = None
    """Its storage, where it is a tensor."""

    def storage(self) -> Storage:
        """What `as_strided` strides over.

        Raises
        ------
        TorchError
            An array whose elements do not lie a whole number of elements apart.
        """
        if self.held is not None:
            return self.held
        line, at = whole_memory(self.array)
        item = self.array.itemsize
        steps = zip(self.array.strides, self.array.shape, strict=True)
        if at % item or any(s % item for s, n in steps if n > 1):
            raise TorchError(
                "stride",
                f"the array's elements of {item} bytes lie {self.array.strides} bytes "
                "apart, which is no whole number of elements; give a .copy().",
            )
        strides = tuple(s // item for s in self.array.strides)
        return Storage(line, self.array.dtype, at // item, strides)

    def back(self, result: Array) -> Any:
        """`result` as the caller's kind, sharing its memory."""
        if self.torch is None:
            return result
        if result.dtype.type.__module__ == "ml_dtypes":
            carrier = result.view(f"u{result.itemsize}")
            return self.torch.from_numpy(carrier).view(self.dtype)
        return self.torch.from_numpy(result)


def read(given: Any, name: str, argument: str = "input") -> Tensor:
    """The tensor or array, or a refusal that says what to do.

    Raises
    ------
    TorchTypeError
        Neither a tensor nor a NumPy array.
    TorchError
        On another device, not strided, with gradients to record, or of a dtype that
        NumPy has not.
    """
    torch = sys.modules.get("torch")
    where = f"{name}(): argument '{argument}'"
    if torch is not None and isinstance(given, getattr(torch, "Tensor", ())):
        return _read_tensor(given, torch, where)
    if not isinstance(given, np.ndarray):
        raise TorchTypeError(
            "input",
            f"{where} must be a torch.Tensor or a NumPy array, not "
            f"{type(given).__name__}.",
        )
    try:
        array = as_source(given, argument)
    except RestrideError as error:
        raise TorchError("dtype", f"{where}: {error}") from None
    _check_dtype(array.dtype.name if array.dtype.isnative else str(array.dtype), where)
    return Tensor(array)


def _check_dtype(name: str, where: str) -> None:
    if name not in DTYPES:
        raise TorchError(
            "dtype",
            f"{where} has dtype {name}; taken are those that both PyTorch and NumPy "
            f"with ml_dtypes have: {', '.join(sorted(DTYPES))}.",
        )


def _read_tensor(given: Any, torch: Any, where: str) -> Tensor:
    _check_tensor(given, torch, where)
    name = str(given.dtype).removeprefix("torch.")
    _check_dtype(name, where)
    dtype = as_dtype(name)
    shape, strides = tuple(given.shape), tuple(given.stride())
    if len(shape) > MAX_RANK:
        raise TorchError(
            "rank", f"{where} has {len(shape)} axes; at most {MAX_RANK} are taken."
        )
    held = Storage(
        _bytes_of(given, torch, where), dtype, given.storage_offset(), strides
    )
    reach = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    if 0 not in shape and held.offset + sum(reach) >= held.size:
        raise TorchError(
            "outside",
            f"{where} reaches element {held.offset + sum(reach)} of a storage that "
            f"was resized to {held.size}; fill it again first.",
        )
    return Tensor(held.strided(shape, strides, held.offset), torch, given.dtype, held)


def _check_tensor(given: Any, torch: Any, where: str) -> None:
    """Refuse what has no plain memory here, or would lose its history in silence."""
    if given.device.type != "cpu":
        raise TorchError(
            "device",
            f"{where} is on device {given.device}; only memory of the CPU is reached. "
            "Give .cpu().",
        )
    if given.layout is not torch.strided or given.is_quantized or given.is_nested:
        raise TorchError(
            "layout",
            f"{where} is not a plain strided tensor (layout {given.layout}); give "
            ".to_dense() or .dequantize().",
        )
    if given.is_conj() or given.is_neg():
        raise TorchError(
            "layout",
            f"{where} is a lazy conjugate or negative, whose memory holds other "
            "values; give .resolve_conj() or .resolve_neg().",
        )
    if given.requires_grad and torch.is_grad_enabled():
        raise TorchError(
            "requires_grad",
            f"{where} requires grad, and no gradient would flow through; give "
            ".detach(), or call under torch.no_grad().",
        )


def _bytes_of(given: Any, torch: Any, where: str) -> Array:
    """All bytes of the tensor's storage, as they lie."""
    try:
        line = torch.empty(0, dtype=torch.uint8, device="cpu")
        found: Array = line.set_(given.untyped_storage()).numpy()
    except (RuntimeError, NotImplementedError, TypeError):
        raise TorchError(
            "layout",
            f"{where} is a {type(given).__name__} without memory of its own; give a "
            "plain tensor.",
        ) from None
    return found
