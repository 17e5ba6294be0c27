"""Element types and formats by the names that the vendors' tables use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from restride.targets.names import plain, unknown
from restride.targets.reading import table

__all__ = ["FORMATS", "DType", "dtype_named", "dtypes", "format_named"]

PREFIXES = ("acl_", "dt_", "torch.", "tf.", "np.", "numpy.", "ml_dtypes.")
"""What other libraries write before the same names."""

FORMATS = (
    "nd",
    "nchw",
    "nhwc",
    "nc1hwc0",
    "fractal_z",
    "nc1hwc0_c04",
    "hwcn",
    "ndhwc",
    "fractal_nz",
    "ncdhw",
    "ndc1hwc0",
    "fractal_z_3d",
    "nc",
    "ncl",
    "undefined",
)
"""Names of ACL's memory formats."""


@dataclass(frozen=True, slots=True)
class DType:
    """An element type.

    Examples
    --------
    >>> dtype_named("torch.bfloat16")
    DType(name='bf16', bytes=2, numpy='bfloat16')
    """

    name: str
    """As the vendors' tables write it."""
    bytes: int | None
    """Size of one element; None where it is not a whole number of bytes."""
    numpy: str | None
    """Name in NumPy or ml_dtypes; None where neither has the type."""

    def __str__(self) -> str:
        return self.name


@cache
def dtypes() -> tuple[DType, ...]:
    """All element types that any table names."""
    rows = table("dtypes")["dtype"]
    return tuple(DType(r["name"], r.get("bytes"), r.get("numpy")) for r in rows)


def dtype_named(name: Any) -> DType:
    """The element type that `name` means.

    Parameters
    ----------
    name : str, DType, NumPy dtype or scalar type, torch dtype
        "float" is float32, as in the vendors' tables.  Byte order is not looked at.

    Raises
    ------
    UnknownNameError
        No table holds the name; Python's own `float` and `int` are no element types.

    Examples
    --------
    >>> dtype_named("float").numpy, dtype_named("ACL_BF16").bytes
    ('float32', 2)
    """
    if isinstance(name, DType):
        return name
    text = _text(name)
    found = None if text is None else _aliases().get(_bare(text))
    if found is None:
        raise unknown("dtype", name, [d.name for d in dtypes()])
    return found


def _text(name: Any) -> str | None:
    if isinstance(name, str):
        return name
    if isinstance(name, type):
        return None if name.__module__ == "builtins" else name.__name__
    own = getattr(name, "name", None)
    if isinstance(own, str):
        return own
    module = type(name).__module__.split(".")[0]
    return str(name) if module == "torch" else None


@cache
def _aliases() -> dict[str, DType]:
    by_name = {d.name: d for d in dtypes()}
    found: dict[str, DType] = {}
    for row in table("dtypes")["dtype"]:
        for alias in (row["name"], *row.get("aliases", ())):
            found[_bare(alias)] = by_name[row["name"]]
    return found


def _bare(name: str) -> str:
    text = plain(name)
    for prefix in PREFIXES:
        text = text.removeprefix(prefix)
    return text


def format_named(name: Any) -> str:
    """A memory format by its lower-case name; "ACL_FORMAT_ND" is "nd".

    Raises
    ------
    UnknownNameError
        ACL has no such format.

    Examples
    --------
    >>> format_named("ACL_FORMAT_FRACTAL_NZ")
    'fractal_nz'
    """
    if isinstance(name, str):
        text = plain(name).removeprefix("acl_").removeprefix("format_")
        if text in FORMATS:
            return text
    raise unknown("format", name, FORMATS)
