"""What goes wrong while measuring."""

from restride.errors import RestrideError

__all__ = ["BenchError", "SlowerError"]


class BenchError(RestrideError):
    """A case cannot be measured, or restride's result is not the definition's."""


class SlowerError(RestrideError):
    """A ratio is worse than the stored one allows."""
