"""The targets that a model is checked for, by every name they go by.

>>> target_named("Ascend910B1").name, target_named("aclnn:A2").doors
('A2', ('aclnn',))
>>> target_named("ort").name
'onnxruntime'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from restride.models.answers import REFUSED, Answer
from restride.models.ascend import judge as ascend
from restride.models.errors import ModelError
from restride.models.limits import judge as tables
from restride.models.limits.rules import Limits, limit_tables, limits_of
from restride.models.movements.movement import Movement
from restride.targets import Product, UnknownNameError, product, products

__all__ = ["Target", "target_named"]

ALIASES = {
    "ort": "onnxruntime",
    "onnx runtime": "onnxruntime",
    "trt": "tensorrt",
    "tf lite": "tflite",
    "tensorflow lite": "tflite",
    "litert": "tflite",
    "core ml": "coreml",
}
"""Other names of runtimes."""


@dataclass(frozen=True)
class Target:
    """A runtime with a table of limits, or an Ascend product and its doors."""

    name: str
    """Short name."""
    title: str
    """Name and version for people."""
    table: Limits | None = None
    """Of a runtime."""
    product: Product | None = None
    """Of Ascend."""
    doors: tuple[str, ...] = ()
    """Those of the product that are asked: "cann", "aclnn", "atb"."""

    def judge(self, m: Movement) -> Answer:
        """What the target does with a node."""
        if m.wrong:
            told = f"{m.node.op} is not defined so: {m.wrong}"
            source = f"{m.node.domain or 'ONNX'} {m.node.op}, opset {m.node.opset}"
            return Answer(REFUSED, told, source, by=self.name)
        if self.product is not None:
            return ascend.judged(m, self.product, self.doors)
        assert self.table is not None
        return tables.judged(m, self.table)

    def to_dict(self) -> dict[str, Any]:
        """The same in strings and lists, as JSON holds them."""
        table = self.table
        return {
            "name": self.name,
            "title": self.title,
            "doors": list(self.doors),
            "version": table.version if table else None,
            "date": str(table.date) if table else None,
        }


def target_named(name: Any) -> Target:
    """The target that `name` means.

    Parameters
    ----------
    name : str, Product or Target
        A runtime ("onnxruntime", "tensorrt", ...), with its version behind a hyphen
        where that must be the one meant ("onnxruntime-1.32"), an Ascend product by any
        name that
        :func:`restride.targets.product` takes, or that with one door before it:
        "cann:A2", "aclnn:A2", "atb:A2".

    Raises
    ------
    ModelError
        There is no such target; those that there are.
    """
    if isinstance(name, Target):
        return name
    if isinstance(name, str):
        text = " ".join(name.casefold().split())
        text = ALIASES.get(text, text)
        known = _table_named(text)
        if known is not None:
            table = limits_of(known)
            return Target(known, f"{known.partition('-')[0]} {table.version}", table)
        door, colon, rest = name.partition(":")
        if colon and door.casefold() in ascend.DOORS:
            return _of_product(rest, (door.casefold(),))
    return _of_product(name, tuple(ascend.DOORS))


def _table_named(text: str) -> str | None:
    """The table that is meant: by its name, or by its name and its very version."""
    if text in limit_tables():
        return text
    name, _, version = text.removesuffix("-cpu").partition("-")
    if not version or name not in limit_tables():
        return None
    return name if f"{limits_of(name).version}.".startswith(f"{version}.") else None


def _of_product(name: Any, doors: tuple[str, ...]) -> Target:
    try:
        found = product(name)
    except UnknownNameError as error:
        known = ", ".join((*limit_tables(), *[p.key for p in products()]))
        raise ModelError(
            f"target {error.given}",
            f"it is not known; known are {known}, and atb:, cann: or aclnn: before one "
            "of the last six.",
        ) from None
    names = ", ".join(ascend.DOORS[door] for door in doors)
    return Target(found.key, f"{found} ({names})", product=found, doors=doors)
