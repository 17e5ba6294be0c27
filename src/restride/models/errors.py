"""What the model check raises: a model file that cannot be read as one."""

from __future__ import annotations

from types import ModuleType

from restride.errors import RestrideError, UnsupportedError
from restride.models.texts import shortened

__all__ = ["ModelError", "needed"]


class ModelError(RestrideError):
    """A model that cannot be read: broken, truncated, too large, or no model at all.

    Examples
    --------
    >>> ModelError("m.onnx", "it ends in the middle of a field.")
    ModelError('m.onnx: it ends in the middle of a field.')
    """

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{shortened(name)}: {' '.join(what.split())}")


def needed(package: str, extra: str, what: str) -> ModuleType:
    """An optional package, or an error that names the extra which brings it.

    Raises
    ------
    UnsupportedError
        It is not installed.
    """
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError:
        raise UnsupportedError(
            f"{what} needs the {package.split('.')[0]} package: "
            f"pip install 'restride[{extra}]'."
        ) from None
