"""The frame of every text: imports, one line per call, values as literals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from restride.errors import UnsupportedError
from restride.translate.spec import Call
from restride.translate.values import Cells, Grid, PerItem, Runs

__all__ = ["Language", "literal", "plain", "text_of"]

TABLES = (Runs, Grid, Cells)


class Language(NamedTuple):
    """How a dialect's calls are written."""

    imports: str
    """The lines before them."""
    lines: Mapping[str, Callable[[Call], str]]
    """For each operator, its line."""


def text_of(calls: tuple[Call, ...], opset: int, dtype: str | None) -> str:
    """The calls as code, imports first."""
    dialect = calls[0].dialect
    if dialect in ("onnx", "onnxruntime"):
        from restride.translate.texts.onnx import onnx_text

        return onnx_text(calls, opset, dtype)
    language: Language = import_module(f"restride.translate.texts.{dialect}").LANGUAGE
    lines = [language.lines[call.op](call) for call in calls]
    imports = [language.imports] if language.imports else []
    if any("np." in line for line in lines) and "numpy" not in language.imports:
        imports.append("import numpy as np")
    head = "\n".join(imports)
    return (f"{head}\n\n" if head else "") + "\n".join(lines)


def literal(value: Any) -> str:
    """A value as Python code.

    Examples
    --------
    >>> literal(((1, 2), (3, 4))), literal(float("inf")), literal(Runs(((0, 1, 2),)))
    ('[[1, 2], [3, 4]]', "float('inf')", '[0, 1]')
    """
    if isinstance(value, TABLES):
        return value.code()
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, float) and (value != value or value in (1e999, -1e999)):
        return f"float('{value}')"
    if type(value).__module__ in ("numpy", "ml_dtypes") and hasattr(value, "item"):
        return literal(value.item())
    if not isinstance(value, (str, int, float, complex, bool, type(None))):
        raise UnsupportedError(
            f"a {type(value).__name__} has no literal; use a Python number."
        )
    return repr(value)


def plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, TABLES):
        return value.values()
    if isinstance(value, PerItem):
        return [plain(s) for s in value.strides]
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if type(value).__module__ in ("numpy", "ml_dtypes") and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and (value != value or value in (1e999, -1e999)):
        return str(value)
    return str(value) if isinstance(value, complex) else value
