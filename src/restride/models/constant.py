"""A tensor that a model holds: its type, its shape, and its values when asked for.

Values are read only where a movement parameter needs them, and never more than
:data:`MOST_VALUES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from restride.models.errors import ModelError

__all__ = ["MOST_VALUES", "Constant"]

Array = np.ndarray[Any, Any]

MOST_VALUES = 1 << 20
"""Most elements of a constant that are read: 8 MB of positions."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A tensor whose values the model holds.

    Examples
    --------
    >>> Constant((2,), "int64", lambda: np.array([1, 2])).array().tolist()
    [1, 2]
    """

    shape: tuple[int, ...]
    """Extents."""
    dtype: str | None
    """NumPy's name of the element type."""
    load: Callable[[], Array] = field(compare=False, repr=False)
    """Reads the values; raises ModelError."""

    @property
    def count(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    def array(self) -> Array:
        """The values.

        Raises
        ------
        ModelError
            More than are read, of a type that is not, or not where they should be.
        """
        if self.count > MOST_VALUES:
            raise ModelError(
                "constant", f"{self.count} values; at most {MOST_VALUES} are read."
            )
        return self.load()
