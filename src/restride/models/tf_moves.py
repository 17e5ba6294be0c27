"""What a node of TensorFlow or TensorFlow Lite moves, in the words both share.

TensorFlow Lite's operators have TensorFlow's inputs and attributes, so its reader names
them as TensorFlow does and one table serves both.

>>> import numpy as np
>>> from restride.models.values import held
>>> x = Known("x", "float32", (2, 3))
>>> order = held("order", np.array([1, 0]))
>>> chains("Transpose", (x, order), {})[0].shape
(3, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from restride.checks import as_axes
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.models.known import Known, Node
from restride.models.values import (
    Unknown,
    array_of,
    chain_of,
    ints_of,
    number_of,
)
from restride.ops.extents import fill_extent
from restride.ops.pad import padded
from restride.ops.strided_slice import StridedSlice

__all__ = ["LITE_NAMES", "MOVES", "SOURCES", "chains", "moved", "tf_name"]

Inputs = Sequence[Known | None]
Attributes = Mapping[str, Any]
Moves = Callable[[Inputs, Attributes], list[Chain]]

SOURCES = {"Split": 1}
"""Which input is moved, where it is not the first."""

MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")

MODES = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}


LITE_NAMES = {
    "BROADCAST_TO": "BroadcastTo",
    "DEPTH_TO_SPACE": "DepthToSpace",
    "EXPAND_DIMS": "ExpandDims",
    "GATHER": "Gather",
    "MIRROR_PAD": "MirrorPad",
    "PAD": "Pad",
    "PADV2": "PadV2",
    "RESHAPE": "Reshape",
    "REVERSE_V2": "ReverseV2",
    "SLICE": "Slice",
    "SPACE_TO_DEPTH": "SpaceToDepth",
    "SPLIT": "Split",
    "SPLIT_V": "SplitV",
    "SQUEEZE": "Squeeze",
    "STRIDED_SLICE": "StridedSlice",
    "TILE": "Tile",
    "TRANSPOSE": "Transpose",
}
"""TensorFlow's name of each operator that moves, by TensorFlow Lite's."""


def tf_name(node: Node) -> str | None:
    """TensorFlow's name of a node's operator, where it moves elements."""
    name = LITE_NAMES.get(node.op) if node.domain == "tflite" else node.op
    return name if name in MOVES else None


def moved(node: Node) -> list[Chain]:
    """The chains of a node of TensorFlow or TensorFlow Lite; see :func:`chains`.

    Raises
    ------
    Unknown
        It moves nothing, or what it moves is only known when the model runs.
    """
    name = tf_name(node)
    if name is None:
        raise Unknown(f"{node.op} is no movement")
    return chains(name, node.inputs, node.attributes)


def chains(op: str, inputs: Inputs, attributes: Attributes) -> list[Chain]:
    """Per output of the node, the chain over its source.

    Parameters
    ----------
    op : str
        A key of :data:`MOVES`.
    inputs : sequence of Known
        What is known of the node's inputs.
    attributes : mapping of str
        The node's own; defaults stand where one is absent.

    Raises
    ------
    Unknown
        A shape or parameter that decides it is not in the model.
    ShapeError, BoundsError
        The parameters do not fit the shape: the framework refuses the node.

    Notes
    -----
    TensorFlow, tensorflow/core/ops/array_ops.cc, and TensorFlow Lite's schema.fbs.
    """
    return MOVES[op](inputs, attributes)


def _input(inputs: Inputs, k: int, name: str) -> Known:
    found = inputs[k] if k < len(inputs) else None
    if found is None:
        raise ShapeError(f"input {k}, {name}, is missing.")
    return found


def _ints(inputs: Inputs, k: int, name: str) -> list[int]:
    return ints_of(_input(inputs, k, name), name)


def _strided_slice(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    names = ("begin", "end", "strides")
    begin, end, strides = (_ints(inputs, k + 1, n) for k, n in enumerate(names))
    if attributes.get("offset"):  # TensorFlow Lite: end counts from begin
        end = [a + b for a, b in zip(begin, end, strict=True)]
    masks = [number_of(attributes, f"{mask}_mask", 0) for mask in MASKS]
    spec = StridedSlice(begin, end, strides, *masks)
    return [x.select(spec.entries(x.shape))]


def _slice(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    begin, size = _ints(inputs, 1, "begin"), _ints(inputs, 2, "size")
    if not len(begin) == len(size) == len(x.shape):
        raise ShapeError(
            f"begin has {len(begin)} entries and size {len(size)} for {len(x.shape)} "
            "axes."
        )
    return [x.select([_range(*one) for one in zip(x.shape, begin, size, strict=True)])]


def _range(n: int, begin: int, size: int) -> tuple[int, int, int]:
    count = n - begin if size == -1 else size
    if begin < 0 or count < 0 or begin + count > n:
        raise ShapeError(f"begin {begin} and size {size} leave an axis of extent {n}.")
    return (begin if count else 0, 1, count)


def _pad(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    fill: Any = attributes.get("pad_value", 0)
    if len(inputs) > 2:
        value = array_of(_input(inputs, 2, "constant_values"))
        if value is None:
            raise Unknown("constant_values is not a constant of the model")
        if value.size != 1:
            raise ShapeError(f"constant_values has {value.size} elements, not one.")
        fill = value.reshape(())[()]
    return [padded(x, _pairs(inputs, x), "constant", fill)]


def _mirror_pad(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    mode = attributes.get("mode")
    if mode not in MODES:
        raise ShapeError(f"mode {mode!r} is neither REFLECT nor SYMMETRIC.")
    pairs = _pairs(inputs, x)
    for axis, (n, pair) in enumerate(zip(x.shape, pairs, strict=True)):
        most = n - 1 if mode == "REFLECT" else n
        if max(pair) > most:
            raise ShapeError(
                f"paddings[{axis}] = {pair} on extent {n}; {mode} allows {most}."
            )
    return [padded(x, pairs, MODES[mode], 0)]


def _pairs(inputs: Inputs, x: Chain) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis; TensorFlow has none below 0."""
    flat = _ints(inputs, 1, "paddings")
    if len(flat) != 2 * len(x.shape) or min(flat, default=0) < 0:
        raise ShapeError(
            f"paddings {flat[:16]} are not one (before, after), none below 0, for each "
            f"of {len(x.shape)} axes."
        )
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def _transpose(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "x"))
    order = as_axes(_ints(inputs, 1, "perm"), len(x.shape), "perm")
    if len(order) != len(x.shape):
        raise ShapeError(f"perm names {len(order)} of {len(x.shape)} axes.")
    return [x.transpose(order)]


