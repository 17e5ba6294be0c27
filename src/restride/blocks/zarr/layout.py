"""How a new Zarr array is cut into chunks and shards, and how these are packed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple, TypeVar

from restride.blocks.zarr.tiles import SHARE
from restride.blocks.zarr.zarr_python import library
from restride.checks import as_shape
from restride.errors import ShapeError, UnsupportedError
from restride.layout.chain import Chain

__all__ = ["Layout", "alike", "compressors", "laid_out"]

NEW_BYTES = 4 << 20
"""Of a chunk that is like none of the source: quick to read, and not too many files."""

MOST_BYTES = 64 << 20
"""Of a chunk that is like the source's."""


Known = TypeVar("Known")


class Layout(NamedTuple):
    """Extents in elements."""

    chunks: tuple[int, ...]
    shards: tuple[int, ...] | None

    @property
    def unit(self) -> tuple[int, ...]:
        """What is one file: a shard, or a chunk where there are none."""
        return self.shards or self.chunks


def laid_out(
    shape: tuple[int, ...],
    itemsize: int,
    like: Layout | None,
    chain: Chain,
    chunks: Any,
    shards: Any,
    max_bytes: int,
) -> Layout:
    """The chunks and shards asked for, else some like the source's or of a few MB.

    Raises
    ------
    ShapeError, DTypeError
        They do not fit the shape, or each other.

    Examples
    --------
    >>> chain = Chain.identity((4000, 3000))
    >>> laid_out((4000, 3000), 4, None, chain, None, None, 256_000_000).chunks
    (1000, 750)
    """
    most = max(1, max_bytes // SHARE)
    if shards is not None:
        wanted = _asked(shards, "shards", shape)
        made = _asked(chunks, "chunks", shape) if chunks is not None else None
        made = made or _divided(wanted, min(NEW_BYTES, most) // itemsize)
        if any(s % c for s, c in zip(wanted, made, strict=True)):
            raise ShapeError(
                f"shards = {wanted} must be whole multiples of chunks = {made} on "
                "every axis."
            )
        return Layout(made, wanted)
    if chunks is not None:
        return Layout(_asked(chunks, "chunks", shape), None)
    if like is None:
        return Layout(_bounded(shape, min(NEW_BYTES, most) // itemsize), None)
    known = alike(chain, like.chunks)
    start = [n if k is None else min(k, n) for k, n in zip(known, shape, strict=True)]
    made = _bounded(start, min(MOST_BYTES, most) // itemsize)
    return Layout(made, _shards(shape, made, like, chain, most // itemsize))


def alike(chain: Chain, known: Sequence[Known]) -> list[Known | None]:
    """What is known along the axes of the result, from that along the source's axes.

    None for an axis that walks no source axis, or one that another walks already.

    Examples
    --------
    >>> alike(Chain.identity((8, 9)).transpose((1, 0)), (2, 3))
    [3, 2]
    """
    unknown: list[Known | None] = [None] * len(chain.shape)
    found: list[Known | None] = list(known)
    before = chain.source_shape
    for m in chain.maps:
        if m.source_shape != before:
            return unknown
        taken: set[int] = set()
        made: list[Known | None] = []
        for axis in m.axes:
            s = axis.source
            made.append(None if s is None or s in taken else found[s])
            taken |= set() if s is None else {s}
        found, before = made, m.shape
    return found if before == chain.shape else unknown


class Levels(NamedTuple):
    """How hard a codec may try."""

    usual: int
    """Where none is named."""
    example: int
    least: int
    most: int
    told: str


# What the codecs themselves take; Blosc's refuses others only when it packs.
LEVELS = {
    "zstd": Levels(0, 3, -131072, 22, "whole numbers up to 22"),
    "gzip": Levels(5, 5, 0, 9, "0 to 9"),
    "blosc": Levels(5, 5, 0, 9, "0 to 9"),
}


def _listed() -> str:
    words = [f"{name}:{levels.example}" for name, levels in LEVELS.items()]
    return f"zstd, gzip or blosc, with or without a level, as {', '.join(words)}"


def compressors(asked: Any, like: Any) -> Any:
    """The codecs that pack a chunk: words, codecs themselves, or the source's.

    Raises
    ------
    UnsupportedError
        A word that names no codec, or no level of it.
    """
    if asked is None:
        return "auto" if like is None else like
    if hasattr(asked, "to_dict"):
        return asked
    if not isinstance(asked, str):
        raise UnsupportedError(
            f"compressor is a {type(asked).__name__}; give a word, as zstd:3, or a "
            "codec of zarr.codecs."
        )
    word, _, level = asked.lower().partition(":")
    if word == "none" and not level:
        return None
    if word not in LEVELS:
        raise UnsupportedError(
            f"compressor '{asked}' is not known; give none, or {_listed()}."
        )
    codecs = library().codecs
    known = {
        "zstd": lambda n: codecs.ZstdCodec(level=n),
        "gzip": lambda n: codecs.GzipCodec(level=n),
        "blosc": lambda n: codecs.BloscCodec(clevel=n),
    }
    return known[word](_level(asked, word, level))


def _level(asked: str, word: str, level: str) -> int:
    levels = LEVELS[word]
    with suppress(ValueError):
        number = int(level) if level else levels.usual
        if levels.least <= number <= levels.most:
            return number
    raise UnsupportedError(
        f"compressor '{asked}': '{level}' is no level of {word}; levels are "
        f"{levels.told}, as in {word}:{levels.example}."
    )


def _asked(given: Any, name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    extents = as_shape(given, name)
    if len(extents) != len(shape) or 0 in extents:
        raise ShapeError(
            f"{name} = {extents} must give one extent of at least 1 for each of the "
            f"{len(shape)} axes of the result, {shape}."
        )
    return extents


def _bounded(extents: Sequence[int], most: int) -> tuple[int, ...]:
    """Halved along the longest axis until there are no more than `most` elements."""
    found = [max(1, n) for n in extents]
    while prod(found) > max(1, most):
        axis = found.index(max(found))
        found[axis] = -(-found[axis] // 2)
    return tuple(found)


def _divided(extents: Sequence[int], most: int) -> tuple[int, ...]:
    """The same by halves that divide; an odd extent becomes 1 where it must."""
    found = list(extents)
    while prod(found) > max(1, most):
        axis = found.index(max(found))
        found[axis] = found[axis] // 2 if found[axis] % 2 == 0 else 1
    return tuple(found)


def _shards(
    shape: Sequence[int],
    chunks: Sequence[int],
    like: Layout,
    chain: Chain,
    most: int,
) -> tuple[int, ...] | None:
    """As many chunks to a shard as in the source, within bounds."""
    if like.shards is None:
        return None
    counts = [s // c for s, c in zip(like.shards, like.chunks, strict=True)]
    ratio = []
    for count, n, c in zip(alike(chain, counts), shape, chunks, strict=True):
        ratio.append(max(1, min(count or 1, -(-n // c))))
    while prod(ratio) * prod(chunks) > most and max(ratio) > 1:
        axis = ratio.index(max(ratio))
        ratio[axis] = ratio[axis] // 2
    if max(ratio, default=1) == 1:
        return None
    return tuple([r * c for r, c in zip(ratio, chunks, strict=True)])
