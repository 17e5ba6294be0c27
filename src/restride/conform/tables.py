"""A file as cases: the form is told from the content, not from the name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from restride.conform import csv_form, tensorflow_form, vendor_form
from restride.conform.case import Case
from restride.conform.errors import CaseError, TableError
from restride.conform.fields import shown
from restride.conform.json_table import cases_in
from restride.conform.operators import TENSORFLOW, VENDOR
from restride.conform.text import read_text

__all__ = ["Unreadable", "read_table"]

MOST_CASES = 250_000
"""Most cases of one table: their results are kept until the end."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A case that does not say what to run, and why."""

    table: str
    where: str
    name: str
    why: str


LONGEST_NAME = 200
"""Most characters of a case's name that are kept."""

VENDORS_OWN = ("params", "inputs", "outputs", "expect")
"""Fields that no TensorFlow case has."""

Entry = Case | Unreadable
Reader = Callable[[Any, str, str, str], Case]


def read_table(path: Path | str) -> list[Entry]:
    """The cases of the table `path`, in order.

    A JSON table begins with a bracket; everything else is a table with bars.

    Raises
    ------
    TableError
        The file cannot be read, is of neither form, or holds no case.
    """
    path = Path(path)
    text = read_text(path)
    name, start = str(path), text.lstrip()[:1]
    if not start:
        raise TableError(f"{name} is empty; a table is JSON or rows between bars.")
    found = _from_json(text, name) if start in "[{" else _from_rows(text, name)
    entries = list(islice(found, MOST_CASES + 1))
    if len(entries) > MOST_CASES:
        raise TableError(f"{name} holds more than {MOST_CASES} cases; split it.")
    if not entries:
        raise TableError(f"{name} holds no case.")
    return entries


def _from_json(text: str, table: str) -> Iterator[Entry]:
    for k, raw in enumerate(cases_in(text, table)):
        where = f"case {k + 1}"
        if not isinstance(raw, dict):
            yield Unreadable(table, where, where, f"{shown(raw)} is no case.")
            continue
        label = _text(raw.get("name")) or f"{_text(raw.get('op')) or 'case'}.{k + 1}"
        yield _read(_reader(raw), raw, table, where, label)


def _reader(raw: dict[str, Any]) -> Reader:
    """Who reads the case: its operator says it, or the fields where both have one."""
    op = _text(raw.get("op"))
    theirs = op in VENDOR and any(name in raw for name in VENDORS_OWN)
    is_tensorflow = op in TENSORFLOW and not theirs
    return tensorflow_form.read if is_tensorflow else vendor_form.read


def _from_rows(text: str, table: str) -> Iterator[Entry]:
    for line, row, wrong in csv_form.rows_in(text, table):
        where = f"line {line}"
        label = _text(row.get("casename")) or where
        if wrong:
            yield Unreadable(table, where, label, wrong)
        else:
            yield _read(csv_form.read, row, table, where, label)


def _text(given: Any) -> str:
    """A name for people: short, and empty where it is none."""
    return given.strip()[:LONGEST_NAME] if isinstance(given, str) else ""


def _read(reader: Reader, raw: Any, table: str, where: str, name: str) -> Entry:
    try:
        return reader(raw, table, where, name)
    except CaseError as error:
        return Unreadable(table, where, name, str(error))
