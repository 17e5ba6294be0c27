"""What running a model's movement nodes showed, node by node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = [
    "DIFFERS",
    "EQUAL",
    "NOT_RUN",
    "ON_RANDOM",
    "ON_VALUES",
    "NodeRun",
    "RunReport",
]

EQUAL, DIFFERS, NOT_RUN = "equal", "differs", "not run"
ON_VALUES, ON_RANDOM = "the model's own values", "random elements"


@dataclass(frozen=True)
class NodeRun:
    """One node, run twice."""

    where: str
    """The graphs it lies in, and its label."""
    op: str
    """Its operator."""
    outcome: str
    """"equal", "differs" or "not run"."""
    on: str
    """On which values; empty where it was not run."""
    why: str
    """What differs, or why it was not run."""
    size_bytes: int = 0
    """Bytes of its results that were compared."""

    def text(self) -> str:
        """The same in one line."""
        on = f" on {self.on}" if self.on else ""
        why = f": {self.why}" if self.why else ""
        size = f", {self.size_bytes} bytes" if self.outcome == EQUAL else ""
        return f"{self.outcome:<8} {self.op}  {self.where}{on}{size}{why}"


@dataclass(frozen=True)
class RunReport:
    """All movement nodes of a model, run by restride and by ONNX Runtime."""

    model: str
    """The model's path or name."""
    nodes: tuple[NodeRun, ...]
    """In the model's order."""
    note: str = ""
    """Why the model's own values are missing, or ""."""

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes have each outcome."""
        found = Counter(node.outcome for node in self.nodes)
        return {outcome: found[outcome] for outcome in (EQUAL, DIFFERS, NOT_RUN)}

    @property
    def ok(self) -> bool:
        """True where nothing differs."""
        return not self.counts[DIFFERS]

    def lines(self) -> Iterator[str]:
        """The same for people."""
        told = ", ".join(f"{n} {outcome}" for outcome, n in self.counts.items())
        yield f"{self.model} run by restride and by ONNX Runtime, bit for bit: {told}"
        if self.note:
            yield f"note: {self.note}."
        yield from (node.text() for node in self.nodes)

    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """The same in strings, numbers and lists, as JSON holds them."""
        return {
            "model": self.model,
            "ok": self.ok,
            "counts": self.counts,
            "note": self.note or None,
            "nodes": [
                {
                    "where": node.where,
                    "op": node.op,
                    "outcome": node.outcome,
                    "on": node.on or None,
                    "why": node.why or None,
                    "bytes": node.size_bytes,
                }
                for node in self.nodes
            ],
        }
