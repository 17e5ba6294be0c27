"""Chains of steps, each told to the oracle and to a view; hypothesis draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import oracle
from hypothesis import strategies as st
from samples import DTYPES, LAYOUTS, constant

import restride as rs

MOST_CELLS = 400
"""Most cells of any result on the way; the oracle visits each."""

Draw = Callable[[st.SearchStrategy[Any]], Any]
Shape = tuple[int, ...]


class Step(NamedTuple):
    """One step in words, for the oracle and for a view."""

    text: str
    define: Callable[[oracle.Tensor], oracle.Tensor]
    apply: Callable[[Any], Any]


class Chain(NamedTuple):
    """A source and the steps over it."""

    shape: Shape
    dtype: np.dtype[Any]
    layout: str
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        words = "".join(step.text for step in self.steps)
        return f"view({self.shape} {self.dtype} {self.layout}){words}"

    def define(self, t: oracle.Tensor) -> oracle.Tensor:
        """What the definition says, step by step."""
        for step in self.steps:
            t = step.define(t)
        return t

    def view(self, x: Any) -> Any:
        """The lazy view of all steps."""
        v = rs.view(x)
        for step in self.steps:
            v = step.apply(v)
        return v


def indexed(entries: tuple[Any, ...]) -> Step:
    """``v[entries]``."""
    return Step(
        f"[{entries}]", lambda t: oracle.index(t, entries), lambda v: v[entries]
    )


def flipped(axes: tuple[int, ...] | None) -> Step:
    """``v.flip(axes)``."""
    return Step(
        f".flip({axes})", lambda t: oracle.flip(t, axes), lambda v: v.flip(axes)
    )


def transposed(perm: tuple[int, ...]) -> Step:
    """``v.transpose(*perm)``."""
    return Step(
        f".transpose{perm}",
        lambda t: oracle.transpose(t, perm),
        lambda v: v.transpose(*perm),
    )


def broadcast(shape: Shape) -> Step:
    """``v.broadcast_to(shape)``."""
    return Step(
        f".broadcast_to({shape})",
        lambda t: oracle.broadcast_to(t, shape),
        lambda v: v.broadcast_to(shape),
    )


def reshaped(shape: Shape) -> Step:
    """``v.reshape(shape)``."""
    return Step(
        f".reshape({shape})",
        lambda t: oracle.reshape(t, shape),
        lambda v: v.reshape(shape),
    )


def padded(pads: list[tuple[int, int]], mode: str, value: Any, cell: Any) -> Step:
    """``v.pad(pads, mode, value)``; `cell` is what the oracle puts for `value`."""
    return Step(
        f".pad({pads}, {mode!r}, {value})",
        lambda t: oracle.pad(t, pads, mode, cell),
        lambda v: v.pad([list(p) for p in pads], mode, value) if pads else v,
    )


def strided(size: Shape, stride: Shape, offset: int) -> Step:
    """``v.as_strided(size, stride, offset)``."""
    return Step(
        f".as_strided({size}, {stride}, {offset})",
        lambda t: oracle.as_strided(t, size, stride, offset),
        lambda v: v.as_strided(size, stride, offset),
    )


def windowed(
    size: list[int], step: list[int], dilation: list[int], axes: list[int]
) -> Step:
    """``v.windows(size, step, dilation, axis=axes)``."""
    return Step(
        f".windows({size}, {step}, {dilation}, axis={axes})",
        lambda t: oracle.windows(t, size, step, dilation, axes),
        lambda v: v.windows(size, step, dilation, axis=axes),
    )


# ------------------------------------------------------------------------ strategies

extents = st.sampled_from((1, 2, 3, 4, 5, 0))
shapes = st.lists(extents, max_size=3).map(tuple)


def ends(draw: Draw) -> int | None:
    """Of a range: absent, or an index that may lie outside."""
    end: int | None = draw(st.none() | st.integers(-6, 6))
    return end


def draw_index(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Ranges, single indices, new axes and an ellipsis."""
    rank = len(shape)
    first = draw(st.integers(0, rank))
    last = draw(st.integers(0, rank - first)) if draw(st.booleans()) else None
    entries = [_entry(draw, n) for n in shape[:first]]
    if last is not None:
        entries += [Ellipsis, *(_entry(draw, n) for n in shape[rank - last :])]
    if draw(st.integers(0, 3)) == 0:
        entries.insert(draw(st.integers(0, len(entries))), None)
    return indexed(tuple(entries))


def _entry(draw: Draw, n: int) -> Any:
    if n and draw(st.integers(0, 4)) == 0:
        return draw(st.integers(-n, n - 1))
    step = draw(st.sampled_from((None, 1, -1, 2, -2, 3)))
    return slice(ends(draw), ends(draw), step)


