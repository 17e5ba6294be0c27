"""Contenders: one library each, asked for the same elements.

NumPy's results are what all others are compared with.  A contender says None for what
it has no call for; what its library refuses it raises, and is left out by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

import restride as rs
from restride.bench.case import Case
from restride.bench.steps import Index, Pad, Step, Strided, Transpose, Write

__all__ = ["Call", "Contender", "NumPy", "Restride"]

Array = np.ndarray[Any, Any]
Call = Callable[[], Any]
One = Callable[[Any], Any]


class Contender(ABC):
    """How one library is asked.

    Every call gets the source as this library's own contiguous array and gives a
    finished, contiguous result of its own memory.
    """

    name: str
    refusals: tuple[type[BaseException], ...] = (NotImplementedError, RuntimeError)
    """What its library raises for what it does not do."""
    copies: bool = False
    """True where it holds a copy of the source, and may make results in between."""
    copy_limits: bool = False
    """True where it has a plain copy worth asking for the limit."""

    def hold(self, x: Array) -> Any:
        """The same elements as an array of this library."""
        return x

    @abstractmethod
    def fresh(self, case: Case, x: Any) -> Call | None:
        """The call that gives a new result; for a write, one into its own target."""

    def into(self, case: Case, x: Any, out: Array) -> Call | None:
        """The call that writes its result into `out`, where the library has one."""
        return None

    def copy(self, x: Array, out: Array) -> Call | None:
        """A plain copy of bytes, as a candidate for the limit."""
        return None

    def as_numpy(self, made: Any) -> Array:
        """Its result as a NumPy array."""
        return np.asarray(made)

    def rest(self) -> None:  # noqa: B027  # most libraries keep nothing
        """Let go of what it keeps between calls."""


class NumPy(Contender):
    """NumPy's own calls."""

    name = "numpy"
    copy_limits = True

    def fresh(self, case: Case, x: Array) -> Call | None:
        if case.write is not None:
            target, region = target_of(case), case.write.region(case.shape)
            return lambda: _assigned(target, region, x)
        steps = [_numpy_step(s, case.size) for s in case.steps]
        if len(steps) > 1:
            return lambda: np.ascontiguousarray(chained(steps, x))
        one = steps[0]
        if isinstance(case.steps[0], Pad):
            return lambda: one(x)
        return lambda: one(x).copy()

    def into(self, case: Case, x: Array, out: Array) -> Call | None:
        if any(isinstance(s, Pad | Write) for s in case.steps):
            return None
        steps = [_numpy_step(s, case.size) for s in case.steps]
        return lambda: np.copyto(out, chained(steps, x))

    def copy(self, x: Array, out: Array) -> Call:
        return lambda: np.copyto(out, x)


def target_of(case: Case) -> Array:
    """What a write writes to: zeros whose pages are there already."""
    target = np.empty(case.result, case.dtype)
    target.view(np.uint8).fill(0)
    return target


def chained(steps: list[One], x: Any) -> Any:
    """`x` after every step."""
    for step in steps:
        x = step(x)
    return x


def _assigned(target: Array, region: tuple[slice, ...], x: Array) -> Array:
    target[region] = x
    return target


def _numpy_step(step: Step, size: int) -> One:
    match step:
        case Index(slices):
            return lambda x: x[slices]
        case Transpose(axes):
            return lambda x: x.transpose(axes)
        case Pad(widths, "constant"):
            return lambda x: np.pad(x, widths)
        case Pad(widths, mode):
            words: dict[str, Any] = {"mode": mode}
            return lambda x: np.pad(x, widths, **words)
        case Strided(shape, stride):
            strides = tuple(s * size for s in stride)
            return lambda x: as_strided(x, shape, strides)
    raise NotImplementedError(type(step).__name__)


class Restride(Contender):
    """The package itself."""

    name = "restride"
    copy_limits = True

    def fresh(self, case: Case, x: Array) -> Call:
        if case.write is not None:
            return _restride_write(case, x)
        if len(case.steps) > 1:
            return lambda: _restride_view(case.steps, x).copy()
        match case.steps[0]:
            case Index(slices):
                return lambda: rs.slice(x, slices)
            case Pad(widths, mode):
                return lambda: rs.pad(x, widths, mode)
            case Strided(size, stride):
                return lambda: rs.as_strided(x, size, stride)
            case step:
                return lambda: _restride_view((step,), x).copy()

    def into(self, case: Case, x: Array, out: Array) -> Call | None:
        if case.write is not None:
            return None
        if len(case.steps) > 1:
            return lambda: _restride_view(case.steps, x).copy(out)
        match case.steps[0]:
            case Index(slices):
                return lambda: rs.slice(x, slices, out=out)
            case Pad(widths, mode):
                return lambda: rs.pad(x, widths, mode, out=out)
            case Strided(size, stride):
                return lambda: rs.as_strided(x, size, stride, out=out)
            case step:
                return lambda: _restride_view((step,), x).copy(out)

    def copy(self, x: Array, out: Array) -> Call:
        return lambda: rs.slice(x, (slice(None),), out=out)

    def rest(self) -> None:
        rs.pool.clear()


def _restride_write(case: Case, x: Array) -> Call:
    step = case.steps[0]
    assert isinstance(step, Write)
    target, starts = target_of(case), step.starts
    ends = tuple(b + n for b, n in zip(starts, case.shape, strict=True))
    return lambda: rs.set_value(target, x, starts, ends)


def _restride_view(steps: tuple[Step, ...], x: Array) -> rs.View:
    seen = rs.view(x)
    for step in steps:
        match step:
            case Index(slices):
                seen = seen[slices]
            case Transpose(axes):
                seen = seen.transpose(axes)
            case Pad(widths, mode):
                seen = seen.pad(widths, mode)
            case Strided(size, stride):
                seen = seen.as_strided(size, stride)
            case _:
                raise NotImplementedError(type(step).__name__)
    return seen


def same_bits(one: Array, other: Array) -> bool:
    """True where shape, dtype and every byte agree.

    Examples
    --------
    >>> same_bits(np.array([0.0]), np.array([-0.0]))
    False
    """
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    a, b = (np.ascontiguousarray(y).reshape(-1).view(np.uint8) for y in (one, other))
    step = 1 << 24  # a comparison makes a bool per byte
    n = prod(one.shape) * one.itemsize
    return all(
        np.array_equal(a[k : k + step], b[k : k + step]) for k in range(0, n, step)
    )
