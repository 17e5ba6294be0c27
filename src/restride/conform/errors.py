"""What is wrong with a table of cases, told apart from what a dialect answers."""

from __future__ import annotations

from restride.errors import ShapeError, UnsupportedError

__all__ = ["CaseError", "NotRunError", "TableError"]


class TableError(ShapeError):
    """A file that cannot be read as a table of cases at all."""


class CaseError(ShapeError):
    """One case of a table that does not say what to run, or says it wrongly."""


class NotRunError(UnsupportedError):
    """A case that is clear and is not run here; the text is the reason."""
