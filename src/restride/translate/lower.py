"""One step as several simpler ones, for a target that has no word for it.

Each function keeps the result's elements exactly; where that needs the shape it is
asked for.

>>> [step.entries for step in cropped(Extend(((2, -1),), "edge"))[1:]]
[(slice(None, -1, None),)]
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from restride.layout.axis import AxisMap
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.extension import window
from restride.layout.index_map import IndexMap, row_major
from restride.translate.meaning import (
    Expand,
    Extend,
    Gather,
    Reshape,
    Select,
    Step,
    Strided,
    Transpose,
)
from restride.translate.values import Grid, Runs

__all__ = [
    "as_selection",
    "crop_entries",
    "cropped",
    "flat_strides",
    "gathered",
    "grown_pairs",
    "is_crop_separate",
    "on_flat",
    "one_fill_each",
    "staged",
]

Pair = tuple[int, int]
WHOLE = slice(None)


# ---------------------------------------------------------------------------- pads


def cropped(pad: Extend) -> list[Step]:
    """Negative sides as a slice after the positive ones, which is what they mean."""
    grown = replace(pad, pairs=grown_pairs(pad))
    taken = crop_entries(pad)
    steps: list[Step] = []
    if any(side for pair in grown.pairs for side in pair):
        steps.append(grown)
    if any(entry != WHOLE for entry in taken):
        steps.append(Select(taken))
    return steps or [Select((Ellipsis,))]


def crop_entries(pad: Extend) -> tuple[slice, ...]:
    """The slice that takes the negative sides away."""
    return tuple(
        [slice(-b if b < 0 else None, a if a < 0 else None) for b, a in pad.pairs]
    )


def grown_pairs(pad: Extend) -> tuple[Pair, ...]:
    """The positive sides alone."""
    return tuple([(max(b, 0), max(a, 0)) for b, a in pad.pairs])


def is_crop_separate(pad: Extend, shape: tuple[int, ...] | None) -> bool:
    """True where cropping first gives the same as cropping last.

    So it is with constants, as long as no side takes away more than the axis has;
    with other modes where no axis both grows and shrinks.
    """
    if min((side for pair in pad.pairs for side in pair), default=0) >= 0:
        return True
    if shape is None:
        return False
    for n, (before, after) in zip(shape, pad.pairs, strict=True):
        if min(before, after, before + after) < -n:
            return False
        if pad.mode != "constant" and before * after < 0:
            return False
    return True


def one_fill_each(pad: Extend) -> list[Extend]:
    """Pads with one constant each; the later axis still wins where two meet."""
    done: list[Extend] = []
    for axis, pair in enumerate(pad.pairs):
        fills = (pad.fills or ((0, 0),) * len(pad.pairs))[axis]
        for sides, fill in _by_fill(pair, fills):
            pairs = tuple(sides if k == axis else (0, 0) for k in range(len(pad.pairs)))
            if done and Constant(_fill(done[-1])) == Constant(fill):
                last = done[-1].pairs
                done[-1] = _filled(tuple(map(_sum, last, pairs)), fill)
            else:
                done.append(_filled(pairs, fill))
    return done or [_filled(pad.pairs, 0)]


def _by_fill(pair: Pair, fills: tuple[Any, Any]) -> list[tuple[Pair, Any]]:
    """The sides of one axis that grow, by their constants."""
    before, after = max(pair[0], 0), max(pair[1], 0)
    if before and after and Constant(fills[0]) == Constant(fills[1]):
        return [((before, after), fills[0])]
    sides = [((before, 0), fills[0]), ((0, after), fills[1])]
    return [(side, fill) for side, fill in sides if any(side)]


def _filled(pairs: tuple[Pair, ...], fill: Any) -> Extend:
    return Extend(pairs, "constant", ((fill, fill),) * len(pairs))


def _fill(pad: Extend) -> Any:
    return pad.fills[0][0] if pad.fills else 0


def _sum(a: Pair, b: Pair) -> Pair:
    return (a[0] + b[0], a[1] + b[1])


def gathered(pad: Extend, shape: tuple[int, ...]) -> list[Step]:
    """A pad in any mode but constant as a table of positions per axis."""
    steps: list[Step] = []
    for axis, (n, pair) in enumerate(zip(shape, pad.pairs, strict=True)):
        if pair != (0, 0):
            steps.append(Gather(axis, runs(window(n, *pair, pad.mode))))
    return steps or [Select((Ellipsis,))]


def runs(positions: AxisMap) -> Runs:
    """An axis map without constants as a table."""
    return Runs(tuple((p.begin, p.step, p.count) for p in positions.pieces))


def staged(pad: Extend, shape: tuple[int, ...]) -> list[Extend]:
    """A wide mirror or wrap as several narrow ones, none wider than its axis allows.

    The extension repeats itself, so a pad of a pad that ends where a period does
    goes on with the same elements.
    """
    if pad.mode == "edge":
        return [pad]
    per_axis = [
        _stages(n, *pair, pad.mode) for n, pair in zip(shape, pad.pairs, strict=True)
    ]
    most = max(map(len, per_axis), default=0)
    rounds = [[s[k] if k < len(s) else (0, 0) for s in per_axis] for k in range(most)]
    return [replace(pad, pairs=tuple(pairs)) for pairs in rounds]


def _stages(n: int, before: int, after: int, mode: str) -> list[Pair]:
    if n == 0 and (before or after):
        window(n, before, after, mode)  # refuses: there is no element to repeat
    unit = n - 1 if mode == "reflect" else n
    length, stages = n, []
    while before or after:
        most = length - 1 if mode == "reflect" else length
        sides = [_side(side, most, unit) for side in (before, after)]
        if mode == "wrap" and max(before, after) > most:
            # The next stage reads across both ends: they must be whole periods apart.
            sides = [min(side, most) // unit * unit for side in (before, after)]
        stages.append((sides[0], sides[1]))
        before, after = before - sides[0], after - sides[1]
        length += sum(sides)
    return stages


def _side(side: int, most: int, unit: int) -> int:
    return side if side <= most else most // unit * unit


# ------------------------------------------------------------------------- strides


def flat_strides(steps: Chain) -> Strided | None:
    """A chain as strides over the flat source, where it is one."""
    m = steps.maps[0]
    if steps.cuts or not m.is_affine or m.shape != steps.shape:
        return None
    if m.size == 0:
        return Strided(m.shape, (0,) * len(m.shape), 0)
    rows = row_major(m.source_shape)
    stride = [0 if a.source is None else a.map.step * rows[a.source] for a in m.axes]
    offset = sum(b * s for b, s in zip(m.base, rows, strict=True))
    return Strided(m.shape, tuple(stride), offset)


def as_selection(read: Strided, shape: tuple[int, ...]) -> list[Step] | None:
    """Strides as a slice, a transpose and repeats, where they walk axis by axis."""
    made = Chain.identity(shape).as_strided(read.size, read.stride, read.offset)
    m = made.maps[0]
    if m.source_shape != shape or not m.is_affine or m.size == 0:
        return None
    walked = [a.source for a in m.axes if a.source is not None]
    if len(set(walked)) != len(walked):
        return None
    ranges = _ranges(m, shape)
    if walked == sorted(walked):
        steps: list[Step] = [Select(_in_order(m, ranges))]
    else:
        kept = [Select(ranges)] if any(e != WHOLE for e in ranges) else []
        order = [sorted(walked).index(source) for source in walked]
        steps = [*kept, Transpose(tuple(order))]
        if len(walked) != len(m.axes):
            steps.append(Select(tuple([_added(a.source) for a in m.axes])))
    if any(a.source is None and a.map.extent != 1 for a in m.axes):
        steps.append(Expand(m.shape))
    return steps


def _added(source: int | None) -> slice | None:
    return None if source is None else WHOLE


def _in_order(
    m: IndexMap, ranges: tuple[int | slice, ...]
) -> tuple[int | slice | None, ...]:
    """The ranges of source axes, with new axes where the result has them."""
    found: list[int | slice | None] = []
    left = list(enumerate(ranges))
    for axis in m.axes:
        if axis.source is None:
            found.append(None)
            continue
        while left[0][0] < axis.source:
            found.append(left.pop(0)[1])
        found.append(left.pop(0)[1])
    return (*found, *[entry for _, entry in left])


def _ranges(m: IndexMap, shape: tuple[int, ...]) -> tuple[int | slice, ...]:
    """What a map with one walker per axis takes from each source axis."""
    found: list[int | slice] = list(m.base)
    for axis in m.axes:
        if axis.source is not None:
            begin, n = m.base[axis.source], shape[axis.source]
            found[axis.source] = as_range(begin, axis.map.step, axis.map.extent, n)
    return tuple(found)


def as_range(begin: int, step: int, count: int, n: int) -> slice:
    """A resolved range as a slice; an end before 0, which would wrap, stays open.

    Examples
    --------
    >>> as_range(3, -1, 4, 4), as_range(1, 2, 2, 9), as_range(0, 1, 4, 4)
    (slice(None, None, -1), slice(1, 4, 2), slice(None, None, None))
    """
    last = begin + step * (count - 1)
    end = last + (1 if step > 0 else -1)
    open_end = end < 0 or (step > 0 and last + step >= n)
    first = 0 if step > 0 else n - 1
    return slice(
        None if begin == first else begin,
        None if open_end else end,
        None if step == 1 else step,
    )


def on_flat(read: Strided) -> list[Step]:
    """Strides as a table of positions over the flat input, for any shape."""
    return [Reshape((-1,)), Gather(0, Grid(read.size, read.stride, read.offset))]
