"""ONNX's Slice and Pad, opset 1 to the newest, as calls and from nodes.

>>> from restride.dialects import onnx
>>> onnx.slice([1, 2, 3, 4], starts=[-1], ends=[-9], steps=[-2]).tolist()
[4, 2]
"""

from restride.dialects.onnx.errors import KINDS, OnnxError
from restride.dialects.onnx.forms import NEWEST_OPSET
from restride.dialects.onnx.nodes import run_node
from restride.dialects.onnx.padding import pad
from restride.dialects.onnx.runtimes import RUNTIMES
from restride.dialects.onnx.slicing import slice  # noqa: A004

__all__ = ["slice", "pad", "run_node", "OnnxError", "KINDS", "NEWEST_OPSET", "RUNTIMES"]
