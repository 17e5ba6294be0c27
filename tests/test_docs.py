"""Everything the documents show is run: Python, command lines and docstrings.

A ``python`` block is run as written, blocks of one page one after the other; where
it holds prompts, what it prints is compared.  In a ``console`` block each line that
starts with ``$ restride`` is run, beside a photograph called photo.png, and what
follows it is compared; ``...`` stands for anything, as in doctest.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import restride

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "tests" / "cases").glob("*.md")),
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(restride.__path__, "restride.")
    if not module.name.endswith(("__main__", "_native"))
)


SHOWN_AS = {"SliceSpec": "StridedSlice", "pool": "Pool"}
"""Public names that are another's, or a value of a class."""


@pytest.fixture(autouse=True)
def whole_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let doctest see an error's sentence and its notes, as later Pythons do: 3.11.2
    compares with the last line of the notes alone."""

    def told(kind: type[BaseException], error: BaseException) -> list[str]:
        lines = traceback.format_exception_only(kind, error)
        return lines if issubclass(kind, SyntaxError) else ["".join(lines)]

    words = {**vars(traceback), "format_exception_only": told}
    monkeypatch.setattr(doctest, "traceback", SimpleNamespace(**words))


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str


def blocks(language: str) -> list[Block]:
    """The fenced blocks of all pages in one language."""
    return [b for page in PAGES for b in _fenced(page) if b.language == language]


def _fenced(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(
        r"^```(\S*)[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE
    ):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, found[1], found[2])


def where(block: Block) -> str:
    return f"{block.page.relative_to(ROOT)}:{block.line}"


def photograph() -> Path:
    spec = find_spec("skimage")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("scikit-image, which brings the photograph, is not installed")
    return Path(spec.submodule_search_locations[0]) / "data" / "astronaut.png"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a page's code runs: a folder with the photograph and a model."""
    shutil.copy(photograph(), tmp_path / "photo.png")
    shutil.copy(ROOT / "tests" / "cases" / "models" / "branches.tflite", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------------------- Python


@pytest.mark.parametrize(
    "page", {b.page: None for b in blocks("python")}, ids=lambda p: str(p.name)
)
@pytest.mark.usefixtures("folder")
def test_python_blocks_run(page: Path) -> None:
    names: dict[str, Any] = {}
    for block in blocks("python"):
        if block.page != page:
            continue
        if ">>>" in block.text:
            compare(block, names)
        else:
            exec(compile(block.text, where(block), "exec"), names)


def compare(block: Block, names: dict[str, Any]) -> None:
    """Run a block with prompts; `names` carries on to the next one."""
    parsed = doctest.DocTestParser().get_doctest(
        block.text, names, where(block), str(block.page), block.line
    )
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    result = runner.run(parsed, out=told.append, clear_globs=False)
    names.update(parsed.globs)
    assert result.failed == 0, "".join(told)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    module = importlib.import_module(name)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for found in doctest.DocTestFinder().find(module, name):
        assert runner.run(found, out=told.append).failed == 0, "".join(told)


# --------------------------------------------------------------------- command lines


class Command(NamedTuple):
    """One line after a prompt, and what is shown beneath it."""

    line: str
    shown: str


def commands(block: Block) -> list[Command]:
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"{where(block)}: output before a command"
    return [Command(*part.partition("\n")[::2]) for part in parts[1:]]


@pytest.mark.parametrize("block", blocks("console"), ids=where)
def test_command_lines_print_what_is_shown(block: Block, folder: Path) -> None:
    for command in commands(block):
        words = shlex.split(command.line, comments=True)
        if words[0] != "restride":
            continue
        words = [sys.executable, "-m", *words]
        told = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, check=False
        )
        printed = told.stdout + told.stderr
        same = doctest.OutputChecker().check_output(command.shown, printed, FLAGS)
        assert same, f"{command.line} printed\n{printed}"


def test_the_readme_names_only_targets_that_make_has() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"`make ([\w-]+)", text))
        named |= set(re.findall(r"^\$ make ([\w-]+)", text, re.MULTILINE))
        assert named <= targets, f"{page.name}: {named - targets}"


@pytest.mark.parametrize("name", sorted(set(restride.__all__) - {"__version__"}))
def test_the_reference_has_every_public_name(name: str) -> None:
    pages = (ROOT / "docs" / "reference").glob("*.md")
    named = r"^\.\. auto\w+:: (restride\.(\w+\.)?)?" + SHOWN_AS.get(name, name) + "$"
    assert any(re.search(named, p.read_text("utf-8"), re.MULTILINE) for p in pages)


# ----------------------------------------------------------------------------- links


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"
    for name in re.findall(r"`((?:src|tests|docs|cpp|examples)/[\w./-]+\.\w+)`", text):
        assert (ROOT / name).exists(), f"{page.name}: {name}"
