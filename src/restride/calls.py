"""How a plain call runs: the plan is made once per parameters, shape and dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from restride.arrays import as_source, as_target
from restride.constants import constant_bytes
from restride.engines.prepared import Prepared
from restride.errors import DTypeError
from restride.layout.index_map import IndexMap
from restride.lazy import View, fit, prepare, view
from restride.memo import Memo, NotFrozen, freeze

__all__ = ["moved", "written"]

Array = np.ndarray[Any, Any]
Region = Callable[[tuple[int, ...], tuple[int, ...]], IndexMap]
"""The cells written, from the shapes of dst and src."""

NUMBERS = (bool, int, float, complex)
"""Python's own numbers, which have no dtype and take the destination's."""

_moves: Memo[Prepared] = Memo()
_writes: Memo[Prepared] = Memo()


def moved(
    x: Any, out: Any, words: tuple[Any, ...], steps: Callable[[View], View]
) -> Array:
    """Run `steps` over `x`; their plan is remembered by `words`, shape and dtype."""
    if isinstance(x, View):
        return steps(x).copy(out)
    source = as_source(x)
    try:
        key = freeze(words), source.shape, source.dtype
    except NotFrozen:
        return steps(view(source)).copy(out)
    return _moves.get(key, lambda: steps(view(source)).prepared())(source, out)


def written(
    dst: Any,
    src: Any,
    words: tuple[Any, ...],
    region: Region,
) -> Array:
    """Write `src` into the region of `dst`; remembered by `words` and both arrays."""
    target = as_target(dst, None, None, "dst")
    if type(src) in NUMBERS:
        raw = constant_bytes(src, target.dtype)
        src = np.frombuffer(raw, f"V{len(raw)}").view(target.dtype)[0:1].reshape(())
    elif not isinstance(src, View):
        src = as_source(src, "src")
    _same_dtype(src.dtype, target.dtype)

    def make() -> Prepared:
        source = view(src)
        cells = region(target.shape, source.shape)
        return prepare(fit(source, cells.shape).chain, target.dtype, cells)

    array = src.array if isinstance(src, View) else src
    try:
        chain = src.chain if isinstance(src, View) else src.shape
        key = freeze(words), target.shape, target.dtype, chain
        return _writes.get(key, make)(target, array)
    except NotFrozen:
        return make()(target, array)


def _same_dtype(given: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    if given != wanted:
        raise DTypeError(
            f"src has dtype {given} and dst {wanted}; they must be equal, byte order "
            "included. Convert src with astype first."
        )
