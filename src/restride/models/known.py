"""What is known of a node before the model runs: the same for every kind of model.

>>> Known("x", "float32", (2, "N")).text()
'float32 (2, N)'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from restride.errors import RestrideError
from restride.models.constant import Constant

__all__ = [
    "FUNCTION",
    "MOST_NUMBERS",
    "Extent",
    "Known",
    "Node",
    "Numbers",
    "numbers_of",
]

MOST_NUMBERS = 1024
"""Most numbers followed in one tensor."""

FUNCTION = "(function)"
"""How a place in a scope ends that is a call of a function."""

Extent = int | str | None
"""A number, a name that stands for one, or nothing known."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Few numbers that follow from what the model says; None where one does not.

    Examples
    --------
    >>> Numbers((3,), (1, None, 2)).is_whole
    False
    """

    shape: tuple[int, ...]
    """Extents: at most one axis matters to a parameter, others occur on the way."""
    items: tuple[int | float | None, ...]
    """Row-major."""

    @property
    def is_whole(self) -> bool:
        """True where every number is known."""
        return None not in self.items


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one input or output of a node."""

    name: str
    """Its name in the model; empty where it has none."""
    dtype: str | None = None
    """NumPy's name of the element type, "string" of text; None: not known."""
    shape: tuple[Extent, ...] | None = None
    """Extents; None: not even their number is known."""
    constant: Constant | None = None
    """Its values, where the model holds them."""
    numbers: Numbers | None = None
    """Its values, where they are few and follow from what the model says."""
    origin: str = ""
    """Where it comes from at run time, in words."""
    kind: str = "tensor"
    """"tensor", "sequence", "optional", "map", "sparse tensor"."""

    @property
    def rank(self) -> int | None:
        """Number of axes."""
        return None if self.shape is None else len(self.shape)

    @property
    def extents(self) -> tuple[int, ...] | None:
        """The shape, where all of it is numbers."""
        if self.shape is None:
            return None
        found = tuple([n for n in self.shape if isinstance(n, int)])
        return found if len(found) == len(self.shape) else None

    def text(self) -> str:
        """Type and shape in words."""
        if self.kind != "tensor":
            return self.kind
        shape = "(rank unknown)"
        if self.shape is not None:
            named = ["?" if n is None else str(n) for n in self.shape]
            shape = f"({', '.join(named)}{',' if len(named) == 1 else ''})"
        return f"{self.dtype or 'type unknown'} {shape}"


def numbers_of(known: Known | None) -> Numbers | None:
    """A value's numbers, those of a constant read now; None: not known, or too many."""
    if known is None or known.numbers is not None or known.constant is None:
        return None if known is None else known.numbers
    if known.constant.count > MOST_NUMBERS or known.dtype == "string":
        return None
    try:
        values = known.constant.array()
    except RestrideError:
        return None
    if values.dtype.kind not in "biuf":
        values = values.astype(np.float64)
    return Numbers(values.shape, tuple(values.ravel().tolist()))


@dataclass(frozen=True)
class Node:
    """One node of a model, and what is known of what it reads and gives."""

    scope: tuple[str, ...]
    """The nodes it lies in, outermost first; empty in the main graph."""
    index: int
    """Its place in its graph."""
    name: str
    """Its name; empty where it has none."""
    op: str
    """Its operator."""
    domain: str
    """Its operator's domain; empty for ONNX's own."""
    opset: int
    """The version of that domain its graph imports; 0: none."""
    attributes: Mapping[str, Any]
    """Numbers, texts and lists of them; a Constant for a tensor."""
    inputs: tuple[Known | None, ...]
    """None where an optional one is left out."""
    outputs: tuple[Known | None, ...]
    """The same for what it gives."""
    proto: Any = field(default=None, compare=False, repr=False)
    """The model's own message."""

    @property
    def label(self) -> str:
        """A name for people: its own, or that of its output, or its place."""
        if self.name:
            return self.name
        for out in self.outputs:
            if out is not None and out.name:
                return out.name
        return f"#{self.index}"

    @property
    def where(self) -> str:
        """The graphs it lies in, and its label."""
        return " / ".join([*self.scope, self.label])

    @property
    def in_function(self) -> bool:
        """True in the body of one of an ONNX model's functions."""
        return any(place.endswith(FUNCTION) for place in self.scope)

    def input(self, k: int) -> Known | None:
        """Its k-th input; None where it has none or leaves it out."""
        return self.inputs[k] if k < len(self.inputs) else None

    def output(self, k: int = 0) -> Known | None:
        """Its k-th output."""
        return self.outputs[k] if k < len(self.outputs) else None
