"""Padding as the aclnn functions write it, the last dim first, and what runs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.api import pad, plan
from restride.ops.pad import Pad

__all__ = ["Pairs", "add_back", "by_dim", "move", "padded"]

Array = np.ndarray[Any, Any]
Pairs = tuple[tuple[int, int], ...]


def by_dim(padding: Sequence[int], rank: int) -> Pairs:
    """(before, after) for each dim; those that `padding` does not reach get (0, 0).

    Notes
    -----
    CANN ops-math, pad_v3/op_api/op_replication_pad.h, GetPaddingTensor.

    Examples
    --------
    >>> by_dim([1, 2, 3, 4], 3)
    ((0, 0), (3, 4), (1, 2))
    """
    pairs = list(zip(padding[0::2], padding[1::2], strict=True))
    spare = rank - len(pairs)
    return ((0, 0),) * spare + tuple(reversed(pairs))


def padded(shape: Sequence[int], pairs: Pairs) -> tuple[int, ...]:
    """Shape of the result.

    Examples
    --------
    >>> padded((2, 3), ((0, 0), (1, -2)))
    (2, 2)
    """
    return tuple([n + sum(pair) for n, pair in zip(shape, pairs, strict=True)])


def move(source: Array, out: Array, pairs: Pairs, mode: str, value: Any = None) -> None:
    """Write `source`, padded, into `out`; `value` None means all-zero bytes."""
    pad(source, pairs, mode, value, out=out)


def add_back(gradient: Array, shape: Sequence[int], pairs: Pairs, mode: str) -> Array:
    """The gradient of the padded array's source, which has `shape`."""
    forward = plan(Pad(pairs, mode, None), shape, gradient.dtype)
    made: Array = forward.adjoint()(gradient)
    return made
