"""What an optimisation did: run by run, and in all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Fused", "Optimized", "Whole"]


@dataclass(frozen=True)
class Fused:
    """One run of nodes and what stands in its place."""

    where: str
    """The graphs it lies in, and its last node."""
    before: tuple[str, ...]
    """Operators that went away, in order."""
    after: tuple[str, ...]
    """Operators that came."""
    nodes_saved: int
    """Nodes less, with those that computed parameters nobody reads any more."""
    bytes_saved: int
    """Bytes read and written less in one run; an extent without a number counts 1."""

    def text(self) -> str:
        """The same in one line."""
        old = ", ".join(self.before)
        new = ", ".join(self.after) or "nothing"
        return f"{self.where}: {old} -> {new}; {_saved(self)}"


def _saved(of: Any) -> str:
    nodes = "node" if of.nodes_saved == 1 else "nodes"
    return f"{of.nodes_saved} {nodes} and {of.bytes_saved} bytes saved"


@dataclass(frozen=True)
class Whole:
    """Both models run as they are, on random inputs."""

    equal: bool | None
    """None: the model could not be run so."""
    text: str
    """What was compared, or why not."""

    @property
    def differs(self) -> bool:
        """True where an output differs."""
        return self.equal is False


@dataclass(frozen=True)
class Optimized:
    """A model with fewer nodes, and how it became so."""

    name: str
    """Of the model that was read."""
    model: Any = field(repr=False)
    """The ModelProto."""
    fused: tuple[Fused, ...]
    """What was replaced."""
    refused: tuple[str, ...]
    """What could not be proven and so stayed."""
    proven_by: tuple[str, ...]
    """Who ran the proofs: "onnxruntime", "onnx.reference"."""
    whole: Whole | None
    """The proof by the whole model; None where nothing changed."""

    @property
    def nodes_saved(self) -> int:
        """Nodes less."""
        return sum(f.nodes_saved for f in self.fused)

    @property
    def bytes_saved(self) -> int:
        """Bytes read and written less in one run."""
        return sum(f.bytes_saved for f in self.fused)

    def text(self) -> str:
        """All of it in lines."""
        lines = [f.text() for f in self.fused]
        lines += [f"left as it is: {text}" for text in self.refused]
        if not self.fused:
            lines.append(f"{self.name}: no movement nodes to save.")
            return "\n".join(lines)
        lines.append(f"{self.name}: {_saved(self)}.")
        by = ", ".join(self.proven_by)
        lines.append(f"Proven bit for bit on random elements by {by}.")
        if self.whole is not None:
            lines.append(f"The whole model: {self.whole.text}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The same in strings and lists, as JSON holds them."""
        return {
            "model": self.name,
            "nodes_saved": self.nodes_saved,
            "bytes_saved": self.bytes_saved,
            "proven_by": list(self.proven_by),
            "whole": None
            if self.whole is None
            else {"equal": self.whole.equal, "text": self.whole.text},
            "fused": [
                {
                    "where": f.where,
                    "before": list(f.before),
                    "after": list(f.after),
                    "nodes_saved": f.nodes_saved,
                    "bytes_saved": f.bytes_saved,
                }
                for f in self.fused
            ],
            "refused": list(self.refused),
        }
