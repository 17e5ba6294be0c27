"""StridedSlice: an index expression as three lists and five bit masks.

Position k of the lists is one entry of the index; bit k of a mask says what it is::

    ellipsis_mask     ...         as many whole axes as the other entries leave
    new_axis_mask     None        a new axis of extent 1
    shrink_axis_mask  begin[k]    one index, and the axis goes
    none of these     begin[k]:end[k]:strides[k]
                      begin_mask drops the begin, end_mask the end

Where several bits are set at one position the first in this order decides.  Without
an ellipsis one stands after the last entry.

>>> encode("1, ::-2").infer_shape((3, 4, 5))
(2, 5)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from restride.checks import as_index, as_ints, as_shape
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.layout.index_map import Entry
from restride.layout.notation import (
    IndexEntry,
    as_entries,
    check_count,
    format_index,
    shown,
)
from restride.ops.masks import Kind, encoded, kinds
from restride.ops.ranges import NAME, resolve_each

__all__ = ["StridedSlice", "encode"]

MASKS = tuple(
    f"{what}_mask" for what in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
)


@dataclass(frozen=True, slots=True)
class StridedSlice:
    """``y[i...] = x[begin + i * stride]`` on each axis a range selects from.

    Of a range on an axis of extent n, a negative begin or end counts from n once;
    then both are cut to ``0..n`` (stride above 0) or ``-1..n-1`` (below 0), and
    ``ceil((end - begin) / stride)`` elements are taken, or none.

    Raises
    ------
    DTypeError, ShapeError
        An entry or mask is no integer, or the three lengths differ.

    Notes
    -----
    TensorFlow ``StridedSlice`` and CANN ``StridedSlice``.  Bits at or beyond the
    number of entries mean nothing, except that `ellipsis_mask` may hold one bit in
    all.  A mask below 0 is read in two's complement: -1 sets every bit.  A begin or
    end outside the axis is cut, a single index outside it is refused; it is read
    from `begin` even where `begin_mask` has its bit.

    Examples
    --------
    >>> StridedSlice([0, 3], [2, 0], [1, -1], end_mask=2).infer_shape((5, 5))
    (2, 4)
    """

    begin: Sequence[int]
    """First index per entry.  A tuple once made, as are `end` and `strides`."""
    end: Sequence[int]
    """One past the last index per entry, in the direction of the stride."""
    strides: Sequence[int] | None = None
    """Step per entry; None: all 1."""
    begin_mask: int = 0
    """Bit k: the range of entry k starts at the first element in its direction."""
    end_mask: int = 0
    """Bit k: the range of entry k runs to the last element in its direction."""
    ellipsis_mask: int = 0
    """Bit k: entry k stands for whole axes; at most one bit."""
    new_axis_mask: int = 0
    """Bit k: entry k is a new axis of extent 1."""
    shrink_axis_mask: int = 0
    """Bit k: entry k is the single index ``begin[k]``."""

    def __post_init__(self) -> None:
        begin = as_ints(self.begin, f"{NAME}: begin", any_length=True)
        end = as_ints(self.end, f"{NAME}: end", any_length=True)
        given = [1] * len(begin) if self.strides is None else self.strides
        strides = as_ints(given, f"{NAME}: strides", any_length=True)
        if not len(begin) == len(end) == len(strides):
            raise ShapeError(
                f"{NAME}: begin has length {len(begin)}, end {len(end)} and strides "
                f"{len(strides)}; give one of each per entry of the index."
            )
        check_count(len(begin), NAME)
        object.__setattr__(self, "begin", begin)
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "strides", strides)
        for mask in MASKS:
            value = getattr(self, mask)
            if type(value) is not int:
                value = as_index(value, f"{NAME}: {mask}", any_length=True)
                object.__setattr__(self, mask, value)

    @classmethod
    def encode(cls, index: Any, rank: int | None = None) -> StridedSlice:
        """The lists and masks of an index expression; see :func:`encode`."""
        return encode(index, rank)

    def decode(self) -> str:
        """The index text that selects the same elements of an array of any shape.

        Every encoding that some shape accepts has one.

        Raises
        ------
        ShapeError
            No shape accepts the encoding: a stride of 0, a single index with a
            negative stride, or several ellipsis bits.
        UnsupportedError
            A number has more than 640 digits.

        Examples
        --------
        >>> StridedSlice([2, 0], [0, 0], [1, -1], 2, 2, shrink_axis_mask=1).decode()
        '[2, ::-1]'
        """
        return format_index(tuple(self._index(self._kinds())))

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse what is not defined on `shape`.

        `dtype` plays no part.  `strict` adds nothing: the document asks for strides
        other than 0 at every entry, and then leaves them open at a new axis and an
        ellipsis in its own example, so only strides that are used must not be 0.
        """
        self.infer_shape(shape)

    def infer_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Shape of the result.

        Examples
        --------
        >>> encode("0, None, 4:1:-2").infer_shape((2, 5, 7))
        (1, 2, 7)
        """
        return _shape_of(self.entries(shape))

    def chain(self, shape: Sequence[int]) -> Chain:
        """What it reads, as a map over an array of `shape`."""
        return Chain.identity(as_shape(shape)).select(self.entries(shape))

    def entries(self, shape: Sequence[int], caller: str = NAME) -> list[Entry]:
        """What each entry takes from an array of `shape`, covering every axis.

        As :func:`restride.ops.ranges.resolve_each` gives it; `caller` is whose words an
        error uses.

        Raises
        ------
        ShapeError
            Too many entries, a stride of 0, a single index with a negative stride,
            several ellipsis bits, or a result of more than 64 axes.
        BoundsError
            A single index outside its axis.

        Examples
        --------
        >>> encode("-1, None, ::-2").entries((3, 4))
        [2, None, (3, -2, 2)]
        """
        shape = as_shape(shape, f"{caller}: shape")
        kinds = self._kinds()
        used = kinds.count("index") + kinds.count("range")
        return resolve_each(self._index(kinds), used, shape, caller)

    def _kinds(self) -> list[Kind]:
        masks = (self.ellipsis_mask, self.new_axis_mask, self.shrink_axis_mask)
        return kinds(len(self.begin), *masks)

    def _index(self, kinds: list[Kind]) -> Iterator[IndexEntry]:
        """The index of plain ints that selects the same, checked entry by entry."""
        return (self._entry(k, kind) for k, kind in enumerate(kinds))

    def _entry(self, k: int, kind: Kind) -> IndexEntry:
        if kind == "ellipsis":
            return Ellipsis
        if kind == "new axis":
            return None
        stride = self.strides[k] if self.strides else 1
        if stride == 0:
            raise ShapeError(
                f"{NAME}: strides[{k}] = 0; any other stride is allowed. Use 1 or -1."
            )
        if kind == "range":
            begin = None if self.begin_mask >> k & 1 else self.begin[k]
            end = None if self.end_mask >> k & 1 else self.end[k]
            return slice(begin, end, stride)
        if stride < 0:
            raise ShapeError(
                f"{NAME}: strides[{k}] = {shown(stride)}; a single index "
                f"(shrink_axis_mask bit {k}) needs a stride above 0. Use 1."
            )
        return self.begin[k]


def encode(index: Any, rank: int | None = None) -> StridedSlice:
    """The lists and masks of an index expression.

    What an entry leaves open is 0 in `begin` and `end` and 1 in `strides`.

    Parameters
    ----------
    index : int, slice, None, Ellipsis, a tuple of these, or str
        As objects or as text; see :func:`restride.layout.notation.as_entries`.
    rank : int, optional
        Axes of the array it is meant for: more entries than that are refused.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        No index, or one with more entries than `rank`.

    Examples
    --------
    >>> spec = encode("foo[1, 2:4, None, ..., :-3:-1, :]")
    >>> spec.begin, spec.end, spec.strides
    ((1, 2, 0, 0, 0, 0), (2, 4, 0, 0, -3, 0), (1, 1, 1, 1, -1, 1))
    >>> [getattr(spec, mask) for mask in MASKS]
    [48, 32, 8, 4, 1]
    """
    return StridedSlice(*encoded(as_entries(index), rank))


def _shape_of(entries: Sequence[Entry]) -> tuple[int, ...]:
    kept = [entry for entry in entries if not isinstance(entry, int)]
    return tuple([1 if entry is None else entry[2] for entry in kept])
