"""ATB's own test tables: one case a row, cells between bars, columns in any order.

``CaseNum|CaseName|OpName|OpParam|InNum|InDType|InFormat|InShape|OutNum|...``; a cell
holds one entry per tensor, separated by ``;``, and a shape's extents by ``,``.

Source: Ascend ATB, tests/framework/python/CsvOpsTestTool/atb_csv_ops_test.py (columns,
cells, defaults) and tests/framework/c++/atb_torch/operation/operation_torch.cpp (NCHW
becomes ND).
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from restride.conform.case import OK, Case, Expect, Fill, TensorSpec
from restride.conform.errors import CaseError, TableError
from restride.conform.fields import mapping, shown
from restride.conform.operators import ATB, atb_params, check_names
from restride.conform.words import near, words_of

__all__ = ["COLUMNS", "read", "rows_in"]

COLUMNS = (
    *("CaseName", "OpName", "OpParam", "InNum", "InDType", "InFormat", "InShape"),
    *("OutNum", "OutDType", "OutFormat", "OutShape", "DataGenType", "DataGenRange"),
    *("TestType", "SocVersion", "ExpectedError"),
)
"""What is read of a row."""

NEAR = 0.75
"""How alike, of 1, a column's name is that is meant for another."""

MOST_COMPARED = 200
"""Most names of other columns that are looked at."""

STAGES = {"C": "create", "I": "infer_shape", "S": "setup", "E": "execute"}
"""What the letter before an expected code means."""

NO_ERROR = "NO_ERROR"

RESERVED = ("", "reserved")
"""Cells that say nothing: outputs of a Generalization row come from InferShape."""

FILLS = {"": "random", "customize": "random", "random": "random"} | {
    kind: kind for kind in ("one", "zero")
}
"""Both operators draw random values where a table says "customize"."""

Row = dict[str, str]


def rows_in(text: str, table: str) -> Iterator[tuple[int, Row, str]]:
    """Each row: its line, its cells by lower-case column, and what is wrong with it.

    Raises
    ------
    TableError
        No row names the columns, or a cell never ends.
    """
    reader = csv.reader(io.StringIO(text, ""), delimiter="|", skipinitialspace=True)
    header: list[str] = []
    try:
        for cells in reader:
            found = [cell.strip() for cell in cells]
            if not any(found):
                continue
            if not header:
                header = _header(found, table)
                continue
            yield (
                reader.line_num,
                dict(zip(header, found, strict=False)),
                _miscounted(found, header),
            )
    except csv.Error as error:
        raise TableError(
            f"{table}, line {reader.line_num}: {error}; a cell may not be so long."
        ) from None


def _header(cells: list[str], table: str) -> list[str]:
    """The columns in lower case; a bar at the end of the row begins none."""
    while not cells[-1]:
        cells = cells[:-1]
    names = [name.lower() for name in cells]
    _check_spelling(cells, table)
    if "opname" not in names:
        raise TableError(
            f"{table} has no column OpName; its first row is {shown('|'.join(cells))}."
        )
    name, times = Counter(filter(None, names)).most_common(1)[0]
    if times > 1:
        raise TableError(f"{table} names the column {shown(name)} twice.")
    return names


def _check_spelling(cells: list[str], table: str) -> None:
    """Refuse a column that looks like one that the table lacks."""
    given = {name.lower() for name in cells}
    lacking = {name.lower(): name for name in COLUMNS if name.lower() not in given}
    known = {name.lower() for name in COLUMNS}
    others = [name for name in cells if name.lower() not in known]
    for name in others[:MOST_COMPARED]:
        found = near(name.lower(), lacking, NEAR)
        if found:
            raise TableError(
                f"{table} has a column {shown(name)}, which is not read, and no "
                f"{lacking[found[0]]}; rename it to what is meant."
            )


def _miscounted(cells: list[str], header: list[str]) -> str:
    """What is wrong with the number of cells; empty ones after the last are none.

    Readers of rows by name, as Python's csv.DictReader, give a missing cell no value,
    which could be read as a blank one: a row that lost its end would expect success.
    """
    if len(cells) >= len(header) and not any(cells[len(header) :]):
        return ""
    return (
        f"it has {len(cells)} cells; the table has {len(header)} columns, and a blank "
        "cell needs its bar too."
    )


