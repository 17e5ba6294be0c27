"""The tables, read once from the TOML files beside this room's code."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["table"]


@cache
def table(name: str) -> dict[str, Any]:
    """The table in ``data/<name>.toml``.

    Examples
    --------
    >>> [row["key"] for row in table("products")["product"]][:3]
    ['950', 'A3', 'A2']
    """
    path = files("restride.targets") / "data" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
