"""The definitions, executed index by index: plain ints, nested loops, flat lists.

A tensor is its shape and the flat row-major list of its cells; a cell is any object
(tests use the bytes of one element).  Every function answers one question, which
cell of the source, or which constant, stands at each index of the result, by
walking, counting or repeating instead of by a closed formula.  Nothing here imports
the package under test, nor NumPy, so that it can judge both.  `Wrong` is what a
definition refuses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
MAX_AXES = 64

Index = tuple[int, ...]
Entry = Any
"""One entry of an index: int, slice, None or Ellipsis."""


class Wrong(Exception):
    """The definition gives these parameters no meaning."""


class Tensor(NamedTuple):
    """A tensor as the row-major list of its cells."""

    shape: Index
    cells: list[Any]


class Chosen(NamedTuple):
    """What one entry selects from the axis it stands on."""

    kind: str
    """"axis" a range, "drop" one index and the axis goes, "new" an axis of extent 1."""
    positions: Index


# ---------------------------------------------------------------- indices and cells


def size_of(shape: Sequence[int]) -> int:
    """Number of indices of a shape."""
    total = 1
    for n in shape:
        total *= n
    return total


def indices(shape: Sequence[int]) -> Iterator[Index]:
    """Every index of a shape, last axis fastest."""
    return product(*(range(n) for n in shape))


def position(shape: Sequence[int], index: Sequence[int]) -> int:
    """Row-major position of an index, which must lie inside."""
    at = 0
    for n, i in zip(shape, index, strict=True):
        if not 0 <= i < n:
            raise AssertionError(f"{tuple(index)} lies outside {tuple(shape)}")
        at = at * n + i
    return at


def gather(t: Tensor, shape: Sequence[int], source: Callable[[Index], Index]) -> Tensor:
    """The tensor whose cell at `i` is the cell of `t` at `source(i)`."""
    cells = [t.cells[position(t.shape, source(i))] for i in indices(shape)]
    return Tensor(tuple(shape), cells)


def numbered(shape: Sequence[int]) -> Tensor:
    """The tensor whose cells are their own positions."""
    return Tensor(tuple(shape), list(range(size_of(shape))))


# ---------------------------------------------------------------------------- slice


@cache
def walk(n: int, begin: int | None, end: int | None, step: int) -> Index:
    """The indices that ``begin:end:step`` visits on an axis of extent n."""
    if step == 0:
        raise Wrong("step 0")
    low, high = (0, n) if step > 0 else (-1, n - 1)

    def inside(k: int) -> int:
        return min(max(k + n if k < 0 else k, low), high)

    at = (low if step > 0 else high) if begin is None else inside(begin)
    stop = (high if step > 0 else low) if end is None else inside(end)
    visited = []
    while at < stop if step > 0 else at > stop:
        visited.append(at)
        at += step
    return tuple(visited)


def single(n: int, k: int) -> int:
    """One index on an axis of extent n, wrapped once and never clamped."""
    at = k + n if k < 0 else k
    if not 0 <= at < n:
        raise Wrong(f"index {k} on extent {n}")
    return at


def take(t: Tensor, chosen: Sequence[Chosen]) -> Tensor:
    """The cells that one choice per entry selects, in order."""
    shape: list[int] = []
    for choice in chosen:
        if choice.kind != "drop":
            shape.append(len(choice.positions))
    cells = []
    for picked in product(*(c.positions for c in chosen if c.kind != "new")):
        cells.append(t.cells[position(t.shape, picked)])
    return Tensor(tuple(shape), cells)


def choose(shape: Sequence[int], entries: Sequence[Entry]) -> list[Chosen]:
    """What each entry of an index selects; missing entries take whole axes."""
    dots = [k for k, e in enumerate(entries) if e is Ellipsis]
    if len(dots) > 1:
        raise Wrong("two ellipses")
    consuming = sum(e is not None and e is not Ellipsis for e in entries)
    spare = len(shape) - consuming
    if spare < 0:
        raise Wrong("too many indices")
    whole = [slice(None)] * spare
    dot = dots[0] if dots else len(entries)
    full = [*entries[:dot], *whole, *entries[dot + 1 :]]
    axes = iter(shape)
    return [_choose(axes, entry) for entry in full]


def _choose(axes: Iterator[int], entry: Entry) -> Chosen:
    if entry is None:
        return Chosen("new", (0,))
    n = next(axes)
    if isinstance(entry, slice):
        step = 1 if entry.step is None else entry.step
        return Chosen("axis", walk(n, entry.start, entry.stop, step))
    return Chosen("drop", (single(n, entry),))


def index(t: Tensor, entries: Sequence[Entry]) -> Tensor:
    """``t[entries]``."""
    return take(t, choose(t.shape, entries))


# -------------------------------------------------------------------- strided slice


def masked(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> list[Chosen]:
    """What each entry of a masked index selects: facts, section 10.2."""
    count = len(begin)
    if not count == len(end) == len(strides):
        raise Wrong("lengths differ")
    if ellipsis_mask & (ellipsis_mask - 1):
        raise Wrong("two ellipses")
    dots = [k for k in range(count) if ellipsis_mask >> k & 1]
    dot = dots[0] if dots else count
    new_after = sum(new_axis_mask >> k & 1 for k in range(dot + 1, count))
    after = max(count - dot - 1, 0)
    until = min(len(shape) - after + new_after, len(shape))
    chosen: list[Chosen] = []
    axis = 0
    for k in range(max(count, dot + 1)):
        if k == dot:
            while axis < until:
                chosen.append(Chosen("axis", tuple(range(shape[axis]))))
                axis += 1
        elif new_axis_mask >> k & 1:
            chosen.append(Chosen("new", (0,)))
        else:
            if axis == len(shape):
                raise Wrong("too many indices")
            n = shape[axis]
            axis += 1
            if strides[k] == 0:
                raise Wrong("step 0")
            if shrink_axis_mask >> k & 1:
                if strides[k] < 0:
                    raise Wrong("shrink with a negative step")
                chosen.append(Chosen("drop", (single(n, begin[k]),)))
            else:
                first = None if begin_mask >> k & 1 else begin[k]
                last = None if end_mask >> k & 1 else end[k]
                chosen.append(Chosen("axis", walk(n, first, last, strides[k])))
    return chosen


def strided_slice(
    t: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    **masks: int,
) -> Tensor:
    """TensorFlow's StridedSlice."""
    return take(t, masked(t.shape, begin, end, strides, **masks))


