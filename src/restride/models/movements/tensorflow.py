"""What a node of TensorFlow or TensorFlow Lite moves: one table for both.

>>> from restride.models.known import Known, Node, Numbers
>>> from restride.models.movements.movement import Params
>>> from restride.models.movements.tf_names import tf_op
>>> x = Known("x", "float32", (2, 3))
>>> order = Known("order", "int32", (2,), numbers=Numbers((2,), (1, 0)))
>>> node = Node((), 0, "", "TRANSPOSE", "tflite", 1, {}, (x, order), ())
>>> TF_READERS[tf_op(node)](node, Params(node))
((Transpose(order=(1, 0)),),)
"""

from __future__ import annotations

from restride.models.movements import tf_layouts as layouts
from restride.models.movements import tf_slices as slices
from restride.models.movements.movement import Reader
from restride.models.movements.onnx_tables import scatter_nd

__all__ = ["TF_READERS"]

TF_READERS: dict[str, Reader] = {
    "BroadcastTo": layouts.broadcast_to,
    "DepthToSpace": layouts.depth_to_space,
    "DynamicUpdateSlice": layouts.dynamic_update,
    "ExpandDims": layouts.expand_dims,
    "Gather": slices.gather,
    "GatherV2": slices.gather,
    "MirrorPad": slices.mirror_pad,
    "Pad": slices.pad,
    "PadV2": slices.pad,
    "Reshape": layouts.reshape,
    "ReverseV2": slices.reverse,
    "Slice": slices.slice_begin_size,
    "SpaceToDepth": layouts.space_to_depth,
    "Split": slices.split,
    "SplitV": slices.split_v,
    "Squeeze": layouts.squeeze,
    "StridedSlice": slices.strided_slice,
    "TensorScatterUpdate": scatter_nd,
    "TensorStridedSliceUpdate": slices.update,
    "Tile": layouts.tile,
    "Transpose": layouts.transpose,
}
"""Per operator of TensorFlow, what reads its parameters and gives its steps.

A :class:`Params` notes each parameter, and which are computed when the model runs.
"""
