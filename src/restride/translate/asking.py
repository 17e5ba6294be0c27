"""Asking several dialects what the same parameters give.

Each runs its own operator, with the parameters it would be given by someone who knows
its words only; where it has no operator of the kind, its translation runs.

>>> agree("x[0:9]", ("numpy", "tensorflow"), (3,)).same
True
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from restride.checks import as_ints, as_shape
from restride.errors import RestrideError, ShapeError
from restride.layout.constant import Constant
from restride.ops.strided_slice import encode
from restride.translate.agreement import Agreement, Answer, first_difference
from restride.translate.draft import Draft
from restride.translate.errors import RefusedError, SpecError
from restride.translate.meaning import Extend, Step, Write, result_shape
from restride.translate.readers.table import HOMES, dialect_named, read_call
from restride.translate.running import MOST_ELEMENTS, own_call, run_calls
from restride.translate.spec import Call, as_calls, shown_value
from restride.translate.translation import NEWEST, check_opset, writer_of
from restride.translate.words import Frame

__all__ = ["agree"]

Array = np.ndarray[Any, Any]

FILLS = ("constant_values", "constant_value", "value")
"""Parameters that hold constants, in whichever dialect."""

SRC = -(2**40)
"""Number of src's first element; the others count down.

Of the rest, 0 is the constant 0, which is every pad's default; other constants count
down from -1, and the input's elements up from 1.
"""

HOLE = -(2**50)
"""Number of what lies in memory between the input's elements."""


def agree(
    spec: Any,
    dialects: Iterable[str],
    shape: Any,
    *,
    strides: Any = None,
    opset: int = NEWEST,
) -> Agreement:
    """Whether dialects give the same elements for these parameters and this input.

    Parameters
    ----------
    spec : Call, str, index, restride operator, ATB parameter, NodeProto or dict
        One operator: see :func:`restride.translate.as_calls`.
    dialects : sequence of str
        Those to compare; also "onnxruntime", where it leaves ONNX's text.
    shape : sequence of int
        Of the input.
    strides : sequence of int, optional
        Elements between neighbours of the input in memory; default row-major.  Some
        dialects stride over memory, others over the elements in order.
    opset : int
        For ONNX.

    Raises
    ------
    SpecError
        `spec` is no operator of its dialect; no such dialect, or one named twice.
    ShapeError
        More elements than are compared one by one.

    Examples
    --------
    >>> told = agree("x[-9::-1]", ("numpy", "onnx"), (3,))
    >>> told.same, told.first.said
    (False, {'numpy': 'gives shape (0,)', 'onnx': 'gives shape (1,)'})
    """
    calls = as_calls(spec)
    if len(calls) != 1:
        raise SpecError(f"agree compares one operator, and {len(calls)} were given.")
    names = _dialects(dialects)
    frame = Frame(as_shape(shape, "agree: shape"))
    steps, _ = read_call(calls[0], frame, lenient=True)
    asked = _Question(calls[0], steps, frame, check_opset(opset))
    x = _input(as_shape(shape), strides)
    answers = tuple([asked.answer(name, x) for name in names])
    return Agreement(answers, first_difference(answers, asked.named))


def _dialects(asked: Any) -> list[Any]:
    """The dialects that are meant; one beside itself would always agree."""
    found: dict[Any, Any] = {}
    for name in _names(asked):
        meant = dialect_named(name)
        if meant in found:
            raise SpecError(
                f"{shown_value(found[meant])} and {shown_value(name)} are both "
                f"{meant}; name each dialect once."
            )
        found[meant] = name
    return list(found)


def _names(dialects: Any) -> list[Any]:
    given = [dialects] if isinstance(dialects, str) else dialects
    if not isinstance(given, Iterable):
        raise SpecError(f"dialects = {shown_value(dialects)}; give a list of names.")
    names = list(given)
    if not 0 < len(names) <= 2 * len(HOMES):
        raise SpecError(f"{len(names)} dialects; name 1 to {len(HOMES)}.")
    return names


def _input(shape: tuple[int, ...], strides: Any) -> Array:
    """An array whose elements are their own numbers from 1, laid out as asked."""
    if prod(shape) > MOST_ELEMENTS:
        raise ShapeError(
            f"agree: shape {shape} has {prod(shape)} elements, and at most "
            f"{MOST_ELEMENTS} are compared one by one; give a smaller shape."
        )
    numbers = np.arange(1, prod(shape) + 1, dtype=np.int64).reshape(shape)
    if strides is None:
        return numbers
    steps = as_ints(strides, "agree: strides")
    reach = sum((n - 1) * s for n, s in zip(shape, steps, strict=False) if n)
    if len(steps) != len(shape) or min(steps, default=0) < 0 or reach > MOST_ELEMENTS:
        raise ShapeError(
            f"agree: strides {shown_value(steps)} of shape {shape}; give one per axis, "
            f"0 or more, that reach no further than {MOST_ELEMENTS}."
        )
    line = np.full(reach + 1, HOLE, np.int64)
    places = sum(
        (i * s for i, s in zip(np.indices(shape), steps, strict=True)),
        np.zeros(shape, np.int64),
    )
    line[places] = numbers
    if not np.array_equal(line[places], numbers):
        raise ShapeError(f"agree: strides {steps} put two elements in one place.")
    in_bytes = [s * line.itemsize for s in steps]
    return np.lib.stride_tricks.as_strided(line, shape, in_bytes)


