"""What a translation refuses, and where: in the words given, or in the target's."""

from __future__ import annotations

from restride.errors import ShapeError, UnsupportedError

__all__ = ["RefusedError", "SpecError"]


class SpecError(ShapeError):
    """What was given names no operator of its dialect, or not with these parameters."""


class RefusedError(UnsupportedError):
    """The operator is clear, and the target has no words for it.

    Attributes
    ----------
    dialect : str
        The target that refuses.
    reason : str
        What it lacks, with the numbers.
    instead : str
        What to do instead.

    Examples
    --------
    >>> RefusedError("atb", "no pads.", "Use cann.").instead
    'Use cann.'
    """

    def __init__(self, dialect: str, reason: str, instead: str) -> None:
        super().__init__(f"{dialect}: {reason} {instead}")
        self.dialect = dialect
        self.reason = reason
        self.instead = instead
