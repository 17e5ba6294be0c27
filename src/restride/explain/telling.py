"""One step of a chain as pictures tell it: its words, what it draws, what it is.

>>> from restride.layout import Chain
>>> words(Reading(Chain.identity((3,)).select([(2, -1, 3)]))).splitlines()[1]
'  y[i] = x[2 - i]'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from restride.explain.region import region_lines
from restride.explain.scene import DType
from restride.explain.subject import Reading, Subject, Writing
from restride.explain.text import lines
from restride.layout.chain import Chain

__all__ = [
    "MOST_LABEL",
    "MOST_STEPS",
    "MOST_TEXT",
    "Told",
    "stands_on",
    "told",
    "words",
]

MOST_STEPS = 40
"""Steps that are told one by one."""

MOST_TEXT = 40_000
"""Letters of words in one picture."""

MOST_LABEL = 300
"""Letters of one label: a picture is no place for a long list."""


class Told(NamedTuple):
    """One step of a chain, as a page tells it."""

    label: str
    """The step as its caller wrote it."""
    subject: Subject
    """The step alone."""
    operator: Mapping[str, Any] | None
    """``op`` and ``params`` in plain ints, for the parts that are alive."""
    note: str = ""
    """What else is to be said of it, such as why it cuts the chain."""


class Step(Protocol):
    """What a step that is kept can say of itself; see :mod:`restride.history`."""

    def text(self) -> str:
        """The step as its caller wrote it."""

    def operator(self) -> dict[str, Any]:
        """The operator that it is, and its parameters."""

    def chain(self) -> Chain:
        """The step alone."""


def told(steps: Iterable[Step] | None, dtype: DType | None = None) -> list[Told]:
    """The steps of a view, each alone; none where they are not known."""
    return [
        Told(step.text(), Reading(step.chain(), dtype), step.operator())
        for step in steps or ()
    ]


def words(subject: Subject) -> str:
    """A step or a chain in words, without its grid."""
    shown = {**subject.scene(), "grid": None}
    return "\n".join(region_lines(shown) if "writes" in shown else lines(shown))


def stands_on(subject: Subject) -> tuple[int, ...]:
    """What a step is done to: a region write's destination, not what is written."""
    if isinstance(subject, Writing):
        return subject.region.source_shape
    return subject.source_shape
