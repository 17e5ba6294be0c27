"""Does this operator take this dtype on that product; if not, why, and what instead?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from restride.targets.dtypes import dtype_named
from restride.targets.operators import Operator, Row, operator_named
from restride.targets.products import Product
from restride.targets.products import product as product_named

__all__ = ["Support", "support"]


@dataclass(frozen=True, slots=True)
class Support:
    """The answer for one cell of a support table."""

    ok: bool
    """Whether the product takes it."""
    reason: str
    """Why not; empty where it does."""
    instead: str | None
    """What does work, where something does."""
    source: str
    """Where that is written."""
    code: str | None = None
    """The vendor's status for the refusal, by name."""
    stage: str | None = None
    """The vendor's stage at which it is noticed."""
    note: str = ""
    """Where the vendor's own sources disagree; may be said of what is taken too."""
    basis: str = "document"
    """"document", or "source" where only the vendor's repository says so."""
    slow: bool = False
    """Whether it is taken by a slow unit of the product alone, such as the AI CPU."""


def support(
    operator: str | Operator, dtype: Any = None, product: str | Product | None = None
) -> Support:
    """What `operator` answers to `dtype` on a product.

    Parameters
    ----------
    operator : str or Operator
    dtype : str, NumPy or torch dtype, DType, optional
        None asks for the product alone.
    product : str or Product, optional
        None asks whether any product takes the dtype.

    Raises
    ------
    UnknownNameError
        A name that no table holds.

    Examples
    --------
    >>> told = support("SetValueOperation", "bf16", "inference")
    >>> told.ok, told.code, told.stage
    (False, 'ERROR_INVALID_TENSOR_DTYPE', 'infer_shape')
    >>> support("aclnnStridedSlice", "float", "A2").instead
    'Use the graph operator StridedSlice, which lists this product.'
    """
    table = operator_named(operator)
    target = None if product is None else product_named(product)
    name = None if dtype is None else dtype_named(dtype).name
    if target is not None:
        row = next(r for r in table.products if target.key in r.products)
        if not row.ok or name is None:
            return _answer(row, f"{table.name} is not supported on {target}.")
    elif name is None:
        return _answer(table.products[0], "")
    return _of_dtype(table, str(name), target)


def _of_dtype(table: Operator, name: str, target: Product | None) -> Support:
    key = None if target is None else target.key
    rows = [r for r in table.dtypes if name in r.dtypes]
    rows = [r for r in rows if key is None or key in r.products]
    rows.sort(key=lambda row: not row.ok)
    where = "" if target is None else f" on {target}"
    reason = (
        f"{table.name} does not take {name}{where}; it takes "
        f"{', '.join(table.listed(key))}."
    )
    return _answer(rows[0] if rows else table.other, reason)


def _answer(row: Row, reason: str) -> Support:
    why = "" if row.ok else row.reason or reason
    instead = None if row.ok else row.instead
    return Support(
        ok=row.ok,
        reason=why,
        instead=instead,
        source=row.source,
        code=row.code,
        stage=row.stage,
        note=row.note,
        basis=row.basis,
        slow=row.slow,
    )