class _Question:
    """One operator with numbers for its constants, asked of one dialect at a time."""

    def __init__(
        self, call: Call, steps: tuple[Step, ...], frame: Frame, opset: int
    ) -> None:
        self.constants: dict[Constant, int] = {}
        self.call, self.frame, self.opset = call, frame, opset
        self.steps = tuple([self._numbered(step) for step in steps])
        self.writes = any(isinstance(step, Write) for step in steps)
        self._check_size()

    def _number(self, value: Any) -> int:
        if value is None or Constant(value) in (Constant(0), Constant(0.0)):
            return 0
        return self.constants.setdefault(Constant(value), -1 - len(self.constants))

    def _numbered(self, step: Step) -> Step:
        if not isinstance(step, Extend) or step.fills is None:
            return step
        fills = [(self._number(b), self._number(a)) for b, a in step.fills]
        return replace(step, fills=tuple(fills))

    def _numbered_words(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([self._numbered_words(v) for v in value])
        return self._number(value)

    def _check_size(self) -> None:
        shape = self.frame.shape or ()
        for step in self.steps:
            try:
                shape = result_shape(step, shape)
            except RestrideError:
                return  # each dialect says for itself what it makes of it
            if prod(shape) > MOST_ELEMENTS:
                raise ShapeError(
                    f"agree: the result of shape {shape} has {prod(shape)} elements, "
                    f"and at most {MOST_ELEMENTS} are compared; give a smaller shape."
                )

    def source(self) -> Array | None:
        """For a write: numbers that no element of the input has."""
        if not self.writes:
            return None
        (step,) = self.steps
        try:
            assert isinstance(step, Write)
            shape = encode(step.entries).infer_shape(self.frame.shape or ())
        except RestrideError:
            shape = ()
        return SRC - np.arange(prod(shape), dtype=np.int64).reshape(shape)

    def answer(self, dialect: str, x: Array) -> Answer:
        """What a dialect makes of it; its refusals are answers too."""
        calls: tuple[Call, ...] = ()
        translated = False
        try:
            calls, translated = self._calls(dialect)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = run_calls(calls, x, self.source())
        except RestrideError as error:
            told = error.reason if isinstance(error, RefusedError) else str(error)
            return Answer(dialect, calls, translated, None, told)
        except MemoryError:
            told = "the result does not fit into memory."
            return Answer(dialect, calls, translated, None, told)
        return Answer(dialect, calls, translated, np.ascontiguousarray(found))

    def _calls(self, dialect: str) -> tuple[tuple[Call, ...], bool]:
        """Its own operator, or its translation where it has none of the kind."""
        given = dialect_named(self.call.dialect)
        if dialect == given or {dialect, given} == {"onnx", "onnxruntime"}:
            return (self._as_given(dialect),), False
        own = writer_of(dialect, "OWN")
        translated = any(type(step) not in own for step in self.steps)
        table = writer_of(dialect, "WRITE") if translated else own
        draft = Draft(dialect, self.frame, table, self.opset, exact=translated)
        for step in self.steps:
            draft.say(step)
        return tuple(draft.calls), translated

    def _as_given(self, dialect: str) -> Call:
        call = own_call(self.call, self.writes)
        params = {
            name: self._numbered_words(v) if name in FILLS and v is not None else v
            for name, v in call.params.items()
        }
        return replace(call, dialect=dialect, params=params)

    def named(self, number: int) -> str:
        """What an element's number stands for, in words.

        Examples are ``x[0, 2]``, ``constant 7`` and ``src[1]``.
        """
        if number > 0:
            return _place("x", number - 1, self.frame.shape or ())
        if number <= HOLE // 2:
            return "memory between the elements"
        source = self.source()
        if number <= SRC and source is not None:
            return _place("src", SRC - number, source.shape)
        known = {k: constant.value for constant, k in self.constants.items()}
        return f"constant {shown_value(known.get(number, 0))}"


def _place(name: str, number: int, shape: tuple[int, ...]) -> str:
    index = [int(k) for k in np.unravel_index(number, shape)] if shape else []
    return f"{name}[{', '.join(map(str, index)) or '()'}]"
