"""What a dialect answers to a case: where it ended, its code, and what came out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Answer"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a run."""

    stage: str
    """ok, or the stage that refused or where the case was to stop."""
    code: str
    """Name of the vendor's code."""
    why: str = ""
    """The dialect's own words where it refuses."""
    outputs: tuple[Array, ...] | None = None
    """Results; None where nothing was run."""
    shapes: tuple[tuple[str, tuple[int, ...]], ...] | None = None
    """Dtype and shape of each result, where inferred or run."""

    def __str__(self) -> str:
        return f"{self.stage}:{self.code}"
