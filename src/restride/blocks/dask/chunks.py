"""Which chunks a result has: the source's own edges, in chunks of a bounded size.

An axis that walks one of the source is cut where the source is, so that a chunk is
made of as few as can be.  What a pad adds is cut into chunks of the usual length, and
joins its neighbour where it is narrow.  Then all is made to fit the bytes allowed.

>>> from restride.layout import Chain
>>> chain = Chain.identity((100,)).pad([(5, 90)], "wrap")
>>> (lengths,) = choose(chain.maps[0], [ChunkAxis.of((40, 40, 20))], 8, 1 << 20)
>>> lengths.written()
(45, 40, 20, 40, 40, 10)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from restride.blocks.dask.chunk_axis import ChunkAxis
from restride.blocks.dask.lengths import Lengths
from restride.errors import ShapeError
from restride.layout.axis import Piece
from restride.layout.index_map import Axis, IndexMap, row_major

__all__ = ["MOST_CHUNKS", "Chunks", "bounds", "choose", "choose_flat"]

Chunks = tuple[Lengths, ...]
"""Elements of each chunk, per axis."""

NARROW = 4
"""A band of less than one part in so many of a chunk joins the chunk beside it."""

MOST_CHUNKS = 10_000_000
"""Most chunks of one axis: Dask keeps the length of each."""


def choose(
    m: IndexMap, source: Sequence[ChunkAxis], itemsize: int, limit_bytes: int
) -> Chunks:
    """The chunks of a map's result over a source cut as `source`.

    Every chunk holds at most `limit_bytes`, or one element where that is more.
    """
    usual = [_usual(axis, m, source) for axis in m.axes]
    cut = [
        _cut(r, axis, m, source, length)
        for r, (axis, length) in enumerate(zip(m.axes, usual, strict=True))
    ]
    return _within(cut, itemsize, limit_bytes)


def choose_flat(
    m: IndexMap, source: Sequence[ChunkAxis], itemsize: int, limit_bytes: int
) -> Chunks:
    """The same where the source is read row-major under another shape.

    Then a chunk's reads should span no more than a row of the source's chunks.
    """
    rows = prod([axis.extent for axis in source[1:]])
    band = source[0].largest * rows if source else 1
    band = max(1, min(band, limit_bytes // itemsize))
    inner = row_major(m.source_shape)
    lengths = []
    for axis in m.axes:
        stride = 0 if axis.source is None else _step(axis) * inner[axis.source]
        fits = stride * (axis.map.extent - 1) < band
        lengths.append(axis.map.extent if fits else max(1, band // stride))
    cut = [
        Lengths.even(axis.map.extent, n)
        for axis, n in zip(m.axes, lengths, strict=True)
    ]
    return _within(cut, itemsize, limit_bytes)


def bounds(m: IndexMap, source: Sequence[ChunkAxis]) -> list[tuple[int, int]]:
    """Per axis of :func:`choose`: no more chunks, and none longer, if none is split.

    Told without going through the chunks of the source.
    """
    return [_bounds(r, axis, m, source) for r, axis in enumerate(m.axes)]


def _bounds(
    r: int, axis: Axis, m: IndexMap, source: Sequence[ChunkAxis]
) -> tuple[int, int]:
    extent = axis.map.extent
    if axis.source is None or _leader(m, axis.source) != r:
        return 1, extent
    along = source[axis.source]
    chunks, longest = along.bounds
    usual = max(longest, extent if extent > 2 * along.extent else 0, 1)
    least = max(along.extent // max(chunks, 1), 1)
    """The usual length is that of the longest chunk, which is no less than the mean."""
    count = 0
    for piece in axis.map.pieces:
        is_cut = piece.fill is None and piece.step
        count += min(piece.count, chunks) if is_cut else piece.count // least + 1
    return count + 1, usual + usual // NARROW


def _step(axis: Axis) -> int:
    """Source positions between neighbours, the most of any piece."""
    return max([abs(p.step) for p in axis.map.pieces], default=0)


def _usual(axis: Axis, m: IndexMap, source: Sequence[ChunkAxis]) -> int:
    """Length of a chunk along an axis: the source's, or more where that is many.

    A short axis repeated a thousand times is not cut at each repeat.
    """
    if axis.source is None:
        return max(axis.map.extent, 1)
    along = source[axis.source]
    few = 2 * along.count + 2
    return max(along.largest, -(-axis.map.extent // few), 1)


def _cut(
    r: int, axis: Axis, m: IndexMap, source: Sequence[ChunkAxis], usual: int
) -> Lengths:
    """One result axis at the edges of the source's chunks."""
    extent = axis.map.extent
    if axis.source is None or _leader(m, axis.source) != r:
        return Lengths.of((extent,))
    pieces, along = axis.map.pieces, source[axis.source]
    if len(pieces) > 1 and extent * NARROW < usual * len(pieces):
        return Lengths.even(extent, usual)
    base = m.base[axis.source]
    lengths = Lengths()
    for piece in _whole_runs(pieces):
        if piece.fill is not None or piece.step == 0:
            found = Lengths.even(piece.count, usual)
        elif piece.count == 2:  # the two ends of a seam, which make a run of their own
            found = Lengths.of((2,))
        else:
            found = along.cut(base + piece.begin, piece.step, piece.count)
        if _are_joined(lengths, found, usual):
            lengths = lengths.joined(found)
        else:
            lengths += found
    return lengths if lengths.parts else Lengths.of((0,))


