"""Steps in a row: one map where the algebra allows, one more after each cut.

A :class:`Chain` is what a lazy view holds.  Each step joins the last map; where the
result is no map, the chain is *cut*: what stands so far will be materialises once,
and the step starts over a source of that shape.

>>> c = Chain.identity((8,)).pad(((1, 1),), "reflect").windows((3,), (1,), (1,), (0,))
>>> c.shape, c.cuts
((8, 3), 1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from restride.checks import MAX_BYTES, MAX_RANK
from restride.errors import ShapeError
from restride.layout import flat
from restride.layout.axis import AxisMap, new
from restride.layout.constant import Constant
from restride.layout.extension import window
from restride.layout.index_map import IDENTITIES, Entry, IndexMap, Walk

__all__ = ["Chain"]

Fills = Sequence[tuple[object, object]]


class Chain(NamedTuple):
    """Maps run one after the other, each reading the result before it row-major."""

    source_shape: tuple[int, ...]
    """Extents of the array the first map reads (row-major where they differ)."""
    maps: tuple[IndexMap, ...]
    """One map, and one more after each cut."""
    shape: tuple[int, ...]
    """Extents of the result: the last map's result, read row-major."""

    @staticmethod
    @lru_cache(IDENTITIES)
    def identity(shape: tuple[int, ...]) -> Chain:
        """The chain of no steps over an array of `shape`, which is checked."""
        return Chain(shape, (IndexMap.identity(shape),), shape)

    @property
    def cuts(self) -> int:
        """How many times something is materialised on the way."""
        return len(self.maps) - 1

    def select(self, entries: Sequence[Entry]) -> Chain:
        """Resolved slice entries, covering every axis (see `IndexMap.select`)."""
        return self._step(IndexMap.select, entries)

    def pad(
        self, pads: Sequence[tuple[int, int]], mode: str, fills: Fills | None = None
    ) -> Chain:
        """Extend each axis by (before, after) elements in `mode`; negative crops."""
        outer: list[AxisMap] = []
        constants = _constants(fills) if mode == "constant" else ()
        numbers = (0, 0)
        extents: list[int] = []
        for axis, (before, after) in enumerate(pads):
            if len(constants) > 1:
                numbers = (2 * axis, 2 * axis + 1)
            try:
                through = window(self.shape[axis], before, after, mode, numbers)
            except ShapeError as error:
                raise type(error)(f"pad: axis {axis}: {error}") from None
            outer.append(through)
            extents.append(through.extent)
        check_size(extents, "pad")
        return self._step(IndexMap.extend, outer, constants)

    def transpose(self, order: Sequence[int]) -> Chain:
        """Result axis r is axis ``order[r]``."""
        return self._step(IndexMap.transpose, order)

    def broadcast_to(self, shape: tuple[int, ...]) -> Chain:
        """Repeat axes of extent 1 and add leading axes."""
        if len(shape) < len(self.shape):
            raise ShapeError(
                f"broadcast_to: {self.shape} has more axes than {shape}; "
                "select some away first."
            )
        check_size(shape, "broadcast_to")
        return self._step(IndexMap.broadcast_to, shape)

    def windows(
        self,
        size: Sequence[int],
        step: Sequence[int],
        dilation: Sequence[int],
        axes: Sequence[int],
    ) -> Chain:
        """Windows of `size` elements, every `step`; window axes come last."""
        walks: list[Walk] = [(r, 1, n) for r, n in enumerate(self.shape)]
        for axis, n, s, d in zip(axes, size, step, dilation, strict=True):
            reach = (n - 1) * d + 1
            count = (self.shape[axis] - reach) // s + 1
            if reach > self.shape[axis]:
                raise ShapeError(
                    f"windows: size {n} with dilation {d} spans {reach} elements of "
                    f"axis {axis}, which has {self.shape[axis]}; make it smaller or "
                    "pad first."
                )
            walks[axis] = (axis, s, count)
            walks.append((axis, d, n))
        check_size([w[2] for w in walks], "windows")
        return self._step(IndexMap.walk, walks, [0] * len(self.shape))

    def as_strided(
        self, size: Sequence[int], stride: Sequence[int], offset: int
    ) -> Chain:
        """``flat(x)[offset + sum(i * stride)]``, all in elements."""
        if len(size) != len(stride):
            raise ShapeError(
                f"as_strided: size has length {len(size)} and stride {len(stride)}; "
                "give one of each per axis."
            )
        check_size(size, "as_strided")
        flat.check_span(prod(self.shape), size, stride, offset)
        return self._step(flat.as_strided, size, stride, offset)

    def reshape(self, shape: tuple[int, ...]) -> Chain:
        """The same elements, read row-major as `shape`; free at the end of a chain."""
        if prod(shape) != prod(self.shape):
            raise ShapeError(
                f"reshape: {self.shape} and {shape} hold {prod(self.shape)} and "
                f"{prod(shape)} elements; they must hold as many."
            )
        last = self.maps[-1]
        made = flat.reshape(last, shape)
        if made is None and flat.straight(last) == (0, 1) and _covers(last):
            made = IndexMap.identity(shape)
        if made is None:
            return Chain(self.source_shape, self.maps, shape)
        return self._ended(self.maps[:-1], made)

    def _step(self, step: Callable[..., IndexMap | None], *words: object) -> Chain:
        """Join the last map by ``step(map, *words)``, or cut and start over."""
        last = self.maps[-1]
        if last.shape == self.shape:
            made = step(last, *words)
            if made is not None:
                # Over a whole array, a step that gave a flat map has tried the axes.
                tried = last.shape == last.source_shape != made.source_shape
                return self._ended(self.maps[:-1], made, tried)
        made = step(IndexMap.identity(self.shape), *words)
        if made is None:
            raise AssertionError("a step over a whole array is always a map")
        return self._ended(self.maps, made)

    def _ended(
        self, before: tuple[IndexMap, ...], last: IndexMap, tried: bool = False
    ) -> Chain:
        source = before[-1].shape if before else self.source_shape
        if last.source_shape != source and not tried:
            last = flat.refit(last, source)
        return new(Chain, (self.source_shape, (*before, last), last.shape))


def _constants(fills: Fills | None) -> tuple[Constant, ...]:
    """Before and after each axis in turn, or the one that stands on every side."""
    pairs = fills or ((None, None),)
    first = pairs[0][0]
    for before, after in pairs:
        if before is not first or after is not first:
            return tuple([Constant(value) for pair in pairs for value in pair])
    return (Constant(first),)


def _covers(m: IndexMap) -> bool:
    return m.size == prod(m.source_shape)


def check_size(shape: Sequence[int], name: str) -> None:
    """Refuse a result no memory could hold, before anything is made of it.

    Raises
    ------
    ShapeError
        More than 64 axes, or 2**63 elements or more.
    """
    if len(shape) > MAX_RANK:
        raise ShapeError(
            f"{name}: the result would have {len(shape)} axes; at most {MAX_RANK}."
        )
    if prod([n or 1 for n in shape] if 0 in shape else shape) > MAX_BYTES:
        raise ShapeError(
            f"{name}: the result of shape {tuple(shape)} has more than 2**63 - 1 "
            "elements; make it smaller."
        )
