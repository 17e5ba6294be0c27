"""One StridedSlice of TensorFlow: its arguments, and its checks in TensorFlow's order.

Notes
-----
TensorFlow 2.21, ``ValidateStridedSliceOp`` and ``BuildDenseSpec`` of
tensorflow/core/util/strided_slice_op.cc: equal lengths below 32, one ellipsis, entries
assigned to axes from the left, and then axis by axis its stride, the stride of a single
index, the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.dialects.tensorflow.errors import TensorFlowError, in_words
from restride.dialects.tensorflow.tensors import as_integers, as_mask
from restride.layout.index_map import Entry
from restride.ops.masks import kinds
from restride.ops.strided_slice import StridedSlice

__all__ = ["Spec", "as_spec"]

MOST_ENTRIES = 31
"""Most entries of a slice: TensorFlow's masks have 32 bits, and one is kept back."""

INDEX_DTYPES = {"strided_slice": ("int16", "int32", "int64")}
"""Dtypes of begin, end and strides; the gradient and the update take no int16."""

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


@dataclass(frozen=True, slots=True)
class Spec:
    """The lists and masks of one call, of equal lengths and integers by now."""

    op: str
    begin: tuple[int, ...]
    end: tuple[int, ...]
    strides: tuple[int, ...]
    masks: tuple[int, int, int, int, int]

    def plain(self) -> StridedSlice:
        """The same slice as the plain operator."""
        return StridedSlice(self.begin, self.end, self.strides, *self.masks)

    def entries(self, shape: Sequence[int]) -> list[Entry]:
        """What each entry takes from `shape`, all of TensorFlow's checks passed."""
        owners = self.owners(shape)
        for axis, k in enumerate(owners):
            if k is not None:
                self._check_axis(axis, k, shape[axis])
        with in_words(self.op):
            return self.plain().entries(shape)

    def owners(self, shape: Sequence[int]) -> list[int | None]:
        """The entry that each axis is sliced by; None for a whole axis."""
        _, _, ellipsis, new_axis, shrink = self.masks
        if ellipsis & (ellipsis - 1):
            raise self._refuse(
                "multiple_ellipsis",
                f"ellipsis_mask = {ellipsis:#b} sets several bits; one is allowed.",
            )
        found = kinds(len(self.begin), ellipsis, new_axis, shrink)
        used = [k for k, kind in enumerate(found) if kind in ("index", "range")]
        if len(used) > len(shape):
            raise self._too_many(len(used), shape)
        whole: list[int | None] = [None] * (len(shape) - len(used))
        if "ellipsis" not in found:
            return [*used, *whole]
        first = sum(k < found.index("ellipsis") for k in used)
        return [*used[:first], *whole, *used[first:]]

    def _too_many(self, count: int, shape: Sequence[int]) -> TensorFlowError:
        if not shape:
            return self._refuse(
                "scalar_input",
                "input is a scalar and has no axis to slice; only new axes and an "
                "ellipsis are allowed.",
            )
        return self._refuse(
            "too_many_indices",
            f"{count} entries need an axis and input has shape {tuple(shape)}; leave "
            f"out {count - len(shape)}.",
        )

    def _check_axis(self, axis: int, k: int, n: int) -> None:
        stride = self.strides[k]
        where = f"strides[{k}] = {stride} on axis {axis}"
        if stride == 0:
            raise self._refuse("zero_stride", f"{where}; give any other stride.")
        if not self.masks[4] >> k & 1:
            return
        if stride < 0:
            raise self._refuse(
                "shrink_stride",
                f"{where}, which shrink_axis_mask takes one index of; give stride 1.",
            )
        if not -n <= self.begin[k] < n:
            allowed = f"{-n} to {n - 1} is allowed" if n else "it has no elements"
            raise self._refuse(
                "index_out_of_bounds",
                f"begin[{k}] = {self.begin[k]} is outside axis {axis} of extent {n}; "
                f"{allowed} where shrink_axis_mask has its bit.",
            )

    def _refuse(self, kind: Any, message: str) -> TensorFlowError:
        return TensorFlowError(self.op, kind, message)


def as_spec(
    op: str, begin: Any, end: Any, strides: Any, masks: tuple[Any, ...]
) -> Spec:
    """The arguments of `op`: three 1-D index tensors of one length, and the masks."""
    given = dict(zip(("begin", "end", "strides"), (begin, end, strides), strict=True))
    dtypes = INDEX_DTYPES.get(op, ("int32", "int64"))
    lists = [as_integers(op, name, value, dtypes) for name, value in given.items()]
    numbers = [as_mask(op, *pair) for pair in zip(MASKS, masks, strict=True)]
    shapes = [array.shape for array in lists]
    one_d = all(len(shape) == 1 for shape in shapes) and len(set(shapes)) == 1
    if not one_d or lists[0].size > MOST_ENTRIES:
        raise TensorFlowError(
            op,
            "shape_mismatch",
            f"begin, end and strides have shapes {', '.join(map(str, shapes))}; give "
            f"three lists of one length, at most {MOST_ENTRIES}.",
        )
    first, last, steps = (tuple(array.tolist()) for array in lists)
    b, e, ellipsis, new, shrink = numbers
    return Spec(op, first, last, steps, (b, e, ellipsis, new, shrink))
