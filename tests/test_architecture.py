"""The structure, read from the imports and names: who may know whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "restride"

MAY_IMPORT = {
    "errors": "",
    "packages": "errors",
    "checks": "errors",
    "layout": "layout checks errors",
    "ops": "ops layout checks errors",
    "endless": "checks errors",
    "arrays": "arrays endless checks errors",
    "constants": "constants endless checks errors",
    "plans": "plans layout errors",
    "engines": "engines plans layout arrays errors _native",
    "explain": "explain plans ops layout checks errors",
    "memo": "",
    "history": "ops layout checks errors",
    "export": "export packages plans layout constants checks errors",
    "limit": "engines plans layout errors",
    "shown": "history limit blocks explain layout errors",
    "strided": "engines layout arrays checks errors",
    "lazy": "memo history shown blocks explain export strided engines plans ops layout "
    "arrays constants checks errors",
    "settings": "engines checks errors _native",
    "calls": "lazy engines layout arrays constants errors",
    "api": "calls lazy engines plans ops layout arrays constants checks errors",
    "targets": "targets checks errors",
    "dialects": "dialects targets api calls lazy ops layout arrays constants checks "
    "errors",
    "translate": "translate packages dialects targets api lazy ops layout arrays "
    "checks errors",
    "conform": "conform dialects targets arrays checks errors",
    "bench": "bench errors",
    "blocks": "blocks packages api calls lazy explain engines plans ops layout arrays "
    "constants checks errors",
    "dask": "blocks",
    "xarray": "blocks",
    "zarr": "blocks",
    "models": "models packages translate dialects targets export explain api lazy "
    "engines plans ops layout arrays constants checks errors",
    "cli": "cli limit shown api lazy history explain engines plans ops layout arrays "
    "constants settings checks errors targets dialects translate conform bench blocks "
    "models export",
}
"""Downward only.  Each room names those it may import; `cli` sees all."""

NUMPY_FREE = ("errors", "checks", "layout", "ops", "plans", "explain")
"""Rooms of plain integers."""

BLOCK_ALGEBRA = (
    "boxes",
    "components",
    "cost",
    "forecast",
    "grid",
    "intervals",
    "lanes",
    "merges",
    "parts",
    "regimes",
    "reread",
    "restrict",
    "enough",
    "rungs",
    "totals",
    "whole_chunks",
)
"""Files of `blocks` that are plain integers, below views."""

OPERATOR_WORDS = (
    "as_?strided|strided_?slice|set_?value|reflect|symmetric|\\bedge\\b|\\bwrap\\b"
    "|\\bpad(s|ding|dings)?\\b|\\bpadded\\b"
)
"""Words of operators and modes; the engine room knows none of them."""


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def rooms_imported(path: Path) -> set[str]:
    ours = [name.split(".") for name in imported(path)]
    return {name[1] for name in ours if name[0] == "restride" and len(name) > 1}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_run_downward(path):
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    assert here in MAY_IMPORT, f"{here} is a room the table does not name"
    extra = rooms_imported(path) - set(MAY_IMPORT[here].split())
    if here == "cli":
        extra -= {"__version__"} | set(MAY_IMPORT) | public_names()
    assert not extra, f"{path.name} may not import {extra}"


def public_names() -> set[str]:
    import restride

    return set(restride.__all__)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_numpy_is_met_in_the_engine_room_first(path):
    if room(path) in NUMPY_FREE:
        assert not [name for name in imported(path) if name.split(".")[0] == "numpy"]


@pytest.mark.parametrize("name", BLOCK_ALGEBRA)
def test_the_algebra_of_blocks_knows_no_array_and_no_view(name):
    """So that a view may ask it what blocks would cost, and no circle closes."""
    path = SOURCE / "blocks" / f"{name}.py"
    assert rooms_imported(path) <= {"blocks", "explain", "layout", "checks", "errors"}
    ours = {n.split(".")[2] for n in imported(path) if n.startswith("restride.blocks.")}
    assert ours <= set(BLOCK_ALGEBRA)
    assert not [n for n in imported(path) if n.split(".")[0] == "numpy"]


def test_the_algebra_loads_without_numpy_or_the_extension():
    code = (
        "import sys, restride, restride.layout, restride.ops, restride.plans;"
        "print(sorted({'numpy', 'restride._native'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == "[]", told


def test_the_extension_exports_bind_two_actions_what_is_known_and_settings():
    native = pytest.importorskip("restride._native")
    names = {name for name in dir(native) if not name.startswith("_")}
    assert names == {
        "Known",
        "add",
        "bind",
        "copy",
        "pool_clear",
        "pool_limit",
        "pool_stats",
        "remember_calls",
        "remembered_calls",
        "threads",
        "words_of",
    }


@pytest.mark.parametrize(
    "folder", ["cpp", "src/restride/plans", "src/restride/engines"]
)
def test_the_engine_room_knows_no_operator_and_no_mode(folder):
    paths = [
        p for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".cpp", ".hpp")
    ]
    assert paths
    for path in paths:
        text = path.read_text()
        found = re.search(OPERATOR_WORDS, without_doctests(text), re.IGNORECASE)
        assert not found, f"{path} speaks of {found}"


def without_doctests(text: str) -> str:
    return "\n".join(t for t in text.splitlines() if not t.strip().startswith(">>>"))


def test_only_one_folder_sees_python_headers():
    for path in (ROOT / "cpp").rglob("*.?pp"):
        if path.parent.name != "python":
            assert "Python.h" not in path.read_text(), path
            assert "nanobind" not in path.read_text(), path


def test_the_plain_functions_are_short():
    tree = ast.parse((SOURCE / "api.py").read_text())
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    assert functions
    for function in functions:
        assert code_lines(function) <= 12, function.name


def code_lines(function: ast.FunctionDef) -> int:
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert code_lines(node) <= 60, node.name


def test_the_map_of_the_engine_names_every_file():
    named = set(
        re.findall(r"`([\w/]+\.[ch]pp)`", (ROOT / "docs/engine.md").read_text())
    )
    cpp = ROOT / "cpp"
    assert named == {str(p.relative_to(cpp)) for p in cpp.rglob("*.?pp")}
