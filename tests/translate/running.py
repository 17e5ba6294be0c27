"""Running a translation as a reader of its text would: paste it, and look at y."""

from __future__ import annotations

from typing import Any

import numpy as np
from pretend import TF, TORCH, Tensor, run_onnx

import restride as rs
from restride.translate import RefusedError, Translation, translate
from restride.translate.protos import parts_of

Array = np.ndarray[Any, Any]

FULL = ("numpy", "restride", "pytorch", "tensorflow", "onnx")
"""Targets that can say every slice, pad, view and region write of up to five axes."""

PRETENDED = {"import torch": ("torch", TORCH), "import tensorflow as tf": ("tf", TF)}


def run(made: Translation, x: Array, src: Array | None = None) -> Array:
    """What the text leaves in ``y``; inputs are copies, so nothing is written."""
    given = {"x": x.copy()} | ({} if src is None else {"src": src.copy()})
    if made.dialect == "onnx":
        nodes = parts_of(made.calls, made.opset, made.dtype)
        return run_onnx(nodes, given, made.opset)
    text, names = made.text(), dict[str, Any](given)
    if made.dialect == "pytorch":
        names = {name: Tensor(v) for name, v in given.items()}
    for line, (name, module) in PRETENDED.items():
        if text.startswith(line):
            text, names[name] = text.removeprefix(line), module
    names["np"] = np
    names["rs"] = rs
    exec(text, names)
    y = names["y"]
    found: Array = y.array if isinstance(y, Tensor) else np.asarray(y)
    return found


def numbered(shape: tuple[int, ...]) -> Array:
    """Elements that are their own positions."""
    return np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64).reshape(shape)


def attempt(spec: Any, to: str, **known: Any) -> tuple[Translation | None, str]:
    """The translation, or None and why and what instead."""
    try:
        return translate(spec, to, **known), ""
    except RefusedError as error:
        return None, f"{error.reason} {error.instead}"
