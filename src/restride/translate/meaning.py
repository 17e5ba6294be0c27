"""What an operator means, in no dialect's words: a few steps that move elements.

A reader gives steps, a writer takes them.  The first four are restride's operators;
the rest only arise where a target has no single word for one of those.

>>> result_shape(Select((1, slice(None, None, -2), None)), (3, 5))
(3, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from restride.layout.chain import Chain
from restride.layout.notation import IndexEntry
from restride.ops.strided_slice import StridedSlice, encode
from restride.translate.values import Table

__all__ = [
    "Expand",
    "Extend",
    "Gather",
    "Reshape",
    "Select",
    "Step",
    "Strided",
    "Transpose",
    "Write",
    "applied",
    "result_rank",
    "result_shape",
]

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Select:
    """The elements at an index: restride's StridedSlice without its encoding."""

    entries: tuple[IndexEntry, ...]
    """Positions, ranges, new axes and at most one ellipsis."""

    @property
    def encoded(self) -> StridedSlice:
        """The same as lists and masks."""
        return encode(self.entries)


@dataclass(frozen=True, slots=True)
class Extend:
    """restride's Pad: positive sides extend, negative sides crop afterwards."""

    pairs: tuple[Pair, ...]
    """(before, after) per axis."""
    mode: str = "constant"
    """constant, edge, reflect, symmetric, wrap."""
    fills: tuple[tuple[Any, Any], ...] | None = None
    """(before, after) constants per axis; None where the mode needs none."""


@dataclass(frozen=True, slots=True)
class Strided:
    """restride's AsStrided: ``flat(x)[offset + sum(i * stride)]``, row-major."""

    size: tuple[int, ...]
    """Shape of the result."""
    stride: tuple[int, ...]
    """Elements between neighbours."""
    offset: int = 0
    """First element."""


@dataclass(frozen=True, slots=True)
class Write:
    """A source written into the cells at an index; the result is the whole."""

    entries: tuple[IndexEntry, ...]
    """The region, as in `Select`."""


@dataclass(frozen=True, slots=True)
class Transpose:
    """Result axis r is axis ``order[r]``."""

    order: tuple[int, ...]
    """A permutation of the axes."""


@dataclass(frozen=True, slots=True)
class Expand:
    """Axes of extent 1 repeated."""

    shape: tuple[int, ...]
    """Shape of the result, of the same rank."""


@dataclass(frozen=True, slots=True)
class Reshape:
    """The same elements, row-major, in other extents."""

    shape: tuple[int, ...]
    """Shape of the result; ``(-1,)`` for one axis of them all."""


@dataclass(frozen=True, slots=True)
class Gather:
    """The slices at the positions of a table along one axis."""

    axis: int
    """The axis that the table replaces."""
    table: Table
    """Positions, none negative."""


Step = Select | Extend | Strided | Write | Transpose | Expand | Reshape | Gather


def applied(step: Step, to: Chain) -> Chain | None:
    """`to` with a step after it; None for a write and for a table.

    Raises
    ------
    RestrideError
        The step is not defined on what stands.
    """
    match step:
        case Select():
            return to.select(step.encoded.entries(to.shape))
        case Extend():
            return to.pad(step.pairs, step.mode, step.fills)
        case Strided():
            return to.as_strided(step.size, step.stride, step.offset)
        case Transpose():
            return to.transpose(step.order)
        case Expand():
            return to.broadcast_to(step.shape)
        case Reshape():
            return to.reshape(whole_extents(step.shape, to.shape))
        case _:
            return None


def whole_extents(wanted: tuple[int, ...], shape: Sequence[int]) -> tuple[int, ...]:
    """``(-1,)`` as the number of elements; any other extents as they are."""
    total = 1
    for n in shape:
        total *= n
    return (total,) if wanted == (-1,) else wanted


def result_shape(step: Step, shape: Sequence[int]) -> tuple[int, ...]:
    """Shape after a step; refuses what the step is not defined on."""
    shape = tuple(shape)
    if isinstance(step, Write):
        encode(step.entries).infer_shape(shape)
        return shape
    if isinstance(step, Gather):
        return shape[: step.axis] + step.table.shape + shape[step.axis + 1 :]
    made = applied(step, Chain.identity(shape))
    return shape if made is None else made.shape


def result_rank(step: Step, rank: int | None) -> int | None:
    """Number of axes after a step; None where it is not known."""
    match step:
        case Strided():
            return len(step.size)
        case Expand() | Reshape():
            return len(step.shape)
        case Extend():
            return len(step.pairs)
        case Transpose():
            return len(step.order)
        case Select() if rank is not None:
            dropped = sum(isinstance(e, int) for e in step.entries)
            return rank - dropped + step.entries.count(None)
        case Gather() if rank is not None:
            return rank - 1 + len(step.table.shape)
        case _:
            return rank
