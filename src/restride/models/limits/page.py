"""The tables of limits as a page of the documentation.

``python -m restride.models.limits.page`` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from restride.models.limits.rules import Limits, Rule, limit_tables, limits_of

__all__ = ["limits_page"]

HEAD = """# Limits of runtimes that the model check knows

`restride check MODEL --target NAME` and `restride.check_model` ask these tables. Each
row is one rule: where its condition holds, its answer does; of several that hold the
hardest counts, from fast through slow path and cannot tell to refused. Where something
that a condition asks about is not known, the check says what. Nothing is guessed: each
row names its source and the day on which it was read.

An operator of TensorFlow Lite or TensorFlow has its domain before a colon; the others
are ONNX's. This page is written from the tables in `src/restride/models/limits`.
"""

SHORT = {
    "dtype": "type",
    "dtype_not": "type other than",
    "mode_not": "mode other than",
    "rank_above": "more axes than",
    "rank_below": "fewer axes than",
    "result_rank_above": "more axes in the result than",
    "opset_above": "opset above",
    "opset_below": "opset below",
    "dynamic": "computed at run time:",
    "fixed": "not computed at run time:",
    "not_given": "without",
    "given": "with",
    "axis_from_last_below": "changes an axis before axis",
    "pads": "a pad is",
    "steps": "a step is",
    "inner_above": "elements behind the axis above",
}
"""Conditions in a few words; others by their own name."""


def limits_page() -> str:
    """The page, in Markdown.

    Examples
    --------
    >>> limits_page().splitlines()[0]
    '# Limits of runtimes that the model check knows'
    """
    parts = [HEAD]
    for name in limit_tables():
        parts.append(_section(limits_of(name)))
    return "\n".join(parts)


def _section(table: Limits) -> str:
    """One target: a heading, and its rules in the order of the file."""
    lines = [
        f"## {table.name}",
        "",
        f"Version {table.version}, compared on {table.date}.",
        "",
        "| operators | where | answer | what is said | instead | source |",
        "|---|---|---|---|---|---|",
        *[_row(rule) for rule in table.rules],
        "",
    ]
    return "\n".join(lines)


def _row(rule: Rule) -> str:
    cells = (
        ", ".join(rule.op),
        _where(rule.when),
        f"**{rule.answer}**",
        rule.text,
        rule.rewrite,
        f"{rule.source} (seen {rule.seen})",
    )
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _where(when: Mapping[str, Any]) -> str:
    """A condition in words; none is "always"."""
    return "; ".join(_one(key, wanted) for key, wanted in when.items()) or "always"


def _one(key: str, wanted: Any) -> str:
    if key == "opset":
        return f"opset {wanted[0]} to {wanted[1]}"
    if key == "shape_known":
        return "shape known" if wanted else "shape open"
    if key == "empty":
        return "no elements" if wanted else "elements"
    listed = wanted if isinstance(wanted, list) else [wanted]
    return f"{SHORT.get(key, key)} {', '.join(str(item) for item in listed)}"


if __name__ == "__main__":
    print(limits_page(), end="")
