"""aclnnReplicationPad1d, 2d and 3d: the edge repeated, any number of times."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.dialects.cann.executor import Executor
from restride.dialects.cann.forward_pads import Forward
from restride.targets import Product

__all__ = [
    "aclnn_replication_pad1d",
    "aclnn_replication_pad1d_get_workspace_size",
    "aclnn_replication_pad2d",
    "aclnn_replication_pad2d_get_workspace_size",
    "aclnn_replication_pad3d",
    "aclnn_replication_pad3d_get_workspace_size",
]

Array = np.ndarray[Any, Any]
On = str | Product | None

PAD1D = Forward("aclnnReplicationPad1d", "edge", 1)
PAD2D = Forward("aclnnReplicationPad2d", "edge", 2)
PAD3D = Forward("aclnnReplicationPad3d", "edge", 3)


def aclnn_replication_pad1d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last dim of `self` with their edge values into `out`.

    ``out[..., i] = self[..., clamp(i - left, 0, n - 1)]``

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
        In this order: a null pointer; dtypes; view formats (2d: formats, then dtypes);
        ranks, the length of `padding`, out's shape; an empty tensor of the lower rank,
        or empty in another dim than the first.

    Notes
    -----
    CANN ops-math, conversion/pad_v3/op_api/aclnn_replication_pad1d.cpp, 2d, 3d.  The
    documents refuse a padding as wide as the dim; the source has no such check, and
    the vendor's system tests use such paddings.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.empty((1, 7), np.float32)
    >>> x = np.array([[0, 1, 2]], np.float32)
    >>> aclnn_replication_pad1d(x, [2, 2], out).tolist()
    [[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0]]
    """
    return PAD1D.prepare((self, padding, out), product)[1].run()


def aclnn_replication_pad1d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad1d`: (workspace size, executor)."""
    return PAD1D.prepare((self, padding, out), product)


def aclnn_replication_pad2d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last two dims of `self` with their edge values into `out`.

    `self` and `out` have 3 or 4 dims; `padding` is left, right, top,
    bottom.  All else as in `aclnn_replication_pad1d`.
    """
    return PAD2D.prepare((self, padding, out), product)[1].run()


def aclnn_replication_pad2d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad2d`: (workspace size, executor)."""
    return PAD2D.prepare((self, padding, out), product)


def aclnn_replication_pad3d(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> Array | None:
    """Pad the last three dims of `self` with their edge values into `out`.

    `self` and `out` have 4 or 5 dims; `padding` is left, right, top,
    bottom, front, back.  All else as in `aclnn_replication_pad1d`.
    """
    return PAD3D.prepare((self, padding, out), product)[1].run()


def aclnn_replication_pad3d_get_workspace_size(
    self: Any, padding: Any, out: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad3d`: (workspace size, executor)."""
    return PAD3D.prepare((self, padding, out), product)
