"""Packages that restride does without until they are asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from restride.errors import UnsupportedError

__all__ = ["needed"]


def needed(package: str, extra: str, what: str) -> ModuleType:
    """An optional package, or an error that names the extra which brings it.

    Parameters
    ----------
    package : str
        Its name, or that of a module in it.
    extra : str
        Of restride's own.
    what : str
        Who needs it, in the singular: "optimizing a model".

    Raises
    ------
    UnsupportedError
        It is not installed.
    """
    try:
        return import_module(package)
    except ImportError:
        raise UnsupportedError(
            f"{what} needs the {package.split('.')[0]} package: "
            f"pip install 'restride[{extra}]'."
        ) from None
