"""What the ONNX dialect raises: one class, its kind told by a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from restride.errors import DTypeError, RestrideError

__all__ = ["KINDS", "OnnxError", "running", "speaking"]

KINDS = {
    "axis": "an axis outside the tensor, or named twice",
    "data": "no tensor: objects, a masked or sparse array, or nothing at all",
    "dtype": "an element type that this version, or this parameter, does not take",
    "mode": "a pad mode that this version does not know",
    "node": "a malformed node: operator, domain, inputs or attributes",
    "opset": "an opset that is not known, or a parameter that its version lacks",
    "pads": "pads that leave nothing to mirror, take away too much, or are too wide",
    "shape": "a parameter of the wrong rank or length",
    "size": "a result that no memory holds",
    "step": "a step of 0",
    "value": "a number that its type cannot hold",
}
"""Every `kind` of an :class:`OnnxError`, and what it says."""


class OnnxError(RestrideError):
    """A Slice or Pad that ONNX does not define.

    Examples
    --------
    >>> error = OnnxError("steps[0] = 0", "step", "Slice", 13)
    >>> error.kind, error.operator, error.version
    ('step', 'Slice', 13)
    """

    def __init__(
        self,
        message: str,
        kind: str = "node",
        operator: str = "",
        version: int | None = None,
    ) -> None:
        super().__init__(" ".join(message.split()))  # what was given may have lines
        self.kind = kind
        """One of :data:`KINDS`."""
        self.operator = operator
        """Slice or Pad; of a node that is neither, what it says."""
        self.version = version
        """The operator's version, the opset that introduced it; None if unknown."""


@contextmanager
def speaking(operator: str, version: int) -> Iterator[None]:
    """Turn what the core refuses into an error of this dialect."""
    try:
        yield
    except OnnxError:
        raise
    except DTypeError as error:
        raise _renamed(error, "dtype", operator, version) from None
    except (RestrideError, MemoryError) as error:
        raise _renamed(error, "size", operator, version) from None


@contextmanager
def running(operator: str) -> Iterator[None]:
    """The same for what shows when the result is made."""
    try:
        yield
    except OnnxError:
        raise
    except (RestrideError, MemoryError) as error:
        raise OnnxError(f"{operator}: {error}", "size", operator) from None


def _renamed(error: Exception, kind: str, operator: str, version: int) -> OnnxError:
    return OnnxError(f"{operator}-{version}: {error}", kind, operator, version)
