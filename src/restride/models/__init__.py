"""Models: will their nodes run there?  ONNX, TFLite and TensorFlow GraphDef files.

>>> import restride as rs
>>> rs.check_model.__module__
'restride.models.check.check'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from restride.models.check.check import check_model
    from restride.models.check.report import Report
    from restride.models.errors import ModelError
    from restride.models.optimize.optimize import optimize_model
    from restride.models.optimize.report import Optimized
    from restride.models.running.report import RunReport
    from restride.models.running.run_nodes import run_nodes

__all__ = [
    "ModelError",
    "Optimized",
    "Report",
    "RunReport",
    "check_model",
    "optimize_model",
    "run_nodes",
]

_HOMES = {
    "check_model": "check.check",
    "ModelError": "errors",
    "Optimized": "optimize.report",
    "optimize_model": "optimize.optimize",
    "Report": "check.report",
    "RunReport": "running.report",
    "run_nodes": "running.run_nodes",
}


def __getattr__(name: str) -> Any:
    """Load a name on first use: reading needs less than checking."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'restride.models' has no attribute {name!r}")
    return getattr(import_module(f"restride.models.{_HOMES[name]}"), name)
