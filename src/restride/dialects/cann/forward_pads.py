"""What the replication and reflection pads share: K dims padded from themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.dialects.cann.checks import Door
from restride.dialects.cann.executor import Executor
from restride.dialects.cann.pads import by_dim, move, padded
from restride.dialects.cann.tensor import AclTensor, as_tensor, int_array
from restride.targets import Product

__all__ = ["Forward"]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]
Tensors = tuple[AclTensor, Ints, AclTensor]


@dataclass(frozen=True)
class Forward:
    """One of the six functions: its name, mode and number of padded dims."""

    operator: str
    mode: str
    """"edge" or "reflect"."""
    dims: int
    """K: the last K dims are padded; self has K + 1 or K + 2."""

    def prepare(
        self, given: tuple[Any, Any, Any], product: str | Product | None
    ) -> tuple[int, Executor]:
        """The first phase for (self, padding, out)."""
        door = Door(self.operator, product)
        source = door.pointer("self", as_tensor(given[0], "self", self.operator))
        padding = door.pointer("padding", int_array(given[1], "padding", self.operator))
        out = door.pointer("out", as_tensor(given[2], "out", self.operator))
        door.check_product()
        self._check_kinds(door, source, out)
        check_shape = self._replicated if self.mode == "edge" else self._reflected
        check_shape(door, source, padding, out)
        executor = self._planned(source, padding, out)
        return executor.workspace_size, executor

    def _check_kinds(self, door: Door, self_: AclTensor, out: AclTensor) -> None:
        """Dtypes, then formats; aclnnReplicationPad2d looks at formats first."""
        formats_first = self.operator == "aclnnReplicationPad2d"
        if formats_first:
            door.check_view_formats(self=self_, out=out)
        door.check_dtypes(self=self_, out=out)
        door.check_same_dtype(self=self_, out=out)
        if not formats_first:
            door.check_view_formats(self=self_, out=out)

    def _check_ranks(
        self, door: Door, self_: AclTensor, padding: Ints, out: AclTensor
    ) -> None:
        door.check_rank("self", self_, self.dims + 1, self.dims + 2)
        door.check_same_rank(self=self_, out=out)
        door.check_length("padding", padding, 2 * self.dims)

    def _replicated(
        self, door: Door, self_: AclTensor, padding: Ints, out: AclTensor
    ) -> None:
        self._check_ranks(door, self_, padding, out)
        self._check_out(door, self_, padding, out, 0)
        self._check_empty(door, self_, out)

    def _reflected(
        self, door: Door, self_: AclTensor, padding: Ints, out: AclTensor
    ) -> None:
        """The padded dims of out before empty tensors, the others after."""
        self._check_ranks(door, self_, padding, out)
        door.check_reflection(self_.shape, padding)
        self._check_out(door, self_, padding, out, self_.rank - self.dims)
        self._check_empty(door, self_, out)
        if not (self_.is_empty or out.is_empty):
            self._check_out(door, self_, padding, out, 0)
            self._check_crops(door, self_, padding)

    def _check_out(
        self, door: Door, self_: AclTensor, padding: Ints, out: AclTensor, start: int
    ) -> None:
        pairs = by_dim(padding, self_.rank)
        wanted = padded(self_.shape, pairs)
        for axis in range(start, self_.rank):
            if out.shape[axis] != wanted[axis]:
                door.refuse(
                    f"out has extent {out.shape[axis]} in dim {axis}; "
                    f"{self_.shape[axis]} padded by {pairs[axis]} is {wanted[axis]}."
                )

    def _check_empty(self, door: Door, self_: AclTensor, out: AclTensor) -> None:
        if not (self_.is_empty or out.is_empty):
            return
        if self_.rank == self.dims + 1 or 0 in self_.shape[1:]:
            door.refuse(
                f"self has shape {self_.shape} and out {out.shape}; an empty tensor "
                f"must have {self.dims + 2} dims, and only dim 0 of self may be 0."
            )

    def _check_crops(self, door: Door, self_: AclTensor, padding: Ints) -> None:
        for axis, pair in enumerate(by_dim(padding, self_.rank)):
            if min(pair) < -self_.shape[axis]:
                door.refuse(
                    f"padding {pair} on dim {axis} of extent {self_.shape[axis]}; a "
                    f"side may crop at most {self_.shape[axis]}."
                )

    def _planned(self, self_: AclTensor, padding: Ints, out: AclTensor) -> Executor:
        tensors = {"self": self_, "out": out}
        if self_.is_empty or out.is_empty:
            return Executor(self.operator, None, tensors)
        pairs = by_dim(padding, self_.rank)

        def work(source: Array, target: Array) -> None:
            move(source, target, pairs, self.mode)

        return Executor(self.operator, work, tensors)