def _whole_runs(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, where a run that goes forward begins with the end it mirrors.

    Of ``2 1 0 1 2 3``, and of the edge in ``0 0 0 1 2 3``, a map takes the 0 into the
    first piece; then the first chunk of the source would be cut after one element.

    Examples
    --------
    >>> _whole_runs([Piece(3, 2, -1), Piece(3, 1, 1)])
    [Piece(count=2, begin=2, step=-1, ...), Piece(count=4, begin=0, step=1, ...)]
    """
    found: list[Piece] = []
    for piece in pieces:
        if found and _share_an_end(found[-1], piece):
            before = found[-1]
            found[-1] = before.part(0, before.count - 1)
            piece = Piece(piece.count + 1, piece.begin - piece.step, piece.step)
        found.append(piece)
    return found


def _share_an_end(before: Piece, after: Piece) -> bool:
    """True where the last of `before` is one step in front of `after`."""
    if before.fill is not None or after.fill is not None or before.count < 2:
        return False
    is_mirror = before.step < 0 < after.step
    is_edge = before.step == 0 != after.step
    return (is_mirror or is_edge) and (
        before.at(before.count - 1) == after.begin - after.step
    )


def _leader(m: IndexMap, source: int) -> int:
    """Of the result axes that walk a source axis, the one that goes furthest."""
    reach = {
        r: abs(axis.map.step) * axis.map.extent
        for r, axis in enumerate(m.axes)
        if axis.source == source
    }
    return max(reach, key=lambda r: reach[r])


def _are_joined(left: Lengths, right: Lengths, usual: int) -> bool:
    """True where two stretches meet and a narrow chunk of one joins the other's."""
    if not left.parts or not right.parts:
        return False
    if NARROW * min(left.last, right.first) > usual:
        return False
    return NARROW * (left.last + right.first) <= (NARROW + 1) * usual


def _within(cut: list[Lengths], itemsize: int, limit_bytes: int) -> Chunks:
    """The same in chunks of at most `limit_bytes`: the longest side gives way."""
    bound = [lengths.largest for lengths in cut]
    while bound and prod(bound) * itemsize > limit_bytes and max(bound) > 1:
        r = bound.index(max(bound))
        fits = limit_bytes * bound[r] // (prod(bound) * itemsize)
        bound[r] = max(fits, bound[r] // 2)
    for lengths, most in zip(cut, bound, strict=True):
        _check_count(lengths.count_within(max(most, 1)))
    return tuple([n.split(most) for n, most in zip(cut, bound, strict=True)])


def _check_count(count: int) -> None:
    """Refuse an axis of so many chunks that their lengths alone fill the memory."""
    if count > MOST_CHUNKS:
        raise ShapeError(
            f"the result would have {count} chunks along one axis, and at most "
            f"{MOST_CHUNKS} are made; raise Dask's array.chunk-size, or give the "
            "source larger chunks with rechunk()."
        )
