"""The aclnn doors in Python: each writes into an `out` made before."""

from __future__ import annotations

from restride.ops.strided_slice import MASKS
from restride.translate.spec import Call
from restride.translate.texts.cann import IMPORT
from restride.translate.texts.code import Language, literal

__all__ = ["LANGUAGE"]


def _pad(c: Call) -> str:
    """``out`` is the input and the pads; the last axis comes first in them."""
    x = c.inputs[0]
    pads = c.params["pad" if "pad" in c.params else "padding"]
    sums = [a + b for a, b in zip(pads[::2], pads[1::2], strict=True)][::-1]
    grown = ", ".join(
        f"{x}.shape[{axis}] + {n}" for axis, n in enumerate(sums, -len(sums))
    )
    shape = f"(*{x}.shape[:{-len(sums)}], {grown})" if sums else f"{x}.shape"
    given = [x, *[literal(v) for v in c.params.values()]]
    return _door(c, shape, given)


def _strided_slice(c: Call) -> str:
    x, params = c.inputs[0], c.params
    lists = [literal(params[name]) for name in ("begin", "end", "strides")]
    masks = [f"{name}={params[name]}" for name in MASKS if name in params]
    inferred = f"cann.infer_shape_strided_slice({', '.join([x, *lists, *masks])})"
    return _door(c, inferred, [x, *lists, *[str(params.get(m, 0)) for m in MASKS]])


def _door(c: Call, shape: str, given: list[str]) -> str:
    x = c.inputs[0]
    made = f"out = np.empty({shape}, {x}.dtype)"
    return f"{made}\n{c.output} = cann.{c.op}({', '.join([*given, 'out'])})"


PADS = ["aclnn_constant_pad_nd"] + [
    f"aclnn_{kind}_pad{k}d" for kind in ("replication", "reflection") for k in (1, 2, 3)
]

LANGUAGE = Language(
    IMPORT, {"aclnn_strided_slice": _strided_slice} | dict.fromkeys(PADS, _pad)
)
"""Each call's lines."""
