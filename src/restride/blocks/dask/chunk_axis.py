"""One axis of a chunked array: where its chunks begin, and what a walk along it cuts.

Most arrays have chunks of one length but for the last.  That is kept as two numbers,
so that an axis of a million chunks costs no more than one of three.

>>> axis = ChunkAxis((4, 4, 2))
>>> axis.numbers(((3, 5), (9, 10))), axis.start(2), axis.cut(1, 3, 3).written()
((0, 1, 2), 8, (1, 2))
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from restride.blocks.dask.lengths import Lengths
from restride.blocks.intervals import Interval, Intervals

__all__ = ["ChunkAxis"]


class ChunkAxis:
    """The chunks of one axis.

    Parameters
    ----------
    chunks : tuple of int
        Elements of each chunk, none negative; chunks of 0 are passed over.
    extent, largest : int, optional
        Their sum and the largest of them, where the caller knows them already.
    """

    __slots__ = ("_starts", "chunks", "count", "extent", "largest", "size")

    def __init__(
        self,
        chunks: Sequence[int],
        extent: int | None = None,
        largest: int | None = None,
    ) -> None:
        self.count = len(chunks)
        self.extent = sum(chunks) if extent is None else extent
        self.largest = max(chunks, default=0) if largest is None else largest
        whole = self.largest * (self.count - 1) if chunks else -1
        # No chunk is larger than the largest, so the sum leaves them no other length.
        even = bool(chunks) and self.extent == whole + chunks[-1] and self.largest > 0
        self.size = self.largest if even else 0
        """Length of every chunk but the last, or 0 where they differ."""
        self.chunks = () if even else tuple(chunks)
        self._starts: list[int] | None = None

    def __getstate__(self) -> tuple[object, ...]:
        return self.count, self.extent, self.largest, self.size, self.chunks

    def __setstate__(self, state: tuple[int, int, int, int, tuple[int, ...]]) -> None:
        self.count, self.extent, self.largest, self.size, self.chunks = state
        self._starts = None

    @property
    def starts(self) -> list[int]:
        """Where each chunk begins, of chunks that differ."""
        if self._starts is None:
            self._starts = [0, *accumulate(self.chunks)][: self.count]
        return self._starts

    def start(self, number: int) -> int:
        """Position of the first element of a chunk."""
        return number * self.size if self.size else self.starts[number]

    def length(self, number: int) -> int:
        """Elements of a chunk."""
        if not self.size:
            return self.chunks[number]
        return min(self.size, self.extent - number * self.size)

    def range_of(self, number: int) -> Interval:
        """The positions of a chunk."""
        low = self.start(number)
        return low, low + self.length(number)

    def ranges_of(self, numbers: Sequence[int]) -> tuple[Interval, ...]:
        """The positions of each of several chunks."""
        return tuple([self.range_of(number) for number in numbers])

    def find(self, position: int) -> int:
        """Number of the chunk that holds a position."""
        if self.size:
            return position // self.size
        return bisect_right(self.starts, position) - 1

    def numbers(self, intervals: Intervals) -> tuple[int, ...]:
        """The chunks, in order, that hold a position of `intervals`."""
        found: list[int] = []
        for low, high in intervals:
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
        if not self.size and step == 1:
            return Lengths.of(self._along(begin, count))
        if not self.size:
            return Lengths.of(tuple(self._differing(begin, step, count)))
        if step >= self.size:
            return Lengths((((1,), count),))
        return self._even(begin, step, count)

    def _even(self, begin: int, step: int, count: int) -> Lengths:
        """The same where chunks are of one length: the lengths repeat.

        After the first chunk, where a walk enters a chunk is below `step`, and each
        such place comes again after at most `step` chunks.
        """
        size = self.size
        head = min(count, (size - 1 - begin % size) // step + 1)
        left = count - head
        entry = first = (begin + head * step) % size
        turn, round_ = [], 0
        while left > round_:
            turn.append((size - 1 - entry) // step + 1)
            round_ += turn[-1]
            entry = (entry + turn[-1] * step) % size
            if entry == first:
                break
        times, rest = divmod(left, round_) if left else (0, 0)
        tail = Lengths.of(tuple(_shortened(turn, rest)))
        turns = Lengths(((tuple(turn), times),)) if times else Lengths()
        return Lengths.of((head,)) + turns + tail

    def _along(self, begin: int, count: int) -> tuple[int, ...]:
        """The same for neighbours, where chunks differ: mostly whole chunks."""
        end = begin + count
        first, last = self.find(begin), self.find(end - 1)
        if first == last:
            return (count,)
        head = self.start(first) + self.length(first) - begin
        inner = self.chunks[first + 1 : last]
        inner = inner if 0 not in inner else tuple(filter(None, inner))
        return (head, *inner, end - self.start(last))

    def _differing(self, begin: int, step: int, count: int) -> Iterator[int]:
        while count > 0:
            number = self.find(begin)
            room = self.start(number) + self.length(number) - 1 - begin
            here = min(count, room // step + 1)
            yield here
            begin, count = begin + here * step, count - here


def _shortened(counts: Sequence[int], total: int) -> Iterator[int]:
    """As many of `counts` as make `total`, the last one cut to fit."""
    for count in counts:
        if total <= 0:
            return
        yield min(count, total)
        total -= count
