"""What dialects make of the same parameters, side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.translate.spec import Call

__all__ = ["Agreement", "Answer", "Difference", "first_difference"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Answer:
    """What one dialect makes of the parameters."""

    dialect: str
    """Whose."""
    calls: tuple[Call, ...]
    """What it ran: its own operator, or its translation; empty where it has none."""
    translated: bool
    """True where it has no operator of the kind, and its translation ran."""
    elements: Array | None
    """Which element stands where, by number; None where it refuses."""
    refused: str | None = None
    """Why it refuses, in its own words."""

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Shape of its result; None where it refuses."""
        return None if self.elements is None else self.elements.shape


@dataclass(frozen=True)
class Difference:
    """The first place where answers differ."""

    index: tuple[int, ...] | None
    """First in row-major order; None where shapes differ, or one only refuses."""
    said: dict[str, str]
    """By dialect: the element or constant there, the shape, or the refusal."""


@dataclass(frozen=True)
class Agreement:
    """The answers of all dialects, and whether they are one.

    Examples
    --------
    >>> from restride.translate import Call, agree
    >>> pad = Call("numpy", "pad", {"pad_width": [[3, 0]], "mode": "reflect"})
    >>> told = agree(pad, ("numpy", "pytorch"), (3,))
    >>> told.same, told.first.said["numpy"]
    (False, 'gives shape (6,)')
    """

    answers: tuple[Answer, ...]
    """One per dialect, in the order asked for."""
    first: Difference | None
    """Where they first differ; None where they do not."""

    @property
    def same(self) -> bool:
        """True where every dialect gives a result, and all are the same."""
        return self.first is None

    def text(self) -> str:
        """The same in lines for people."""
        width = max(len(a.dialect) for a in self.answers)
        lines = [f"{a.dialect:<{width}}  {_summary(a)}" for a in self.answers]
        if self.first is None:
            return "\n".join([*lines, "all give the same elements"])
        if self.first.index is None:
            return "\n".join([*lines, self._in_short()])
        given = [a.dialect for a in self.answers if a.elements is not None]
        said = ", ".join(f"{name} {self.first.said[name]}" for name in given)
        place = ", ".join(map(str, self.first.index))
        return "\n".join([*lines, f"they first differ at y[{place}]: {said}"])

    def _in_short(self) -> str:
        """What no single place tells."""
        shapes = {a.shape for a in self.answers if a.shape is not None}
        if not shapes:
            return "all refuse"
        return "shapes differ" if len(shapes) > 1 else "those that answer agree"

    def to_dict(self) -> dict[str, Any]:
        """The same in lists, numbers and strings, as JSON holds them."""
        answers = [
            {
                "dialect": a.dialect,
                "translated": a.translated,
                "shape": None if a.shape is None else list(a.shape),
                "refused": a.refused,
            }
            for a in self.answers
        ]
        first: dict[str, Any] | None = None
        if self.first is not None:
            place = self.first.index
            first = {"index": None if place is None else list(place)}
            first["said"] = dict(self.first.said)
        return {"same": self.same, "answers": answers, "first": first}


def _summary(answer: Answer) -> str:
    if answer.elements is None:
        return f"refuses: {answer.refused}"
    how = " by its translation" if answer.translated else ""
    return f"gives shape {answer.shape}{how}"


def first_difference(
    answers: tuple[Answer, ...], named: Callable[[int], str]
) -> Difference | None:
    """Where the results differ first, or that only some refuse, or None."""
    given = [a for a in answers if a.elements is not None]
    said = {a.dialect: _summary(a) for a in answers}
    if len({a.shape for a in given}) > 1:
        return Difference(None, said)
    arrays = [a.elements for a in given if a.elements is not None]
    unequal = [np.flatnonzero((a != arrays[0]).ravel()) for a in arrays[1:]]
    places = [int(found[0]) for found in unequal if found.size]
    if not places:
        return None if len(given) == len(answers) else Difference(None, said)
    index = tuple([int(k) for k in np.unravel_index(min(places), arrays[0].shape)])
    for answer, array in zip(given, arrays, strict=True):
        said[answer.dialect] = named(int(array[index]))
    return Difference(index, said)
