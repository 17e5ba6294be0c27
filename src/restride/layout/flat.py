"""The flat, row-major reading: as_strided and reshape over an IndexMap.

``as_strided`` reads ``flat(x)[offset + sum(i * stride)]``.  Where no stride carries
from one axis into the next it is a walk per axis (a transpose written this way is a
transpose); elsewhere it is a walk over the source as one long axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from operator import mul

from restride.errors import BoundsError
from restride.layout.axis import AxisMap
from restride.layout.index_map import IDENTITIES, Axis, IndexMap, Walk, row_major
from restride.layout.outside import walk_outside

__all__ = ["as_strided", "check_span", "groups", "refit", "reshape"]


def check_span(
    total: int, size: Sequence[int], stride: Sequence[int], offset: int
) -> None:
    """Refuse an as_strided that leaves ``0..total - 1``.

    Examples
    --------
    >>> check_span(9, (2, 2), (2, 3), 0)
    >>> check_span(12, (3, 3), (4, 1), 2)
    Traceback (most recent call last):
    restride.errors.BoundsError: as_strided: size (3, 3), stride (4, 1), offset 2 reads elements [2, 13) of a source of 12; the largest offset that fits is 1.
      y[i, j] = flat(x)[2 + 4*i + j] and flat(x) has elements 0 to 11;
      y[2, 2] would be element 12
        element   2  3  4 .. 10 11 | 12
        read      ^  ^  ^     ^  ^ |  !
    """  # noqa: E501
    if 0 in size:
        if not 0 <= offset <= total:
            raise BoundsError(
                f"as_strided: offset {offset} with an empty size; allowed is 0 to "
                f"{total}, the number of elements."
            )
        return
    low = high = offset
    for n, s in zip(size, stride, strict=True):
        reach = (n - 1) * s
        if reach < 0:
            low += reach
        else:
            high += reach
    if low >= 0 and high < total:
        return
    least, most = offset - low, total - 1 - (high - offset)
    if least > most:
        mend = f"no offset fits: it spans {high - low + 1} elements"
    elif high >= total:
        mend = f"the largest offset that fits is {most}"
    else:
        mend = f"the smallest offset that fits is {least}"
    raise BoundsError(
        f"as_strided: size {tuple(size)}, stride {tuple(stride)}, offset {offset} "
        f"reads elements [{low}, {high + 1}) of a source of {total}; {mend}."
    ).with_picture(walk_outside(total, size, stride, offset))


def as_strided(
    m: IndexMap, size: Sequence[int], stride: Sequence[int], offset: int
) -> IndexMap | None:
    """The map of as_strided over the flat reading of `m`'s result, or None.

    The result's `source_shape` is `m`'s, or ``(number of elements,)`` where only the
    flat reading of the source is straight.
    """
    if 0 in size:
        return m.walk([(None, 0, n) for n in size], [0] * len(m.shape))
    found = digits(m.shape, size, stride, offset)
    if found is not None:
        return m.walk(*found)
    line = straight(m)
    if line is None:
        return None
    start, step = line
    flat = IndexMap.identity((prod(m.source_shape),))
    pairs = zip(size, stride, strict=True)
    return flat.walk([(0, s * step, n) for n, s in pairs], [start + offset * step])


def digits(
    shape: tuple[int, ...], size: Sequence[int], stride: Sequence[int], offset: int
) -> tuple[list[Walk], list[int]] | None:
    """Strides over a flat reading as walks of single axes, or None where one carries.

    Examples
    --------
    >>> digits((3, 4), (4, 3), (1, 4), 0)
    ([(1, 1, 4), (0, 1, 3)], [0, 0])
    >>> digits((3, 3), (3,), (4,), 0) is None
    True
    """
    steps = row_major(shape)
    walks: list[Walk] = []
    for n, s in zip(size, stride, strict=True):
        axis = _axis_of(s, n, shape, steps)
        if axis is None:
            walks.append((None, 0, n))
            continue
        step, carried = divmod(s, steps[axis])
        if carried:
            return None
        walks.append((axis, step, n))
    start = [offset // s % n for s, n in zip(steps, shape, strict=True)]
    low, high = list(start), list(start)
    for axis, step, n in walks:
        if axis is not None:
            ends = high if step > 0 else low
            ends[axis] += step * (n - 1)
            if not 0 <= ends[axis] < shape[axis]:
                return None
    return walks, start


def _axis_of(
    stride: int, count: int, shape: Sequence[int], steps: Sequence[int]
) -> int | None:
    """The outermost axis whose neighbours are no further apart than `stride`."""
    if count == 1 or stride == 0:
        return None
    reach = abs(stride)
    for axis, n in enumerate(shape):
        if n > 1 and steps[axis] <= reach:
            return axis
    return None


@lru_cache(IDENTITIES)
def straight(m: IndexMap) -> tuple[int, int] | None:
    """(start, step) when `m`'s result, read flat, walks its source, read flat, evenly.

    Examples
    --------
    >>> straight(IndexMap.identity((3, 4)).select([(2, -1, 3), (3, -1, 4)]))
    (11, -1)
    """
    if not m.is_affine or m.size == 0:
        return None
    steps = row_major(m.source_shape)
    start = sum(map(mul, m.base, steps))
    run, step = 1, 0
    for axis in reversed(m.axes):
        n = axis.map.extent
        if n == 1:
            continue
        here = 0 if axis.source is None else axis.map.step * steps[axis.source]
        if run == 1:
            step = here
        elif here != step * run:
            return None
        run *= n
    return start, step


def refit(m: IndexMap, shape: tuple[int, ...]) -> IndexMap:
    """The same map over its source read as `shape`, where a walk per axis says it.

    `m` itself is returned where none does.
    """
    whole = IndexMap.identity(shape)
    if m.size == 0 or m.background is not None:
        made = IndexMap.make(shape, m.axes, [0] * len(shape), m.fills, m.background)
        return m if made is None else made
    if not m.is_affine:
        return m
    steps = row_major(m.source_shape)
    stride = [0 if a.source is None else a.map.step * steps[a.source] for a in m.axes]
    offset = sum(map(mul, m.base, steps))
    found = digits(shape, m.shape, stride, offset)
    made = None if found is None else whole.walk(*found)
    return m if made is None else made


def reshape(m: IndexMap, shape: tuple[int, ...]) -> IndexMap | None:
    """The map with its result read row-major as `shape`, or None.

    Splitting a straight axis is a map; so is merging axes that were split from one.
    `shape` has as many elements as the result.
    """
    if m.size == 0 or (m.background is not None and not _bent(m)):
        axes = [Axis.still(n) for n in shape]
        return IndexMap.make(m.source_shape, axes, m.base, m.fills, m.background)
    axes = []
    for old, new in groups(m.shape, shape):
        made = _regroup([m.axes[r] for r in old], [shape[r] for r in new])
        if made is None:
            return None
        axes.extend(made)
    return IndexMap.make(m.source_shape, axes, m.base, m.fills, m.background)


def _bent(m: IndexMap) -> bool:
    return not all(axis.map.is_affine for axis in m.axes)


def groups(old: Sequence[int], new: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The finest runs of axes with equal products on both sides."""
    found: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        left: list[int] = []
        right: list[int] = []
        a = b = 1
        while not (left or right) or a != b:
            if (a <= b and i < len(old)) or j == len(new):
                left.append(i)
                a *= old[i]
                i += 1
            else:
                right.append(j)
                b *= new[j]
                j += 1
        if i == len(old) or j == len(new):
            left.extend(range(i, len(old)))
            right.extend(range(j, len(new)))
            i, j = len(old), len(new)
        found.append((left, right))
    return found


def _regroup(old: list[Axis], extents: list[int]) -> list[Axis] | None:
    """One run of axes read row-major with other extents, or None."""
    wide = [axis for axis in old if axis.map.extent != 1]
    if sum(n != 1 for n in extents) == 1 and len(wide) == 1:
        return [Axis.still(1) if n == 1 else wide[0] for n in extents]
    if not all(axis.map.is_affine for axis in wide):
        return None
    source, step, run = None, 0, 1
    for axis in reversed(wide):
        here = 0 if axis.source is None else axis.map.step
        if run == 1:
            source, step = axis.source, here
        elif axis.source != source or here != step * run:
            return None
        run *= axis.map.extent
    steps = row_major(tuple(extents))
    return [
        Axis(source, AxisMap.affine(n, 0, step * s))
        for n, s in zip(extents, steps, strict=True)
    ]
