"""What a runtime's documents say of its limits, as data, and how it is applied.

A table is a TOML file in ``limits/``: a target, and rules.  A rule has operators, a
condition on what is known of the node, and the answer where the condition holds.  A
condition may hold, fail, or be undecided where something is not known; then the rule
says so, and never guesses.

>>> table = limits_of("onnxruntime")
>>> {found.rule.answer for found in table.apply("Pad", {"dtype": "int16"})}
{'refused'}
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from restride.models.answers import ANSWERS
from restride.models.errors import ModelError

__all__ = ["Facts", "Limit", "Limits", "Rule", "limit_tables", "limits_of"]

Facts = Mapping[str, Any]
"""What is known of a node: see :data:`CONDITIONS`; absent or None: not known."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One limit, or one thing that is said to work, and who says so."""

    op: tuple[str, ...]
    """Operators it speaks of; with a domain before a colon where it is not ONNX's."""
    when: Mapping[str, Any]
    """Conditions, all of which must hold; none: always."""
    answer: str
    """One of :data:`restride.models.answers.ANSWERS`."""
    text: str
    """The limit in words."""
    source: str
    """Document, section and version."""
    seen: str
    """The day on which it was read there."""
    rewrite: str = ""
    """What to do instead; empty where nothing is known to help."""


class Limit(NamedTuple):
    """A rule applied to one node."""

    rule: Rule
    holds: bool | None
    """True: it speaks of this node; None: that depends on what is not known."""
    missing: tuple[str, ...] = ()
    """What it depends on."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The table of one target."""

    name: str
    """What ``--target`` calls it."""
    version: str
    """The version of the product that its documents speak of."""
    date: str
    """The day on which the table was last compared with them."""
    models: str
    """The kind of model it speaks of: "onnx" or "tflite"."""
    rules: tuple[Rule, ...]
    """In the order of the file."""

    def apply(self, op: str, facts: Facts) -> list[Limit]:
        """The rules that speak of a node, or may."""
        found = []
        for rule in self.rules:
            if op in rule.op:
                held = {key: _holds(key, w, facts) for key, w in rule.when.items()}
                if False not in held.values():
                    missing = tuple([key for key, v in held.items() if v is None])
                    found.append(Limit(rule, None if missing else True, missing))
        return found

    def knows(self, op: str) -> bool:
        """True where some rule speaks of the operator."""
        return any(op in rule.op for rule in self.rules)


@cache
def limit_tables() -> tuple[str, ...]:
    """Names of the targets with a table.

    Examples
    --------
    >>> "onnxruntime" in limit_tables()
    True
    """
    folder = files("restride.models.limits")
    names = [path.name for path in folder.iterdir()]
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


@cache
def limits_of(name: str) -> Limits:
    """The table of a target.

    Raises
    ------
    ModelError
        There is no table of that name, or it has a mistake.
    """
    if name not in limit_tables():
        raise ModelError(
            name, f"no such target; known are {', '.join(limit_tables())}."
        )
    path = files("restride.models.limits") / f"{name}.toml"
    held = tomllib.loads(path.read_text(encoding="utf-8"))
    target = held["target"]
    rules = tuple(_read(held["rule"], name))
    version, date, models = target["version"], target["date"], target["models"]
    return Limits(name, version, date, models, rules)


def _read(rows: list[dict[str, Any]], name: str) -> Iterator[Rule]:
    """The rules; a table is ours, so a mistake in it is told and not survived."""
    for row in rows:
        given = {"when": {}, **row}
        ops = given["op"] if isinstance(given["op"], list) else [given["op"]]
        unknown = set(given["when"]) - set(CONDITIONS)
        if unknown or given["answer"] not in ANSWERS:
            raise ModelError(name, f"its table has {unknown or given['answer']}.")
        yield Rule(**{**given, "op": tuple(ops)})


# ------------------------------------------------------------------------ conditions


def _holds(key: str, wanted: Any, facts: Facts) -> bool | None:
    fact, decide = CONDITIONS[key]
    value = facts.get(fact)
    return None if value is None else bool(decide(value, wanted))


def _signed(values: Any, wanted: str) -> bool:
    """Whether one of the numbers is of the kind that a word names."""
    tests: dict[str, Callable[[int], bool]] = {
        "negative": lambda v: v < 0,
        "not zero": lambda v: v != 0,
        "not one": lambda v: v != 1,
        "above one": lambda v: v > 1,
    }
    return any(map(tests[wanted], values))


def _touches(axes: Any, wanted: list[int]) -> bool:
    return any(axis in wanted for axis in axes)


CONDITIONS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "dtype": ("dtype", lambda value, wanted: value in wanted),
    "dtype_not": ("dtype", lambda value, wanted: value not in wanted),
    "mode": ("mode", lambda value, wanted: value in wanted),
    "mode_not": ("mode", lambda value, wanted: value not in wanted),
    "rank": ("rank", lambda value, wanted: value in wanted),
    "rank_above": ("rank", lambda value, wanted: value > wanted),
    "rank_below": ("rank", lambda value, wanted: value < wanted),
    "result_rank_above": ("result_rank", lambda value, wanted: value > wanted),
    "opset": ("opset", lambda value, wanted: wanted[0] <= value <= wanted[1]),
    "opset_above": ("opset", lambda value, wanted: value > wanted),
    "opset_below": ("opset", lambda value, wanted: value < wanted),
    "steps": ("steps", _signed),
    "pads": ("pads", _signed),
    "fill": ("fill", lambda value, wanted: _signed([value], wanted)),
    "axes": ("axes", _touches),
    "axes_from_last": ("axes_from_last", _touches),
    "axis_from_last_below": (
        "axes_from_last",
        lambda value, wanted: min(value, default=0) < wanted,
    ),
    "axes_above": ("axes", lambda value, wanted: len(value) > wanted),
    "dynamic": ("dynamic", lambda value, wanted: any(n in value for n in wanted)),
    "fixed": ("dynamic", lambda value, wanted: not any(n in value for n in wanted)),
    "given": ("given", lambda value, wanted: any(n in value for n in wanted)),
    "not_given": ("given", lambda value, wanted: not any(n in value for n in wanted)),
    "shape_known": ("shape_known", lambda value, wanted: value is wanted),
    "empty": ("empty", lambda value, wanted: value is wanted),
    "inner_above": ("inner", lambda value, wanted: value > wanted),
}
"""Each condition: the fact it looks at, and how it decides.

======================  =============================================================
fact                    is
======================  =============================================================
dtype                   NumPy's name of the data's element type
mode                    of a pad, in the model's own word
rank, result_rank       number of axes of the data, of the first result
opset                   the version that the node's graph imports
steps, pads             all steps of a slice; all widths of a pad
fill                    a pad's constant as a number
axes, axes_from_last    axes that change, from 0 on; from -1 down
dynamic                 names of parameters that are computed at run time
given                   names of the inputs and attributes that the node has
shape_known             whether every extent of the data is a number
empty                   whether data or result have no elements
inner                   elements behind the axis of a Gather
======================  =============================================================
"""
