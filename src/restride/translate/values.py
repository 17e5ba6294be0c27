"""Numbers that a call holds in bulk: tables of positions, kept as what makes them.

A table prints as a list where it is short and as NumPy code where it is long, and
becomes an array only when asked.

>>> Runs(((2, -1, 2), (0, 1, 3))).values()
[2, 1, 0, 1, 2]
>>> Grid((2, 2), (2, 3), 1).values()
[[1, 4], [3, 6]]
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from restride.errors import UnsupportedError

__all__ = ["MAX_TABLE", "Cells", "Grid", "PerItem", "Runs", "Table"]

MAX_TABLE = 1 << 20
"""Most numbers in a table: 8 MB of them; beyond, a table is no way to say it."""

SHORT = 32
"""Most numbers that are printed one by one."""

Run = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Runs:
    """One axis of positions, as straight runs (begin, step, count)."""

    runs: tuple[Run, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """One extent: how many positions."""
        return (sum(count for _, _, count in self.runs),)

    def values(self) -> list[Any]:
        """The positions as ints."""
        check_table(self.shape)
        return [b + k * s for b, s, count in self.runs for k in range(count)]

    def code(self) -> str:
        """An expression that makes them, with NumPy as ``np``."""
        if 0 in self.shape:
            return _none(self.shape)
        if prod(self.shape) <= SHORT:
            return str(self.values())
        parts = [_arange(run) for run in self.runs]
        return parts[0] if len(parts) == 1 else f"np.concatenate([{', '.join(parts)}])"


@dataclass(frozen=True, slots=True)
class Grid:
    """``offset + sum(i * stride)`` for every index of `size`."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The grid's extents."""
        return self.size

    def values(self) -> Any:
        """The positions as nested lists of ints; one int where there is no axis."""
        check_table(self.size)
        return _nested(self.size, self.stride, self.offset)

    def code(self) -> str:
        """An expression that makes them, with NumPy as ``np``."""
        if 0 in self.shape:
            return _none(self.shape)
        if prod(self.size) <= SHORT:
            return str(self.values())
        terms = [str(self.offset)] if self.offset else []
        for axis, (n, s) in enumerate(zip(self.size, self.stride, strict=True)):
            tail = ", None" * (len(self.size) - axis - 1)
            terms.append(f"np.arange({n}){f'[:{tail}]' if tail else ''} * {s}")
        return " + ".join(terms)


@dataclass(frozen=True, slots=True)
class Cells:
    """The coordinates of the cells of a box: `shape` of them, one number per axis.

    Examples
    --------
    >>> Cells((2, 1), ((0, 1, 2), (3, 1, 1))).values()
    [[[0, 3]], [[1, 3]]]
    """

    box: tuple[int, ...]
    """Extents of the box as the source has them; dropped axes are not in it."""
    axes: tuple[Run, ...]
    """(begin, step, count) of each axis of the target, all of them."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The box, and one axis of coordinates."""
        return (*self.box, len(self.axes))

    def values(self) -> Any:
        """The coordinates as nested lists."""
        check_table(self.shape)
        steps = [[b + k * s for k in range(count)] for b, s, count in self.axes]
        flat = iter([list(cell) for cell in product(*steps)])
        return _filled(self.box, flat)

    def code(self) -> str:
        """An expression that makes them, with NumPy as ``np``."""
        if 0 in self.shape:
            return _none(self.shape)
        if prod(self.shape) <= SHORT:
            return str(self.values())
        axes = ", ".join(_arange(run) for run in self.axes)
        grid = f'np.stack(np.meshgrid({axes}, indexing="ij"), axis=-1)'
        plain = tuple(count for _, _, count in self.axes) == self.box
        return grid if plain else f"{grid}.reshape({list(self.shape)})"


Table = Runs | Grid | Cells


@dataclass(frozen=True, slots=True)
class PerItem:
    """Strides in elements, for a call that counts bytes: times the size of one."""

    strides: tuple[int, ...]


def check_table(shape: tuple[int, ...]) -> None:
    """Refuse a table that would cost more than what it moves, before it is made."""
    if prod(shape) > MAX_TABLE:
        raise UnsupportedError(
            f"a table of {prod(shape)} positions; at most {MAX_TABLE} are written out. "
            "Slice or pad less at once."
        )


def _none(shape: tuple[int, ...]) -> str:
    """An empty table: a list would lose its shape, and its being integers."""
    return f"np.zeros({list(shape)}, np.int64)"


def _arange(run: Run) -> str:
    begin, step, count = run
    if step == 0:
        return f"np.full({count}, {begin})"
    end = begin + step * count
    if step == 1:
        return f"np.arange({begin}, {end})" if begin else f"np.arange({end})"
    return f"np.arange({begin}, {end}, {step})"


def _nested(size: tuple[int, ...], stride: tuple[int, ...], at: int) -> Any:
    if not size:
        return at
    rest = size[1:], stride[1:]
    return [_nested(*rest, at + k * stride[0]) for k in range(size[0])]


def _filled(shape: tuple[int, ...], flat: Any) -> Any:
    if not shape:
        return next(flat)
    return [_filled(shape[1:], flat) for _ in range(shape[0])]
