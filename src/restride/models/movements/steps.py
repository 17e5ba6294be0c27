"""Steps that operators of ONNX and of TensorFlow come to alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from restride.models.known import Known
from restride.models.movements.movement import Steps
from restride.translate.meaning import Expand, Reshape, Select
from restride.translate.spec import Call
from restride.translate.translation import meaning_of
from restride.translate.words import Frame

__all__ = ["MOST_PARTS", "WHOLE", "expanded", "said", "split_up", "tiled"]

Shape = tuple[int, ...]

WHOLE = slice(None)
"""All of an axis."""

MOST_PARTS = 4096
"""Most parts of a split that are followed."""


def said(
    dialect: str, op: str, words: Mapping[str, Any], data: Known | None
) -> tuple[Steps, ...]:
    """The steps of a call in a dialect's words, over what is known of the data."""
    frame = Frame(None) if data is None else Frame(data.extents, data.rank)
    return (meaning_of((Call(dialect, op, words),), frame)[0],)


def tiled(times: Sequence[int], shape: Shape) -> Steps:
    """Axes of `shape` repeated whole: a new axis before each, which is flattened away.

    Examples
    --------
    >>> tiled((2, 1), (3, 4))[1:]
    (Expand(shape=(2, 3, 4)), Reshape(shape=(6, 4)))
    """
    pairs = list(zip(times, shape, strict=True))
    entries = [e for t in times for e in ((None, WHOLE) if t != 1 else (WHOLE,))]
    wide = [n for t, extent in pairs for n in ((t, extent) if t != 1 else (extent,))]
    whole = tuple([t * extent for t, extent in pairs])
    return Select(tuple(entries)), Expand(tuple(wide)), Reshape(whole)


def expanded(rank: int, shape: Shape) -> Steps:
    """Data of `rank` axes broadcast to `shape`: leading axes added, then repeats."""
    news = (None,) * (len(shape) - rank)
    if not news:
        return (Expand(shape),)
    return Select((*news, *[WHOLE] * rank)), Expand(shape)


def split_up(axis: int, sizes: Sequence[int]) -> tuple[Steps, ...]:
    """Parts of an axis, one after the other, each a result of its own.

    Examples
    --------
    >>> split_up(0, (2, 3))[1]
    (Select(entries=(slice(2, 5, None),)),)
    """
    found: list[Steps] = []
    begin = 0
    for size in sizes:
        found.append((Select((*[WHOLE] * axis, slice(begin, begin + size))),))
        begin += size
    return tuple(found)
