"""A headless Chromium for the pages, found on this machine; never one of a driver's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def chromium() -> str | None:
    """Path of a Chromium: RESTRIDE_CHROMIUM, or what the system has."""
    given = os.environ.get("RESTRIDE_CHROMIUM")
    if given:
        return given
    found = (shutil.which(name) for name in ("chromium", "chromium-browser"))
    return next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: make test-browser"
    )
    path = chromium()
    if path is None:
        pytest.skip("no chromium here: apt install chromium, or set RESTRIDE_CHROMIUM")
    with driver.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    """A fresh profile without a network."""
    made = browser.new_context(offline=True, reduced_motion="reduce")
    yield made
    made.close()


class Faults(list[str]):
    """What a page said to the console, or tried to fetch."""


@pytest.fixture
def show(context: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens the text of a page from a file; fails where it logs or fetches anything."""
    faults = Faults()
    count = iter(range(1000))

    def opened(text: str, **viewport: int) -> Any:
        path = tmp_path / f"page{next(count)}.html"
        path.write_text(text, encoding="utf-8")
        page = context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        page.on("console", lambda said: faults.append(said.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: _note(asked.url, path, faults))
        page.goto(path.as_uri())
        return page

    yield opened
    assert not faults


def _note(url: str, path: Path, faults: list[str]) -> None:
    if url != path.as_uri():
        faults.append(f"asked for {url}")
