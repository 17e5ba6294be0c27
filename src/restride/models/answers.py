"""The answer for one node: what the target does with it, and who says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from restride.models.known import Known, Node
from restride.models.movements.movement import Movement

__all__ = [
    "ANSWERS",
    "CANNOT_TELL",
    "FAST",
    "REFUSED",
    "SLOW",
    "Answer",
    "Checked",
    "best",
]

FAST, SLOW, CANNOT_TELL, REFUSED = "fast", "slow path", "cannot tell", "refused"

ANSWERS = (FAST, SLOW, CANNOT_TELL, REFUSED)
"""The answers, best first."""


@dataclass(frozen=True)
class Answer:
    """What a target, or one of its doors, says of a node.

    Examples
    --------
    >>> Answer("fast", "StridedSlice takes it.", "ops-math", by="CANN").text()
    'fast: StridedSlice takes it. [ops-math]'
    """

    answer: str
    """"fast", "slow path", "refused" or "cannot tell"."""
    rule: str
    """What decides, in words."""
    source: str = ""
    """Where that is written."""
    seen: str = ""
    """The day on which it was read there, where the table says."""
    rewrite: str = ""
    """What to do instead; empty where nothing is known to help."""
    by: str = ""
    """The door of the target that was asked: ATB, CANN, aclnn; or its name."""
    words: str = ""
    """The node in the target's words, as code."""
    others: tuple[Answer, ...] = ()
    """What the target's other doors say."""

    def text(self) -> str:
        """The answer in one line."""
        source = f" [{self.source}]" if self.source else ""
        return f"{self.answer}: {self.rule}{source}"

    def to_dict(self) -> dict[str, Any]:
        """The same in strings and lists, as JSON holds them."""
        return {
            "answer": self.answer,
            "rule": self.rule,
            "source": self.source or None,
            "seen": self.seen or None,
            "rewrite": self.rewrite or None,
            "by": self.by or None,
            "words": self.words or None,
            "others": [other.to_dict() for other in self.others],
        }


def best(answers: Iterable[Answer]) -> Answer:
    """The best of several doors, which tells of the others; a way out decides ties."""
    ranked = sorted(answers, key=lambda a: (ANSWERS.index(a.answer), not a.words))
    first, *rest = ranked
    return Answer(**{**_fields(first), "others": tuple(rest)})


def _fields(answer: Answer) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in Answer.__dataclass_fields__}


@dataclass(frozen=True)
class Checked:
    """A node that moves elements, and the answer."""

    movement: Movement
    """The node, its parameters and what it moves."""
    answer: Answer
    """What the target does with it."""

    @property
    def node(self) -> Node:
        """The node."""
        return self.movement.node

    @property
    def params(self) -> Mapping[str, Any]:
        """Its parameters; None: computed when the model runs."""
        return self.movement.params

    def to_dict(self) -> dict[str, Any]:
        """The same in strings, numbers and lists, as JSON holds them."""
        node = self.node
        return {
            "node": node.label,
            "scope": list(node.scope),
            "index": node.index,
            "op": node.op,
            "domain": node.domain,
            "opset": node.opset,
            "params": {k: _plain(v) for k, v in self.params.items()},
            "at_run_time": list(self.movement.dynamic),
            "inputs": [_described(known) for known in node.inputs],
            "outputs": [_described(known) for known in node.outputs],
            **self.answer.to_dict(),
        }


def _described(known: Known | None) -> dict[str, Any] | None:
    if known is None:
        return None
    shape = None if known.shape is None else list(known.shape)
    told = {"name": known.name, "kind": known.kind, "dtype": known.dtype}
    return {**told, "shape": shape, "constant": known.constant is not None}


def _plain(value: Any) -> Any:
    """A parameter as JSON holds it: NaN and infinities are no numbers there."""
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return str(value)
    return value
