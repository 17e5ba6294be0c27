"""Names of TensorFlow's operators and inputs, and how their parameters are read.

TensorFlow Lite's operators have TensorFlow's inputs and attributes, so its reader names
these as TensorFlow does and one table serves both.
"""

from __future__ import annotations

from restride.checks import as_axes
from restride.errors import ShapeError
from restride.models.known import Known, Node
from restride.models.movements.movement import Params, need_rank, need_shape

__all__ = [
    "LITE_NAMES",
    "SOURCES",
    "TF_DOMAINS",
    "TF_INPUTS",
    "data_of",
    "list_of",
    "one_axis",
    "rank_of",
    "shape_of",
    "tf_op",
]

TF_DOMAINS = ("tensorflow", "tflite")
"""The domains of nodes that are read here."""

LITE_NAMES = {
    "BROADCAST_TO": "BroadcastTo",
    "DEPTH_TO_SPACE": "DepthToSpace",
    "DYNAMIC_UPDATE_SLICE": "DynamicUpdateSlice",
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

SOURCES = {"Split": 1}
"""Which input is moved, where it is not the first."""

TF_INPUTS = {
    "BroadcastTo": ("input", "shape"),
    "ExpandDims": ("input", "axis"),
    "Gather": ("params", "indices"),
    "GatherV2": ("params", "indices", "axis"),
    "MirrorPad": ("input", "paddings"),
    "Pad": ("input", "paddings"),
    "PadV2": ("input", "paddings", "constant_values"),
    "Reshape": ("tensor", "shape"),
    "ReverseV2": ("tensor", "axis"),
    "Slice": ("input", "begin", "size"),
    "Split": ("axis", "value"),
    "SplitV": ("value", "size_splits", "axis"),
    "StridedSlice": ("input", "begin", "end", "strides"),
    "TensorStridedSliceUpdate": ("input", "begin", "end", "strides", "value"),
    "TensorScatterUpdate": ("tensor", "indices", "updates"),
    "DynamicUpdateSlice": ("operand", "update", "start_indices"),
    "Tile": ("input", "multiples"),
    "Transpose": ("x", "perm"),
}
"""TensorFlow's names of inputs; an operator that is not here has one, ``input``."""

INTEGERS = ("int32", "int64", "int16", "int8", "uint8")
"""Types of tensors of parameters."""


def tf_op(node: Node) -> str:
    """TensorFlow's name of a node's operator; TensorFlow Lite's own where it has none.

    Examples
    --------
    >>> tf_op(Node((), 0, "", "PADV2", "tflite", 1, {}, (), ()))
    'PadV2'
    """
    return LITE_NAMES.get(node.op, node.op) if node.domain == "tflite" else node.op


def data_of(node: Node) -> Known:
    """The tensor that is moved.

    Raises
    ------
    ShapeError
        The node leaves it out.
    """
    found = node.input(SOURCES.get(tf_op(node), 0))
    if found is None:
        raise ShapeError(f"{node.op} has no input.")
    return found


def shape_of(node: Node, why: str) -> tuple[int, ...]:
    """The data's shape.

    Raises
    ------
    AtRunTimeError
        It is not known; `why` says what it is needed for.
    """
    return need_shape(data_of(node), why)


def rank_of(node: Node, why: str) -> int:
    """The data's rank.

    Raises
    ------
    AtRunTimeError
        It is not known; `why` says what it is needed for.
    """
    return need_rank(data_of(node), why)


def list_of(p: Params, name: str, k: int) -> tuple[int, ...]:
    """A list of integers that must be there."""
    given = p.node.input(k)
    if given is not None and given.dtype not in (None, *INTEGERS):
        raise ShapeError(f"{p.node.op}: {name} holds {given.dtype}, not integers.")
    found = p.ints(name, k)
    if found is None:
        raise ShapeError(f"{p.node.op} has no {name}.")
    return found


def one_axis(given: tuple[int, ...], rank: int) -> int:
    """The axis that a list of one names."""
    if len(given) != 1:
        raise ShapeError(f"axis has length {len(given)}, not one.")
    return as_axes(given, rank, "axis")[0]
