"""Limits that are TensorFlow's kernels', not the operators': ranks they are built for.

Another implementation of the same operators may have others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import prod

from restride.dialects.tensorflow.errors import TensorFlowError
from restride.dialects.tensorflow.spec import Spec
from restride.layout.index_map import Entry

__all__ = ["check_kernel", "check_kernel_rank", "check_mirror_rank", "check_pad_kernel"]

SLICE_RANK = 8
"""Most axes of the slicing kernels (strided_slice_op.cc, HANDLE_DIM)."""

MASKED_RANK = 31
"""Most axes that their masks of axes can speak of (strided_slice_op.cc: ``1 << i``)."""

ALIGNED_BYTES = 64
"""Rows of a multiple of these are sliced by address (EIGEN_MAX_ALIGN_BYTES)."""

PAD_RANK = 8
"""Most axes `pad` and `pad_v2` look at (pad_op.cc, kMaxDims)."""

PAD_KERNEL_RANK = 6
"""Most axes of their kernels, once neighbours without padding are one (pad_op.cc)."""

MIRROR_RANK = 5
"""Most axes `mirror_pad` and its gradient take (mirror_pad_op.cc, kMaxDims)."""


def check_kernel_rank(op: str, rank: int) -> None:
    """Refuse a write into more axes than the slicing kernels have."""
    if rank > SLICE_RANK:
        raise _refused(op, rank, SLICE_RANK)


def check_kernel(
    spec: Spec, entries: Sequence[Entry], shape: Sequence[int], itemsize: int
) -> None:
    """Refuse a slice of more axes than the kernels have, where one would run.

    None runs where all elements are taken in order, where none is, and where whole rows
    (the elements of one index of axis 0) of a multiple of 64 bytes are.
    """
    if len(shape) <= SLICE_RANK:
        return
    owners = spec.owners(shape)
    if len(shape) > MASKED_RANK and any(k is not None for k in owners):
        # A bit is shifted out of TensorFlow's masks: its answer means nothing.
        raise _refused(spec.op, len(shape), MASKED_RANK)
    counts = [1 if isinstance(e, int) else e[2] for e in entries if e is not None]
    straight = [k is None or spec.strides[k] == 1 for k in owners]
    rows = all(straight) and counts[1:] == list(shape[1:])
    row_bytes = prod(shape[1:]) * itemsize
    if 0 in counts or (
        rows and (counts[0] == shape[0] or row_bytes % ALIGNED_BYTES == 0)
    ):
        return
    raise _refused(spec.op, len(shape), SLICE_RANK)


def check_mirror_rank(op: str, rank: int) -> None:
    """Refuse more axes than mirrors have."""
    if rank > MIRROR_RANK:
        raise _refused(op, rank, MIRROR_RANK)


def check_pad_rank(op: str, rank: int) -> None:
    """Refuse more axes than the pads look at."""
    if rank > PAD_RANK:
        raise _refused(op, rank, PAD_RANK)


def check_pad_kernel(
    op: str, shape: Sequence[int], pairs: Sequence[tuple[int, int]]
) -> None:
    """Refuse a pad of more axes than its kernel has, neighbours unpadded being one.

    None runs where the result has as many elements as the input.
    """
    after = [n + sum(pair) for n, pair in zip(shape, pairs, strict=True)]
    runs = groupby(any(pair) for pair in pairs)
    axes = sum(len(list(run)) if padded else 1 for padded, run in runs)
    if axes > PAD_KERNEL_RANK and prod(after) != prod(shape):
        raise TensorFlowError(
            op,
            "rank",
            f"paddings leave {axes} axes, neighbours without padding counted as one; "
            f"TensorFlow's kernel has at most {PAD_KERNEL_RANK}. Pad in two steps.",
        )


def _refused(op: str, rank: int, most: int) -> TensorFlowError:
    return TensorFlowError(
        op,
        "rank",
        f"{rank} axes; TensorFlow's kernel has at most {most}. Merge neighbouring axes "
        "first.",
    )
