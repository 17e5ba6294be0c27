"""restride code."""

from __future__ import annotations

from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal

__all__ = ["LANGUAGE"]


def _function(c: Call) -> str:
    given = [f"{name}={literal(v)}" for name, v in c.params.items()]
    return f"{c.output} = rs.{c.op}({', '.join([*c.inputs, *given])})"


def _slice(c: Call) -> str:
    text = str(c.params["index"]).removeprefix("[").removesuffix("]")
    return f'{c.output} = rs.slice({c.inputs[0]}, "{text}")'


def _assign(c: Call) -> str:
    text = str(c.params["index"]).removeprefix("[").removesuffix("]")
    return f'{c.output} = rs.assign({c.inputs[0]}, "{text}", {c.inputs[1]})'


def _view(c: Call) -> str:
    (given,) = c.params.values()
    return f"{c.output} = rs.view({c.inputs[0]}).{c.op}({literal(given)}).copy()"


LANGUAGE = Language(
    "import restride as rs",
    {
        "slice": _slice,
        "pad": _function,
        "as_strided": _function,
        "assign": _assign,
        "transpose": _view,
        "broadcast_to": _view,
        "reshape": _view,
    },
)
"""Each call's line."""
