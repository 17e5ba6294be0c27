"""What restride raises: one family, told apart by what was wrong."""

from typing import Self

__all__ = [
    "BoundsError",
    "CutWarning",
    "DTypeError",
    "FileError",
    "RestrideError",
    "ShapeError",
    "UnsupportedError",
]


class RestrideError(ValueError):
    """Anything restride refuses; raised before any memory is touched.

    Its text is one line.  Where a small picture helps, such as which index left an
    array, `picture` holds it, and a traceback shows it under that line.
    """

    picture: str = ""
    """A few lines of text, or empty."""

    def with_picture(self, picture: str) -> Self:
        """The same error with a picture, which is also its note (PEP 678)."""
        if picture:
            self.picture = picture
            self.add_note(picture)
        return self


class ShapeError(RestrideError):
    """A parameter does not fit the array's shape, or is not of a usable form."""


class BoundsError(RestrideError, IndexError):
    """An element outside the source (or the target) would be touched."""


class DTypeError(RestrideError, TypeError):
    """A value or array has a type that cannot be moved or converted exactly."""


class UnsupportedError(RestrideError, NotImplementedError):
    """The request is clear, and restride does not do it."""


class FileError(RestrideError, OSError):
    """A file cannot be read or written, or is not what it says it is."""


class CutWarning(UserWarning):
    """A step could not join the map of the chain and materialises it."""
