"""Roll: move the elements of an axis round its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.layout import Chain


@dataclass(frozen=True, slots=True)
class Roll:
    """``y[k] = x[(k - shift) mod n]`` along `axis`."""

    shift: int
    axis: int = 0

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse an axis that is not there."""
        self.chain(shape)

    def chain(self, shape: Sequence[int]) -> Chain:
        """A window of the axis repeated for ever, moved by the shift."""
        pads = [(0, 0)] * len(shape)
        if shape[self.axis]:
            turn = self.shift % shape[self.axis]
            pads[self.axis] = (turn, -turn)
        return Chain.identity(tuple(shape)).pad(pads, "wrap")
