"""Too few bytes for even the smallest box, or for boxes that are not too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod

from restride.blocks.boxes import Grid
from restride.errors import ShapeError

__all__ = [
    "MOST_BLOCKS",
    "USUAL_BYTES",
    "TooLittleError",
    "are_too_many",
    "check_count",
    "told_enough",
]

USUAL_BYTES = 256_000_000
"""Bytes of blocks in memory where nobody said how many."""

MOST_BLOCKS, SMALL_BYTES = 2_000_000, 256_000
"""More blocks that are so small are no wish but a slip, such as bytes without MB."""

ROUNDS = 64
"""Steps towards what is enough: each leaves an eighth of what was missing, or so."""


class TooLittleError(ShapeError):
    """The smallest box, of `unit`, needs more than `allowed` less the `held` bytes."""

    def __init__(
        self, allowed: int, unit: tuple[int, ...], needed: int, held: int
    ) -> None:
        self.allowed, self.unit, self.needed, self.held = allowed, unit, needed, held
        # What chunks take grows with what is allowed, never faster than that.
        enough = 2 * (needed + held) if held else needed
        super().__init__(self.text(enough))

    def text(self, enough: int) -> str:
        """What is said, with a number that is enough."""
        usual = ", the default," if self.allowed == USUAL_BYTES else ""
        packing = f", and its chunks {self.held} more" if self.held else ""
        advice = ", or ask for smaller chunks" if self.held else ""
        return (
            f"max_bytes = {self.allowed}{usual} is too little: the smallest box of the "
            f"result, {self.unit}, takes {self.needed} bytes with what it reads"
            f"{packing}; give {enough} or more{advice}."
        )


def are_too_many(grid: Grid, itemsize: int) -> bool:
    """True for more blocks of few bytes than anyone waits for.

    Examples
    --------
    >>> are_too_many(Grid((10**9,), (100,)), 4)
    True
    >>> are_too_many(Grid((10**13,), (10**6,)), 4)  # ten million of 4 MB
    False
    """
    count = len(grid)
    return count > MOST_BLOCKS and prod(grid.extents) * itemsize < count * SMALL_BYTES


def check_count(grid: Grid, itemsize: int, allowed: int) -> None:
    """Refuse more blocks of few bytes than anyone waits for.

    Raises
    ------
    ShapeError
        There are.

    Examples
    --------
    >>> check_count(Grid((10**9,), (100,)), 4, 1200)
    Traceback (most recent call last):
    restride.errors.ShapeError: max_bytes = 1200 makes 10,000,000 blocks of (100,); ...
    """
    if are_too_many(grid, itemsize):
        raise ShapeError(
            f"max_bytes = {allowed} makes {len(grid):,} blocks of {grid.block}; more "
            f"than {MOST_BLOCKS:,} so small ones are not begun: give more, or run the "
            "chain in two, with a file between."
        )


@contextmanager
def told_enough(held_of: Callable[[int], int]) -> Iterator[None]:
    """Turn `TooLittleError` into an error that names the least number that is enough.

    `held_of` says what chunks take of so many bytes allowed.

    Raises
    ------
    ShapeError
        `TooLittleError` was raised.
    """
    try:
        yield
    except TooLittleError as error:
        found = error
    else:
        return
    raise ShapeError(found.text(_enough(found, held_of)))


def _enough(found: TooLittleError, held_of: Callable[[int], int]) -> int:
    """The least number that holds the box and what chunks take of that number."""
    allowed = found.allowed
    for _ in range(ROUNDS):
        enough = found.needed + held_of(allowed)
        if enough <= allowed:
            return allowed
        allowed = enough
    return 2 * allowed
