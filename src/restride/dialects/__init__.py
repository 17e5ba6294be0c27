"""The operators in the words of others: one package per vendor, loaded on first use.

Each speaks the vendor's parameter names, checks what the vendor checks in the same
order, and raises the vendor's errors.  None imports the vendor's framework.

>>> from restride import dialects
>>> dialects.numpy.pad([1, 2], 1, "edge").tolist()
[1, 1, 2, 2]
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["atb", "cann", "numpy", "onnx", "pytorch", "tensorflow"]


def __getattr__(name: str) -> Any:
    """Load a dialect when it is first asked for."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