def _tile(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    times = _ints(inputs, 1, "multiples")
    if len(times) != len(x.shape) or min(times, default=0) < 0:
        raise ShapeError(f"multiples {times} for {len(x.shape)} axes.")
    pairs = [(0, n * (m - 1)) for n, m in zip(x.shape, times, strict=True)]
    return [x.pad(pairs, "wrap")]


def _broadcast_to(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    shape = tuple(_ints(inputs, 1, "shape"))
    if min(shape, default=0) < 0:
        raise ShapeError(f"shape {shape} has an extent below 0.")
    return [chain_of(_input(inputs, 0, "input")).broadcast_to(shape)]


def _split(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 1, "value"))
    axis = _axis(_ints(inputs, 0, "axis"), x)
    count, n = number_of(attributes, "num_split", 0), x.shape[axis]
    if count < 1 or n % count:
        raise ShapeError(f"an axis of extent {n} does not split into {count} equals.")
    return _parts(x, axis, [n // count] * count)


def _split_v(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "value"))
    sizes, axis = _ints(inputs, 1, "size_splits"), _axis(_ints(inputs, 2, "axis"), x)
    n, open_ends = x.shape[axis], sizes.count(-1)
    if open_ends == 1:
        sizes = [n - (sum(sizes) + 1) if size == -1 else size for size in sizes]
    if sum(sizes) != n or min(sizes, default=0) < 0:
        raise ShapeError(f"size_splits {sizes[:16]} do not make up extent {n}.")
    return _parts(x, axis, sizes)


def _parts(x: Chain, axis: int, sizes: Sequence[int]) -> list[Chain]:
    found: list[Chain] = []
    begin = 0
    for size in sizes:
        entries = [(0, 1, n) for n in x.shape]
        entries[axis] = (begin if size else 0, 1, size)
        found.append(x.select(entries))
        begin += size
    return found


def _axis(given: list[int], x: Chain) -> int:
    if len(given) != 1:
        raise ShapeError(f"axis has {len(given)} elements, not one.")
    return as_axes(given, len(x.shape), "axis")[0]


def _depth_to_space(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x, block = _blocks(inputs, attributes)
    n, h, w, c = x.shape
    if c % block**2:
        raise ShapeError(f"depth {c} does not split into blocks of {block} squared.")
    split = x.reshape((n, h, w, block, block, c // block**2))
    return [
        split.transpose((0, 1, 3, 2, 4, 5)).reshape(
            (n, h * block, w * block, c // block**2)
        )
    ]


def _space_to_depth(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x, block = _blocks(inputs, attributes)
    n, h, w, c = x.shape
    if h % block or w % block:
        raise ShapeError(f"{h} by {w} does not split into blocks of {block}.")
    split = x.reshape((n, h // block, block, w // block, block, c))
    return [
        split.transpose((0, 1, 3, 2, 4, 5)).reshape(
            (n, h // block, w // block, c * block**2)
        )
    ]


def _blocks(inputs: Inputs, attributes: Attributes) -> tuple[Chain, int]:
    x = chain_of(_input(inputs, 0, "input"))
    layout = attributes.get("data_format", "NHWC")
    if layout != "NHWC":
        raise Unknown(f"data_format {layout!r}; NHWC is the one known here")
    block = number_of(attributes, "block_size", 0)
    if len(x.shape) != 4 or block < 1:
        raise ShapeError(f"{len(x.shape)} axes and block_size {block}; 4 axes, 1 up.")
    return x, block


def _reverse(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "tensor"))
    axes = as_axes(_ints(inputs, 1, "axis"), len(x.shape), "axis")
    entries = [
        (n - 1, -1, n) if r in axes and n else (0, 1, n) for r, n in enumerate(x.shape)
    ]
    return [x.select(entries)]


def _reshape(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "tensor"))
    given = attributes.get("new_shape")
    wanted = _ints(inputs, 1, "shape") if len(inputs) > 1 or given is None else given
    return [x.reshape(fill_extent(tuple(wanted), x.shape))]


def _squeeze(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    given = attributes.get("squeeze_dims", attributes.get("axis", ()))
    ones = [r for r, n in enumerate(x.shape) if n == 1]
    axes = as_axes(given, len(x.shape), "squeeze_dims") if given else ones
    if not set(axes) <= set(ones):
        raise ShapeError(
            f"squeeze_dims {list(axes)} of shape {x.shape}: not all are 1."
        )
    return [x.select([0 if r in axes else (0, 1, n) for r, n in enumerate(x.shape)])]


def _expand_dims(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    x = chain_of(_input(inputs, 0, "input"))
    given, rank = _ints(inputs, 1, "axis"), len(x.shape)
    if len(given) != 1 or not -rank - 1 <= given[0] <= rank:
        raise ShapeError(f"axis {given} of {rank} axes; one, {-rank - 1} to {rank}.")
    axis = given[0] % (rank + 1)
    kept = [(0, 1, n) for n in x.shape]
    return [x.select([*kept[:axis], None, *kept[axis:]])]


def _gather(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    """Of constant indices in even steps along one axis, or of a single one."""
    x, indices = chain_of(_input(inputs, 0, "params")), _input(inputs, 1, "indices")
    where = _ints(inputs, 1, "indices")
    given = _ints(inputs, 2, "axis") if len(inputs) > 2 else []
    axis = _axis(given or [number_of(attributes, "axis", 0)], x)
    if number_of(attributes, "batch_dims", 0):
        raise Unknown("batch_dims: one index a batch is no movement of whole axes")
    n, shape = x.shape[axis], indices.shape
    if shape is None or len(shape) > 1 or not where:
        raise Unknown(f"indices of shape {shape} walk no axis")
    if min(where) < 0 or max(where) >= n:
        raise ShapeError(f"indices {where[:16]} leave an axis of extent {n}.")
    entries: list[Any] = [(0, 1, k) for k in x.shape]
    step = where[1] - where[0] if len(where) > 1 else 1
    if any(b - a != step for a, b in pairwise(where)):
        raise Unknown("indices are not evenly spaced")
    entries[axis] = (where[0], step, len(where)) if shape else where[0]
    return [x.select(entries)]


def _same(inputs: Inputs, attributes: Attributes) -> list[Chain]:
    return [chain_of(_input(inputs, 0, "input"))]


MOVES: dict[str, Moves] = {
    "BroadcastTo": _broadcast_to,
    "DepthToSpace": _depth_to_space,
    "ExpandDims": _expand_dims,
    "Gather": _gather,
    "GatherV2": _gather,
    "Identity": _same,
    "MirrorPad": _mirror_pad,
    "Pad": _pad,
    "PadV2": _pad,
    "Reshape": _reshape,
    "ReverseV2": _reverse,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "SplitV": _split_v,
    "Squeeze": _squeeze,
    "StridedSlice": _strided_slice,
    "Tile": _tile,
    "Transpose": _transpose,
}
"""Per operator, the function that says what its outputs read."""
