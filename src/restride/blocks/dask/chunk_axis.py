"""One axis of a chunked array: where its chunks begin, and what a walk along it cuts.

Most arrays have chunks of one length but for the last.  That is kept as two numbers,
and lengths that repeat as patterns, so that an axis of a million chunks costs no more
than one of three.

>>> axis = ChunkAxis.of((4, 4, 2))
>>> axis.numbers(((3, 5), (9, 10))), axis.start(2), axis.cut(1, 3, 3).written()
((0, 1, 2), 8, (1, 2))
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from restride.blocks.dask.edges import Edges
from restride.blocks.dask.lengths import Lengths
from restride.blocks.dask.runs import Run
from restride.blocks.intervals import Interval, Intervals

__all__ = ["ChunkAxis"]


FEW = 1 << 12
"""Lengths told by so few numbers are looked at while an array is built."""


class ChunkAxis:
    """The chunks of one axis.

    Parameters
    ----------
    lengths : Lengths
        Elements of each chunk, none negative; chunks of 0 are passed over.
    extent, largest : int, optional
        Their sum and the largest of them, where the caller knows them already.
    """

    __slots__ = (
        *("_ask", "_begins", "_bounds", "_count", "_edges", "_largest", "_lengths"),
        *("_numbers", "_runs", "_size", "extent"),
    )

    def __init__(
        self,
        lengths: Lengths | None,
        extent: int | None = None,
        largest: int | None = None,
    ) -> None:
        self._lengths = lengths
        self.extent = self.lengths.extent if extent is None else extent
        self._largest = largest
        self._count: int | None = None
        self._size: int | None = None
        self._ask: Callable[[], Lengths] | None = None
        self._bounds = 0, 0
        self._runs: list[Run] | None = None
        self._edges: Edges | None = None
        self._begins: list[int] = []
        self._numbers: list[int] = []

    @staticmethod
    def later(
        ask: Callable[[], Lengths], extent: int, bounds: tuple[int, int]
    ) -> ChunkAxis:
        """The same where `ask` gives the lengths, once they are needed.

        `bounds` are those of :attr:`bounds`.
        """
        made = ChunkAxis(None, extent)
        made._ask, made._bounds = ask, bounds
        return made

    @property
    def is_told(self) -> bool:
        """False while the lengths are not asked for."""
        return self._lengths is not None

    @property
    def is_few(self) -> bool:
        """True where they are told by few numbers, and looking at them is nothing."""
        if self._lengths is None:
            return False
        return sum([len(pattern) for pattern, _ in self._lengths.parts]) <= FEW

    @property
    def bounds(self) -> tuple[int, int]:
        """No more chunks, and none longer; told without asking for the lengths."""
        return (self.count, self.largest) if self.is_told else self._bounds

    @property
    def lengths(self) -> Lengths:
        """Elements of each chunk."""
        if self._lengths is None:
            if self._ask is None:
                raise AssertionError("an axis has lengths or asks for them")
            self._lengths, self._ask = self._ask(), None
        return self._lengths

    @property
    def count(self) -> int:
        """How many chunks there are."""
        if self._count is None:
            self._count = self.lengths.total
        return self._count

    @property
    def largest(self) -> int:
        """Elements of the longest of them."""
        if self._largest is None:
            self._largest = self.lengths.largest
        return self._largest

    @property
    def size(self) -> int:
        """Length of every chunk but the last, or 0 where they differ."""
        if self._size is None:
            self._size = self.lengths.common
        return self._size

    @staticmethod
    def of(
        chunks: Sequence[int], extent: int | None = None, largest: int | None = None
    ) -> ChunkAxis:
        """The same from the lengths as Dask keeps them.

        Where the caller knows `extent` and `largest`, chunks of one length are not
        looked at.
        """
        extent = sum(chunks) if extent is None else extent
        largest = max(chunks, default=0) if largest is None else largest
        between = len(chunks) - 2
        # No chunk is larger than the largest, so the sum leaves them no other length.
        if between > 0 and extent == chunks[0] + largest * between + chunks[-1]:
            first = Lengths.of(chunks[:1] if chunks[0] < largest else ())
            inner = between if chunks[0] < largest else between + 1
            even = Lengths((((largest,), inner),)) if largest else Lengths()
            lengths = first + even + Lengths.of(chunks[-1:])
            if lengths.total == len(chunks):
                return ChunkAxis(lengths, extent, largest)
        return ChunkAxis(Lengths.of(chunks), extent, largest)

    def __reduce__(self) -> tuple[object, ...]:
        return ChunkAxis, (self.lengths, self.extent, self.largest)

    @property
    def edges(self) -> Edges:
        """The same for many chunks or positions at once."""
        if self._edges is None:
            self._edges = Edges(self.lengths)
        return self._edges

    @property
    def runs(self) -> list[Run]:
        """The patterns of lengths that repeat, but for those of no element."""
        if self._runs is None:
            self._runs = list(self._laid_out())
            self._begins = [run.begin for run in self._runs]
            self._numbers = [run.number for run in self._runs]
        return self._runs

    def _laid_out(self) -> Sequence[Run]:
        number = begin = 0
        made = []
        for pattern, times in self.lengths.parts:
            if any(pattern):
                made.append(Run(number, begin, pattern, times))
                begin += made[-1].extent
            number += len(pattern) * times
        return made

    def run_of(self, number: int) -> Run | None:
        """The run of a chunk; None of one without elements between two runs."""
        runs = self.runs
        k = bisect_right(self._numbers, number) - 1
        if k < 0:
            return None
        run = runs[k]
        return run if number < run.number + run.count else None

    def _run_at(self, position: int) -> Run:
        runs = self.runs
        return runs[bisect_right(self._begins, position) - 1]

    def range_of(self, number: int) -> Interval:
        """The positions of a chunk."""
        if self.size:
            low = number * self.size
            return low, min(low + self.size, self.extent)
        run = self.run_of(number)
        if run is None:
            return self._between(number)
        low = run.start(number)
        return low, low + run.length(number)

    def _between(self, number: int) -> Interval:
        """Of a chunk without elements, outside all runs: where the one before ends."""
        ends = [run.begin + run.extent for run in self.runs if run.number <= number]
        at = max(ends, default=0)
        return at, at

    def start(self, number: int) -> int:
        """Position of the first element of a chunk."""
        return self.range_of(number)[0]

    def length(self, number: int) -> int:
        """Elements of a chunk."""
        low, high = self.range_of(number)
        return high - low

    def ranges_of(self, numbers: Sequence[int]) -> tuple[Interval, ...]:
        """The positions of each of several chunks."""
        size, extent = self.size, self.extent
        if not size:
            return tuple([self.range_of(number) for number in numbers])
        lows = [number * size for number in numbers]
        return tuple([(low, min(low + size, extent)) for low in lows])

    def find(self, position: int) -> int:
        """Number of the chunk that holds a position."""
        if self.size:
            return position // self.size
        return self._run_at(position).find(position)

    def numbers(self, intervals: Intervals) -> tuple[int, ...]:
        """The chunks, in order, that hold a position of `intervals`."""
        found: list[int] = []
        for low, high in intervals if self.extent else ():
            first, last = self.find(low), self.find(high - 1)
            if found and first <= found[-1]:
                first = found[-1] + 1
            found += range(first, last + 1)
        return tuple(found) if self.size else tuple(filter(self.length, found))

    def cut(self, begin: int, step: int, count: int) -> Lengths:
        """How many elements in a row of a walk lie in one chunk, along the walk."""
        if step == 0 or count <= 1:
            return Lengths.of((count,) if count else ())
        if step < 0:
            return self.cut(begin + (count - 1) * step, -step, count).flipped()
        if step >= self.largest:
            return Lengths((((1,), count),))
        if step == 1:
            return self._along(begin, count)
        made = Lengths()
        while count > 0:
            run = self._run_at(begin)
            here = min(count, (run.begin + run.extent - 1 - begin) // step + 1)
            made += run.cut(begin, step, here)
            begin, count = begin + here * step, count - here
        return made

    def _along(self, begin: int, count: int) -> Lengths:
        """The same for neighbours: mostly whole chunks."""
        end = begin + count
        first, last = self.find(begin), self.find(end - 1)
        if first == last:
            return Lengths.of((count,))
        head = self.range_of(first)[1] - begin
        inner = self.lengths.part(first + 1, last).without_empty()
        tail = end - self.start(last)
        return Lengths.of((head,)) + inner + Lengths.of((tail,))
