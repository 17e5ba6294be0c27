"""Spans of a Zarr array read row-major, each chunk of it unpacked for many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from restride.blocks.intervals import Interval, Intervals
from restride.blocks.sources import boxes_of_span
from restride.blocks.zarr.tiles import pieces

__all__ = ["Scattered", "scattered"]

Array = np.ndarray[Any, Any]
Box = tuple[Interval, ...]

MOST_PARTS = 8192
"""Parts of spans gathered before they are read: some MB of Python's memory."""


class _Part(NamedTuple):
    """What one tile holds of one box of a span."""

    box: Box
    shape: tuple[int, ...]
    begin: int
    """Where the box of `shape` begins in what is made."""
    at: tuple[slice, ...]
    """In that box."""


class Scattered(NamedTuple):
    """Parts of spans that are read as the one box around them."""

    box: Box
    parts: Sequence[_Part]

    @property
    def where(self) -> tuple[slice, ...]:
        """The box as slices of the whole."""
        return tuple([slice(low, high) for low, high in self.box])

    def into(self, made: Array, read: Array) -> None:
        """Put what was `read` of the box where the spans have it."""
        lows = [low for low, _ in self.box]
        for part in self.parts:
            ranges = zip(part.box, lows, strict=True)
            found = read[tuple([slice(a - low, b - low) for (a, b), low in ranges])]
            size = int(np.prod(part.shape))
            held = made[part.begin : part.begin + size].reshape(part.shape)
            held[part.at] = found


def scattered(
    spans: Intervals, shape: Sequence[int], tile: Sequence[int]
) -> Iterator[Scattered]:
    """Spans of the row-major reading of `shape`, tile by tile.

    Examples
    --------
    >>> [s.box for s in scattered(((0, 1), (4, 6), (9, 10)), (4, 3), (2, 3))]
    [((0, 2), (0, 3)), ((3, 4), (0, 1))]
    """
    parts = _parts(spans, tuple(shape), tile)
    while some := list(islice(parts, MOST_PARTS)):
        tiles: dict[tuple[int, ...], list[_Part]] = {}
        for part in some:
            lows = zip(part.box, tile, strict=True)
            tiles.setdefault(tuple([a // t for (a, _), t in lows]), []).append(part)
        for held in tiles.values():
            sides = zip(*[part.box for part in held], strict=True)
            hull = [(min(s)[0], max(b for _, b in s)) for s in sides]
            yield Scattered(tuple(hull), held)


def _parts(
    spans: Intervals, shape: tuple[int, ...], tile: Sequence[int]
) -> Iterator[_Part]:
    """The spans in order, in boxes cut at tiles."""
    begin = 0
    for span in spans:
        for box in boxes_of_span(shape, *span):
            extents = tuple([b - a for a, b in box])
            for piece in pieces([(pair,) for pair in box], tile, tile):
                yield _Part(piece.box, extents, begin, piece.at)
            begin += int(np.prod(extents))
