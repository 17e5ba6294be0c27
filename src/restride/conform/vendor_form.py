"""Cases of ATB and CANN in JSON: op, params, inputs, outputs, expect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from restride.conform.case import Case, Expect, Fill, TensorSpec
from restride.conform.errors import CaseError
from restride.conform.fields import flat, integers, listed, mapping, shown, text
from restride.conform.operators import VENDOR, atb_params, check_names
from restride.conform.words import Words, near, words_of

__all__ = ["FIELDS", "read"]

FIELDS = ("op", "name", "params", "inputs", "outputs", "expect", "soc", "tags")
"""What is read of a case; what is not near one of these is a note of the table's."""

NEAR = 0.75
"""How alike, of 1, a field is that is meant for another."""


def read(raw: dict[str, Any], table: str, where: str, name: str) -> Case:
    """One case from its fields; others are ignored, unless they look misspelt.

    Raises
    ------
    CaseError
        A field is missing or is not of its kind.
    """
    op = text(raw.get("op") or "", "op")
    if not op:
        raise CaseError("it names no operator; give 'op'.")
    if op not in VENDOR:
        return Case(table, where, name, op, "", Expect(None, None))
    _check_fields(raw)
    known = VENDOR[op]
    params = mapping(raw.get("params"), "params")
    check_names(op, params, known.params)
    inputs = _tensors(raw.get("inputs"), "inputs")
    return Case(
        table,
        where,
        name,
        op,
        known.dialect,
        _expect(raw.get("expect"), words_of(op)),
        atb_params(op, params) if known.dialect == "atb" else params,
        _whole(inputs) if known.adds else inputs,
        _tensors(raw["outputs"], "outputs") if "outputs" in raw else None,
        _socs(raw.get("soc")),
        frozenset(text(tag, "tags") for tag in listed(raw.get("tags"), "tags")),
    )


def _check_fields(raw: dict[str, Any]) -> None:
    """Refuse a field that looks like one that the case lacks."""
    lacking = [name for name in FIELDS if name not in raw]
    for name in raw:
        found = near(name, lacking, NEAR) if name not in FIELDS else []
        if found:
            raise CaseError(f"it has a field {shown(name)}; is {found[0]!r} meant?")


def _whole(
    inputs: tuple[TensorSpec | None, ...],
) -> tuple[TensorSpec | None, ...]:
    """Made values of what is added up are whole: their sums have no order."""
    return tuple(s and replace(s, fill=Fill("whole")) for s in inputs)


def _expect(value: Any, words: Words) -> Expect:
    """The expectation; a case without one is not a case."""
    if value is None:
        raise CaseError("it names nothing to expect; give 'expect'.")
    told = mapping(value, "expect")
    stage = None if told.get("stage") is None else words.stage(told["stage"])
    code, number = (
        None if told.get(name) is None else words.code(told[name])
        for name in ("code", "value")
    )
    if code is not None and number not in (None, code):
        raise CaseError(f"'expect' has the code {code}, and the value of {number}.")
    if stage is None and code is None and number is None:
        raise CaseError("'expect' has neither a stage nor a code.")
    return Expect(stage, code or number)


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
