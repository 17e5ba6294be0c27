"""What a caller says is to be done, as a chain over an array of a known shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from restride.checks import MAX_BYTES, MOST_ENTRIES
from restride.engines.prepared import Prepared
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.lazy import View
from restride.ops.as_strided import AsStrided
from restride.ops.pad import Pad
from restride.ops.set_value import SetValue
from restride.ops.strided_slice import StridedSlice

__all__ = ["as_chain", "words_of"]

FORMS = (
    "a View, a plan, an operator such as rs.Pad(1), a function from a View to a View, "
    "or a list of operators and functions"
)


def as_chain(given: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Chain:
    """The chain that `given` is over an array of `shape` and `dtype`.

    Raises
    ------
    DTypeError
        It is none of the forms, or made for another dtype.
    ShapeError
        It is made for another shape, or does not fit this one.
    UnsupportedError
        It writes a region.
    """
    if isinstance(given, View):
        _check_alike("the view", given.array.shape, given.dtype, shape, dtype)
        return given.chain
    if isinstance(given, Prepared):
        _check_alike("the plan", given.source_shape, given.dtype, shape, dtype)
        return _chain_of(given)
    view = blank(shape, dtype)
    for step in _listed(given):
        view = _applied(view, step)
    return view.chain


def words_of(chain: Chain, writes: Sequence[SetValue]) -> str:
    """A chain and region writes in words that tell them from all others."""
    keys = [[fill.key for fill in m.fills] for m in chain.maps]
    return f"{chain!r} {keys!r} {list(writes)!r}"


def blank(shape: tuple[int, ...], dtype: np.dtype[Any]) -> View:
    """A view that stands for any array: one element, repeated."""
    if prod(n for n in shape if n) * dtype.itemsize > MAX_BYTES:
        raise ShapeError(
            f"shape {shape} of {dtype} is more than 2**63 - 1 bytes; make it smaller."
        )
    zero = np.zeros((), dtype)
    return View(np.broadcast_to(zero, shape), Chain.identity(shape))


def _listed(given: Any) -> Sequence[Any]:
    if isinstance(given, (list, tuple)):
        if len(given) > MOST_ENTRIES:
            raise ShapeError(f"more than {MOST_ENTRIES} steps; compose them first.")
        return given
    return [given]


def _applied(view: View, step: Any) -> View:
    """`view` with one more step."""
    if isinstance(step, StridedSlice):
        return View(view.array, view.chain.select(step.entries(view.shape)))
    if isinstance(step, Pad):
        words = step.paddings, step.mode, step.constant_values
        return view.pad(*words, paddings_contiguous=step.paddings_contiguous)
    if isinstance(step, AsStrided):
        return view.as_strided(step.size, step.stride, step.offset)
    if isinstance(step, SetValue):
        raise UnsupportedError(
            "set_value writes into an array that is there and is no step of a view; "
            "give it last, as a pair (rs.SetValue(...), source)."
        )
    if callable(step):
        return _called(view, step)
    if hasattr(step, "chain"):
        return View(view.array, _after(view.chain, step.chain(view.shape)))
    raise DTypeError(f"run_blocks takes {FORMS}, not a {type(step).__name__}.")


def _called(view: View, step: Callable[[View], Any]) -> View:
    made = step(view)
    if not isinstance(made, View) or made.array is not view.array:
        raise DTypeError(
            f"{getattr(step, '__name__', step)!s} gave a {type(made).__name__}; a step "
            "takes a View and returns one made of it, e.g. lambda v: v.pad(1)[::2]."
        )
    return made


def _after(first: Chain, second: Chain) -> Chain:
    """One chain and then another, with a cut between them."""
    if first == Chain.identity(first.source_shape):
        return second
    if first.maps[-1].shape != first.shape:
        first = Chain(first.source_shape, first.maps, first.maps[-1].shape)
    return Chain(first.source_shape, first.maps + second.maps, second.shape)


def _chain_of(plan: Prepared) -> Chain:
    """The chain a plan was made of; its constants are bytes already."""
    if plan.region is not None:
        raise UnsupportedError(
            "a plan of set_value writes into an array that is there; give "
            "(rs.SetValue(...), source) instead."
        )
    maps = []
    for move in plan.moves:
        fills = [np.frombuffer(f.value, plan.dtype)[0] for f in move.map.fills]
        maps.append(move.map.refilled(tuple([Constant(f) for f in fills])))
    return Chain(plan.source_shape, tuple(maps), plan.shape)


def _check_alike(
    what: str,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    wanted: tuple[int, ...],
    wanted_dtype: np.dtype[Any],
) -> None:
    if shape != wanted:
        raise ShapeError(f"{what} is of shape {shape} and the source has {wanted}.")
    if dtype != wanted_dtype:
        raise DTypeError(
            f"{what} is of dtype {dtype} and the source holds {wanted_dtype}, byte "
            "order included; restride does not convert."
        )
