"""The result of a check: for people in lines, for machines in plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from restride.models.answers import ANSWERS, FAST, REFUSED, Answer, Checked
from restride.models.check.targets import Target

__all__ = ["Report", "parameters", "types"]

LONGEST_LIST = 12
"""Most numbers of one parameter that lines show."""


@dataclass(frozen=True)
class Report:
    """Every node that moves elements, and what a target does with it."""

    model: str
    """The model's path or name."""
    kind: str
    """"onnx", "tflite", "graphdef", "pbtxt" (a GraphDef as text) or "savedmodel"."""
    target: Target
    """The target that was asked."""
    nodes: tuple[Checked, ...]
    """In the model's order."""
    total: int
    """Number of nodes in the model, those that move nothing too."""
    note: str = ""
    """What could not be found out about the whole model, or ""."""

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes have each answer."""
        found = Counter(checked.answer.answer for checked in self.nodes)
        return {answer: found[answer] for answer in ANSWERS}

    @property
    def ok(self) -> bool:
        """True where nothing is refused."""
        return not self.counts[REFUSED]

    def lines(self) -> Iterator[str]:
        """The same for people."""
        told = ", ".join(f"{n} {answer}" for answer, n in self.counts.items())
        yield f"{self.model} for {self.target.title}"
        yield f"{len(self.nodes)} of {self.total} nodes move elements: {told}"
        if self.note:
            yield f"note: {self.note}"
        for checked in self.nodes:
            yield ""
            yield from _node_lines(checked)

    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """The same in strings, numbers and lists, as JSON holds them."""
        return {
            "model": self.model,
            "kind": self.kind,
            "target": self.target.to_dict(),
            "ok": self.ok,
            "counts": self.counts,
            "total": self.total,
            "note": self.note or None,
            "nodes": [checked.to_dict() for checked in self.nodes],
        }

    def html(self) -> str:
        """One self-contained page: a table of the nodes."""
        from restride.models.check.page import page

        return page(self)

    def __repr__(self) -> str:
        told = ", ".join(f"{n} {answer}" for answer, n in self.counts.items() if n)
        return f"Report({self.model!r} for {self.target.name}: {told or 'no nodes'})"


def _node_lines(checked: Checked) -> Iterator[str]:
    node, answer = checked.node, checked.answer
    yield f"{answer.answer:<12} {node.op}  {node.where}"
    told = parameters(checked)
    if told:
        yield f"  {told}"
    yield f"  {types(checked)}"
    yield f"  {_by(answer)}{answer.rule}{_source(answer)}"
    if answer.rewrite:
        yield f"  instead: {answer.rewrite}"
        yield from [f"    {line}" for line in answer.words.splitlines()]
    for other in answer.others:
        if answer.answer != FAST or other.answer == FAST:
            yield f"  {other.by}: {other.answer}: {other.rule}{_source(other)}"


def _by(answer: Answer) -> str:
    return f"{answer.by}: " if answer.by else ""


def _source(answer: Answer) -> str:
    seen = f", seen {answer.seen}" if answer.seen else ""
    return f"  [{answer.source}{seen}]" if answer.source else ""


def parameters(checked: Checked) -> str:
    """A node's parameters in one line."""
    params = checked.params
    counts = {f"{name}_count" for name in params}
    return "; ".join(
        f"{name} {_shown(value, params.get(f'{name}_count'))}"
        for name, value in params.items()
        if name not in counts
    )


def _shown(value: Any, count: int | None) -> str:
    if value is None:
        return "computed at run time"
    if not isinstance(value, tuple):
        return str(value)
    some = ", ".join(map(str, value[:LONGEST_LIST]))
    more = f", ... ({count or len(value)} in all)" if len(value) > LONGEST_LIST else ""
    return f"[{some}{more}]"


def types(checked: Checked) -> str:
    """Type and shape of the data and of each result."""
    data = checked.movement.data
    given = "nothing" if data is None else data.text()
    outs = [known.text() for known in checked.node.outputs if known is not None]
    return f"{given} -> {', '.join(outs) or 'nothing'}"