# ------------------------------------------------------------------- other operators


def as_strided(
    t: Tensor, size: Sequence[int], stride: Sequence[int], offset: int = 0
) -> Tensor:
    """``y[i] = flat(t)[offset + sum(i * stride)]``, every cell inside t."""
    if len(size) != len(stride) or len(size) > MAX_AXES or any(n < 0 for n in size):
        raise Wrong("size and stride")
    if 0 in size:
        if not 0 <= offset <= len(t.cells):
            raise Wrong("offset")
        return Tensor(tuple(size), [])
    cells = []
    for i in indices(size):
        at = offset
        for k, step in zip(i, stride, strict=True):
            at += k * step
        if not 0 <= at < len(t.cells):
            raise Wrong(f"element {at} of {len(t.cells)}")
        cells.append(t.cells[at])
    return Tensor(tuple(size), cells)


@cache
def extended(mode: str, n: int, k: int) -> int | None:
    """Where index k of the endless extension of an axis lies; None: the constant.

    An extension repeats one block for ever, to both sides of index 0.
    """
    if mode == "constant":
        return k if 0 <= k < n else None
    if n == 0:
        raise Wrong("no cell to repeat")
    if mode == "edge":
        return min(max(k, 0), n - 1)
    there, back = list(range(n)), list(range(n - 1, -1, -1))
    block = {
        "wrap": there,
        "symmetric": there + back,
        "reflect": there + back[1:-1],
    }[mode]
    return block[k % len(block)]


def pad(
    t: Tensor,
    pads: Sequence[tuple[int, int]],
    mode: str,
    constants: Any = None,
) -> Tensor:
    """The window [-before, n + after) of the extension of every axis.

    `constants` is one cell, or a (before, after) pair of cells for each axis; where
    two axes both ask for a constant the last one decides.
    """
    if len(pads) != len(t.shape):
        raise Wrong("one pair per axis")
    pairs = constants if isinstance(constants, list) else [(constants, constants)]
    pairs = pairs if isinstance(constants, list) else pairs * len(t.shape)
    shape = []
    for n, (before, after) in zip(t.shape, pads, strict=True):
        shape.append(before + n + after)
        if shape[-1] < 0:
            raise Wrong("negative extent")
        if n == 0 and shape[-1] and mode != "constant":
            raise Wrong("no cell to repeat")
    cells = []
    for i in indices(shape):
        inside: list[int] = []
        constant: list[Any] = []
        for axis, (n, (before, _)) in enumerate(zip(t.shape, pads, strict=True)):
            found = extended(mode, n, i[axis] - before)
            if found is None:
                constant.append(pairs[axis][0 if i[axis] < before else 1])
            else:
                inside.append(found)
        cells.append(constant[-1] if constant else t.cells[position(t.shape, inside)])
    return Tensor(tuple(shape), cells)


def transpose(t: Tensor, perm: Sequence[int] | None = None) -> Tensor:
    """Axis r of the result is axis perm[r]; None: all turned round."""
    rank = len(t.shape)
    order = list(range(rank))[::-1] if perm is None else [single(rank, p) for p in perm]
    if sorted(order) != list(range(rank)):
        raise Wrong("not a permutation")

    def source(i: Index) -> Index:
        at = [0] * rank
        for r, axis in enumerate(order):
            at[axis] = i[r]
        return tuple(at)

    return gather(t, [t.shape[axis] for axis in order], source)


