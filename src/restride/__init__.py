"""restride: one algebra for slices, views, padding and region writes, run as one pass.

>>> import restride as rs
>>> rs.slice([1, 2, 3, 4], "::-1").tolist()
[4, 3, 2, 1]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from restride.api import (
        as_strided,
        assign,
        pad,
        plan,
        set_value,
        slice,
        strided_slice,
        windows,
    )
    from restride.blocks.run import run_blocks
    from restride.errors import (
        BoundsError,
        CutWarning,
        DTypeError,
        FileError,
        RestrideError,
        ShapeError,
        UnsupportedError,
    )
    from restride.lazy import View, view
    from restride.models import check_model, optimize_model
    from restride.ops.as_strided import AsStrided
    from restride.ops.pad import Pad
    from restride.ops.set_value import SetValue
    from restride.ops.strided_slice import StridedSlice, encode
    from restride.ops.strided_slice import StridedSlice as SliceSpec
    from restride.settings import engine, pool, threads

__version__ = "0.1.0"

__all__ = [
    "AsStrided",
    "BoundsError",
    "CutWarning",
    "DTypeError",
    "FileError",
    "Pad",
    "RestrideError",
    "SetValue",
    "ShapeError",
    "SliceSpec",
    "StridedSlice",
    "UnsupportedError",
    "View",
    "__version__",
    "as_strided",
    "assign",
    "check_model",
    "encode",
    "engine",
    "optimize_model",
    "pad",
    "plan",
    "pool",
    "run_blocks",
    "set_value",
    "slice",
    "strided_slice",
    "threads",
    "view",
    "windows",
]

_HOMES = {
    "api": "as_strided assign pad plan set_value slice strided_slice windows",
    "blocks.run": "run_blocks",
    "errors": "BoundsError CutWarning DTypeError FileError RestrideError "
    "ShapeError UnsupportedError",
    "lazy": "View view",
    "models": "check_model optimize_model",
    "ops.as_strided": "AsStrided",
    "ops.pad": "Pad",
    "ops.set_value": "SetValue",
    "ops.strided_slice": "SliceSpec StridedSlice encode",
    "settings": "engine pool threads",
}
_ROOMS = ("conform", "dask", "dialects", "targets", "translate", "xarray", "zarr")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that the algebra needs no NumPy."""
    if name in _ROOMS:
        return import_module(f"restride.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'restride' has no attribute {name!r}")
    module = import_module(f"restride.{home}")
    value = getattr(module, "StridedSlice" if name == "SliceSpec" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
