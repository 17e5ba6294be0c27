"""The native engine: hands programs to the extension module, which reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride import _native
from restride.engines.program import Program

Array = np.ndarray[Any, Any]


def copy(
    program: Program,
    source: Array,
    result: Array | None,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> Array:
    """Run `program` as result := source; a `result` of None is made fresh."""
    return _native.copy(result, source, program, shape, dtype)


def add(program: Program, source: Array, result: Array, kind: str) -> None:
    """Run `program` backwards: source += result, element by element."""
    _native.add(source, result, program, kind)
