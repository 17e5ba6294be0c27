"""``targets``: which products and dtypes an operator takes, and who says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.table import Table

from restride.cli.show import emit, emit_json, render
from restride.targets import (
    Operator,
    Product,
    Support,
    dtypes,
    operator_named,
    operators,
    products,
    support,
)

__all__ = ["show"]

YES, NO, NOTED, FROM_SOURCE = "yes", "-", "*", "s"
LEGEND = (
    "yes: taken   -: refused   *: the sources disagree   "
    "s: only the vendor's repository says so"
)


def show(operator: str | None, as_json: bool) -> None:
    """Print the products and operators, or the support table of one operator."""
    if operator is None:
        _show_all(as_json)
    else:
        _show_one(operator_named(operator), as_json)


def _show_all(as_json: bool) -> None:
    if as_json:
        emit_json(
            {
                "products": [_product_document(p) for p in products()],
                "operators": [
                    {
                        "operator": o.name,
                        "interface": o.interface,
                        "products": {p.key: support(o, None, p).ok for p in products()},
                    }
                    for o in operators()
                ],
            }
        )
        return
    names = _table("product", "group", "names", "SoC strings")
    names.columns[2].no_wrap = True
    for p in products():
        both = "\n".join(dict.fromkeys(p.names))
        names.add_row(p.key, p.group, both, ", ".join(p.chips))
    taken = _table("operator", *[p.key for p in products()])
    for o in operators():
        taken.add_row(o.name, *[_mark(support(o, None, p)) for p in products()])
    hint = "'restride targets OPERATOR' tells the dtypes of one."
    emit("\n".join([render(names), "", render(taken), "", LEGEND, hint]))


def _product_document(p: Product) -> dict[str, Any]:
    return {
        "product": p.key,
        "group": p.group,
        "names": list(p.names),
        "chips": list(p.chips),
        "source": p.source,
        "note": p.note or None,
    }


def _show_one(operator: Operator, as_json: bool) -> None:
    if as_json:
        emit_json(
            {
                "operator": operator.name,
                "interface": operator.interface,
                "about": operator.about,
                "products": {
                    p.key: _cell_document(support(operator, None, p))
                    for p in products()
                },
                "dtypes": {
                    d.name: {
                        p.key: _cell_document(support(operator, d, p))
                        for p in products()
                    }
                    for d in dtypes()
                },
            }
        )
        return
    table = _table("dtype", *[p.key for p in products()])
    has = {p.key: support(operator, None, p) for p in products()}
    table.add_row("(any)", *[_mark(told) for told in has.values()])
    for name in operator.listed():
        cells = [support(operator, name, p) for p in products()]
        # A product without the operator was told of once, in the first row.
        marks = [
            _mark(cell) if there.ok else NO
            for cell, there in zip(cells, has.values(), strict=True)
        ]
        table.add_row(name, *marks)
    title = f"{operator.name} ({operator.interface}): {operator.about}"
    emit("\n".join([title, "", render(table), "", LEGEND, *_remarks(operator)]))


def _cell_document(told: Support) -> dict[str, Any]:
    return {
        "ok": told.ok,
        "reason": told.reason or None,
        "instead": told.instead,
        "code": told.code,
        "stage": told.stage,
        "source": told.source,
        "basis": told.basis,
        "note": told.note or None,
    }


def _remarks(operator: Operator) -> Iterator[str]:
    """Each row's note, what works instead, and where it is written; each once."""
    lines: dict[str, None] = {}
    for row in (*operator.products, *operator.dtypes):
        what = f"{', '.join(row.dtypes) or 'all'} on {', '.join(row.products)}"
        if row.note:
            lines[f"  * {what}: {row.note}"] = None
        if row.instead:
            lines[f"  {what}, instead: {row.instead}"] = None
    if lines:
        yield "Remarks:"
        yield from lines
    sources = dict.fromkeys(
        row.source for row in (*operator.products, *operator.dtypes, operator.other)
    )
    yield "Sources:"
    yield from (f"  {source}" for source in sources)


def _mark(told: Support) -> str:
    if not told.ok:
        return NO + (NOTED if told.note else "")
    from_source = FROM_SOURCE if told.basis == "source" else ""
    return " ".join(filter(None, [YES, from_source, NOTED if told.note else ""]))


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
