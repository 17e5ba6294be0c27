"""The doors of the six backward functions; `backward` holds their rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.dialects.cann.backward import Backward
from restride.dialects.cann.executor import Executor
from restride.targets import Product

__all__ = [
    "aclnn_replication_pad1d_backward",
    "aclnn_replication_pad1d_backward_get_workspace_size",
    "aclnn_replication_pad2d_backward",
    "aclnn_replication_pad2d_backward_get_workspace_size",
    "aclnn_replication_pad3d_backward",
    "aclnn_replication_pad3d_backward_get_workspace_size",
    "aclnn_reflection_pad1d_backward",
    "aclnn_reflection_pad1d_backward_get_workspace_size",
    "aclnn_reflection_pad2d_backward",
    "aclnn_reflection_pad2d_backward_get_workspace_size",
    "aclnn_reflection_pad3d_backward",
    "aclnn_reflection_pad3d_backward_get_workspace_size",
]

Array = np.ndarray[Any, Any]
On = str | Product | None

REPLICATION_1D = Backward("aclnnReplicationPad1dBackward", "edge", 1)
REPLICATION_2D = Backward("aclnnReplicationPad2dBackward", "edge", 2)
REPLICATION_3D = Backward("aclnnReplicationPad3dBackward", "edge", 3)
REFLECTION_1D = Backward("aclnnReflectionPad1dBackward", "reflect", 1)
REFLECTION_2D = Backward("aclnnReflectionPad2dBackward", "reflect", 2)
REFLECTION_3D = Backward("aclnnReflectionPad3dBackward", "reflect", 3)


def aclnn_replication_pad1d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_replication_pad1d` into `grad_input`.

    Parameters
    ----------
    grad_output : AclTensor, ndarray or None
        Gradient of the padded tensor; None is a null pointer.
    self, grad_input : AclTensor, ndarray or None
        Of the unpadded shape; of `self` only the description counts.
    padding : sequence of 2 ints or None
        As in the forward function.
    product : str or Product, optional
        None: the dtypes of Atlas A2.

    Returns
    -------
    ndarray
        `grad_input`, written; floats of 16 bits are summed in 32.

    Raises
    ------
    AclnnError
        In this order: a null pointer; dtypes; formats; ranks, the length of `padding`,
        a mirror not below its dim, the shape of `grad_output`; an empty tensor where
        the function takes none.

    Notes
    -----
    CANN ops-math, see `Backward`.

    Examples
    --------
    >>> import numpy as np
    >>> ones, x = np.ones((1, 5), np.float32), np.zeros((1, 3), np.float32)
    >>> aclnn_replication_pad1d_backward(ones, x, [1, 1], x.copy()).tolist()
    [[2.0, 1.0, 2.0]]
    """
    given = grad_output, self, padding, grad_input
    return REPLICATION_1D.prepare(given, product)[1].run()


def aclnn_replication_pad1d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad1d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REPLICATION_1D.prepare(given, product)


def aclnn_replication_pad2d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_replication_pad2d` into `grad_input`.

    `padding` has 4 values; all else as in `aclnn_replication_pad1d_backward`. In bf16
    the padding is bounded by 7.
    """
    given = grad_output, self, padding, grad_input
    return REPLICATION_2D.prepare(given, product)[1].run()


def aclnn_replication_pad2d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad2d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REPLICATION_2D.prepare(given, product)


def aclnn_replication_pad3d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_replication_pad3d` into `grad_input`.

    `padding` has 6 values; all else as in `aclnn_replication_pad1d_backward`.
    """
    given = grad_output, self, padding, grad_input
    return REPLICATION_3D.prepare(given, product)[1].run()


def aclnn_replication_pad3d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_replication_pad3d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REPLICATION_3D.prepare(given, product)


def aclnn_reflection_pad1d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_reflection_pad1d` into `grad_input`.

    Parameters
    ----------
    grad_output : AclTensor, ndarray or None
        Gradient of the padded tensor; None is a null pointer.
    self, grad_input : AclTensor, ndarray or None
        Of the unpadded shape; of `self` only the description counts.
    padding : sequence of 2 ints or None
        As in the forward function.
    product : str or Product, optional
        None: the dtypes of Atlas A2.

    Returns
    -------
    ndarray
        `grad_input`, written; floats of 16 bits are summed in 32.

    Raises
    ------
    AclnnError
        In this order: a null pointer; dtypes; formats; ranks, the length of `padding`,
        a mirror not below its dim, the shape of `grad_output`; an empty tensor where
        the function takes none.

    Notes
    -----
    CANN ops-math, see `Backward`.

    Examples
    --------
    >>> import numpy as np
    >>> ones, x = np.ones((1, 5), np.float32), np.zeros((1, 3), np.float32)
    >>> aclnn_reflection_pad1d_backward(ones, x, [1, 1], x.copy()).tolist()
    [[1.0, 3.0, 1.0]]
    """
    given = grad_output, self, padding, grad_input
    return REFLECTION_1D.prepare(given, product)[1].run()


def aclnn_reflection_pad1d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad1d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REFLECTION_1D.prepare(given, product)


def aclnn_reflection_pad2d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_reflection_pad2d` into `grad_input`.

    `padding` has 4 values; all else as in `aclnn_reflection_pad1d_backward`. In bf16
    the padding is bounded by 7.
    """
    given = grad_output, self, padding, grad_input
    return REFLECTION_2D.prepare(given, product)[1].run()


def aclnn_reflection_pad2d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad2d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REFLECTION_2D.prepare(given, product)


def aclnn_reflection_pad3d_backward(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> Array | None:
    """Gradient of `aclnn_reflection_pad3d` into `grad_input`.

    `padding` has 6 values; all else as in `aclnn_reflection_pad1d_backward`.
    """
    given = grad_output, self, padding, grad_input
    return REFLECTION_3D.prepare(given, product)[1].run()


def aclnn_reflection_pad3d_backward_get_workspace_size(
    grad_output: Any, self: Any, padding: Any, grad_input: Any, *, product: On = None
) -> tuple[int, Executor]:
    """First phase of `aclnn_reflection_pad3d_backward`: (workspace size, executor)."""
    given = grad_output, self, padding, grad_input
    return REFLECTION_3D.prepare(given, product)
