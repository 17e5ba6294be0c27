"""A table's tensors as CANN's: a description, and a storage where there is data."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.conform.case import TensorSpec
from restride.conform.values import can_hold, element_type
from restride.dialects import cann

__all__ = ["output", "tensor"]

Array = np.ndarray[Any, Any]

UNWRITTEN = 0x5A
"""Byte that outputs are filled with before a run: what stays shows."""


def tensor(spec: TensorSpec, values: Array | None) -> cann.AclTensor:
    """The input with its values, laid out as the table says."""
    if values is None or spec.strides is None:
        return _described(spec, values)
    room = spec.storage_shape if spec.storage_shape is not None else spec.shape
    data = np.zeros(room, values.dtype)
    held = _described(spec, data)
    seen = held.array
    assert seen is not None
    seen[...] = values
    return held


def output(spec: TensorSpec, with_data: bool) -> cann.AclTensor:
    """The output, filled with a pattern where it has data."""
    kind = element_type(spec) if with_data else None
    if kind is None or not can_hold(spec):
        return _described(spec, None)
    room = spec.storage_shape if spec.storage_shape is not None else spec.shape
    if kind.kind == "b":
        return _described(spec, np.ones(room, kind))
    data = np.empty(room, kind)
    data.reshape(-1).view(np.uint8)[...] = UNWRITTEN
    return _described(spec, data)


def _described(spec: TensorSpec, data: Array | None) -> cann.AclTensor:
    return cann.AclTensor(
        spec.shape,
        spec.dtype,
        spec.format,
        data=data,
        strides=spec.strides,
        offset=spec.offset,
        storage_shape=spec.storage_shape,
    )
