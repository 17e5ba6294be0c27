"""What an ONNX TypeProto says."""

from __future__ import annotations

from typing import Any

from restride.models.files.tensors import dtype_name
from restride.models.known import Extent, Known
from restride.models.texts import as_text

__all__ = ["of_type"]

KINDS = {
    "sequence_type": "sequence",
    "map_type": "map",
    "optional_type": "optional",
    "sparse_tensor_type": "sparse tensor",
    "opaque_type": "opaque",
}
"""Types that are no tensors, and their names."""

MADE_UP = "unk__"
"""How onnx's shape inference begins a name for an extent that has none."""

MOST_AXES = 1024
"""Most axes of a shape that is believed."""


def of_type(name: Any, proto: Any) -> Known:
    """What a type says of the value `name`; `proto` None says nothing."""
    which = None if proto is None else proto.WhichOneof("value")
    if which is None:
        return Known(as_text(name))
    if which != "tensor_type":
        return Known(as_text(name), kind=KINDS.get(which, which))
    tensor = proto.tensor_type
    dtype = dtype_name(tensor.elem_type)
    if not tensor.HasField("shape") or len(tensor.shape.dim) > MOST_AXES:
        return Known(as_text(name), dtype)
    return Known(
        as_text(name), dtype, tuple([_extent(dim) for dim in tensor.shape.dim])
    )


def _extent(dim: Any) -> Extent:
    """An extent; a negative one, or a name that inference made up, is not known."""
    which = dim.WhichOneof("value")
    if which == "dim_value":
        return int(dim.dim_value) if dim.dim_value >= 0 else None
    name = as_text(dim.dim_param) if which == "dim_param" else ""
    return None if name.startswith(MADE_UP) else name or None