def broadcast_to(t: Tensor, shape: Sequence[int]) -> Tensor:
    """NumPy's broadcasting: axes of extent 1 repeat, missing ones are put in front."""
    lead = len(shape) - len(t.shape)
    if lead < 0:
        raise Wrong("fewer axes")
    for n, wide in zip(t.shape, shape[lead:], strict=True):
        if n not in (1, wide):
            raise Wrong(f"{n} to {wide}")

    def source(i: Index) -> Index:
        pairs = zip(t.shape, i[lead:], strict=True)
        return tuple(0 if n == 1 else k for n, k in pairs)

    return gather(t, shape, source)


def flip(t: Tensor, axes: Sequence[int] | None = None) -> Tensor:
    """The listed axes read from their ends; None: all."""
    rank = len(t.shape)
    turned = range(rank) if axes is None else [single(rank, a) for a in axes]

    def source(i: Index) -> Index:
        return tuple(
            n - 1 - k if axis in turned else k
            for axis, (n, k) in enumerate(zip(t.shape, i, strict=True))
        )

    return gather(t, t.shape, source)


def reshape(t: Tensor, shape: Sequence[int]) -> Tensor:
    """The same row-major list under another shape."""
    if size_of(shape) != len(t.cells):
        raise Wrong("another number of cells")
    return Tensor(tuple(shape), t.cells)


def windows(
    t: Tensor,
    size: Sequence[int],
    step: Sequence[int],
    dilation: Sequence[int],
    axes: Sequence[int],
) -> Tensor:
    """Windows of `size` cells, `dilation` apart, begun every `step` cells.

    Each axis of `axes` keeps the number of the window; the places inside the windows
    come last, in the order of `axes`.
    """
    rank = len(t.shape)
    where = [single(rank, a) for a in axes]
    if len(set(where)) != len(where):
        raise Wrong("an axis twice")
    counts = list(t.shape)
    for a, wide, hop, gap in zip(where, size, step, dilation, strict=True):
        if wide < 1 or hop < 1 or gap < 1:
            raise Wrong("not positive")
        reach = (wide - 1) * gap
        counts[a] = len([k for k in range(t.shape[a] - reach) if k % hop == 0])
        if counts[a] == 0:
            raise Wrong("a window larger than its axis")

    def source(i: Index) -> Index:
        at = list(i[:rank])
        for r, a in enumerate(where):
            at[a] = i[a] * step[r] + i[rank + r] * dilation[r]
        return tuple(at)

    return gather(t, [*counts, *size], source)


# ---------------------------------------------------------------------------- writes


def region(
    shape: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
) -> list[Index]:
    """Per axis the cells that SetValue writes: no wrapping, no clamping.

    An axis without cells still has to begin on a cell, or one past an end.
    """
    if not len(shape) == len(starts) == len(ends) == len(strides):
        raise Wrong("one of each per axis")
    cells = []
    for n, start, end, step in zip(shape, starts, ends, strides, strict=True):
        if step == 0:
            raise Wrong("step 0")
        count = math.ceil((end - start) / step)
        visited = [start + k * step for k in range(count)]
        if count < 0 or any(not 0 <= k < n for k in visited):
            raise Wrong("outside")
        if not visited and not (0 if step > 0 else -1) <= start <= n:
            raise Wrong("begins outside")
        cells.append(tuple(visited))
    return cells


def _write(dst: Tensor, chosen: Sequence[Chosen], src: Tensor) -> Tensor:
    """dst with the chosen cells replaced by src, broadcast as in an assignment."""
    places = take(numbered(dst.shape), chosen)
    extra = len(src.shape) - len(places.shape)
    if extra > 0 and any(n != 1 for n in src.shape[:extra]):
        raise Wrong("src has more axes")
    values = Tensor(src.shape[max(extra, 0) :], src.cells)
    cells = list(dst.cells)
    spread = broadcast_to(values, places.shape)
    for at, value in zip(places.cells, spread.cells, strict=True):
        cells[at] = value
    return Tensor(dst.shape, cells)


def set_value(
    dst: Tensor,
    src: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
) -> Tensor:
    """dst after ``dst[starts + k * strides] = src[k]``."""
    cells = region(dst.shape, starts, ends, strides)
    return _write(dst, [Chosen("axis", axis) for axis in cells], src)


def assign(dst: Tensor, entries: Sequence[Entry], src: Tensor) -> Tensor:
    """dst after ``dst[entries] = src``."""
    return _write(dst, choose(dst.shape, entries), src)


# ---------------------------------------------------------------------------- chains

STEPS: dict[str, Callable[..., Tensor]] = {
    "index": index,
    "strided_slice": strided_slice,
    "as_strided": as_strided,
    "pad": pad,
    "transpose": transpose,
    "broadcast_to": broadcast_to,
    "flip": flip,
    "reshape": reshape,
    "windows": windows,
}


def chain(t: Tensor, steps: Sequence[tuple[str, tuple[Any, ...]]]) -> Tensor:
    """The steps run one by one."""
    for name, arguments in steps:
        t = STEPS[name](t, *arguments)
    return t
