"""ONNX's movement operators: which parameters each has, and the steps they come to.

Taken are the operators whose elements stand where parameters alone say: Slice, Pad,
and those that come to slices, pads, strides and region writes.  Not taken are Concat
and the gathers by tensors of the run (which place depends on data), Resize (which makes
new values) and Identity (which moves nothing).
"""

from __future__ import annotations

from math import prod
from typing import Any

from restride.checks import as_axes
from restride.dialects.onnx.forms import FORMS, form_of
from restride.errors import ShapeError
from restride.models.known import Node
from restride.models.movements.movement import (
    AtRunTimeError,
    Params,
    Reader,
    Steps,
    need_rank,
    need_shape,
)
from restride.models.movements.onnx_tables import gather, gather_nd, scatter_nd
from restride.models.movements.steps import MOST_PARTS, expanded, said, split_up, tiled
from restride.ops.extents import fill_extent
from restride.translate.meaning import Extend, Reshape, Transpose

__all__ = ["READERS", "RESHAPES"]

RESHAPES = ("Reshape", "Flatten", "Squeeze", "Unsqueeze")
"""Operators that leave every element where it is in row-major order."""

Shape = tuple[int, ...]


def _said(op: str, node: Node, words: dict[str, Any]) -> tuple[Steps, ...]:
    """The steps of a call in ONNX's words."""
    given = {name: value for name, value in words.items() if value is not None}
    return said("onnx", op, given, node.input(0))


def check_form(node: Node) -> None:
    """Refuse what the version of Slice or Pad does not have."""
    form = form_of(node.op, node.opset)
    extra = [name for name in node.attributes if name not in form.attributes]
    if extra:
        known = ", ".join(form.attributes) or "none"
        raise form.error("node", f"attribute '{extra[0]}' unknown; known: {known}.")
    if len(node.inputs) > len(form.inputs):
        most = ", ".join(form.inputs)
        raise form.error("node", f"{len(node.inputs)} inputs; it takes {most}.")
    data = node.input(0)
    name = None if data is None else data.dtype
    told = TYPE_NAMES.get(name or "", name or "")
    if told and told.replace("_", "") not in form.types:
        raise form.error("dtype", f"data has type {told}, which it does not take.")


TYPE_NAMES = {
    "float32": "float",
    "float64": "double",
    "float4_e2m1fn": "float4e2m1",
    "float8_e8m0fnu": "float8e8m0",
}
"""ONNX's names of types where they are not NumPy's; both without underscores."""


def _slice(node: Node, p: Params) -> tuple[Steps, ...]:
    check_form(node)
    starts, ends = p.ints("starts", 1), p.ints("ends", 2)
    axes, steps = p.ints("axes", 3), p.ints("steps", 4)
    if starts is None or ends is None:
        raise ShapeError(f"{node.op} has no starts or no ends.")
    p.settle()
    words = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
    return _said("Slice", node, words)


def _pad(node: Node, p: Params) -> tuple[Steps, ...]:
    check_form(node)
    name = "paddings" if "paddings" in node.attributes else "pads"
    pads = p.ints(name, 1)
    fill = _fill(node, p)
    axes, mode = p.ints("axes", 3), p.text("mode", "constant")
    if pads is None:
        raise ShapeError(f"{node.op} has no pads.")
    form = form_of(node.op, node.opset)
    if mode not in form.modes:
        raise form.error("mode", f"mode '{mode}'; known: {', '.join(form.modes)}.")
    p.settle()
    words = {name: pads, "axes": axes, "mode": mode}
    if mode == "constant":
        words["constant_value"] = fill
    return _said("Pad", node, words)


def _fill(node: Node, p: Params) -> Any:
    """The constant: an attribute before opset 11; 0 stands for a text, unread here."""
    data = node.input(0)
    if data is not None and data.dtype == "string":
        return 0
    old = p.value("value", None, None)
    return p.value("constant_value", 2, 0) if old is None else old


def _squeeze(node: Node, p: Params) -> tuple[Steps, ...]:
    axes = p.ints("axes", 1)
    p.settle()
    if axes is None:
        shape = need_shape(node.input(0), "without axes those of extent 1 go")
        axes = tuple([k for k, n in enumerate(shape) if n == 1])
    return _said("Squeeze", node, {"axes": axes})


def _unsqueeze(node: Node, p: Params) -> tuple[Steps, ...]:
    axes = p.ints("axes", 1)
    p.settle()
    if axes is None:
        raise ShapeError("Unsqueeze has no axes.")
    need_rank(node.input(0), "axes count in the result")
    return _said("Unsqueeze", node, {"axes": axes})


