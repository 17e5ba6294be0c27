"""SpaceToBatch: deal the cells of blocks out to the batch axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.layout import Chain


@dataclass(frozen=True, slots=True)
class SpaceToBatch:
    """Axis 0 is the batch, axis 1 is padded with zeros and dealt out by `block`."""

    block: int
    pads: tuple[int, int]

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse a block that does not divide the padded axis."""
        self.chain(shape)

    def chain(self, shape: Sequence[int]) -> Chain:
        """Pad, split the axis into blocks, bring the block first, merge."""
        batch, _, *rest = shape
        none = [(0, 0)] * len(rest)
        padded = Chain.identity(tuple(shape)).pad(
            [(0, 0), self.pads, *none], "constant"
        )
        count = padded.shape[1] // self.block
        split = padded.reshape((batch, count, self.block, *rest))
        dealt = split.transpose((2, 0, 1, *range(3, 3 + len(rest))))
        return dealt.reshape((self.block * batch, count, *rest))
