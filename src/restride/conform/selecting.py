"""For which product a case is run, and which cases are not run at all.

Notes
-----
Ascend ATB, tests/framework/python/CsvOpsTestTool/atb_csv_ops_test.py: a row without a
SoC runs everywhere except 910A and 310B; "Ascend910B" in a table is the 910B family,
which a chip calls itself by a longer name.
"""

from __future__ import annotations

from restride.conform.case import Case
from restride.conform.errors import NotRunError
from restride.conform.fields import shown
from restride.targets import Product, UnknownNameError, product, support

__all__ = ["other_product", "product_for", "product_named"]

TABLE_SOCS = {"ascend910b": "A2", "ascend910_95": "950"}
"""Words of tables that are no SoC strings of a chip, in lower case."""

USUAL = "A2"
"""Where ATB rows without a SoC run: the vendor's own tests name it most."""

NOT_BY_DEFAULT = ("910A", "310B")
"""Groups on which ATB rows without a SoC do not run."""


def product_for(case: Case, asked: Product | None) -> Product | None:
    """The product to run `case` for; None where neither it nor the caller names one.

    Raises
    ------
    NotRunError
        The case is for others than `asked`, or for a chip that is not known.
    """
    named = [_named(soc) for soc in case.socs]
    if asked is None:
        usual = product(USUAL)
        if not named:
            return usual if case.dialect == "atb" else None
        return usual if usual in named else named[0]
    if named and asked.group not in [p.group for p in named]:
        raise NotRunError(f"not for {asked}")
    if not named and case.dialect == "atb" and asked.group in NOT_BY_DEFAULT:
        raise NotRunError(f"names no SoC, which leaves out {asked}")
    return asked


def other_product(case: Case, asked: Product | None) -> Product | None:
    """Where a case that names no SoC may hold too, if it does not where it ran.

    An aclnn function that Atlas A2 lacks runs as on the first product that has it; the
    vendor's own tests run as Atlas A2 where they say nothing, and expect the refusal
    (ops-math, tests/ut/op_api/stub/opdev/platform.cpp).
    """
    usual = product(USUAL)
    unnamed = asked is None and not case.socs and case.op.startswith("aclnn")
    return usual if unnamed and not support(case.op, None, usual).ok else None


def product_named(name: str | Product) -> Product:
    """The product that `name` means in the words of tables.

    Raises
    ------
    UnknownNameError
        No table of products holds the name.

    Examples
    --------
    >>> product_named("Ascend910B").key
    'A2'
    """
    return product(
        TABLE_SOCS.get(name.lower(), name) if isinstance(name, str) else name
    )


def _named(soc: str) -> Product:
    try:
        return product_named(soc)
    except UnknownNameError:
        raise NotRunError(f"SoC {shown(soc)} is not known") from None