def _transpose(node: Node, p: Params) -> tuple[Steps, ...]:
    perm = p.ints("perm", None)
    if perm is None:
        rank = need_rank(node.input(0), "without perm all axes turn round")
        perm = tuple(reversed(range(rank)))
    return _said("Transpose", node, {"perm": perm})


def _reshape(node: Node, p: Params) -> tuple[Steps, ...]:
    """Reshape and Flatten: the shape that they say, or that inference found."""
    data, out = node.input(0), node.output()
    shape = None if data is None else data.extents
    wanted = _shape_said(node, p, shape)
    if wanted is None and out is not None:
        wanted = out.extents
    if wanted is None:
        p.settle()
        raise AtRunTimeError("the result's shape is known when it runs.", "shape")
    if shape is not None and prod(shape) != prod(wanted):
        raise ShapeError(f"{shape} has {prod(shape)} elements, {wanted} has not.")
    return ((Reshape(wanted),),)


def _shape_said(node: Node, p: Params, shape: Shape | None) -> Shape | None:
    """The result's shape by the node's own parameters."""
    if node.op == "Flatten":
        axis = p.integer("axis", None, 1)
        if shape is None:
            return None
        if not -len(shape) <= axis <= len(shape):
            raise ShapeError(f"Flatten: axis {axis} of {len(shape)} axes.")
        at = axis + len(shape) * (axis < 0)
        return prod(shape[:at]), prod(shape[at:])
    given = p.ints("shape", 1)
    if shape is None or given is None or "shape" in p.late:
        return None
    kept = 0 if node.attributes.get("allowzero") else None
    wanted = [_kept(n, k, shape, kept) for k, n in enumerate(given)]
    return fill_extent(tuple(wanted), shape)


def _kept(n: int, axis: int, shape: Shape, zero: int | None) -> int:
    """An extent; 0 stands for the data's own at this place, unless zero is allowed."""
    if n or zero is not None:
        return n
    if axis >= len(shape):
        raise ShapeError(
            f"Reshape: shape[{axis}] = 0 keeps an axis that {shape} lacks."
        )
    return shape[axis]


def _expand(node: Node, p: Params) -> tuple[Steps, ...]:
    given = p.ints("shape", 1)
    out, data = node.output(), node.input(0)
    if given and data is not None and data.shape is not None:
        _check_expand(given, data.shape)
    if out is None or out.extents is None:
        p.settle()
        raise AtRunTimeError("the result's shape is known when it runs.", "shape")
    rank = need_rank(data, "leading axes are added")
    return (expanded(rank, out.extents),)


def _check_expand(given: Shape, shape: tuple[Any, ...]) -> None:
    """Refuse extents that are neither equal nor 1; a name may stand for any."""
    for wanted, n in zip(reversed(given), reversed(shape), strict=False):
        if wanted < 0 or (isinstance(n, int) and n != wanted and 1 not in (n, wanted)):
            raise ShapeError(f"Expand: shape {given} does not go with {shape}.")


def _tile(node: Node, p: Params) -> tuple[Steps, ...]:
    """Tile; opset 1 has numbers for one axis, which may be floats."""
    old = node.opset < 6
    axis = p.integer("axis", 2, 0) if old else None
    repeats = (p.integer("tiles", 1, 1),) if old else p.ints("repeats", 1)
    p.settle()
    shape = need_shape(node.input(0), "repeated are whole axes")
    times = list(repeats or ())
    if axis is not None:
        (at,) = as_axes(axis, len(shape), "Tile: axis")
        times = [*[1] * at, *times, *[1] * (len(shape) - at - 1)]
    if len(times) != len(shape) or min(times, default=1) < 0:
        raise ShapeError(f"Tile: repeats {times} for shape {shape}; one per axis.")
    return (tiled(times, shape),)


def _depth_to_space(node: Node, p: Params) -> tuple[Steps, ...]:
    b, mode = p.integer("blocksize", None, 0), p.text("mode", "DCR")
    n, c, h, w = _image(node, b)
    if c % (b * b):
        raise ShapeError(f"DepthToSpace: {c} channels are no multiple of {b} * {b}.")
    inner = c // (b * b)
    if mode == "CRD":
        split, order = (n, inner, b, b, h, w), (0, 1, 4, 2, 5, 3)
    else:
        split, order = (n, b, b, inner, h, w), (0, 3, 4, 1, 5, 2)
    result = Reshape((n, inner, h * b, w * b))
    return ((Reshape(split), Transpose(order), result),)


