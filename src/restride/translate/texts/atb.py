"""ATB's Python surface; ``import torch_atb as atb`` runs its AsStrided lines too."""

from __future__ import annotations

from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal

__all__ = ["LANGUAGE"]


def _operation(c: Call) -> str:
    given = ", ".join(f"{name}={literal(v)}" for name, v in c.params.items())
    return f"atb.Operation(atb.{c.op}({given}))"


def _as_strided(c: Call) -> str:
    return f"{c.output} = {_operation(c)}.forward([{c.inputs[0]}])[0]"


def _set_value(c: Call) -> str:
    dst, src = c.inputs
    made = f"{_operation(c)}.forward([{c.output}, {src}])"
    return f"{c.output} = {dst}\n{made}" if dst != c.output else made


LANGUAGE = Language(
    "from restride.dialects import atb",
    {"AsStridedParam": _as_strided, "SetValueParam": _set_value},
)
"""Each call's line."""
