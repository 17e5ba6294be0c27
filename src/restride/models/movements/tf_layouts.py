"""TensorFlow's operators that reorder, repeat and reshape axes, and write regions."""

from __future__ import annotations

from math import prod

from restride.checks import as_axes
from restride.errors import ShapeError
from restride.models.known import Node
from restride.models.movements.movement import AtRunTimeError, Params, Steps
from restride.models.movements.steps import WHOLE, expanded, tiled
from restride.models.movements.tf_names import (
    list_of,
    one_axis,
    rank_of,
    shape_of,
)
from restride.ops.extents import fill_extent
from restride.translate.meaning import Reshape, Select, Transpose, Write

__all__ = [
    "broadcast_to",
    "depth_to_space",
    "dynamic_update",
    "expand_dims",
    "reshape",
    "space_to_depth",
    "squeeze",
    "tile",
    "transpose",
]


def transpose(node: Node, p: Params) -> tuple[Steps, ...]:
    """Transpose: result axis r is axis ``perm[r]``."""
    given = list_of(p, "perm", 1)
    p.settle()
    order = as_axes(given, rank_of(node, "perm counts in the input"), "perm")
    if len(order) != rank_of(node, ""):
        raise ShapeError(
            f"{node.op}: perm names {len(order)} axes of {rank_of(node, '')}."
        )
    return ((Transpose(order),),)


def tile(node: Node, p: Params) -> tuple[Steps, ...]:
    """Tile: whole axes, one after the other."""
    times = list_of(p, "multiples", 1)
    p.settle()
    shape = shape_of(node, "repeated are whole axes")
    if len(times) != len(shape) or min(times, default=0) < 0:
        raise ShapeError(f"{node.op}: multiples {times} for {len(shape)} axes.")
    return (tiled(times, shape),)


def broadcast_to(node: Node, p: Params) -> tuple[Steps, ...]:
    """BroadcastTo: leading axes added, then axes of extent 1 repeated."""
    wanted = list_of(p, "shape", 1)
    p.settle()
    rank = rank_of(node, "leading axes are added")
    if len(wanted) < rank or min(wanted, default=0) < 0:
        raise ShapeError(f"{node.op}: shape {wanted} for {rank} axes.")
    return (expanded(rank, wanted),)


def depth_to_space(node: Node, p: Params) -> tuple[Steps, ...]:
    """DepthToSpace: channels dealt out to blocks of rows and columns."""
    b, (n, h, w, c) = _image(node, p)
    if c % b**2:
        raise ShapeError(f"{node.op}: {c} channels are no multiple of {b} squared.")
    inner = c // b**2
    split, whole = (n, h, w, b, b, inner), (n, h * b, w * b, inner)
    return ((Reshape(split), Transpose((0, 1, 3, 2, 4, 5)), Reshape(whole)),)


def space_to_depth(node: Node, p: Params) -> tuple[Steps, ...]:
    """SpaceToDepth: blocks of rows and columns dealt out to channels."""
    b, (n, h, w, c) = _image(node, p)
    if h % b or w % b:
        raise ShapeError(f"{node.op}: {h} by {w} is no multiple of {b}.")
    split, whole = (n, h // b, b, w // b, b, c), (n, h // b, w // b, c * b**2)
    return ((Reshape(split), Transpose((0, 1, 3, 2, 4, 5)), Reshape(whole)),)


def _image(node: Node, p: Params) -> tuple[int, tuple[int, ...]]:
    """The block and the extents, in the order NHWC."""
    block, layout = int(p.value("block_size", None, 0)), p.text("data_format", "NHWC")
    if layout != "NHWC":
        raise AtRunTimeError(
            f"data_format {layout}: only NHWC is followed here.", "data_format"
        )
    shape = shape_of(node, "blocks are cut from whole axes")
    if len(shape) != 4 or block < 1:
        raise ShapeError(f"{node.op}: block_size {block} of {shape}; four axes needed.")
    return block, shape


def reshape(node: Node, p: Params) -> tuple[Steps, ...]:
    """Reshape, whose shape TensorFlow Lite may also hold as an attribute."""
    late = len(node.inputs) > 1
    wanted = list_of(p, "shape", 1) if late else list_of(p, "new_shape", 9)
    p.settle()
    if -1 not in wanted and min(wanted, default=0) >= 0:
        return ((Reshape(wanted),),)
    shape = shape_of(node, "one extent is what is left")
    made = fill_extent(wanted, shape)
    if prod(made) != prod(shape):
        raise ShapeError(f"{node.op}: {shape} has not the elements of {made}.")
    return ((Reshape(made),),)


def squeeze(node: Node, p: Params) -> tuple[Steps, ...]:
    """Squeeze: axes of extent 1 go, the named ones or all."""
    given = p.ints("squeeze_dims", None) or p.ints("axis", None)
    shape = shape_of(node, "axes of extent 1 go")
    ones = [k for k, n in enumerate(shape) if n == 1]
    axes = as_axes(given, len(shape), "squeeze_dims") if given else ones
    if not set(axes) <= set(ones):
        raise ShapeError(f"{node.op}: axes {list(axes)} of {shape} are not all 1.")
    entries = [0 if k in axes else WHOLE for k in range(len(shape))]
    return ((Select(tuple(entries)),),)


def expand_dims(node: Node, p: Params) -> tuple[Steps, ...]:
    """ExpandDims: a new axis of extent 1."""
    given = list_of(p, "axis", 1)
    p.settle()
    rank = rank_of(node, "the axis counts in the result")
    at = one_axis(given, rank + 1)
    return ((Select((*[WHOLE] * at, None, *[WHOLE] * (rank - at))),),)


def dynamic_update(node: Node, p: Params) -> tuple[Steps, ...]:
    """DYNAMIC_UPDATE_SLICE: a box written where it fits, its start moved inside.

    Notes
    -----
    tensorflow/lite/kernels/dynamic_update_slice.cc clamps each start to
    ``0..extent - size``.
    """
    starts = list_of(p, "start_indices", 2)
    p.settle()
    shape, update = shape_of(node, "the start is moved inside"), node.input(1)
    if update is None or update.extents is None:
        raise AtRunTimeError("the update's shape is known when it runs.", "update")
    sizes = update.extents
    fits = len(starts) == len(shape) == len(sizes)
    if not fits or any(s > n for s, n in zip(sizes, shape, strict=True)):
        raise ShapeError(f"{node.op}: an update of {sizes} at {starts} in {shape}.")
    entries = []
    for start, size, n in zip(starts, sizes, shape, strict=True):
        begin = min(max(start, 0), n - size)
        entries.append(slice(begin, begin + size))
    return ((Write(tuple(entries)),),)
