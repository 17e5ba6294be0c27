"""The operators that have a support table, and the rows of each table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from restride.targets.names import plain, unknown
from restride.targets.reading import table

__all__ = ["TABLES", "Operator", "Row", "operator_named", "operators"]

TABLES = ("atb", "pads", "slices", "gradients")
"""Files of support tables, in the order in which operators are listed."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one source says of some products, or of some dtypes on some products."""

    ok: bool
    """Whether they are taken."""
    products: tuple[str, ...]
    """Keys of the products it speaks of."""
    source: str
    """Where that is written."""
    dtypes: tuple[str, ...] = ()
    """Names of the dtypes it speaks of; empty in a row of products."""
    reason: str = ""
    """Why not, where the tables say more than "not listed"."""
    instead: str | None = None
    """What does work, for what is refused."""
    code: str | None = None
    """The vendor's status when it is refused."""
    stage: str | None = None
    """The vendor's stage at which that is noticed."""
    basis: str = "document"
    """"document", or "source" where only the vendor's repository says so."""
    note: str = ""
    """Where the vendor's own sources disagree, and what runs it."""
    slow: bool = False
    """Whether what is taken runs on a slow unit alone, such as the AI CPU."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator's support table."""

    name: str
    """As the vendor writes it."""
    interface: str
    """"ATB", "aclnn" or "CANN graph"."""
    about: str
    """What it does, in a few words."""
    products: tuple[Row, ...]
    """Which products have it."""
    dtypes: tuple[Row, ...]
    """Which dtypes those products take."""
    other: Row
    """What holds for every dtype that no row names."""

    def listed(self, product: str | None = None) -> tuple[str, ...]:
        """Names of the dtypes it takes, on `product` or on any."""
        return tuple(
            dict.fromkeys(
                name
                for row in self.dtypes
                if row.ok and (product is None or product in row.products)
                for name in row.dtypes
            )
        )


@cache
def operators() -> tuple[Operator, ...]:
    """All operators with a support table.

    Examples
    --------
    >>> [o.name for o in operators()][:2]
    ['AsStridedOperation', 'SetValueOperation']
    """
    return tuple(found for name in TABLES for found in _read(name))


def _read(name: str) -> Iterator[Operator]:
    for entry in table(name)["operator"]:
        for operator in entry["names"]:
            yield Operator(
                operator,
                entry["interface"],
                entry["about"],
                tuple(_row(row) for row in entry["product"]),
                tuple(_row(row) for row in entry["dtype"]),
                _row({"ok": False, "products": (), **entry["other"]}),
            )


def _row(given: dict[str, Any]) -> Row:
    lists = {key: tuple(given.get(key, ())) for key in ("products", "dtypes")}
    return Row(**{**given, **lists})


def operator_named(name: str | Operator) -> Operator:
    """The operator that `name` means; case and underscores do not matter.

    Raises
    ------
    UnknownNameError
        There is no table for it.

    Examples
    --------
    >>> operator_named("set_value").name
    'SetValueOperation'
    """
    if isinstance(name, Operator):
        return name
    found = _aliases().get(_bare(name)) if isinstance(name, str) else None
    if found is None:
        raise unknown("operator", name, [o.name for o in operators()])
    return found


@cache
def _aliases() -> dict[str, Operator]:
    by_name = {o.name: o for o in operators()}
    found = {_bare(name): operator for name, operator in by_name.items()}
    for name, operator in by_name.items():
        # "SetValue" for "SetValueOperation", as the documents' titles have it.
        found.setdefault(_bare(name.removesuffix("Operation")), operator)
    return found


def _bare(name: str) -> str:
    return plain(name).replace("_", "")
