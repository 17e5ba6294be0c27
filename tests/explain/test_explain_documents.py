"""The pictures of the documents are those the library draws now."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PAGES = Path(__file__).parent.parent.parent / "docs"


def script() -> ModuleType:
    """The script that draws them."""
    spec = importlib.util.spec_from_file_location(
        "draw", PAGES / "pictures" / "draw.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DRAWN = script().PICTURES


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_of_the_documents(name: str) -> None:
    kept = (PAGES / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert kept == DRAWN[name](), "draw again: python docs/pictures/draw.py"


def test_each_is_shown() -> None:
    page = (PAGES / "pictures.md").read_text(encoding="utf-8")
    shown = {name for name in DRAWN if f"pictures/{name}.svg" in page}
    shown |= {"strided_slice"}  # on its operator's page
    assert shown == set(DRAWN)
