"""The words of a case: what is moved, in no library's own terms."""

from __future__ import annotations

from dataclasses import dataclass

from restride.bench.errors import BenchError

__all__ = [
    "Frames",
    "Index",
    "Ints",
    "Pad",
    "Step",
    "Strided",
    "Transpose",
    "Write",
    "result_shape",
]

Ints = tuple[int, ...]


@dataclass(frozen=True)
class Index:
    """The elements at one slice per axis."""

    slices: tuple[slice, ...]


@dataclass(frozen=True)
class Transpose:
    """Axis k of the result is axis ``axes[k]`` of the source."""

    axes: Ints


@dataclass(frozen=True)
class Pad:
    """Each axis extended by (before, after); constants are 0."""

    widths: tuple[tuple[int, int], ...]
    mode: str


@dataclass(frozen=True)
class Frames:
    """Rows of `length` elements, one beginning at every `every`-th element."""

    length: int
    every: int


@dataclass(frozen=True)
class Strided:
    """The row-major elements with these strides, in elements."""

    size: Ints
    stride: Ints
    same: Transpose | Frames | None = None
    """The same in words of libraries that know no strides, if there are any."""


@dataclass(frozen=True)
class Write:
    """The source into a region of a target, in place."""

    target: Ints
    starts: Ints

    def region(self, source: Ints) -> tuple[slice, ...]:
        """The region that a source of this shape fills."""
        pairs = zip(self.starts, source, strict=True)
        return tuple(slice(begin, begin + n) for begin, n in pairs)


Step = Index | Transpose | Pad | Frames | Strided | Write


def result_shape(shape: Ints, steps: tuple[Step, ...]) -> Ints:
    """Extents after all steps.

    Examples
    --------
    >>> every_other = Index((slice(None), slice(None, None, 2)))
    >>> result_shape((4, 6), (every_other, Pad(((1, 1), (0, 2)), "edge")))
    (6, 5)
    """
    for step in steps:
        shape = _after(shape, step)
    return shape


def _after(shape: Ints, step: Step) -> Ints:
    match step:
        case Index(slices):
            pairs = zip(slices, shape, strict=True)
            return tuple(len(range(*s.indices(n))) for s, n in pairs)
        case Transpose(axes):
            return tuple(shape[a] for a in axes)
        case Pad(widths):
            return tuple(b + n + a for (b, a), n in zip(widths, shape, strict=True))
        case Strided(size):
            return size
        case Write(target):
            return target
    raise BenchError(f"{type(step).__name__} stands only beside Strided.")
