"""What an engine runs: one move with every position turned into bytes."""

from __future__ import annotations

from typing import NamedTuple


class ProgramPiece(NamedTuple):
    """A straight run along one result axis.

    Parameters
    ----------
    count : int
        Number of result positions the run covers.
    offset, step : int
        Source bytes added at its first position and for each one after it.
    fill : int
        Index into `Program.fills`, or -1 where the run reads the source.
    """

    count: int  # type: ignore[assignment]  # a tuple's count is never meant here
    offset: int = 0
    step: int = 0
    fill: int = -1


class ProgramAxis(NamedTuple):
    """One result axis: its stride in bytes and the pieces that tile it."""

    result_stride: int
    pieces: tuple[ProgramPiece, ...]

    @property
    def extent(self) -> int:
        """Number of positions along the axis."""
        return sum(piece.count for piece in self.pieces)


class Program(NamedTuple):
    """A move bound to byte strides; all its numbers are proven before it exists.

    The element at index ``i`` comes from ``source_offset`` plus, per axis, the
    offset and steps of the piece that holds ``i``. Where a piece names a fill, or
    `background` does, it is the fill with the largest index instead. It goes to
    ``result_offset`` plus the result strides.

    Parameters
    ----------
    itemsize : int
        Bytes of one element.
    source_offset, result_offset : int
        Bytes from the two arrays' data pointers.
    background : int
        Fill index below which no source byte is read, or -1.
    axes : tuple of ProgramAxis
        Result axes, outermost first; none for a single element.
    fills : tuple of bytes
        Constants of `itemsize` bytes each, ordered by priority.
    """

    itemsize: int
    source_offset: int
    result_offset: int
    background: int
    axes: tuple[ProgramAxis, ...]
    fills: tuple[bytes, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of the result."""
        return tuple(axis.extent for axis in self.axes)
