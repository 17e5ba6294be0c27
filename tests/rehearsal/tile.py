"""Tile: repeat an array along each of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.layout import Chain


@dataclass(frozen=True, slots=True)
class Tile:
    """``y[k] = x[k mod n]`` along each axis, `repeats` times n long."""

    repeats: tuple[int, ...]

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse repeats that are not one per axis."""
        self.chain(shape)

    def chain(self, shape: Sequence[int]) -> Chain:
        """A longer window of the axis repeated for ever."""
        pairs = zip(shape, self.repeats, strict=True)
        pads = [(0, n * (times - 1)) for n, times in pairs]
        return Chain.identity(tuple(shape)).pad(pads, "wrap")
