"""Views to be shown, and what is looked at on their pages."""

from __future__ import annotations

from typing import Any

import numpy as np

import restride as rs


def chain() -> rs.View:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    return rs.view(x)[:, ::-1].pad([[0, 0], [1, 2]], "reflect").transpose()


def padded() -> rs.View:
    return rs.view(np.arange(12).reshape(3, 4)).pad([[1, 0], [0, 1]], "constant", 7)


def cells(shown: Any, which: str) -> Any:
    return shown.locator(".rs-app figure", has_text=which).get_by_role("gridcell")


def texts(shown: Any) -> list[str]:
    return list(cells(shown, "Result").all_inner_texts())


def lit(shown: Any, which: str) -> list[str]:
    found = shown.locator(".rs-app figure", has_text=which).locator(".rs-lit")
    return list(found.all_inner_texts())


def said(shown: Any) -> str:
    return str(shown.locator(".rs-say").inner_text())


def alert(shown: Any) -> str:
    return str(shown.locator(".rs-error").inner_text())
