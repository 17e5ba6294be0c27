"""An Ascend product's answer: what its doors take, asked of the dialects themselves.

A product has three doors: CANN's graph operators, the aclnn functions and ATB's
operations.  A node is written in the words of each, and each dialect's own checks are
run on descriptions of the tensors, for that product.  Nothing is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from restride.errors import RestrideError, UnsupportedError
from restride.models.answers import CANNOT_TELL, FAST, REFUSED, SLOW, Answer, best
from restride.models.ascend.calls import OPERATORS, accept, operator_of
from restride.models.ascend.probes import SMALL, open_axes, probes, shaped
from restride.models.ascend.same_bytes import same_bytes
from restride.models.movements.movement import Movement
from restride.models.movements.onnx import RESHAPES
from restride.models.movements.tf_names import tf_op
from restride.targets import Product, Support, UnknownNameError, support
from restride.translate.draft import Draft
from restride.translate.errors import RefusedError
from restride.translate.meaning import Write
from restride.translate.spec import Call
from restride.translate.texts import text_of
from restride.translate.translation import NEWEST, writer_of
from restride.translate.words import Frame

__all__ = ["DOORS", "judged"]

DOORS = {"cann": "CANN", "aclnn": "aclnn", "atb": "ATB"}
"""The doors, in the order in which equal answers are preferred."""

DIRECT = {"Slice", "Pad", "StridedSlice", "PadV2", "MirrorPad"}
"""Operators that the doors have themselves; what they refuse of these is refused."""

LATE = "known only when the model runs"

Shape = tuple[int, ...]


def judged(m: Movement, product: Product, doors: tuple[str, ...]) -> Answer:
    """What a product does with a node, by the best of its doors."""
    if _op(m) in RESHAPES:
        return _moves_nothing(m)
    return best(_Asked(m, product, door).answer() for door in doors)


def _op(m: Movement) -> str:
    """The operator, of TensorFlow Lite by TensorFlow's name."""
    return tf_op(m.node) if m.node.domain else m.node.op


def _moves_nothing(m: Movement) -> Answer:
    rule = "every element stays where it is, row-major; only the shape is another."
    where = m.node.domain or "ONNX"
    source = f"{where} {m.node.op}, opset {m.node.opset}, its definition"
    return Answer(FAST, rule, source)


