"""Tensors of strings: the engine moves their positions, NumPy takes the strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from restride.lazy import View, view

__all__ = ["moved_text"]

Array = np.ndarray[Any, Any]


def moved_text(text: Array, fill: str, steps: Callable[[View], View]) -> Array:
    """What `steps` reads of `text`; a constant of ``text.size`` stands for `fill`.

    Examples
    --------
    >>> words = np.array(["a", "b"], object)
    >>> moved_text(words, "-", lambda v: v.pad((0, 1), "constant", 2)).tolist()
    ['a', 'b', '-']
    """
    dtype = None if text.dtype.kind == "U" else text.dtype
    held = np.concatenate([text.reshape(-1), np.array([fill], dtype)])
    places = np.arange(text.size).reshape(text.shape)
    wanted = steps(view(places)).copy()
    found: Array = held[wanted.reshape(-1)]
    return found.reshape(wanted.shape)
