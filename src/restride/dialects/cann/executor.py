"""The second phase: what the first one checked and planned, ready to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from restride.arrays import as_target
from restride.dialects.cann.errors import (
    INVALID,
    NULLPTR,
    AclnnError,
    aclnn_errors,
)
from restride.dialects.cann.tensor import AclTensor

__all__ = ["Executor"]

Array = np.ndarray[Any, Any]
Work = Callable[..., None]
"""Writes the result into the last of its arrays, from the others."""


class Executor:
    """``aclOpExecutor``: made by a ``..._get_workspace_size`` function.

    Attributes
    ----------
    operator : str
        "aclnnConstantPadNd", ...
    workspace_size : int
        Bytes of workspace this library needs: 0.  A device may ask for more.
    """

    def __init__(
        self, operator: str, work: Work | None, tensors: dict[str, AclTensor]
    ) -> None:
        self.operator = operator
        self.workspace_size = 0
        self._work = work
        self._tensors = tensors

    @property
    def does_nothing(self) -> bool:
        """Whether ``run`` leaves the output untouched, as for empty tensors."""
        return self._work is None

    def run(self, workspace: Any = None) -> Array | None:
        """Write the output tensor, and return it as a NumPy array.

        Parameters
        ----------
        workspace : object, optional
            Not used: `workspace_size` is 0.

        Raises
        ------
        AclnnError
            Stage "run": a tensor without data, or an output that cannot be written.
        """
        *sources, (name, last) = self._tensors.items()
        if self._work is None:
            return last.array
        arrays = [self._held(n, t) for n, t in sources]
        out = self._held(name, last)
        with aclnn_errors(self.operator, INVALID, "run"):
            target = as_target(out, last.shape, None, name)
            self._work(*arrays, target)
        return out

    def _held(self, name: str, tensor: AclTensor) -> Array:
        if tensor.array is None:
            raise AclnnError(
                self.operator,
                NULLPTR,
                f"{name} has no data: the first phase looks at descriptions only, the "
                "second needs AclTensor(..., data=array).",
                "run",
            )
        return tensor.array

    def __repr__(self) -> str:
        return f"Executor({self.operator}, workspace_size={self.workspace_size})"
