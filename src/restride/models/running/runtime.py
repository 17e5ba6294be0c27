"""Models run by ONNX Runtime as they are written, or by ONNX's reference evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from threading import Timer
from typing import Any

import numpy as np

__all__ = ["REFERENCE", "RUNTIME", "Runner", "run_within", "session"]

Array = np.ndarray[Any, Any]

MOST_SECONDS = 60.0
"""Longest run of a model."""

RUNTIME, REFERENCE = "onnxruntime", "onnx.reference"


class Runner:
    """Runs models by ONNX Runtime, or by the reference evaluator where it cannot."""

    def __init__(self) -> None:
        self.by: set[str] = set()
        """Who ran anything."""
        try:
            self.runtime: Any = import_module("onnxruntime")
        except ImportError:
            self.runtime = None

    def run(
        self, model: Any, feeds: dict[str, Array], by_reference: bool = True
    ) -> list[Any]:
        """All outputs of a model; the reference evaluator knows no limit of time.

        Raises
        ------
        Exception
            Neither can run it; the last one's own error.
        """
        if self.runtime is not None:
            try:
                ready = session(self.runtime, model.SerializeToString())
                made = run_within(self.runtime, ready, None, feeds)
            except Exception:  # a type or an operator it lacks
                if not by_reference:
                    raise
            else:
                self.by.add(RUNTIME)
                return list(made)
        evaluator = import_module("onnx.reference").ReferenceEvaluator
        with np.errstate(all="ignore"):
            made = evaluator(model).run(None, feeds)
        self.by.add(REFERENCE)
        return list(made)


def session(runtime: Any, data: Any, entries: Mapping[str, str] | None = None) -> Any:
    """ONNX Runtime's session of a model, on a CPU, as it is written."""
    options = runtime.SessionOptions()
    for key, value in (entries or {}).items():
        options.add_session_config_entry(key, value)
    options.log_severity_level = 4
    level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    return runtime.InferenceSession(
        data, options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


def run_within(
    runtime: Any, ready: Any, names: list[str] | None, feeds: dict[str, Any]
) -> list[Any]:
    """Run a session, and have it stop after :data:`MOST_SECONDS`."""
    options = runtime.RunOptions()
    options.log_severity_level = 4
    timer = Timer(MOST_SECONDS, setattr, (options, "terminate", True))
    timer.daemon = True
    timer.start()
    try:
        return list(ready.run(names, feeds, options))
    finally:
        timer.cancel()
