"""From one dialect to another: read, make sure of the meaning, write.

>>> print(translate("x[1, ::-2, None]", to="pytorch").text())
import torch
<BLANKLINE>
y = torch.flip(x, (1,))
y = y[1, ::2, None]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from restride.checks import MAX_RANK, as_index, as_shape
from restride.translate.draft import Draft, Writer
from restride.translate.errors import SpecError
from restride.translate.meaning import Step, result_rank, result_shape
from restride.translate.meant import meant
from restride.translate.readers.table import HOMES, dialect_named, read_call
from restride.translate.spec import Call, as_calls, shown_value
from restride.translate.words import INEXACT, Frame

__all__ = [
    "NEWEST",
    "Translation",
    "check_opset",
    "frame_of",
    "meaning_of",
    "translate",
    "writer_of",
]

NEWEST = 25
"""Newest opset written: what onnx 1.23 calls Pad-25."""

ONNX_TYPES = (
    *("float", "double", "float16", "bfloat16", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)
"""Element types of a pad's constant."""


@dataclass(frozen=True)
class Translation:
    """Calls of the target, run one after the other, that give the same elements."""

    calls: tuple[Call, ...]
    """Each reads `inputs` and writes `output`; the last `output` is the result."""
    notes: tuple[str, ...]
    """What holds for these calls beyond what they say."""
    any_shape: bool
    """True where the calls give the same elements for every shape the target takes."""
    opset: int = NEWEST
    """For ONNX: the opset of the nodes."""
    dtype: str | None = None
    """For ONNX: type of a pad's constant; None: cast to the input's by CastLike."""

    @property
    def dialect(self) -> str:
        """Whose words the calls are."""
        return self.calls[0].dialect

    def text(self) -> str:
        """The calls as code of the target: from ``x``, and ``src``, to ``y``.

        For ONNX this is the text form that ``onnx.parser`` reads.
        """
        from restride.translate.texts import text_of

        return text_of(self.calls, self.opset, self.dtype)

    def nodes(self) -> list[Any]:
        """For ONNX: the nodes, each list they need as a Constant node before them.

        Raises
        ------
        UnsupportedError
            Another target, or the onnx package is not installed.
        """
        from restride.translate.protos import nodes_of

        return nodes_of(self.calls, self.opset, self.dtype)

    def to_dict(self) -> dict[str, Any]:
        """The same in lists, numbers and strings, as JSON holds them."""
        from restride.translate.texts import plain

        calls = [
            {
                "dialect": c.dialect,
                "op": c.op,
                "params": {name: plain(v) for name, v in c.params.items()},
                "inputs": list(c.inputs),
                "output": c.output,
            }
            for c in self.calls
        ]
        return {"calls": calls, "notes": list(self.notes), "any_shape": self.any_shape}


def translate(
    spec: Any,
    to: str = "onnx",
    shape: Any = None,
    *,
    rank: int | None = None,
    opset: int = NEWEST,
    dtype: str | None = None,
) -> Translation:
    """One operator's parameters in the words of another dialect.

    Parameters
    ----------
    spec : Call, str, index, restride operator, ATB parameter, NodeProto, dict, or list
        An operator: see :func:`restride.translate.as_calls`.
    to : str
        atb, cann, aclnn, tensorflow, onnx, pytorch, numpy or restride.
    shape : sequence of int, optional
        Of the input.  Without it only what holds for every shape is written.
    rank : int, optional
        Number of axes, where the shape is not known but that is.
    opset : int
        For ONNX: 1 to the newest; Slice-1 has attributes, Slice-10 inputs.
    dtype : str, optional
        For ONNX: element type of the input, for the constant of a pad.

    Raises
    ------
    SpecError
        `spec` is no operator of its dialect, or `to` no dialect; more must be known.
    RefusedError
        The target has no words for it: why, and what to do instead.
    ShapeError, BoundsError
        The operator is not defined on `shape`.

    Examples
    --------
    >>> from restride.translate import Call, translate
    >>> pad = Call("onnx", "Pad", {"pads": [1, 0, 0, 2], "mode": "edge"})
    >>> translate(pad, to="numpy").calls
    (Call('numpy', 'pad', {'pad_width': ((1, 0), (0, 2)), 'mode': 'edge'}),)
    """
    frame, target = frame_of(shape, rank), dialect_named(to)
    at = check_opset(opset)
    steps, notes = meaning_of(as_calls(spec), frame)
    draft = Draft(target, frame, writer_of(target, "WRITE"), at)
    for step in steps:
        draft.say(step)
    if draft.bound:
        draft.note(f"the calls hold for inputs of shape {frame.shape} only.")
    every = (*notes, *[n for n in draft.notes if n not in notes])
    any_shape = not draft.bound and not any(n.endswith(INEXACT) for n in every)
    return Translation(tuple(draft.calls), every, any_shape, at, _onnx_type(dtype))


def meaning_of(
    calls: tuple[Call, ...], frame: Frame
) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """What calls in a row do on an array of `frame`, and notes of their reader."""
    steps: list[Step] = []
    notes: dict[str, None] = {}
    for call in calls:
        dialect = dialect_named(call.dialect)
        words, said = read_call(call, frame)
        notes |= dict.fromkeys(said)
        for word in words:
            for step in meant(dialect, word, frame):
                frame = _after(step, frame)
                steps.append(step)
    return tuple(steps), tuple(notes)


def _after(step: Step, frame: Frame) -> Frame:
    if frame.shape is not None:
        return Frame(result_shape(step, frame.shape))
    return Frame(None, result_rank(step, frame.rank))


def frame_of(shape: Any, rank: Any) -> Frame:
    """What is known of the input."""
    if shape is None:
        if rank is None:
            return Frame(None)
        count = as_index(rank, "translate: rank")
        if not 0 <= count <= MAX_RANK:
            raise SpecError(f"rank = {shown_value(rank)}; allowed is 0 to {MAX_RANK}.")
        return Frame(None, count)
    known = as_shape(shape, "translate: shape")
    if rank is not None and rank != len(known):
        raise SpecError(f"rank = {shown_value(rank)} and shape {known} contradict.")
    return Frame(known)


def writer_of(dialect: str, which: str) -> Writer:
    """The table `which` ("OWN" or "WRITE") of a dialect's writer."""
    home = dialect if dialect == "aclnn" else HOMES[dialect]
    module = import_module(f"restride.translate.writers.{home}")
    table: Mapping[type, Any] = getattr(module, which)
    return table


def _onnx_type(dtype: Any) -> str | None:
    """ONNX's name of an element type: float32 is its float, float64 its double."""
    if dtype is None:
        return None
    name = getattr(dtype, "name", dtype)
    if isinstance(name, str):
        found = {"float32": "float", "float64": "double"}.get(name, name)
        if found in ONNX_TYPES:
            return found
    raise SpecError(f"dtype {shown_value(dtype)}; use one of {', '.join(ONNX_TYPES)}.")


def check_opset(opset: Any) -> int:
    """An opset that is written, as an int."""
    found = as_index(opset, "translate: opset")
    if not 1 <= found <= NEWEST:
        raise SpecError(f"opset = {shown_value(opset)}; allowed is 1 to {NEWEST}.")
    return found
