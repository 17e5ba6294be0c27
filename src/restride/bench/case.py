"""A case: an array, and what is to be moved of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from restride.bench.steps import Ints, Step, Write, result_shape
from restride.bench.touched import bytes_read, bytes_written

__all__ = ["Case", "values"]

Array = np.ndarray[Any, Any]

PERIOD = 1_000_003
"""Elements after which values repeat: a prime, so that no row looks like its
neighbour, and few enough that gigabytes are filled in a second."""


@dataclass(frozen=True)
class Case:
    """What every contender is asked for.

    Examples
    --------
    >>> from restride.bench.steps import Index
    >>> c = Case("crop", "core", (1024, 1024), "f4", (Index(np.s_[:, :512]),))
    >>> c.result, c.read_bytes, c.written_bytes
    ((1024, 512), 2097152, 2097152)
    """

    name: str
    group: str
    shape: Ints
    dtype: str
    steps: tuple[Step, ...]
    shift_bytes: int = 0
    """Bytes between an aligned address and the source's first element."""

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return np.dtype(self.dtype).itemsize

    @property
    def result(self) -> Ints:
        """Extents of the result."""
        return result_shape(self.shape, self.steps)

    @property
    def write(self) -> Write | None:
        """The region write this case is, if it is one."""
        step = self.steps[0]
        return step if isinstance(step, Write) else None

    @property
    def source_bytes(self) -> int:
        """Bytes of the source."""
        return prod(self.shape) * self.size

    @property
    def result_bytes(self) -> int:
        """Bytes of the result, of a write those of the whole target."""
        return prod(self.result) * self.size

    @cached_property
    def read_bytes(self) -> int:
        """Bytes of the cache lines that must be read."""
        return bytes_read(self.shape, self.steps, self.size)

    @property
    def written_bytes(self) -> int:
        """Bytes that must be written."""
        return bytes_written(self.shape, self.result, self.steps, self.size)

    @property
    def touched_bytes(self) -> int:
        """Bytes that must be read and written."""
        return self.read_bytes + self.written_bytes

    @property
    def is_small(self) -> bool:
        """True where only the cost of a call shows, so no limit is asked for."""
        return self.group == "small"

    @property
    def needed_bytes(self) -> int:
        """Memory the measuring takes: source, a result, the one it is compared with,
        and one more where a chain of single steps has a result in between."""
        results = 2 if len(self.steps) == 1 else 3
        return self.source_bytes + results * self.result_bytes

    def source(self) -> Array:
        """The array to move, the same in every run."""
        line = np.empty(self.source_bytes + self.shift_bytes, np.uint8)
        flat = line[self.shift_bytes :].view(self.dtype)
        made = values(min(PERIOD, flat.size), self.dtype)
        for begin in range(0, flat.size, PERIOD):
            part = flat[begin : begin + PERIOD]
            part[...] = made[: part.size]
        return flat.reshape(self.shape)


def values(count: int, dtype: str) -> Array:
    """Elements of `dtype`; floats are ordinary numbers, since libraries may change
    the bits of NaNs while they move them.

    Examples
    --------
    >>> values(3, "u1").shape
    (3,)
    """
    wanted, rng = np.dtype(dtype), np.random.default_rng(0)
    if wanted.kind == "f":
        return (rng.random(count, np.float32) * 255).astype(wanted)
    if wanted.kind == "c":
        return (rng.random(count) + 1j * rng.random(count)).astype(wanted)
    return np.frombuffer(rng.bytes(count * wanted.itemsize), wanted)