def read(row: Row, table: str, where: str, name: str) -> Case:
    """One case from a row.

    Raises
    ------
    CaseError
        A cell is missing or does not read.
    """
    op = row.get("opname", "").split("_")[0].strip()
    if not op:
        raise CaseError("its OpName is blank.")
    if op not in ATB:
        return Case(table, where, name, op, "", Expect(None, None))
    params = _param(row.get("opparam", ""))
    check_names(op, params, ATB[op].params)
    return Case(
        table,
        where,
        name,
        op,
        "atb",
        _expect(row.get("expectederror", ""), op),
        atb_params(op, params),
        _tensors(row, "In"),
        _outputs(row),
        tuple(_split(row.get("socversion", "").replace(",", ";"))),
    )


def _expect(cell: str, op: str) -> Expect:
    """``NO_ERROR``, ``I:ERROR_...``, or a code alone, which may come at any stage."""
    letter, colon, code = (part.strip() for part in cell.partition(":"))
    if not colon:
        code = words_of(op).code(cell) if cell else NO_ERROR
        return Expect(OK if code == NO_ERROR else None, code)
    if letter not in STAGES:
        raise CaseError(
            f"ExpectedError {shown(cell)} begins with {shown(letter)}; the stages are "
            f"{', '.join(f'{k} ({v})' for k, v in STAGES.items())}."
        )
    return Expect(STAGES[letter], words_of(op).code(code))


def _param(cell: str) -> dict[str, Any]:
    if cell in RESERVED:
        return {}
    try:
        return mapping(json.loads(cell), "OpParam")
    except (RecursionError, ValueError) as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(f"OpParam {shown(cell)} is not JSON: {error}.") from None


def _outputs(row: Row) -> tuple[TensorSpec, ...] | None:
    """None where InferShape is to give them."""
    reserved = row.get("outnum", "").lower() in RESERVED
    if reserved or row.get("testtype", "").lower() == "generalization":
        return None
    return _tensors(row, "Out")


def _tensors(row: Row, side: str) -> tuple[TensorSpec, ...]:
    """The tensors of one side, ``In`` or ``Out``."""
    dtypes, formats, shapes = (
        _split(row.get(f"{side}{part}".lower(), ""))
        for part in ("DType", "Format", "Shape")
    )
    count = _count(row.get(f"{side}Num".lower(), ""), len(dtypes), side)
    for part, found in ("DType", dtypes), ("Shape", shapes):
        if len(found) < count:
            raise CaseError(
                f"{side}{part} has length {len(found)}; {side}Num is {count}."
            )
    fills = _fills(row, count) if side == "In" else [Fill()] * count
    formats += ["nd"] * count
    return tuple(
        TensorSpec(
            dtypes[k].lower().removeprefix("acl_"),
            _shape(shapes[k]),
            _format(formats[k]),
            fill=fills[k],
        )
        for k in range(count)
    )


def _count(cell: str, found: int, side: str) -> int:
    if cell.lower() in RESERVED:
        return found
    try:
        number = float(cell)  # a spreadsheet may write 2 as 2.0
    except ValueError:
        number = -1
    if not 0 <= number <= 1000 or number != int(number):
        raise CaseError(f"{side}Num {shown(cell)} is no number of tensors.")
    return int(number)


def _format(cell: str) -> str:
    """The format, as ATB gets it: its test wrapper turns NCHW into ND."""
    name = cell.lower().removeprefix("acl_format_") or "nd"
    return "nd" if name == "nchw" else name


def _shape(cell: str) -> tuple[int, ...]:
    inner = cell.strip("[]() ")
    try:
        return tuple(int(part) for part in inner.split(",") if part.strip())
    except ValueError:
        raise CaseError(
            f"shape {shown(cell)} is not integers between commas."
        ) from None


def _fills(row: Row, count: int) -> list[Fill]:
    kinds = _split(row.get("datagentype", "")) + [""] * count
    ranges = _split(row.get("datagenrange", "")) + [""] * count
    return [_fill(kinds[k], ranges[k]) for k in range(count)]


def _fill(kind: str, ends: str) -> Fill:
    if kind.lower() not in FILLS:
        raise CaseError(
            f"DataGenType {shown(kind)} is none of one, zero, random, customize."
        )
    if not ends:
        return Fill(FILLS[kind.lower()])
    try:
        low, high = (float(end) for end in ends.split(",")[:2])
    except ValueError:
        raise CaseError(
            f"DataGenRange {shown(ends)} is not two numbers between commas."
        ) from None
    return Fill(FILLS[kind.lower()], low, high)


def _split(cell: str) -> list[str]:
    """The entries of a cell; one ``;`` at the end is no entry."""
    entries = [entry.strip() for entry in cell.split(";")]
    while entries and not entries[-1]:
        entries.pop()
    return entries
