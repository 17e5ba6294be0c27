"""Product families, and every name by which a caller may mean one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from restride.targets.names import plain, unknown
from restride.targets.reading import table

__all__ = ["Product", "product", "products"]

KIND_WORDS = (
    "products",
    "product",
    "series",
    "系列产品",
    "产品",
    "系列",
    "cards",
    "card",
    "accelerator",
    "加速卡",
)
"""What may follow a product's name and says nothing."""

USES = (("训练", "training"), ("推理", "inference"), ("、", "/"))
"""Chinese words of the product tables, and ours."""

OLD_910B = "ascend910b"
"""In lower case, build files mean A2 by it; as a SoC string it is the old 910."""


@dataclass(frozen=True, slots=True)
class Product:
    """A family of Ascend products, as the vendor's product tables list them.

    Notes
    -----
    Groups are the flags that the vendor's source tests: Ascend ATB 8.5.0,
    src/atb/utils/config.cpp.

    Examples
    --------
    >>> product("Atlas A2 训练系列产品").group
    '910B'
    """

    key: str
    """Our short name: "950", "A3", "A2", "training", "inference", "200I/500 A2"."""
    group: str
    """The chip: "950", "910B" (A2 and A3), "910A", "310P" or "310B"."""
    names: tuple[str, str]
    """As the documents write it, in English and in Chinese."""
    chips: tuple[str, ...]
    """SoC strings; one that ends in "..." has more characters, at least one."""
    source: str
    """The document that lists it."""
    note: str = ""
    """What the documents leave open."""

    def __str__(self) -> str:
        return self.names[0]


@cache
def products() -> tuple[Product, ...]:
    """All product families, newest first.

    Examples
    --------
    >>> [p.key for p in products()]
    ['950', 'A3', 'A2', 'training', 'inference', '200I/500 A2']
    """
    rows = table("products")["product"]
    return tuple(
        Product(
            row["key"],
            row["group"],
            (row["names"][0], row["names"][1]),
            tuple(_chips(row["key"])),
            row["source"],
            row.get("note", ""),
        )
        for row in rows
    )


def _chips(key: str) -> Iterator[str]:
    for row in table("products")["soc"]:
        if row["product"] == key:
            yield row.get("is") or f"{row['starts']}..."


def product(name: str | Product) -> Product:
    """The product that `name` means.

    Parameters
    ----------
    name : str or Product
        A name in English or Chinese, our short key, a chip's SoC string such as
        "Ascend910B1" or "Ascend310P3", or a group other than "910B".

    Raises
    ------
    UnknownNameError
        No table holds the name, or it could be two products.

    Notes
    -----
    The SoC string "Ascend910B" of exactly ten characters is a chip of the old
    Ascend 910, not A2 (Ascend ATB 8.5.0, src/atb/utils/config.cpp).

    Examples
    --------
    >>> product("Ascend910B1").key, product("Ascend910B").key
    ('A2', 'training')
    """
    if isinstance(name, Product):
        return name
    if not isinstance(name, str):
        raise unknown("product", name, _known())
    key = _aliases().get(_bare(name)) or _key_of_soc(name.strip())
    if key is None:
        raise unknown("product", name, _known(), _hint(name))
    return next(p for p in products() if p.key == key)


@cache
def _aliases() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in table("products")["product"]:
        for name in (row["key"], *row["names"], *row["aliases"]):
            found[_bare(name)] = row["key"]
    return found


def _bare(name: str) -> str:
    text = plain(name)
    for theirs, ours in USES:
        text = text.replace(theirs, ours)
    return "/".join(_without_kind(part) for part in text.split("/"))


def _without_kind(part: str) -> str:
    for word in KIND_WORDS:
        if part.endswith(word):
            return _without_kind(part[: -len(word)])
    return part


def _key_of_soc(name: str) -> str | None:
    """The product whose chips have this SoC string; its case tells 910B from A2."""
    for fold in (str, str.casefold):
        if fold is str.casefold and fold(name) == OLD_910B:
            return None
        for row in table("products")["soc"]:
            exact, start = row.get("is"), row.get("starts")
            if exact is not None and fold(name) == fold(exact):
                return str(row["product"])
            if start is not None and fold(name).startswith(fold(start)):
                return str(row["product"])
    return None


def _known() -> list[str]:
    names = [name for p in products() for name in dict.fromkeys((p.key, *p.names))]
    return [*names, "and SoC strings such as Ascend910B1"]


def _hint(name: str) -> str:
    if plain(name) not in (OLD_910B, "910b"):
        return ""
    return (
        " This one could be two products: build files call A2 and A3 so, while the SoC "
        "string Ascend910B is the old 910. Write A2, A3 or training."
    )