def draw_flip(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Some axes, or all."""
    axes = st.sets(st.sampled_from(range(len(shape)))) if shape else st.just(set())
    return flipped(draw(st.none() | axes.map(sorted).map(tuple)))


def draw_transpose(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Any order of the axes."""
    return transposed(tuple(draw(st.permutations(range(len(shape))))))


def draw_broadcast(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """New leading axes, and axes of extent 1 repeated."""
    lead = draw(st.lists(st.integers(1, 3), max_size=2))
    wide = [draw(st.integers(0, 3)) if n == 1 else n for n in shape]
    return broadcast((*lead, *wide))


def draw_pad(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Any mode; sides of any sign that leave a result."""
    mode = draw(st.sampled_from(oracle.MODES))
    pads = []
    for n in shape:
        before = draw(st.integers(-n - 1, 4))
        after = draw(st.integers(max(-n - before, -n - 2), max(3, -n - before)))
        fixed = n == 0 and mode != "constant"
        pads.append((0, 0) if fixed else (before, after))
    value, cell = constant(dtype, draw(st.integers(0, 3)))
    return padded(pads, mode, value, cell)


def draw_reshape(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """The cells dealt out over other extents: split, merged, or with ones."""
    rest = list(shape)
    how = draw(st.sampled_from(("merge", "flat", "split", "ones")))
    if how == "merge" and len(rest) > 1:
        at = draw(st.integers(0, len(rest) - 2))
        rest[at : at + 2] = [rest[at] * rest[at + 1]]
    elif how == "split" and rest:
        at = draw(st.integers(0, len(rest) - 1))
        n = rest[at]
        first = draw(st.sampled_from([k for k in range(1, n + 1) if n % k == 0] or [1]))
        rest[at : at + 1] = [first, n // first]
    elif how == "ones":
        rest = [n for n in rest if n != 1]
        rest.insert(draw(st.integers(0, len(rest))), 1)
    else:
        rest = [oracle.size_of(shape)]
    return reshaped(tuple(rest))


def draw_strided(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Any strides whose span fits: what carries across axes, overlaps, runs back."""
    cells = oracle.size_of(shape)
    size, stride, low, high = [], [], 0, 0
    for _ in range(draw(st.integers(0, 3))):
        n = draw(st.integers(1 if cells else 0, 4))
        room = cells - 1 - (high - low)
        most = room // (n - 1) if n > 1 else 3
        step = draw(st.integers(-max(most, 0), max(most, 0)))
        size.append(n)
        stride.append(step)
        low, high = low + min(step * (n - 1), 0), high + max(step * (n - 1), 0)
    if not cells and 0 not in size:
        size, stride = [*size, 0], [*stride, 1]
    if 0 in size:
        return strided(tuple(size), tuple(stride), draw(st.integers(0, cells)))
    offset = draw(st.integers(-low, cells - 1 - high))
    return strided(tuple(size), tuple(stride), offset)


def draw_windows(draw: Draw, shape: Shape, dtype: np.dtype[Any]) -> Step:
    """Windows that fit, over some axes in any order."""
    usable = [axis for axis, n in enumerate(shape) if n]
    some = (
        st.lists(st.sampled_from(usable), unique=True, max_size=2) if usable else None
    )
    axes = draw(some) if some is not None else []
    size, step, dilation = [], [], []
    for axis in axes:
        wide = draw(st.integers(1, min(shape[axis], 3)))
        size.append(wide)
        dilation.append(
            draw(st.integers(1, (shape[axis] - 1) // max(wide - 1, 1) or 1))
        )
        step.append(draw(st.integers(1, 3)))
    return windowed(size, step, dilation, axes)


DRAWS = (
    draw_index,
    draw_pad,
    draw_transpose,
    draw_windows,
    draw_strided,
    draw_reshape,
    draw_flip,
    draw_broadcast,
)


@st.composite
def chains(
    draw: Draw, most: int = 6, dtypes: tuple[np.dtype[Any], ...] = DTYPES
) -> Chain:
    """Up to `most` steps, each fit for the shape that stands before it."""
    shape = draw(shapes)
    dtype = draw(st.sampled_from(dtypes))
    layout = draw(st.sampled_from(LAYOUTS))
    steps: list[Step] = []
    t = oracle.Tensor(shape, [b""] * oracle.size_of(shape))
    for _ in range(draw(st.integers(0, most))):
        step = draw(st.sampled_from(DRAWS))(draw, t.shape, dtype)
        made = step.define(t)
        if len(made.cells) <= MOST_CELLS and len(made.shape) <= 6:
            steps.append(step)
            t = made
    return Chain(shape, dtype, layout, tuple(steps))
