"""SetValue: write a source into a strided region of a destination, in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.checks import as_flag, as_ints, as_shape
from restride.errors import BoundsError, ShapeError
from restride.layout.index_map import Entry, IndexMap
from restride.layout.outside import cells_outside

__all__ = ["SetValue"]


@dataclass(frozen=True, slots=True)
class SetValue:
    """``dst[starts + k * strides] = src[k]`` for k below ceil((ends-starts)/strides).

    Nothing wraps and nothing is clamped: every cell must lie in dst.  `ends` may be
    -1 when stepping down; ``starts == ends`` writes nothing.

    Raises
    ------
    DTypeError, ShapeError
        An entry is not an integer, a stride is 0, or the lengths differ.

    Notes
    -----
    Ascend ATB SetValueOperation, "Members" and "Constraints".

    Examples
    --------
    >>> SetValue((1, 2), (4, 4)).infer_shape((5, 5))
    (3, 2)
    """

    starts: tuple[int, ...]
    """First cell per axis."""
    ends: tuple[int, ...]
    """One past the last cell per axis, in the direction of the stride."""
    strides: tuple[int, ...] | None = None
    """Cells between neighbours per axis, any int but 0; None: all 1."""

    def __post_init__(self) -> None:
        starts = as_ints(self.starts, "set_value: starts")
        given = [1] * len(starts) if self.strides is None else self.strides
        strides = as_ints(given, "set_value: strides")
        ends = as_ints(self.ends, "set_value: ends")
        if not len(starts) == len(ends) == len(strides):
            raise ShapeError(
                f"set_value: {len(starts)} starts, {len(ends)} ends and "
                f"{len(strides)} strides; give one of each per axis of dst."
            )
        if 0 in strides:
            raise ShapeError(
                f"set_value: strides[{strides.index(0)}] = 0; any other step works."
            )
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "ends", ends)
        object.__setattr__(self, "strides", strides)

    def _per_axis(self) -> list[tuple[int, int, int]]:
        return list(zip(self.starts, self.ends, self.strides or (), strict=True))

    def check(
        self,
        shape: Sequence[int],
        dtype: Any = None,
        strict: bool = False,
        source: Sequence[int] | None = None,
    ) -> None:
        """Refuse cells outside dst of `shape`; strict: or what is not documented.

        `source` is the shape of src, where known: it must fill or broadcast to the
        cells, and strict asks more of it.
        """
        self._entries(as_shape(shape), strict, source)

    def _entries(
        self, shape: tuple[int, ...], strict: bool, source: Sequence[int] | None
    ) -> list[Entry]:
        """What each axis of dst writes, as (begin, step, count)."""
        if len(shape) != len(self.starts):
            raise ShapeError(
                f"set_value: starts has length {len(self.starts)} for a dst of rank "
                f"{len(shape)}; give one per axis."
            )
        if strict is not False and as_flag(strict, "set_value: strict"):
            self._check_documented(shape, source)
        per_axis = zip(shape, self._per_axis(), strict=True)
        return [_written(axis, n, *cells) for axis, (n, cells) in enumerate(per_axis)]

    def _check_documented(
        self, shape: Sequence[int], source: Sequence[int] | None
    ) -> None:
        for axis, (start, end, step) in enumerate(self._per_axis()):
            if step != 1:
                raise ShapeError(
                    f"set_value: strides[{axis}] = {step}; strict allows only 1. "
                    "Leave strict out."
                )
            if not 0 <= start < end <= shape[axis]:
                raise BoundsError(
                    f"set_value: axis {axis} of extent {shape[axis]}, {start}:{end}; "
                    "strict asks for 0 <= starts < ends <= extent."
                )
        if source is not None:
            self._check_source(tuple(shape), tuple(source))

    def _check_source(self, shape: tuple[int, ...], source: tuple[int, ...]) -> None:
        cells = tuple(e - s for s, e, _ in self._per_axis())
        if source != cells:
            raise ShapeError(
                f"set_value: src has shape {source} and the cells {cells}; strict "
                "broadcasts nothing. Leave strict out."
            )
        differ = [a for a in range(1, len(shape)) if shape[a] != source[a]]
        if len(differ) != 1:
            raise ShapeError(
                f"set_value: src {source} and dst {shape} differ on {len(differ)} of "
                "the axes after axis 0; strict asks for exactly one."
            )

    def infer_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Shape of the region written."""
        return self.region(shape).shape

    def region(self, shape: Sequence[int]) -> IndexMap:
        """The cells written, as the map that would read them."""
        return self.cells(as_shape(shape))

    def cells(
        self,
        shape: tuple[int, ...],
        strict: bool = False,
        source: Sequence[int] | None = None,
    ) -> IndexMap:
        """The same for a `shape` that is checked."""
        return IndexMap.cells(shape, self._entries(shape, strict, source))


def _written(axis: int, n: int, start: int, end: int, step: int) -> Entry:
    """(begin, step, count) of the cells written on one axis of extent `n`."""
    count = -((start - end) // step)
    last = start + (count - 1) * step
    if count > 0 and 0 <= start < n and 0 <= last < n:
        return start, step, count
    where = f"set_value: axis {axis} of extent {n}, {start}:{end}:{step}"
    if count < 0:
        raise BoundsError(f"{where} runs away from its end; turn the stride round.")
    if count > 0:
        raise BoundsError(
            f"{where} writes cells {start} to {last}; allowed is 0 to {n - 1}. "
            "Nothing wraps: add the extent to a negative index yourself."
        ).with_picture(cells_outside(n, start, step, count))
    if not (0 if step > 0 else -1) <= start <= n:
        raise BoundsError(f"{where} starts outside; allowed is 0 to {n}.")
    return 0, step, 0
