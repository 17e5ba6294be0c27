"""Small rewrites of the pieces on the way to an engine, each keeping the function."""

from __future__ import annotations

from collections.abc import Sequence

from restride.layout.axis import Piece

__all__ = ["align_runs"]


def align_runs(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Give a long run the element before it, where the shorter one took that.

    The normal form is greedy from the left, so a mirror keeps the turning element
    and the long copy would start one element into the source row.

    >>> align_runs([Piece(3, 2, -1), Piece(9, 1, 1)])
    [Piece(count=2, begin=2, step=-1, fill=None), Piece(count=10, begin=0, step=1, fill=None)]
    """  # noqa: E501
    runs = list(pieces)
    for k in range(1, len(runs)):
        short, long = runs[k - 1], runs[k]
        count, begin, step, _ = long
        if (
            not 1 < short.count < count
            or short.fill is not None
            or long.fill is not None
        ):
            continue
        if short.at(short.count - 1) + step == begin:
            runs[k - 1] = short.part(0, short.count - 1)
            runs[k] = Piece(count + 1, begin - step, step)
    return runs
