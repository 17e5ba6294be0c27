"""Tables in JSON: a list of cases, ``{"cases": [...]}``, one case, or one a line."""

from __future__ import annotations

import json
from typing import Any

from restride.conform.errors import TableError

__all__ = ["cases_in"]

CASE_FIELD = "op"
"""What makes an object a case and not a table."""


def cases_in(text: str, table: str) -> list[Any]:
    """The cases of a JSON text, unread; NaN and Infinity are taken as numbers.

    Raises
    ------
    TableError
        It is not JSON, or holds no list of cases.

    Examples
    --------
    >>> cases_in('{"meta": {}, "cases": [{"op": "Pad"}]}', "t.json")
    [{'op': 'Pad'}]
    """
    document = _parsed(text, table)
    if isinstance(document, dict) and CASE_FIELD not in document:
        document = document.get("cases")
        if not isinstance(document, list):
            raise TableError(f"{table} is an object without a list named 'cases'.")
    found = document if isinstance(document, list) else [document]
    if found and not any(isinstance(c, dict) and CASE_FIELD in c for c in found):
        raise TableError(f"{table} holds no case: nothing in it has an 'op'.")
    return found


def _parsed(text: str, table: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        lines = _by_line(text)
        if lines is not None:
            return lines
        raise TableError(
            f"{table} is not JSON that can be read: {error.msg}, line {error.lineno} "
            f"column {error.colno}."
        ) from None
    except (RecursionError, ValueError) as error:
        told = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise TableError(f"{table} is not JSON that can be read: {told}.") from None


def _by_line(text: str) -> list[Any] | None:
    """One case a line; None where that is not what it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        found = [json.loads(line) for line in lines]
    except (RecursionError, ValueError):
        return None
    return found if all(isinstance(case, dict) for case in found) and found else None
