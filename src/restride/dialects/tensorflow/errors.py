"""What TensorFlow refuses, told by kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, get_args

from restride.errors import RestrideError

__all__ = ["KINDS", "Kind", "TensorFlowError", "in_words"]

Kind = Literal[
    "zero_stride",
    "multiple_ellipsis",
    "too_many_indices",
    "index_out_of_bounds",
    "shrink_stride",
    "shape_mismatch",
    "scalar_input",
    "padding_too_large",
    "rank",
    "other",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every kind; "other" is a value or type that the operator takes from nobody."""


class TensorFlowError(RestrideError):
    """A call that TensorFlow refuses; `kind` says why, `op` where.

    Examples
    --------
    >>> from restride.dialects import tensorflow as tf
    >>> try:
    ...     tf.mirror_pad([1, 2, 3], [[3, 0]], "REFLECT")
    ... except tf.TensorFlowError as error:
    ...     error.op, error.kind
    ('mirror_pad', 'padding_too_large')
    """

    def __init__(self, op: str, kind: Kind, message: str) -> None:
        super().__init__(f"{op}: {message}")
        self.op = op
        self.kind: Kind = kind
        self.message = message

    def __reduce__(self) -> tuple[type[TensorFlowError], tuple[str, Kind, str]]:
        return type(self), (self.op, self.kind, self.message)


@contextmanager
def in_words(op: str) -> Iterator[None]:
    """Tell in this dialect what the core refuses: results too large, odd arrays."""
    try:
        yield
    except TensorFlowError:
        raise
    except (RestrideError, MemoryError) as error:
        raise TensorFlowError(op, "other", str(error)) from error
