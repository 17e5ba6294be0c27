"""The options of TensorFlow Lite's operators, under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["OPTIONS"]

Listed = Callable[[Callable[[], int], Callable[[int], Any]], list[Any]]
"""Reads a list by its length and its entries, counting them."""

Options = Callable[[Any, Listed], dict[str, Any]]


def _options(module: str, table: Any) -> Any:
    """A table as the options of its operator."""
    made = getattr(import_module(f"tflite.{module}"), module)()
    made.Init(table.Bytes, table.Pos)
    return made


def _strided_slice(table: Any, listed: Listed) -> dict[str, Any]:
    own = _options("StridedSliceOptions", table)
    return {
        "begin_mask": own.BeginMask(),
        "end_mask": own.EndMask(),
        "ellipsis_mask": own.EllipsisMask(),
        "new_axis_mask": own.NewAxisMask(),
        "shrink_axis_mask": own.ShrinkAxisMask(),
        "offset": bool(own.Offset()),
    }


def _mirror_pad(table: Any, listed: Listed) -> dict[str, Any]:
    mode = _options("MirrorPadOptions", table).Mode()
    return {"mode": {0: "REFLECT", 1: "SYMMETRIC"}.get(mode, str(mode))}


def _split(table: Any, listed: Listed) -> dict[str, Any]:
    return {"num_split": _options("SplitOptions", table).NumSplits()}


def _squeeze(table: Any, listed: Listed) -> dict[str, Any]:
    own = _options("SqueezeOptions", table)
    return {"squeeze_dims": tuple(listed(own.SqueezeDimsLength, own.SqueezeDims))}


def _reshape(table: Any, listed: Listed) -> dict[str, Any]:
    own = _options("ReshapeOptions", table)
    shape = tuple(listed(own.NewShapeLength, own.NewShape))
    return {"new_shape": shape} if shape else {}


def _depth_to_space(table: Any, listed: Listed) -> dict[str, Any]:
    return {"block_size": _options("DepthToSpaceOptions", table).BlockSize()}


def _space_to_depth(table: Any, listed: Listed) -> dict[str, Any]:
    return {"block_size": _options("SpaceToDepthOptions", table).BlockSize()}


def _gather(table: Any, listed: Listed) -> dict[str, Any]:
    own = _options("GatherOptions", table)
    return {"axis": own.Axis(), "batch_dims": own.BatchDims()}


OPTIONS: dict[str, Options] = {
    "DEPTH_TO_SPACE": _depth_to_space,
    "GATHER": _gather,
    "MIRROR_PAD": _mirror_pad,
    "RESHAPE": _reshape,
    "SPACE_TO_DEPTH": _space_to_depth,
    "SPLIT": _split,
    "SQUEEZE": _squeeze,
    "STRIDED_SLICE": _strided_slice,
}
"""Per operator, the reader of its options."""
