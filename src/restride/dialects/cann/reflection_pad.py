"""aclnnReflectionPad1d, 2d and 3d: a mirror that leaves the border out."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.dialects.cann.executor import Executor
from restride.dialects.cann.forward_pads import Forward
from restride.targets import Product

__all__ = [
    "aclnn_reflection_pad1d",
    "aclnn_reflection_pad1d_get_workspace_size",
    "aclnn_reflection_pad2d",
    "aclnn_reflection_pad2d_get_workspace_size",
    "aclnn_reflection_pad3d",
    "aclnn_reflection_pad3d_get_workspace_size",
]

Array = np.ndarray[Any, Any]
On = str | Product | None

PAD1D = Forward("aclnnReflectionPad1d", "reflect", 1)
PAD2D = Forward("aclnnReflectionPad2d", "reflect", 2)
PAD3D = Forward("aclnnReflectionPad3d", "reflect", 3)


def aclnn_reflection_pad1d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last dim of `self` with their mirror image into `out`.

    ``out[..., i] = self[..., mirror(i - left)]``, the border not repeated.

    Parameters
    ----------
    self, out : AclTensor, ndarray or None
        Of one dtype, and 2 or 3 dims; None is a null pointer.
    padding : sequence of 2 ints or None
        Left and right of the last dim.
    product : str or Product, optional
        None: the dtypes of Atlas A2.

    Returns
    -------
    ndarray
        `out`, written; left as it is where a batch is empty.

    Raises
    ------
    AclnnError
        In this order: a null pointer; dtypes; view formats; ranks, the length of
        `padding`, a padding not below its dim, the padded dims of out; an empty tensor
        of the lower rank, or empty in another dim than the first; all of out's shape.

    Notes
    -----
    CANN ops-math, conversion/mirror_pad/op_api/aclnn_reflection_pad1d.cpp, 2d, 3d.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.empty((1, 7), np.float32)
    >>> x = np.array([[0, 1, 2]], np.float32)
    >>> aclnn_reflection_pad1d(x, [2, 2], out).tolist()
    [[2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0]]
    """
    return PAD1D.prepare((self, padding, out), product)[1].run()


def aclnn_reflection_pad1d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad1d`: (workspace size, executor)."""
    return PAD1D.prepare((self, padding, out), product)


def aclnn_reflection_pad2d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last two dims of `self` with their mirror image into `out`.

    `self` and `out` have 3 or 4 dims; `padding` is left, right, top,
    bottom.  All else as in `aclnn_reflection_pad1d`.
    """
    return PAD2D.prepare((self, padding, out), product)[1].run()


def aclnn_reflection_pad2d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad2d`: (workspace size, executor)."""
    return PAD2D.prepare((self, padding, out), product)


def aclnn_reflection_pad3d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last three dims of `self` with their mirror image into `out`.

    `self` and `out` have 4 or 5 dims; `padding` is left, right, top,
    bottom, front, back.  All else as in `aclnn_reflection_pad1d`.
    """
    return PAD3D.prepare((self, padding, out), product)[1].run()


def aclnn_reflection_pad3d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad3d`: (workspace size, executor)."""
    return PAD3D.prepare((self, padding, out), product)
