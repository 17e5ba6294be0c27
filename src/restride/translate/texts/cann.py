"""CANN's operators in Python, by the names and attributes of the graph."""

from __future__ import annotations

from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal

__all__ = ["IMPORT", "LANGUAGE"]

IMPORT = "from restride.dialects import cann"


def _function(c: Call) -> str:
    given = []
    for name, value in c.params.items():
        shown = literal(value)
        if name == "constant_values":
            shown = f"np.array({shown}, {c.inputs[0]}.dtype)"
        given.append(f"{name}={shown}")
    return f"{c.output} = cann.{c.op}({', '.join([*c.inputs, *given])})"


LANGUAGE = Language(IMPORT, {"pad_v3": _function, "strided_slice": _function})
"""Each call's line."""
