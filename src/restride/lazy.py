"""The lazy view: an array and what is to be read of it; nothing moves until asked."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from restride.arrays import as_source, is_injective, memory
from restride.checks import MAX_BYTES, as_axes, as_ints, as_sequence, as_shape
from restride.constants import constant_bytes
from restride.engines.prepared import Prepared
from restride.engines.run import check_bytes
from restride.errors import CutWarning, ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.memo import Memo
from restride.ops.as_strided import AsStrided
from restride.ops.pad import Pad
from restride.ops.paddings import read_paddings
from restride.ops.strided_slice import StridedSlice, encode
from restride.plans.plan import Plan

__all__ = ["View", "prepare", "view"]

Array = np.ndarray[Any, Any]

WORTH_SAYING_BYTES = 1 << 20
"""Least intermediate bytes that a CutWarning tells of: less costs no visible time."""

_plans: Memo[Prepared] = Memo()


def prepare(
    chain: Chain, dtype: np.dtype[Any], region: IndexMap | None = None
) -> Prepared:
    """The prepared plan of a chain, made once per (chain, dtype, region)."""

    def make() -> Prepared:
        to_bytes = partial(constant_bytes, dtype=dtype)
        plan = Plan.of(chain, dtype, to_bytes, region)
        _tell_of_cuts(plan)
        return Prepared(plan)

    return _plans.get((chain, dtype, region), make)


def _tell_of_cuts(plan: Plan) -> None:
    """Warn, once per plan, where whole intermediate arrays of some size are made."""
    spare = plan.bytes_scratch
    if spare >= WORTH_SAYING_BYTES:
        warnings.warn(
            f"{plan.cuts} cut(s): {spare} bytes are materialised on the way, since the "
            "steps have no map over the original source; explain() shows where.",
            CutWarning,
            stacklevel=2,
        )


def view(x: Any) -> View:
    """A lazy view of `x`: steps are noted, and run as one pass by ``copy()``.

    Parameters
    ----------
    x : array_like
        Any NumPy array or what NumPy makes one of; not copied.

    Raises
    ------
    DTypeError, UnsupportedError
        Object elements, masked or sparse arrays.

    Examples
    --------
    >>> v = view([1, 2, 3, 4])[::-1].pad(1, "edge")
    >>> v.shape, v.copy().tolist()
    ((6,), [4, 4, 3, 2, 1, 1])
    """
    if isinstance(x, View):
        return x
    array = as_source(x)
    return View(array, Chain.identity(array.shape))


class View:
    """An array and a chain of maps over it.  Made by :func:`view`.

    Every step gives a new View and costs no data movement; ``copy()`` runs them.
    """

    __slots__ = ("array", "chain")
    __array_priority__ = 1000

    def __init__(self, array: Array, chain: Chain) -> None:
        self.array = array
        self.chain = chain

    # -- what it is ------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of the result."""
        return self.chain.shape

    @property
    def ndim(self) -> int:
        """Number of result axes."""
        return len(self.chain.shape)

    @property
    def size(self) -> int:
        """Number of result elements."""
        return prod(self.chain.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of source and result."""
        dtype: np.dtype[Any] = self.array.dtype
        return dtype

    @property
    def cuts(self) -> int:
        """Intermediate arrays that ``copy()`` makes."""
        return self.chain.cuts

    @property
    def is_affine(self) -> bool:
        """True when the result is a strided view of the source's memory."""
        return self._strided() is not None

    # -- steps -----------------------------------------------------------------

    def __getitem__(self, index: Any) -> View:
        """The elements a slice reads; `index` as NumPy's, or the same as text."""
        spec = encode(index)
        return self._then(self.chain.select(spec.entries(self.shape, "slice")))

    def strided_slice(
        self, begin: Any, end: Any, strides: Any = None, *masks: int
    ) -> View:
        """A slice in TensorFlow's encoding; see :func:`restride.strided_slice`."""
        spec = StridedSlice(begin, end, strides, *masks)
        return self._then(self.chain.select(spec.entries(self.shape)))

    def pad(
        self,
        paddings: Any,
        mode: str = "constant",
        constant_values: Any = 0,
        *,
        axes: Any = None,
        paddings_contiguous: bool = True,
        strict: bool = False,
    ) -> View:
        """Extend each axis; see :func:`restride.pad`."""
        given = on_axes(paddings, axes, self.ndim, paddings_contiguous)
        spec = Pad(given, mode, constant_values)
        if strict:
            spec.check(self.shape, self.dtype, strict)
        fills = spec.fills(self.ndim)
        return self._then(self.chain.pad(spec.pairs(self.ndim), spec.mode, fills))

    def transpose(self, *axes: Any) -> View:
        """Reorder axes; with no argument, reverse them."""
        given = _spread(axes)
        order = tuple(reversed(range(self.ndim)))
        if axes and axes != (None,):
            order = as_axes(given, self.ndim, "transpose: axes")
        if len(order) != self.ndim:
            raise ShapeError(
                f"transpose: {len(order)} axes given for an array of {self.ndim}; "
                "name each once."
            )
        return self._then(self.chain.transpose(order))

    def broadcast_to(self, shape: Any) -> View:
        """Repeat axes of extent 1, and add leading axes."""
        wanted = as_shape(shape, "broadcast_to: shape")
        return self._then(self.chain.broadcast_to(wanted))

    def windows(
        self, size: Any, step: Any = 1, dilation: Any = 1, *, axis: Any = None
    ) -> View:
        """Sliding windows; see :func:`restride.windows`."""
        return self._then(
            self.chain.windows(*read_windows(self.ndim, size, step, dilation, axis))
        )

    def as_strided(
        self, size: Any, stride: Any, offset: Any = 0, *, strict: bool = False
    ) -> View:
        """Strides over the flat, row-major reading, in elements."""
        spec = AsStrided(size, stride, offset)
        spec.check(self.shape, self.dtype, strict)
        return self._then(self.chain.as_strided(spec.size, spec.stride, spec.offset))

    def flip(self, axis: Any = None) -> View:
        """Reverse the given axes, or all."""
        chosen = range(self.ndim)
        axes = chosen if axis is None else as_axes(axis, self.ndim, "flip: axis")
        entries = [
            (n - 1, -1, n) if r in axes and n else (0, 1, n)
            for r, n in enumerate(self.shape)
        ]
        return self._then(self.chain.select(entries))

    def reshape(self, *shape: Any) -> View:
        """The same elements row-major in other extents; one may be -1."""
        wanted = as_ints(_spread(shape), "reshape: shape")
        return self._then(self.chain.reshape(fill_extent(wanted, self.shape)))

    # -- results ---------------------------------------------------------------

    def copy(self, out: Any = None) -> Array:
        """The result as a fresh row-major array, or written into `out`.

        Raises
        ------
        ShapeError, DTypeError, UnsupportedError
            `out` has not this shape and dtype, or cannot be written.
        """
        made: Array = self.prepared()(self.array, out)
        return made

    def prepared(self) -> Prepared:
        """The plan that ``copy()`` runs."""
        return prepare(self.chain, self.dtype)

    def as_numpy(self) -> Array:
        """The result as a NumPy view of the source's memory, nothing copied.

        Read-only where two indices share an element.

        Raises
        ------
        UnsupportedError
            The result is no strided view of that memory; copy first.
        """
        found = self._strided()
        if found is None:
            raise UnsupportedError(
                "this view is not strided in the memory of its source (constants, "
                "mirrors, a cut, or a flat reading of scattered memory): copy first, "
                "with .copy()."
            )
        return strided_view(self.array, *found)

    def _strided(self) -> tuple[IndexMap, tuple[int, ...]] | None:
        """The map and the strides to read it with, if memory is affine in it."""
        m = self.chain.maps[0]
        if self.chain.cuts or not m.is_affine or m.shape != self.chain.shape:
            return None
        source = self.array
        if m.source_shape != source.shape:
            try:
                source = source.reshape(m.source_shape, copy=False)
            except ValueError:
                return None
        return m, source.strides

    def explain(self) -> str:
        """What will be read and written, in words."""
        from restride.explain.text import explain

        return explain(self.chain, dtype=self.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            return self.as_numpy()
        made = self.copy()
        return made if dtype is None else made.astype(dtype, copy=False)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a view without axes has no length")
        return self.shape[0]

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        cuts = f", cuts={self.cuts}" if self.cuts else ""
        return f"View({self.array.shape} -> {self.shape}, {self.dtype}{cuts})"

    def _then(self, chain: Chain) -> View:
        return View(self.array, chain)


def strided_view(array: Array, m: IndexMap, strides: tuple[int, ...]) -> Array:
    """NumPy's view of what an affine map reads; proven to lie inside."""
    if m.size == 0:
        check_bytes(m.shape, array.dtype)
        return np.empty(m.shape, array.dtype)
    if m.size * array.itemsize > MAX_BYTES:
        raise ShapeError(
            f"a view of shape {m.shape} spans {m.size * array.itemsize} bytes as NumPy "
            "counts them, repeats included; 2**63 - 1 is the most it takes."
        )
    steps = [0 if a.source is None else a.map.step * strides[a.source] for a in m.axes]
    offset = sum(b * s for b, s in zip(m.base, strides, strict=True))
    seen = memory(array, offset, m.shape, steps, array.dtype)
    if not is_injective(seen):
        seen.flags.writeable = False
    return seen


def fit(source: View, shape: tuple[int, ...]) -> View:
    """`source` broadcast to the cells it fills, leading axes of extent 1 dropped."""
    spare = source.ndim - len(shape)
    if spare > 0 and source.shape[:spare] == (1,) * spare:
        source = source[(0,) * spare]
    try:
        return source.broadcast_to(shape)
    except ShapeError:
        raise ShapeError(
            f"src of shape {source.shape} does not broadcast to the {shape} cells "
            "written."
        ) from None


def on_axes(
    paddings: Any, axes: Any, rank: int, contiguous: bool = True
) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis; 0 on those that `axes` does not name."""
    if axes is None:
        return read_paddings(paddings, rank, contiguous)
    chosen = as_axes(axes, rank, "pad: axes")
    given = read_paddings(paddings, len(chosen), contiguous)
    pairs = dict(zip(chosen, given, strict=True))
    return tuple(pairs.get(axis, (0, 0)) for axis in range(rank))


def read_windows(
    rank: int, size: Any, step: Any, dilation: Any, axis: Any
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Window parameters as one int per windowed axis."""
    sizes = as_ints(as_sequence(size), "windows: size")
    axes = as_axes(range(rank) if axis is None else axis, rank, "windows: axis")
    if len(sizes) != len(axes):
        raise ShapeError(
            f"windows: {len(sizes)} sizes for {len(axes)} axes; give one per axis, or "
            "name the axes with axis=."
        )
    steps = _per_axis(step, len(axes), "windows: step")
    dilations = _per_axis(dilation, len(axes), "windows: dilation")
    for what, values in (("size", sizes), ("step", steps), ("dilation", dilations)):
        if min(values, default=1) < 1:
            raise ShapeError(f"windows: {what} = {values}; 1 is the least.")
    return sizes, steps, dilations, axes


def _spread(given: tuple[Any, ...]) -> Any:
    """The arguments, or the one sequence given instead of them."""
    return as_sequence(given[0]) if len(given) == 1 else given


def _per_axis(value: Any, count: int, name: str) -> tuple[int, ...]:
    values = as_ints(as_sequence(value), name)
    if len(values) == 1:
        return values * count
    if len(values) != count:
        raise ShapeError(f"{name} has {len(values)} entries; give 1 or {count}.")
    return values


def fill_extent(wanted: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """Extents with a single -1 replaced by what is left."""
    if -1 not in wanted:
        return as_shape(wanted, "reshape: shape")
    known = as_shape([n for n in wanted if n != -1], "reshape: shape")
    total, rest = prod(shape), prod(known)
    if len(known) != len(wanted) - 1 or rest == 0 or total % rest:
        raise ShapeError(
            f"reshape: {tuple(wanted)} cannot hold the {total} elements of "
            f"{tuple(shape)}; one -1 at most, and the rest must divide them."
        )
    return tuple(total // rest if n == -1 else n for n in wanted)
