"""TensorFlow code: tf.raw_ops where a function would change a number or a default."""

from __future__ import annotations

from restride.ops.strided_slice import MASKS
from restride.translate.spec import Call
from restride.translate.texts.code import Language, literal

__all__ = ["LANGUAGE"]

LISTS = ("begin", "end", "strides")


def _masked(c: Call) -> str:
    """The three lists; as int64 where int32 does not hold them.

    tf.strided_slice turns a list into an int32, and cuts 2**40 to 0 without a word.
    """
    lists = [c.params[name] for name in LISTS]
    wide = any(not -(2**31) <= v < 2**31 for values in lists for v in values)
    kind = ", tf.int64" if wide or not lists[0] else ""
    shown = [f"tf.constant({literal(v)}{kind})" if kind else literal(v) for v in lists]
    return ", ".join(f"{n}={v}" for n, v in zip(LISTS, shown, strict=True))


def _strided_slice(c: Call) -> str:
    given = [c.inputs[0], _masked(c)]
    given += [f"{name}={c.params[name]}" for name in MASKS if name in c.params]
    return f"{c.output} = tf.strided_slice({', '.join(given)})"


def _update(c: Call) -> str:
    given = [f"input={c.inputs[0]}", _masked(c), f"value={c.inputs[1]}"]
    given += [f"{name}={c.params[name]}" for name in MASKS if name in c.params]
    return f"{c.output} = tf.raw_ops.TensorStridedSliceUpdate({', '.join(given)})"


def _pad(c: Call) -> str:
    return f"{c.output} = tf.pad({c.inputs[0]}, {literal(c.params['paddings'])})"


def _pad_v2(c: Call) -> str:
    given = f"{literal(c.params['paddings'])}, constant_values="
    fill = literal(c.params["constant_values"])
    return f"{c.output} = tf.pad({c.inputs[0]}, {given}{fill})"


def _mirror(c: Call) -> str:
    paddings, mode = literal(c.params["paddings"]), c.params["mode"]
    return f"{c.output} = tf.pad({c.inputs[0]}, {paddings}, {mode!r})"


def _gather(c: Call) -> str:
    table, axis = literal(c.params["indices"]), c.params["axis"]
    return f"{c.output} = tf.gather({c.inputs[0]}, {table}, axis={axis})"


def _transpose(c: Call) -> str:
    return f"{c.output} = tf.transpose({c.inputs[0]}, {literal(c.params['perm'])})"


def _broadcast(c: Call) -> str:
    return f"{c.output} = tf.broadcast_to({c.inputs[0]}, {literal(c.params['shape'])})"


def _reshape(c: Call) -> str:
    return f"{c.output} = tf.reshape({c.inputs[0]}, {literal(c.params['shape'])})"


LANGUAGE = Language(
    "import tensorflow as tf",
    {
        "strided_slice": _strided_slice,
        "tensor_strided_slice_update": _update,
        "pad": _pad,
        "pad_v2": _pad_v2,
        "mirror_pad": _mirror,
        "gather": _gather,
        "transpose": _transpose,
        "broadcast_to": _broadcast,
        "reshape": _reshape,
    },
)
"""Each call's line."""
