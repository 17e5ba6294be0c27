"""The lazy view: an array and what is to be read of it; nothing moves until asked."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import lru_cache, wraps
from math import prod
from typing import Any, Concatenate, ParamSpec

import numpy as np

from restride.arrays import as_given, checked_dtype
from restride.checks import as_axes, as_flag, as_ints, as_shape, counted, spread
from restride.constants import constant_bytes
from restride.engines.known import words_of
from restride.engines.prepared import Prepared
from restride.errors import CutWarning, ShapeError, UnsupportedError
from restride.history import Step, recorded
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.layout.notation import as_entries
from restride.memo import Memo
from restride.ops.as_strided import AsStrided
from restride.ops.extents import fill_extent, read_windows
from restride.ops.pad import Pad, padded, read_mode
from restride.ops.paddings import constants_on_axes, on_axes, read_paddings
from restride.ops.ranges import resolve
from restride.ops.strided_slice import StridedSlice
from restride.plans.plan import Plan
from restride.shown import Shown
from restride.strided import strided_view, strides_in

__all__ = ["View", "prepare", "view"]

Array = np.ndarray[Any, Any]

WORTH_SAYING_BYTES = 1 << 20
"""Least intermediate bytes that a CutWarning tells of: less costs no visible time."""

History = tuple[Step, ...] | None
"""The steps that made a view; None where one of them was not kept."""

_steps: Memo[tuple[Chain, History]] = Memo(4096)
"""What a step makes of a chain: the next one, and what is to be kept of the step."""

Words = ParamSpec("Words")


def step(
    function: Callable[Concatenate[View, Words], Chain],
) -> Callable[Concatenate[View, Words], View]:
    """A step of a view from the chain it gives, made once per chain and arguments.

    So `function` may ask for the view's shape, but not for its array.
    """
    name = function.__name__

    @wraps(function)
    def made(self: View, /, *args: Words.args, **keywords: Words.kwargs) -> View:
        words, before, chain = words_of(args, keywords), self.steps, self.chain
        # A whole array is told by its shape: a chain is hashed to its last piece.
        whole = chain is Chain.identity(chain.shape)
        key = name, words, chain.shape if whole else chain, before is None
        found = _steps.get(key)  # without words nothing was ever kept
        if found is None:
            chain = function(self, *args, **keywords)
            said = None
            if before is not None:
                said = recorded(name, self.shape, args, keywords)
            found = chain, None if said is None else (said,)
            if words is not None:
                _steps.keep(key, found)
        chain, last = found
        steps = None if before is None or last is None else before + last
        return type(self)(self.array, chain, steps)

    return made


@lru_cache(1024)
def prepare(
    chain: Chain, dtype: np.dtype[Any], region: IndexMap | None = None
) -> Prepared:
    """The prepared plan of a chain, made once per (chain, dtype, region)."""
    plan = Plan.of(chain, dtype, lambda constant: _held(constant, dtype), region)
    if len(plan.moves) > 1:
        _tell_of_cuts(plan)
    return Prepared(plan)


@lru_cache(1024)
def _held(constant: Constant, dtype: np.dtype[Any]) -> Constant:
    """A constant as bytes: most pads have the same, and NumPy takes its time."""
    return Constant(constant_bytes(constant.value, dtype))


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
        Any NumPy array or what NumPy makes one of; not copied.  Of a Dask array the
        view is that of :func:`restride.dask.view`: nothing is gathered.

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
    if type(x) is not np.ndarray and _is_chunked(x):
        from restride.blocks.dask.view import view as view_chunks

        return view_chunks(x)
    array = as_given(x)
    return View(array, Chain.identity(array.shape), ())


def once(x: Any) -> View:
    """A view that is run and forgotten: of an array, nobody will ask for its steps."""
    if type(x) is np.ndarray:
        return View(checked_dtype(x, "x"), Chain.identity(x.shape))
    return view(x)


def _is_chunked(x: Any) -> bool:
    """True of a Dask array; where Dask is not loaded there is none."""
    kind = getattr(sys.modules.get("dask.array"), "Array", None)
    return kind is not None and isinstance(x, kind)


class View(Shown):
    """An array and a chain of maps over it.  Made by :func:`view`.

    Every step gives a new View and costs no data movement; ``copy()`` runs them.
    """

    __slots__ = ("array", "chain", "steps")
    __array_priority__ = 1000

    def __init__(self, array: Array, chain: Chain, steps: History = None) -> None:
        self.array = array
        self.chain = chain
        self.steps = steps

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
        return strides_in(self.array, self.chain) is not None

    @property
    def T(self) -> View:  # noqa: N802 - NumPy's name
        """Its axes in reverse order, as ``transpose()`` without arguments."""
        return self.transpose()

    # -- steps -----------------------------------------------------------------

    @step
    def __getitem__(self, index: Any) -> Chain:
        """The elements a slice reads; `index` as NumPy's, or the same as text."""
        return self.chain.select(resolve(as_entries(index), self.shape, "slice"))

    @step
    def strided_slice(
        self, begin: Any, end: Any, strides: Any = None, *masks: int
    ) -> Chain:
        """A slice in TensorFlow's encoding; see :func:`restride.strided_slice`."""
        spec = StridedSlice(begin, end, strides, *masks)
        return self.chain.select(spec.entries(self.shape))

    @step
    def pad(
        self,
        paddings: Any,
        mode: str = "constant",
        constant_values: Any = 0,
        *,
        axes: Any = None,
        paddings_contiguous: bool = True,
        strict: bool = False,
    ) -> Chain:
        """Extend each axis; see :func:`restride.pad`."""
        rank = len(self.chain.shape)
        if axes is None:
            pairs = read_paddings(paddings, rank, paddings_contiguous)
        else:
            chosen = as_axes(axes, rank, "pad: axes")
            pairs = on_axes(paddings, chosen, rank, paddings_contiguous)
            if read_mode(mode) == "constant":
                constant_values = constants_on_axes(constant_values, chosen, rank)
        if strict is not False:
            Pad(pairs, mode, constant_values).check(self.shape, None, strict)
        return padded(self.chain, pairs, mode, constant_values)

    @step
    def transpose(self, *axes: Any) -> Chain:
        """Reorder axes; with no argument, reverse them."""
        order = tuple(reversed(range(self.ndim)))
        if axes and axes != (None,):
            order = as_axes(spread(axes), self.ndim, "transpose: axes")
        if len(order) != self.ndim:
            raise ShapeError(
                f"transpose: {counted(len(order), 'axis', 'axes')} given for an array "
                f"of {self.ndim}; name each once."
            )
        return self.chain.transpose(order)

    @step
    def broadcast_to(self, shape: Any) -> Chain:
        """Repeat axes of extent 1, and add leading axes."""
        wanted = as_shape(shape, "broadcast_to: shape")
        return self.chain.broadcast_to(wanted)

    @step
    def windows(
        self, size: Any, step: Any = 1, dilation: Any = 1, *, axis: Any = None
    ) -> Chain:
        """Sliding windows; see :func:`restride.windows`."""
        return self.chain.windows(*read_windows(self.ndim, size, step, dilation, axis))

    @step
    def as_strided(
        self, size: Any, stride: Any, offset: Any = 0, *, strict: bool = False
    ) -> Chain:
        """Strides over the flat, row-major reading, in elements."""
        spec = AsStrided(size, stride, offset)
        if strict is not False and as_flag(strict, "as_strided: strict"):
            spec.check_documented()
        return self.chain.as_strided(spec.size, spec.stride, spec.offset)

    @step
    def flip(self, axis: Any = None) -> Chain:
        """Reverse the given axes, or all."""
        chosen = range(self.ndim)
        axes = chosen if axis is None else as_axes(axis, self.ndim, "flip: axis")
        entries = [
            (n - 1, -1, n) if r in axes and n else (0, 1, n)
            for r, n in enumerate(self.shape)
        ]
        return self.chain.select(entries)

    @step
    def reshape(self, *shape: Any) -> Chain:
        """The same elements row-major in other extents; one may be -1."""
        wanted = as_ints(spread(shape), "reshape: shape")
        return self.chain.reshape(fill_extent(wanted, self.shape))

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
        return prepare(self.chain, self.array.dtype)

    def as_numpy(self) -> Array:
        """The result as a NumPy view of the source's memory, nothing copied.

        Read-only where two indices share an element.

        Raises
        ------
        UnsupportedError
            The result is no strided view of that memory; copy first.
        """
        found = strides_in(self.array, self.chain)
        if found is None:
            raise UnsupportedError(
                "this view is not strided in the memory of its source (constants, "
                "mirrors, a cut, or a flat reading of scattered memory): copy first, "
                "with .copy()."
            )
        return strided_view(self.array, *found)

    def to_onnx(
        self,
        path: Any = None,
        *,
        opset: int | None = None,
        input_name: str = "x",
        output_name: str = "y",
    ) -> Any:
        """The chain as a small ONNX model (a ModelProto), of the fewest nodes.

        Its result has the bits of ``copy()``.  `opset` is 8 or later, by default the
        oldest of 13, 21, 23 to 26 that suffices; `path` is where to write it too.

        Raises
        ------
        UnsupportedError, DTypeError
            No onnx package; ONNX, or this opset, cannot say it for this dtype.

        Notes
        -----
        Operators and types as in ONNX 1.23.2, those first that ONNX Runtime 1.32 has.

        Examples
        --------
        >>> model = view([[1, 2, 3], [4, 5, 6]])[:, ::-1].pad(1).to_onnx()
        >>> [node.op_type for node in model.graph.node]
        ['Slice', 'Pad']
        """
        from restride.export.onnx import export

        return export(self.chain, self.dtype, path, opset, (input_name, output_name))

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
        shapes = f"{self.array.shape} -> {self.shape}"
        cuts = f", cuts={self.cuts}" if self.cuts else ""
        return f"{type(self).__name__}({shapes}, {self.dtype}{cuts})"


def fit(source: View, shape: tuple[int, ...], name: str) -> View:
    """`source` broadcast to the cells it fills, leading axes of extent 1 dropped."""
    if source.shape == shape:
        return source
    spare = source.ndim - len(shape)
    if spare > 0 and source.shape[:spare] == (1,) * spare:
        source = source[(0,) * spare]
    try:
        return source.broadcast_to(shape)
    except ShapeError:
        raise ShapeError(
            f"{name}: src of shape {source.shape} does not broadcast to the {shape} "
            "cells written; each extent must be equal or 1: slice or reshape src."
        ) from None
