"""What the model check raises: a model file that cannot be read as one."""

from __future__ import annotations

from restride.errors import RestrideError
from restride.models.texts import shortened

__all__ = ["ModelError"]


class ModelError(RestrideError):
    """A model that cannot be read: broken, truncated, too large, or no model at all.

    Examples
    --------
    >>> ModelError("m.onnx", "it ends in the middle of a field.")
    ModelError('m.onnx: it ends in the middle of a field.')
    """

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{shortened(name)}: {' '.join(what.split())}")
