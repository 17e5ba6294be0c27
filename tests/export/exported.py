"""Exported models, run by two others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
reference = pytest.importorskip("onnx.reference")

Array = np.ndarray[Any, Any]


def operators(model: Any) -> list[str]:
    """The model's nodes by operator."""
    return [node.op_type for node in model.graph.node]


def checked(model: Any) -> Any:
    """The model, if ONNX's checker and shape inference take it."""
    onnx.checker.check_model(model, full_check=True)
    return model


def by_reference(model: Any, x: Array) -> Array:
    """What ONNX's own evaluator makes of `x`."""
    name = model.graph.input[0].name
    made: Array = reference.ReferenceEvaluator(model).run(None, {name: x})[0]
    return made


def by_onnxruntime(model: Any, x: Array) -> Array:
    """What ONNX Runtime makes of `x` on a CPU."""
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    session = runtime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    name = model.graph.input[0].name
    made: Array = session.run(None, {name: x})[0]
    return made
