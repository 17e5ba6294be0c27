"""A translation while it is written: what stands so far, and what is to be said of it.

A writer is a table from a kind of step to a function of the draft and the step.  It
either says the step in calls of its dialect, or says simpler steps, or refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from restride.errors import RestrideError
from restride.translate.abilities import ABILITIES, Ability
from restride.translate.errors import RefusedError
from restride.translate.meaning import Step, result_rank, result_shape
from restride.translate.spec import Call
from restride.translate.words import Frame

__all__ = ["Draft", "Writer"]

Writer = Mapping[type, Callable[["Draft", Any], None]]
"""For each kind of step, what says it."""


class Draft:
    """Calls and notes so far, and the shape or rank that stands.

    `exact` keeps the elements, or refuses; otherwise the numbers go over as they are,
    and it is for the target to refuse them.
    """

    def __init__(
        self,
        dialect: str,
        frame: Frame,
        writer: Writer,
        opset: int,
        exact: bool = True,
    ) -> None:
        self.dialect, self.frame, self.writer = dialect, frame, writer
        self.exact = exact
        self.opset = opset
        self.calls: list[Call] = []
        self.notes: list[str] = []
        self.bound = False

    @property
    def can(self) -> Ability:
        """What the target can say."""
        return ABILITIES[self.dialect]

    @property
    def at(self) -> str:
        """Name of the array that stands."""
        return self.calls[-1].output if self.calls else "x"

    def say(self, step: Step) -> None:
        """Say one step in the target's words."""
        say = self.writer.get(type(step))
        if say is None:
            kind = type(step).__name__.lower()
            self.refuse(f"has no word for this {kind}.", "Use restride itself.")
        say(self, step)

    def call(self, step: Step | None, op: str, /, **params: Any) -> None:
        """Add a call; `step`, once it is said whole, moves the frame on."""
        inputs = (self.at, "src") if op in WRITING else (self.at,)
        self.calls.append(Call(self.dialect, op, params, inputs))
        if step is not None:
            self.advance(step)

    def advance(self, step: Step) -> None:
        """What stands after `step`."""
        frame, shape = self.frame, None
        try:
            if frame.shape is not None:
                shape = result_shape(step, frame.shape)
        except RestrideError:
            if self.exact:
                raise
        self.frame = Frame(shape, result_rank(step, frame.rank))

    def note(self, text: str) -> None:
        """Something the reader of the calls should know; said once."""
        if text not in self.notes:
            self.notes.append(text)

    def shape_for(self, why: str) -> tuple[int, ...]:
        """The shape, which from now on the calls hold for alone."""
        self.bound = True
        if self.frame.shape is None:
            self.refuse(f"{why}, which needs the input's shape.", "Give the shape too.")
        return self.frame.shape

    def refuse(self, reason: str, instead: str) -> NoReturn:
        """The target cannot say it: why, and what to do instead."""
        raise RefusedError(self.dialect, reason, instead)


WRITING = (
    "ScatterND",
    "SetValueParam",
    "assign",
    "select_scatter",
    "setitem",
    "slice_scatter",
    "tensor_strided_slice_update",
)
"""Calls that take the source of a write as their second input."""
