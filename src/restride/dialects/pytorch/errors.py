"""What this dialect raises: restride's errors that are also of PyTorch's classes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from restride.errors import RestrideError

__all__ = [
    "TorchError",
    "TorchIndexError",
    "TorchNotImplementedError",
    "TorchOverflowError",
    "TorchTypeError",
    "limits",
]


class TorchError(RestrideError, RuntimeError):
    """A refused call.

    Attributes
    ----------
    kind : str
        What was wrong: "input", "device", "layout", "dtype", "requires_grad",
        "argument", "rank", "size", "stride", "storage_offset", "outside", "pad",
        "mode", "value", "dim", "start", "length", "step", "index", "src", "overlap"
        or "too_large".

    Examples
    --------
    >>> import numpy as np
    >>> from restride.dialects import pytorch as rt
    >>> try:
    ...     rt.pad(np.zeros((1, 3)), (3, 0), "reflect")
    ... except rt.TorchError as error:
    ...     print(error.kind)
    pad
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type[TorchError], tuple[str, str]]:
        return type(self), (self.kind, str(self))


class TorchTypeError(TorchError, TypeError):
    """A refused call for which PyTorch raises a TypeError."""


class TorchIndexError(TorchError, IndexError):
    """A refused call for which PyTorch raises an IndexError."""


class TorchNotImplementedError(TorchError, NotImplementedError):
    """A refused call for which PyTorch raises a NotImplementedError."""


class TorchOverflowError(TorchError, OverflowError):
    """A refused call for which PyTorch raises an OverflowError."""


@contextmanager
def limits(name: str) -> Iterator[None]:
    """What passed PyTorch's checks and still is refused, is too large for memory."""
    try:
        yield
    except TorchError:
        raise
    except RestrideError as error:
        raise TorchError("too_large", f"{name}(): {error}") from None