@dataclass
class _Asked:
    """One door of one product, asked of one node."""

    m: Movement
    product: Product
    door: str

    def answer(self) -> Answer:
        """What it says, with everything it would take for granted told."""
        dtype = None if self.m.data is None else self.m.data.dtype
        if self.m.outputs is None or self.m.data is None or self.m.data.shape is None:
            return self._unseen(dtype)
        if dtype is None:
            return self._say(CANNOT_TELL, "its element type is not known.", "")
        try:
            found = [self._tried(shape, dtype) for shape in self._shapes()]
        except _RefusedHereError as refused:
            return self._refused(refused, dtype)
        return self._taken(found, dtype)

    # -- trying ------------------------------------------------------------------

    def _shapes(self) -> list[Shape]:
        return probes(self.m.data)

    def _least(self, axis: int, calls: tuple[Call, ...], dtype: str) -> int:
        """The least extent of an axis, others large, that gives the same calls."""
        low, high = SMALL, max(shaped(self.m.data)[axis], SMALL)
        while low < high:
            middle = (low + high) // 2
            if self._is_same(shaped(self.m.data, {axis: middle}), calls, dtype):
                high = middle
            else:
                low = middle + 1
        return low

    def _is_same(self, shape: Shape, calls: tuple[Call, ...], dtype: str) -> bool:
        try:
            return repr(self._tried(shape, dtype)) == repr(calls)
        except _RefusedHereError:
            return False

    def _tried(self, shape: Shape, dtype: str) -> tuple[Call, ...]:
        """The calls for a shape; raises where the words or the checks refuse."""
        calls: list[Call] = []
        try:
            for steps in self.m.outputs or ():
                table = writer_of(self.door, "WRITE")
                draft = Draft(self.door, Frame(shape), table, NEWEST)
                for step in steps:
                    draft.say(step)
                calls += draft.calls
                at = shape
                for call in draft.calls:
                    at = accept(call, at, dtype, self.product)
        except RestrideError as error:
            raise _RefusedHereError(shape, calls, error) from error
        return tuple(calls)

    # -- saying ------------------------------------------------------------------

    def _taken(self, found: list[tuple[Call, ...]], dtype: str) -> Answer:
        calls = found[0]
        if not calls:
            return self._say(CANNOT_TELL, "it has no results, so nothing moves.", "")
        if len(set(map(repr, found))) > 1:
            return self._say(
                CANNOT_TELL, self._depends(calls, dtype), self._source(calls, dtype)
            )
        each = max(1, len(self.m.outputs or ()))
        names = ", ".join(dict.fromkeys(operator_of(call) for call in calls))
        words = text_of(calls, NEWEST, None)
        source = self._source(calls, dtype)
        told = self._note(calls, dtype)
        is_slow = any(cell.slow for cell in self._cells(calls, dtype))
        if len(calls) > each:
            rule = f"{names} takes it in {len(calls)} calls.{told}"
            return self._say(SLOW, rule, source, words=words)
        answer = SLOW if is_slow else FAST
        return self._say(answer, f"{names} takes it.{told}", source, words=words)

    def _depends(self, calls: tuple[Call, ...], dtype: str) -> str:
        """From which extents on the calls are those of a large input."""
        least = {k: self._least(k, calls, dtype) for k in open_axes(self.m.data)}
        needed = [f"axis {k} has at least {n}" for k, n in least.items() if n > SMALL]
        large = shaped(self.m.data)
        if not needed or any(least[k] == large[k] for k in least):
            return f"its numbers follow from extents {LATE}."
        each = max(1, len(self.m.outputs or ()))
        how = "" if len(calls) <= each else f" in {len(calls)} calls"
        return f"it takes it{how} where {' and '.join(needed)}, {LATE}."

    def _refused(self, refused: _RefusedHereError, dtype: str) -> Answer:
        error = refused.__cause__
        name = self._name()
        told = _support(name, dtype, self.product)
        source = told.source if told else ""
        why, instead = str(error), told.instead if told and not told.ok else ""
        if isinstance(error, RefusedError):
            why, instead = error.reason, error.instead
        if self._is_refused_for_all(dtype):
            answer = REFUSED
        else:
            answer = CANNOT_TELL
            why = f"that depends on extents {LATE}: {why}"
        if answer == REFUSED and _op(self.m) not in DIRECT:
            return self._has_own(refused, why, source, dtype)
        return self._say(answer, why, source, rewrite=instead or "")

    def _has_own(
        self, refused: _RefusedHereError, why: str, source: str, dtype: str
    ) -> Answer:
        """A refusal in words of the tables, where the product has an own operator."""
        own = f"no table here tells of this product's own {self.m.node.op}"
        rule = f"{own}; in words of {DOORS[self.door]}: {why}"
        made = same_bytes(refused.calls, refused.shape, dtype, self.product)
        if made is None:
            return self._say(CANNOT_TELL, rule, source)
        rewrite, words = made
        return self._say(CANNOT_TELL, rule, source, rewrite=rewrite, words=words)

    def _is_refused_for_all(self, dtype: str) -> bool:
        for shape in self._shapes():
            try:
                self._tried(shape, dtype)
            except _RefusedHereError:
                continue
            return False
        return True

    def _unseen(self, dtype: str | None) -> Answer:
        """Where steps or rank are not known, product and dtype may still decide."""
        name = self._name()
        told = _support(name, dtype, self.product)
        open_ = self.m.open or "its number of axes is known when the model runs."
        if told is None or told.ok or _op(self.m) not in DIRECT:
            return self._say(CANNOT_TELL, open_, told.source if told else "")
        return self._say(REFUSED, told.reason, told.source, rewrite=told.instead or "")

    def _say(self, answer: str, rule: str, source: str, **more: Any) -> Answer:
        return Answer(answer, rule, source, by=DOORS[self.door], **more)

    def _name(self) -> str:
        """The door's operator for nodes of this kind, for its support table."""
        writes = any(
            isinstance(s, Write) for steps in self.m.outputs or () for s in steps
        )
        kind = "write" if writes else "pad" if "Pad" in _op(self.m) else "slice"
        return OPERATORS[self.door][kind]

    def _cells(self, calls: tuple[Call, ...], dtype: str) -> list[Support]:
        """What the support tables say of each operator that is called."""
        names = dict.fromkeys(operator_of(call) for call in calls)
        told = [_support(name, dtype, self.product) for name in names]
        return [cell for cell in told if cell is not None]

    def _source(self, calls: tuple[Call, ...], dtype: str) -> str:
        cells = self._cells(calls, dtype)
        return "; ".join(dict.fromkeys(cell.source for cell in cells))

    def _note(self, calls: tuple[Call, ...], dtype: str) -> str:
        notes = [cell.note for cell in self._cells(calls, dtype) if cell.note]
        return "".join(f" {note}" for note in dict.fromkeys(notes))


class _RefusedHereError(UnsupportedError):
    """A door refuses a node of a shape; the reason is its cause."""

    def __init__(self, shape: Shape, calls: list[Call], error: RestrideError) -> None:
        super().__init__(str(error))
        self.shape, self.calls = shape, calls


def _support(operator: str, dtype: str | None, product: Product) -> Support | None:
    """The support table's cell; None where it has no such type."""
    try:
        return support(operator, dtype, product)
    except UnknownNameError:
        return None
