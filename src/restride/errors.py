"""What restride raises: one family, told apart by what was wrong."""

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
    """Anything restride refuses; raised before any memory is touched."""


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
