"""PyTorch code."""

from __future__ import annotations

from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal
from restride.translate.texts.numpy import _getitem, _setitem

__all__ = ["LANGUAGE"]


def _call(function: str, c: Call, *names: str) -> str:
    """``y = function(x, a, b=...)``: the first `names` by place, the rest by name."""
    given = [literal(c.params[name]) for name in names if name in c.params]
    more = [f"{k}={literal(v)}" for k, v in c.params.items() if k not in names]
    return f"{c.output} = {function}({', '.join([*c.inputs, *given, *more])})"


def _pad(c: Call) -> str:
    return _call("torch.nn.functional.pad", c, "pad")


def _as_strided(c: Call) -> str:
    return _call("torch.as_strided", c, "size", "stride", "storage_offset")


def _flip(c: Call) -> str:
    dims = ", ".join(map(str, c.params["dims"]))
    return f"{c.output} = torch.flip({c.inputs[0]}, ({dims}{',' if dims else ''}))"


def _index_select(c: Call) -> str:
    index = f"torch.tensor({literal(c.params['index'])}, device={c.inputs[0]}.device)"
    dim = c.params["dim"]
    return f"{c.output} = torch.index_select({c.inputs[0]}, {dim}, {index})"


def _take(c: Call) -> str:
    index = f"torch.tensor({literal(c.params['index'])}, device={c.inputs[0]}.device)"
    return f"{c.output} = torch.take({c.inputs[0]}, {index})"


def _scatter(c: Call) -> str:
    return _call(f"torch.{c.op}", c)


def _contiguous(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.contiguous()"


def _clone(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.clone()"


def _permute(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.permute({literal(c.params['dims'])})"


def _expand(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.expand({literal(c.params['size'])})"


def _reshape(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.reshape({literal(c.params['shape'])})"


LANGUAGE = Language(
    "import torch",
    {
        "getitem": _getitem,
        "setitem": _setitem,
        "pad": _pad,
        "as_strided": _as_strided,
        "flip": _flip,
        "index_select": _index_select,
        "take": _take,
        "slice_scatter": _scatter,
        "select_scatter": _scatter,
        "contiguous": _contiguous,
        "clone": _clone,
        "permute": _permute,
        "expand": _expand,
        "reshape": _reshape,
    },
)
"""Each call's line."""
