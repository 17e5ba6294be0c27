"""AsStrided: read a flat array at ``offset + sum(i * stride)``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from restride.checks import as_flag, as_index, as_ints, as_shape, counted
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.layout.flat import check_span

__all__ = ["AsStrided"]

MAX_DOCUMENTED_RANK = 8
"""Longest `size` the operator document allows."""


@dataclass(frozen=True, slots=True)
class AsStrided:
    """``y[i...] = flat(x)[offset + sum(i * stride)]``, all in elements.

    ``flat(x)`` is x read row-major, whatever its memory looks like.

    Raises
    ------
    DTypeError, ShapeError
        An entry is not an integer, a size is negative, or the lengths differ.

    Notes
    -----
    Ascend ATB AsStridedOperation, "Parameters" and "Restrictions".  The rule that
    the furthest element must lie inside x is in the vendor's source only
    (src/ops/ops_infer/as_strided/as_strided_operation.cpp).

    Examples
    --------
    >>> AsStrided((2, 2), (2, 3)).infer_shape((3, 3))
    (2, 2)
    """

    size: tuple[int, ...]
    """Shape of the result."""
    stride: tuple[int, ...]
    """Elements between neighbours along each result axis; 0 repeats."""
    offset: int = 0
    """Element the result starts with."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", as_shape(self.size, "as_strided: size"))
        object.__setattr__(self, "stride", as_ints(self.stride, "as_strided: stride"))
        object.__setattr__(self, "offset", as_index(self.offset, "as_strided: offset"))
        if len(self.size) != len(self.stride):
            raise ShapeError(
                f"as_strided: size has {counted(len(self.size), 'entry', 'entries')} "
                f"and stride {len(self.stride)}; give one of each per result axis."
            )

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse what is not defined on `shape`; strict: or not documented."""
        if as_flag(strict, "as_strided: strict"):
            self.check_documented()
        check_span(prod(as_shape(shape)), self.size, self.stride, self.offset)

    def check_documented(self) -> None:
        """Refuse what the operator document does not allow."""
        if len(self.size) > MAX_DOCUMENTED_RANK:
            raise ShapeError(
                f"as_strided: size has {counted(len(self.size), 'entry', 'entries')}; "
                f"strict allows {MAX_DOCUMENTED_RANK}. Merge axes or leave strict out."
            )
        for i, (n, s) in enumerate(zip(self.size, self.stride, strict=True)):
            if n <= 0 or s < 0:
                raise ShapeError(
                    f"as_strided: size[{i}] = {n}, stride[{i}] = {s}; strict allows "
                    "sizes above 0 and strides of 0 or more. Leave strict out."
                )

    def infer_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Shape of the result."""
        self.check(shape)
        return self.size

    def chain(self, shape: Sequence[int]) -> Chain:
        """What it reads, as a map over an array of `shape`."""
        whole = Chain.identity(as_shape(shape))
        return whole.as_strided(self.size, self.stride, self.offset)
