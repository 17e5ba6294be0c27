"""Backward of the replication and reflection pads: six functions, one rule.

``gradInput[s] = sum of gradOutput[r] over the r that copy element s``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.dialects.cann.checks import Door
from restride.dialects.cann.executor import Executor
from restride.dialects.cann.pads import add_back, by_dim, padded
from restride.dialects.cann.tensor import AclTensor, as_tensor, int_array
from restride.targets import Product

__all__ = ["Backward"]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

BF16_MOST = 7
"""Widest padding of aclnn...Pad2dBackward in bf16, where the rows are padded too."""


@dataclass(frozen=True)
class Backward:
    """One of the six functions: its name, mode and number of padded dims.

    Notes
    -----
    CANN ops-math, conversion/pad_v3_grad_replicate/op_host/op_api (1d and 2d edge, 2d
    reflect), pad_v4_grad (1d reflect), pad_v3_grad_replication and
    reflection_pad3d_grad (3d).
    """

    operator: str
    mode: str
    """"edge" or "reflect"."""
    dims: int
    """K: the last K dims were padded; self has K + 1 or K + 2."""

    def prepare(
        self, given: tuple[Any, Any, Any, Any], product: str | Product | None
    ) -> tuple[int, Executor]:
        """The first phase for (gradOutput, self, padding, gradInput)."""
        door, name = Door(self.operator, product), self.operator
        grad_output = door.pointer(
            "gradOutput", as_tensor(given[0], "gradOutput", name)
        )
        source = door.pointer("self", as_tensor(given[1], "self", name))
        padding = door.pointer("padding", int_array(given[2], "padding", name))
        grad_input = door.pointer("gradInput", as_tensor(given[3], "gradInput", name))
        tensors = {"gradOutput": grad_output, "self": source, "gradInput": grad_input}
        door.check_product()
        door.check_dtypes(**tensors)
        door.check_same_dtype(**tensors)
        door.check_public_formats(**tensors)
        door.check_view_formats(**tensors)
        self._check_shapes(door, grad_output, source, padding, grad_input)
        executor = self._planned(grad_output, source, padding, grad_input)
        return executor.workspace_size, executor

    def _check_shapes(
        self,
        door: Door,
        grad_output: AclTensor,
        self_: AclTensor,
        padding: Ints,
        grad_input: AclTensor,
    ) -> None:
        if grad_input.shape != self_.shape:
            door.refuse(
                f"gradInput has shape {grad_input.shape} and self {self_.shape}; they "
                "must be equal."
            )
        door.check_rank("self", self_, self.dims + 1, self.dims + 2)
        door.check_same_rank(gradOutput=grad_output, self=self_)
        door.check_length("padding", padding, 2 * self.dims)
        if self.mode == "reflect":
            door.check_reflection(self_.shape, padding)
        self._check_bf16(door, self_, padding)
        self._check_gradient(door, grad_output, self_, padding)
        self._check_empty(door, grad_output, self_)

    def _check_bf16(self, door: Door, self_: AclTensor, padding: Ints) -> None:
        if self.dims != 2 or self_.dtype.name != "bf16":
            return
        if min(padding) < 0 or (any(padding[2:]) and max(padding) > BF16_MOST):
            door.refuse(
                f"padding = {list(padding)} in bf16; allowed are values of 0 to "
                f"{BF16_MOST}, or any from 0 on where top and bottom are 0."
            )

    def _check_gradient(
        self, door: Door, grad_output: AclTensor, self_: AclTensor, padding: Ints
    ) -> None:
        pairs = by_dim(padding, self_.rank)
        wanted = padded(self_.shape, pairs)
        if grad_output.shape != wanted:
            door.refuse(
                f"gradOutput has shape {grad_output.shape}; the forward pad of self "
                f"{self_.shape} by {list(padding)} gives {wanted}."
            )
        for axis, pair in enumerate(pairs):
            if self.mode == "reflect" and min(pair) < -self_.shape[axis]:
                door.refuse(
                    f"padding {pair} on dim {axis} of extent {self_.shape[axis]}; a "
                    f"side may crop at most {self_.shape[axis]}."
                )

    def _check_empty(
        self, door: Door, grad_output: AclTensor, self_: AclTensor
    ) -> None:
        """Which empty tensors pass differs from function to function."""
        if not (grad_output.is_empty or self_.is_empty):
            return
        batched = self_.rank == self.dims + 2
        # 1d and 2d reflect also take the lower rank, empty in dim 0 alone.
        lower_passes = self.mode == "reflect" and self.dims < 3
        if 0 in self_.shape[1:] or not (batched or lower_passes):
            door.refuse(
                f"self has shape {self_.shape} and gradOutput {grad_output.shape}; an "
                "empty tensor must be empty in dim 0 alone"
                + ("." if lower_passes else f", and have {self.dims + 2} dims.")
            )

    def _planned(
        self,
        grad_output: AclTensor,
        self_: AclTensor,
        padding: Ints,
        grad_input: AclTensor,
    ) -> Executor:
        tensors = {"gradOutput": grad_output, "gradInput": grad_input}
        if grad_output.is_empty or self_.is_empty:
            return Executor(self.operator, None, tensors)
        pairs, shape = by_dim(padding, self_.rank), self_.shape

        def work(gradient: Array, target: Array) -> None:
            target[...] = add_back(gradient, shape, pairs, self.mode)

        return Executor(self.operator, work, tensors)
