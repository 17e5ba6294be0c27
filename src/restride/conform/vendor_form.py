"""Cases of ATB and CANN in JSON: op, params, inputs, outputs, expect."""

from __future__ import annotations

from typing import Any

from restride.conform.case import Case, Expect, TensorSpec
from restride.conform.errors import CaseError
from restride.conform.fields import flat, integers, listed, mapping, shown, text
from restride.conform.operators import atb_params, dialect_of

__all__ = ["read"]


def read(raw: dict[str, Any], table: str, where: str, name: str) -> Case:
    """One case from its fields; fields that are not named here are ignored.

    Raises
    ------
    CaseError
        A field is missing or is not of its kind.
    """
    op = text(raw.get("op", ""), "op")
    dialect = dialect_of(op)
    if not dialect:
        return Case(table, where, name, op, "", Expect(None, None))
    params = mapping(raw.get("params"), "params")
    return Case(
        table,
        where,
        name,
        op,
        dialect,
        _expect(raw.get("expect")),
        atb_params(op, params) if dialect == "atb" else params,
        _tensors(raw.get("inputs"), "inputs"),
        _tensors(raw["outputs"], "outputs") if "outputs" in raw else None,
        _socs(raw.get("soc")),
        frozenset(text(tag, "tags") for tag in listed(raw.get("tags"), "tags")),
    )


def _expect(value: Any) -> Expect:
    """The expectation; a case without one is not a case."""
    if value is None:
        raise CaseError("it names nothing to expect; give 'expect'.")
    told = mapping(value, "expect")
    stage = None if told.get("stage") is None else text(told["stage"], "expect.stage")
    code = None if told.get("code") is None else text(told["code"], "expect.code")
    if stage is None and code is None:
        raise CaseError("'expect' has neither a stage nor a code.")
    return Expect(stage, code)


def _socs(value: Any) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [] if value is None else [value]
    names = [
        part for v in given for part in text(v, "soc").replace(";", ",").split(",")
    ]
    return tuple(name.strip() for name in names if name.strip())


def _tensors(value: Any, name: str) -> tuple[TensorSpec | None, ...]:
    return tuple(
        None if entry is None else _tensor(entry, f"{name}[{k}]")
        for k, entry in enumerate(listed(value, name))
    )


def _tensor(value: Any, name: str) -> TensorSpec:
    raw = mapping(value, name)
    for needed in ("dtype", "shape"):
        if needed not in raw:
            raise CaseError(f"{name} has no {needed}.")
    offset = raw.get("offset") or 0
    if type(offset) is not int:
        raise CaseError(f"{name}.offset = {shown(offset)} is not an integer.")
    return TensorSpec(
        text(raw["dtype"], f"{name}.dtype").lower(),
        integers(raw["shape"], f"{name}.shape"),
        text(raw.get("format") or "nd", f"{name}.format").lower(),
        _data(raw.get("data"), f"{name}.data"),
        _optional(raw.get("strides"), f"{name}.strides"),
        offset,
        _optional(raw.get("storage_shape"), f"{name}.storage_shape"),
    )


def _optional(value: Any, name: str) -> tuple[int, ...] | None:
    return None if value is None else integers(value, name)


def _data(value: Any, name: str) -> tuple[Any, ...] | None:
    return None if value is None else tuple(flat(value, name))
