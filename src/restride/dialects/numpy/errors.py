"""What this dialect raises: restride's errors that are also of NumPy's classes."""

from __future__ import annotations

from restride.errors import RestrideError

__all__ = [
    "NumpyError",
    "NumpyIndexError",
    "NumpyOverflowError",
    "NumpyTypeError",
    "refusal",
]


class NumpyError(RestrideError):
    """A refused call.

    Attributes
    ----------
    kind : str
        What was wrong: "array", "pad_width", "mode", "keyword", "constant_values",
        "empty_axis", "turns", "shape", "strides", "outside", "objects",
        "window_shape", "axis" or "too_large".

    Examples
    --------
    >>> from restride.dialects import numpy as rnp
    >>> try:
    ...     rnp.pad([1, 2], -1)
    ... except rnp.NumpyError as error:
    ...     print(error.kind)
    pad_width
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type[NumpyError], tuple[str, str]]:
        return type(self), (self.kind, str(self))


class NumpyTypeError(NumpyError, TypeError):
    """A refused call for which NumPy raises a TypeError."""


class NumpyIndexError(NumpyError, IndexError):
    """A refused call for which NumPy raises an IndexError, an AxisError included."""


class NumpyOverflowError(NumpyError, OverflowError):
    """A refused call for which NumPy raises an OverflowError."""


def refusal(kind: str, message: str, like: BaseException | None = None) -> NumpyError:
    """The error to raise; `like` is what NumPy raised, if it was asked.

    Examples
    --------
    >>> refusal("axis", "no such axis", IndexError())
    NumpyIndexError('no such axis')
    """
    for made in (NumpyTypeError, NumpyIndexError, NumpyOverflowError):
        if like is not None and isinstance(like, made.__bases__[1]):
            return made(kind, message)
    return NumpyError(kind, message)
