"""TensorFlow's slices, pads and splits: their steps, and what they refuse."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from restride.checks import as_axes
from restride.errors import ShapeError
from restride.models.known import Node
from restride.models.movements.movement import AtRunTimeError, Params, Steps
from restride.models.movements.steps import MOST_PARTS, WHOLE, said, split_up
from restride.models.movements.tf_names import (
    data_of,
    list_of,
    one_axis,
    rank_of,
    shape_of,
)
from restride.translate.meaning import Select

__all__ = [
    "gather",
    "mirror_pad",
    "pad",
    "reverse",
    "slice_begin_size",
    "split",
    "split_v",
    "strided_slice",
    "update",
]

MASKS = tuple(
    f"{what}_mask" for what in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
)


def _masked(p: Params) -> dict[str, Any]:
    """Lists and masks, with TensorFlow Lite's ends that count from the begin."""
    names = ("begin", "end", "strides")
    begin, end, strides = (list_of(p, name, k + 1) for k, name in enumerate(names))
    masks = {name: int(p.value(name, None, 0)) for name in MASKS}
    if p.value("offset", None, False) and not p.late:
        end = tuple(a + b for a, b in zip(begin, end, strict=True))
    p.settle()
    return {"begin": begin, "end": end, "strides": strides, **masks}


def strided_slice(node: Node, p: Params) -> tuple[Steps, ...]:
    """StridedSlice with its five masks."""
    return said("tensorflow", "strided_slice", _masked(p), data_of(node))


def update(node: Node, p: Params) -> tuple[Steps, ...]:
    """TensorStridedSliceUpdate: a region write."""
    return said("tensorflow", "tensor_strided_slice_update", _masked(p), data_of(node))


def slice_begin_size(node: Node, p: Params) -> tuple[Steps, ...]:
    """Slice: a begin and a size per axis, -1 for the rest."""
    begin, size = list_of(p, "begin", 1), list_of(p, "size", 2)
    p.settle()
    fits = len(begin) == len(size)
    if not fits or min(begin, default=0) < 0 or min(size, default=0) < -1:
        raise ShapeError(f"{node.op}: begin {begin}, size {size}; one each, from 0 on.")
    shape = data_of(node).extents
    ranges = list(zip(begin, size, strict=True))
    if shape is not None and len(shape) != len(ranges):
        raise ShapeError(f"{node.op}: {len(ranges)} entries for {len(shape)} axes.")
    for n, (first, count) in zip(shape or (), ranges, strict=False):
        if first + max(count, 0) > n:
            raise ShapeError(f"{node.op}: begin {first}, size {count} of extent {n}.")
    taken = [slice(b, None if n == -1 else b + n) for b, n in ranges]
    return ((Select(tuple(taken)),),)


def pad(node: Node, p: Params) -> tuple[Steps, ...]:
    """Pad and PadV2; a quantised Pad of TensorFlow Lite writes its zero point."""
    fill = p.value("pad_value", None, 0)
    if len(node.inputs) > 2:
        fill = p.value("constant_values", 2, 0)
    words = {"paddings": _pairs(p), "constant_values": fill}
    return said("tensorflow", "pad_v2", words, data_of(node))


def mirror_pad(node: Node, p: Params) -> tuple[Steps, ...]:
    """MirrorPad, no wider than TensorFlow allows."""
    mode = p.text("mode", "")
    pairs = _pairs(p)
    shape = data_of(node).extents
    for axis, (pair, n) in enumerate(zip(pairs, shape or (), strict=False)):
        most = n - 1 if mode == "REFLECT" else n
        if max(pair) > most:
            raise ShapeError(
                f"{node.op}: paddings[{axis}] = {pair} on extent {n}; {mode} allows "
                f"{most}."
            )
    return said(
        "tensorflow", "mirror_pad", {"paddings": pairs, "mode": mode}, data_of(node)
    )


def _pairs(p: Params) -> tuple[tuple[int, ...], ...]:
    """(before, after) per axis, from the tensor that holds them row by row."""
    flat = list_of(p, "paddings", 1)
    p.settle()
    if len(flat) % 2:
        raise ShapeError(f"{p.node.op}: paddings has length {len(flat)}, no pairs.")
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def reverse(node: Node, p: Params) -> tuple[Steps, ...]:
    """ReverseV2: the named axes turned round."""
    given = list_of(p, "axis", 1)
    p.settle()
    rank = rank_of(node, "axes count in the input")
    axes = as_axes(given, rank, "axis")
    turned = [slice(None, None, -1) if k in axes else WHOLE for k in range(rank)]
    return ((Select(tuple(turned)),),)


def split(node: Node, p: Params) -> tuple[Steps, ...]:
    """Split: equal parts of an axis."""
    given = list_of(p, "axis", 0)
    count = int(p.value("num_split", None, 0))
    p.settle()
    shape = shape_of(node, "parts are equal")
    axis = one_axis(given, len(shape))
    if not 0 < count <= MOST_PARTS or shape[axis] % count:
        raise ShapeError(f"{node.op}: extent {shape[axis]} in {count} equal parts.")
    return split_up(axis, (shape[axis] // count,) * count)


def split_v(node: Node, p: Params) -> tuple[Steps, ...]:
    """SplitV: parts of given sizes, one of which may be -1."""
    sizes, given = list_of(p, "size_splits", 1), list_of(p, "axis", 2)
    p.settle()
    shape = shape_of(node, "the parts make up an axis")
    axis = one_axis(given, len(shape))
    if len(sizes) > MOST_PARTS or sizes.count(-1) > 1:
        raise ShapeError(f"{node.op}: {len(sizes)} sizes, {sizes.count(-1)} times -1.")
    left = shape[axis] - sum(n for n in sizes if n != -1)
    sizes = tuple(left if n == -1 else n for n in sizes)
    if sum(sizes) != shape[axis] or min(sizes, default=0) < 0:
        raise ShapeError(f"{node.op}: {sizes[:16]} do not make up {shape[axis]}.")
    return split_up(axis, sizes)


def gather(node: Node, p: Params) -> tuple[Steps, ...]:
    """Of constant indices in even steps along one axis, or of a single one."""
    where, known = list_of(p, "indices", 1), node.input(1)
    axis = p.ints("axis", 2) or (0,)
    batch = p.value("batch_dims", None, 0)
    p.settle()
    shape = shape_of(node, "indices count in an axis")
    at = one_axis(axis, len(shape))
    if batch or not where or known is None or (known.rank or 0) > 1:
        raise AtRunTimeError("its indices walk no axis in even steps.", "indices")
    if min(where) < 0 or max(where) >= shape[at]:
        raise ShapeError(f"{node.op}: indices {where[:16]} leave extent {shape[at]}.")
    if known.rank == 0:
        return ((Select((*[WHOLE] * at, where[0])),),)
    step = where[1] - where[0] if len(where) > 1 else 1
    if not step or any(b - a != step for a, b in pairwise(where)):
        raise AtRunTimeError("its indices are not evenly spaced.", "indices")
    end = where[-1] + (1 if step > 0 else -1)
    taken = slice(where[0], end if end >= 0 else None, step)
    return ((Select((*[WHOLE] * at, taken)),),)
