"""The native engine: the extension module binds moves, and reads and runs programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride import _native
from restride.engines.program import Program

__all__ = ["add", "bind", "copy"]

Array = np.ndarray[Any, Any]

bind = _native.bind
"""What `bind_wide` of the NumPy engine gives, as plain tuples that are equal."""


copy = _native.copy
"""Run a program as result := source; a `result` of None is made fresh."""


def add(program: Program, source: Array, result: Array, kind: str) -> None:
    """Run `program` backwards: source += result, element by element."""
    _native.add(source, result, program, kind)
