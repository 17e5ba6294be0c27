"""NumPy code."""

from __future__ import annotations

from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal
from restride.translate.values import PerItem

__all__ = ["LANGUAGE"]


def _getitem(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}{c.params['index']}"


def _setitem(c: Call) -> str:
    return f"{c.inputs[0]}{c.params['index']} = {c.inputs[1]}"


def _pad(c: Call) -> str:
    fill = c.params.get("constant_values")
    more = f"mode={c.params['mode']!r}"
    if fill is not None:
        more += f", constant_values={literal(fill)}"
    return (
        f"{c.output} = np.pad({c.inputs[0]}, {literal(c.params['pad_width'])}, {more})"
    )


def _as_strided(c: Call) -> str:
    given = c.params["strides"]
    strides = given.strides if isinstance(given, PerItem) else given
    scaled = f"[s * {c.inputs[0]}.itemsize for s in {literal(strides)}]"
    return (
        f"{c.output} = np.lib.stride_tricks.as_strided("
        f"{c.inputs[0]}, {literal(c.params['shape'])}, {scaled})"
    )


def _flat(c: Call) -> str:
    offset = c.params["offset"]
    tail = f"[{offset}:]" if offset else ""
    return f"{c.output} = {c.inputs[0]}.reshape(-1){tail}"


def _contiguous(c: Call) -> str:
    return f"{c.output} = np.ascontiguousarray({c.inputs[0]})"


def _copy(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.copy()"


def _take(c: Call) -> str:
    table = literal(c.params["indices"])
    return f"{c.output} = np.take({c.inputs[0]}, {table}, axis={c.params['axis']})"


def _transpose(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.transpose({literal(c.params['axes'])})"


def _broadcast(c: Call) -> str:
    return f"{c.output} = np.broadcast_to({c.inputs[0]}, {literal(c.params['shape'])})"


def _reshape(c: Call) -> str:
    return f"{c.output} = {c.inputs[0]}.reshape({literal(c.params['shape'])})"


LANGUAGE = Language(
    "",
    {
        "getitem": _getitem,
        "setitem": _setitem,
        "pad": _pad,
        "as_strided": _as_strided,
        "flat": _flat,
        "ascontiguousarray": _contiguous,
        "copy": _copy,
        "take": _take,
        "transpose": _transpose,
        "broadcast_to": _broadcast,
        "reshape": _reshape,
    },
)
"""Each call's line."""
