"""aclnnConstantPadNd: a constant around, or a crop of, the last dims."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.dialects.cann.checks import Door
from restride.dialects.cann.errors import INNER_NULLPTR, INVALID, AclnnError
from restride.dialects.cann.executor import Executor
from restride.dialects.cann.pads import by_dim, move
from restride.dialects.cann.scalar import (
    SMALL_FLOATS,
    AclScalar,
    NotConvertibleError,
    as_scalar,
    converted,
)
from restride.dialects.cann.tensor import AclTensor, as_tensor, int_array
from restride.targets import Product

__all__ = ["aclnn_constant_pad_nd", "aclnn_constant_pad_nd_get_workspace_size"]

Array = np.ndarray[Any, Any]
NAME = "aclnnConstantPadNd"
MOST_DIMS = 8


def aclnn_constant_pad_nd(
    self: Any, pad: Any, value: Any, out: Any, *, product: str | Product | None = None
) -> Array | None:
    """Pad the last dims of `self` with `value` into `out`; negative widths crop.

    ``out[i] = self[i - before]`` where that index exists, elsewhere `value`.

    Parameters
    ----------
    self, out : AclTensor, ndarray or None
        Of one dtype and rank, 0 to 8 dims; None is a null pointer.
    pad : sequence of int or None
        (begin, end) of the last dim, then of the one before, ...
    value : number, AclScalar or None
        Converted to self's dtype as C does.
    product : str or Product, optional
        None: the dtypes of Atlas A2.

    Returns
    -------
    ndarray
        `out`, written.

    Raises
    ------
    AclnnError
        In this order: a null pointer; dtypes; storage formats; ranks and the length of
        `pad`; a negative extent or another out shape; an empty covered dim beside a
        positive pad; a crop of float8; a value that cannot be converted.

    Notes
    -----
    CANN ops-math, conversion/pad_v3/op_api/aclnn_constant_pad_nd.cpp.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.empty((2, 5), np.int32)
    >>> x = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    >>> aclnn_constant_pad_nd(x, [1, 1], 9, out).tolist()
    [[9, 1, 2, 3, 9], [9, 4, 5, 6, 9]]
    """
    made = aclnn_constant_pad_nd_get_workspace_size(
        self, pad, value, out, product=product
    )
    return made[1].run()


def aclnn_constant_pad_nd_get_workspace_size(
    self: Any, pad: Any, value: Any, out: Any, *, product: str | Product | None = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_constant_pad_nd`: every check, and an executor to run.

    Tensors may be descriptions without data.

    Examples
    --------
    >>> size, executor = aclnn_constant_pad_nd_get_workspace_size(
    ...     AclTensor((4, 4), "float"), [1, 1], 0, AclTensor((4, 6), "float"))
    >>> size
    0
    """
    door = Door(NAME, product)
    source = door.pointer("self", as_tensor(self, "self", NAME))
    widths = door.pointer("pad", int_array(pad, "pad", NAME))
    scalar = door.pointer("value", as_scalar(value, NAME))
    target = door.pointer("out", as_tensor(out, "out", NAME))
    _check(door, source, widths, target)
    executor = _planned(source, widths, scalar, target)
    return executor.workspace_size, executor


def _check(door: Door, self: AclTensor, pad: tuple[int, ...], out: AclTensor) -> None:
    door.check_product()
    door.check_same_dtype(self=self, out=out)
    door.check_dtypes(self=self)
    _check_formats(door, self, out)
    door.check_rank("self", self, 0, MOST_DIMS)
    door.check_rank("out", out, 0, MOST_DIMS)
    door.check_same_rank(self=self, out=out)
    if len(pad) % 2:
        door.refuse(f"pad has length {len(pad)}; give a begin and an end per dim.")
    if len(pad) > 2 * self.rank:
        door.refuse(
            f"pad has length {len(pad)} for self of {self.rank} dims; at most "
            f"{2 * self.rank}."
        )
    _check_extents(door, self, pad, out)
    if self.dtype.name in SMALL_FLOATS and min(pad, default=0) < 0:
        door.refuse(
            f"pad = {list(pad)} has a negative value; self's dtype {self.dtype} "
            "allows values of 0 or more only."
        )


def _check_formats(door: Door, self: AclTensor, out: AclTensor) -> None:
    mine, theirs = self.storage_format, out.storage_format
    if mine not in (theirs, "nd"):
        door.refuse(
            f"self has storage format {mine} and out {theirs}; they must be equal "
            "unless self's is nd."
        )


def _check_extents(
    door: Door, self: AclTensor, pad: tuple[int, ...], out: AclTensor
) -> None:
    """From the last dim to the first, then the rule about empty dims."""
    pairs = by_dim(pad, self.rank)
    has_zero = False
    for axis in reversed(range(self.rank)):
        n, (begin, end) = self.shape[axis], pairs[axis]
        if n + min(begin, end, begin + end) < 0:
            door.refuse(
                f"pad ({begin}, {end}) on dim {axis} of extent {n} leaves less than "
                f"nothing; each side, and both together, may crop at most {n}."
            )
        if out.shape[axis] != n + begin + end:
            door.refuse(
                f"out has extent {out.shape[axis]} in dim {axis}; {n} padded by "
                f"({begin}, {end}) is {n + begin + end}."
            )
        covered = self.rank - 1 - axis < len(pad) // 2
        has_zero |= covered and n + begin + end == 0
    if has_zero and max(pad) > 0:
        door.refuse(
            f"out's shape {out.shape} is empty in a dim that pad speaks of, while pad "
            f"= {list(pad)} has a positive value; leave that dim out of pad, or pad "
            "nothing."
        )


def _planned(
    self: AclTensor, pad: tuple[int, ...], value: AclScalar, out: AclTensor
) -> Executor:
    pairs = by_dim(pad, self.rank)
    tensors = {"self": self, "out": out}
    if out.is_empty:
        return Executor(NAME, None, tensors)
    fill = _fill(self, value) if any(pad) else None

    def work(source: Array, target: Array) -> None:
        given = None if fill is None else fill.view(target.dtype)
        move(source, target, pairs, "constant", given)

    return Executor(NAME, work, tensors)


def _fill(self: AclTensor, value: AclScalar) -> Array | None:
    try:
        return converted(value, self.dtype)
    except NotConvertibleError as error:
        small = self.dtype.name in SMALL_FLOATS
        raise AclnnError(
            NAME, INVALID if small else INNER_NULLPTR, str(error)
        ) from None