def _space_to_depth(node: Node, p: Params) -> tuple[Steps, ...]:
    b, mode = p.integer("blocksize", None, 0), p.text("mode", "DCR")
    n, c, h, w = _image(node, b)
    if h % b or w % b:
        raise ShapeError(f"SpaceToDepth: {h} by {w} is no multiple of {b}.")
    split = Reshape((n, c, h // b, b, w // b, b))
    result = Reshape((n, c * b * b, h // b, w // b))
    order = (0, 1, 3, 5, 2, 4) if mode == "CRD" else (0, 3, 5, 1, 2, 4)
    return ((split, Transpose(order), result),)


def _image(node: Node, block: int) -> tuple[int, ...]:
    shape = need_shape(node.input(0), "blocks are cut from whole axes")
    if len(shape) != 4 or block < 1:
        raise ShapeError(f"{node.op}: blocksize {block} of {shape}; four axes needed.")
    return shape


def _split(node: Node, p: Params) -> tuple[Steps, ...]:
    axis, parts = p.integer("axis", None, 0), p.ints("split", 1)
    count = p.integer("num_outputs", None, len(node.outputs))
    p.settle()
    rank = need_rank(node.input(0), "the axis counts in the data")
    (at,) = as_axes(axis, rank, "Split: axis")
    if parts is None:
        parts = _equal_parts(_extent(node, at), count, node.opset)
    _check_parts(parts, node, at)
    return split_up(at, parts)


def _check_parts(parts: tuple[int, ...], node: Node, axis: int) -> None:
    """Refuse parts that are not one per output, or not the whole axis."""
    extent = _known_extent(node, axis)
    whole = extent is None or sum(parts) == extent
    if min(parts, default=0) < 0 or len(parts) != len(node.outputs) or not whole:
        raise ShapeError(
            f"Split: parts {parts} of an axis of extent "
            f"{'?' if extent is None else extent} for {len(node.outputs)} outputs."
        )


def _known_extent(node: Node, axis: int) -> int | None:
    data = node.input(0)
    found = None if data is None or data.shape is None else data.shape[axis]
    return found if isinstance(found, int) else None


def _extent(node: Node, axis: int) -> int:
    found = _known_extent(node, axis)
    if found is None:
        raise AtRunTimeError("parts are equal, of an axis not known yet.", "shape")
    return found


def _equal_parts(n: int, count: int, opset: int) -> tuple[int, ...]:
    """Parts of one size; from Split-18 on it is rounded up, and the last are less."""
    if not 0 < count <= MOST_PARTS:
        raise ShapeError(f"Split: {count} parts; 1 to {MOST_PARTS} are followed.")
    if opset < 18 and n % count:
        raise ShapeError(f"Split-{opset}: extent {n} is no multiple of {count} parts.")
    size = -(-n // count)
    return tuple([max(min(size, n - k * size), 0) for k in range(count)])


def _center(node: Node, p: Params) -> tuple[Steps, ...]:
    """CenterCropPad: each axis cut or padded on both sides, the odd one after."""
    wanted, axes = p.ints("shape", 1), p.ints("axes", None)
    p.settle()
    shape = need_shape(node.input(0), "what is cut depends on the extents")
    named = as_axes(range(len(shape)) if axes is None else axes, len(shape))
    if len(named) != len(wanted or ()):
        raise ShapeError(f"CenterCropPad: shape {wanted} for axes {named}; one each.")
    pairs = [(0, 0)] * len(shape)
    for axis, size in zip(named, wanted or (), strict=True):
        spare = size - shape[axis]
        before = spare // 2 if spare >= 0 else -(-spare // 2)
        pairs[axis] = (before, spare - before)
    return ((Extend(tuple(pairs), "constant", ((0, 0),) * len(shape)),),)


READERS: dict[str, Reader] = {
    "Slice": _slice,
    "Pad": _pad,
    "Transpose": _transpose,
    "Expand": _expand,
    "Tile": _tile,
    "Split": _split,
    "DepthToSpace": _depth_to_space,
    "SpaceToDepth": _space_to_depth,
    "CenterCropPad": _center,
    "Gather": gather,
    "GatherND": gather_nd,
    "ScatterND": scatter_nd,
    **dict.fromkeys(("Reshape", "Flatten"), _reshape),
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
}
"""Operators of ONNX's own domain that move elements, and what reads each."""

assert set(FORMS) <= set(READERS)
