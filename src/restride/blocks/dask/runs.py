"""Chunks in a row whose lengths repeat: where each begins, and what a walk cuts.

>>> run = Run(0, 0, (4, 3), 5)
>>> run.extent, run.start(3), run.find(11), run.cut(1, 3, 9).written()
(35, 11, 3, (1, 1, 2, 1, 1, 1, 1, 1))
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from restride.blocks.dask.lengths import Lengths

__all__ = ["Run"]


class Run:
    """A pattern of lengths and how often it is repeated.

    Positions and chunks are counted along the whole axis.

    Parameters
    ----------
    number, begin : int
        Of the first chunk, and where it begins.
    pattern : tuple of int
        Lengths, not all of them 0.
    times : int
        At least 1.
    """

    __slots__ = ("_starts", "begin", "count", "extent", "number", "pattern", "span")

    def __init__(
        self, number: int, begin: int, pattern: tuple[int, ...], times: int
    ) -> None:
        self.number, self.begin, self.pattern = number, begin, pattern
        self._starts = [0, *accumulate(pattern)]
        self.span = self._starts.pop()
        self.extent = self.span * times
        self.count = len(pattern) * times

    def start(self, number: int) -> int:
        """Where a chunk begins."""
        turn, k = divmod(number - self.number, len(self.pattern))
        return self.begin + turn * self.span + self._starts[k]

    def length(self, number: int) -> int:
        """Elements of a chunk."""
        return self.pattern[(number - self.number) % len(self.pattern)]

    def find(self, position: int) -> int:
        """Number of the chunk that holds a position of this run."""
        turn, rest = divmod(position - self.begin, self.span)
        k = bisect_right(self._starts, rest) - 1
        return self.number + turn * len(self.pattern) + k

    def cut(self, begin: int, step: int, count: int) -> Lengths:
        """How many elements in a row of a walk lie in one chunk, while it is in here.

        A walk that comes to a place of the pattern where it was before goes on as it
        did then, so that it is followed for at most `step` turns.
        """
        at = (begin - self.begin) % self.span
        if self.count == len(self.pattern):
            return Lengths.of(self._cut_once(at, step, count))
        known: dict[int, int] = {}
        turn: list[int] = []
        while count > 0 and at not in known:
            known[at] = len(turn)
            here = min(count, self._room(at) // step + 1)
            turn.append(here)
            count -= here
            at = (at + here * step) % self.span
        if not count:
            return Lengths.of(turn)
        head, round_ = turn[: known[at]], tuple(turn[known[at] :])
        times, rest = divmod(count, sum(round_))
        repeated = Lengths(((round_, times + 1),))
        return Lengths.of(head) + repeated + Lengths.of(_shortened(round_, rest))

    def _cut_once(self, at: int, step: int, count: int) -> list[int]:
        """The same in a pattern that is not repeated, for all its chunks at once."""
        first = bisect_right(self._starts, at) - 1
        last = bisect_right(self._starts, at + (count - 1) * step)
        begins = np.array(self._starts[first + 1 : last], np.int64)
        passed = -((at - begins) // step)  # steps that land before each of them
        found = np.diff(passed, prepend=0, append=count)
        counts: list[int] = found[found > 0].tolist()
        return counts

    def _room(self, at: int) -> int:
        """Positions of the chunk that holds place `at` of the pattern, after it."""
        k = bisect_right(self._starts, at) - 1
        return self._starts[k] + self.pattern[k] - 1 - at


def _shortened(counts: Sequence[int], total: int) -> list[int]:
    """As many of `counts` as make `total`, the last one cut to fit."""
    made = []
    for count in counts:
        if total <= 0:
            break
        made.append(min(count, total))
        total -= count
    return made
