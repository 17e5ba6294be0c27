"""A page's text: one file, closed to the network, of bounded size, hostile or not."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from math import prod
from typing import Any

import numpy as np
import pytest

import restride as rs
from restride.errors import UnsupportedError
from restride.explain.html import assets, fragment, page
from restride.explain.subject import Reading
from restride.explain.telling import MOST_STEPS, Told
from restride.explain.web.assets import (
    SCRIPTS,
    bare,
    embedded_json,
    read,
    script,
    style,
)

MOST_BYTES = 200_000
"""Largest page, for the longest chain that is told step by step."""

VOID = ("meta", "br", "img", "input")


class Tree(HTMLParser):
    """Checks that tags close in order; keeps attributes, and texts by tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def all(self, tag: str) -> list[str]:
        return [text for at, text in self.texts if at == tag]


def view(*shape: int) -> rs.View:
    return rs.view(np.arange(prod(shape), dtype=np.float32).reshape(shape))


def long_chain() -> rs.View:
    made = view(6, 7)
    for k in range(MOST_STEPS):
        made = made.pad([[1, 1], [0, 2]], "reflect")[1:-1, :-2] if k % 2 else made[::-1]
    return made


MADE = {
    "scalar": view(),
    "empty": view(0, 3).pad([[0, 0], [1, 1]]),
    "no step": view(3),
    "slice": view(3, 4)["1, ::-1, None"],
    "constants": view(2, 2).pad(1, "constant", [[1, 2], [3, float("nan")]]),
    "planes": view(2, 3, 2, 2).transpose(),
    "cut": view(8).pad(2, "reflect").windows(3).reshape(-1),
    "unknown steps": view(3).pad(iter([1, 2]), "edge"),
    "long": long_chain(),
    "large": rs.view(np.broadcast_to(np.uint8(0), (2**20, 2**20))).pad(9, "reflect"),
    "many pieces": view(3).pad(9999, "wrap"),
    "rank 40": rs.view(np.zeros((1,) * 40)).flip(),
}
every = pytest.mark.parametrize("made", MADE.values(), ids=MADE)


@every
def test_a_page_is_whole_and_small(made):
    text = made.html()
    tree = Tree(text)
    assert len(text.encode()) < MOST_BYTES
    assert text.count("</script") == len(tree.all("script")) <= 2
    assert tree.all("h1") == [f"restride: {made.array.shape} to {made.shape}"]
    assert not [a for a in tree.attributes if a[1] in ("src", "href", "style", "id")]
    assert not [a for a in tree.attributes if a[1].startswith("on")]


@every
def test_the_live_part_holds_the_steps(made):
    data = [json.loads(t) for t in Tree(made.html()).all("script") if t[0] == "{"]
    if not data:
        assert made is MADE["many pieces"] or made is MADE["unknown steps"]
        return
    (held,) = data
    assert held["shape"] == [str(n) for n in made.array.shape]
    if made.steps and len(made.steps) <= MOST_STEPS:
        assert [s["label"] for s in held["steps"]] == [s.text() for s in made.steps]


def test_the_policy_lets_its_own_script_and_style_run_and_nothing_else():
    text = view(3).pad(1).html()
    (policy,) = re.findall(r'Policy" content="([^"]*)"', text)
    rules = dict(
        rule.strip().split(" ", 1) for rule in html.unescape(policy).split(";")
    )
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    tree = Tree(text)
    for kind, held in (
        ("script", tree.all("script")[-1]),
        ("style", tree.all("style")[0]),
    ):
        digest = base64.b64encode(hashlib.sha256(held.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"


def test_the_page_names_no_address_and_calls_nothing():
    for name in (*SCRIPTS, "style.css", "tables.css", "page.html"):
        text = read(name)
        assert not re.search(r"https?:|//[a-z]|url\(|@import", text), name
        assert not re.search(r"\b(fetch|eval|XMLHttpRequest|innerHTML)\b", text), name


HOSTILE = (
    "</script><script>x()</script>",
    '"><img src=x onerror=x()>',
    "' onmouseover='x()",
    "<!-- --> ]]> & &lt; \u2028\u2029 \x00\x1b[31m",
    "é漢\U0001f600" * 500,
    "${title} $script $$",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_texts(text):
    made = view(2).pad(1, "constant", text)
    told = [Told(text, Reading(made.chain), made.steps[0].operator(), text)]
    shown = page(told, made.chain, title=text)
    tree = Tree(shown)
    assert not [a for a in tree.attributes if a[1].startswith("on") or a[1] == "src"]
    assert len(tree.all("script")) == 2
    assert json.loads(tree.all("script")[0])["steps"][0]["label"] == text[:300]
    assert not [a for a in Tree(made._repr_html_()).attributes if a[1] == "src"]


@pytest.mark.parametrize("value", [*HOSTILE, ["<", ">"], {"a": "&'"}])
def test_embedded_json_reads_back_and_holds_no_markup(value):
    text = embedded_json(value)
    assert json.loads(text) == value
    assert not set("<>&'") & set(text)
    assert text.isascii()


def test_a_notebook_picture_is_small_has_no_script_and_its_own_name():
    first, second = view(4, 5).pad(1)._repr_html_(), view(4, 5).pad(1)._repr_html_()
    assert len(first) < 25_000
    assert "<script" not in first
    names = re.findall(r'id="(restride-\w+)"', first + second)
    assert len(set(names)) == len(names) == 2
    Tree(first)


@every
def test_every_view_has_a_notebook_picture(made):
    text = made._repr_html_()
    assert len(text) < 40_000
    tree = Tree(text)
    assert html.unescape(repr(made)) in "".join(tree.all("code"))


def test_static_cells_are_those_of_the_result():
    made = view(2, 3).pad([[0, 1], [1, 0]], "constant", 7)
    tree = Tree(fragment([], made.chain))
    told = [text for tag, text in tree.texts if tag == "td"]
    assert told[:6] == list("012345")
    expected = ["7", "0", "1", "2", "7", "3", "4", "5", "7", "7", "7", "7"]
    assert told[6:] == expected


def test_pictures_of_one_page_share_what_they_need():
    text = assets() + fragment([], view(3).chain) + fragment([], view(4).chain)
    assert text.count(style()) == 1
    assert text.count(script()) == 1
    Tree(text)


def test_a_page_goes_into_a_file_whole_or_not_at_all(tmp_path):
    path = tmp_path / "page.html"
    text = view(3).html(path)
    assert path.read_text(encoding="utf-8") == text
    with pytest.raises(UnsupportedError, match="cannot be written"):
        view(3).html(tmp_path / "none" / "page.html")
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("name", ["view.svg", "view", 3])
def test_a_page_has_the_name_of_a_page(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnsupportedError, match="html"):
        view(3).html(name)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_every_script_is_javascript(tmp_path):
    path = tmp_path / "page.js"
    path.write_text(script(), encoding="utf-8")
    told = subprocess.run(["node", "--check", path], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_short_and_commented_and_the_page_carries_no_comment(name):
    text = read(name)
    assert text.count("\n") <= 400
    assert text.startswith("// ")
    assert not re.search(r"^ *(//|/\*)", bare(name), re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 92


class Command:
    """The command line tool, in this process."""

    def __call__(self, *words: str) -> Any:
        from click.testing import CliRunner

        from restride.cli.app import app

        return CliRunner().invoke(app, list(words), catch_exceptions=False)


def test_the_tool_writes_a_page_of_every_step(tmp_path):
    path, src = tmp_path / "page.html", tmp_path / "src.npy"
    np.save(src, np.ones((1, 2), np.float32))
    write = ("set-value", str(src), "--starts", "0,0", "--ends", "2,2")
    words = ("--shape", "3,4", "--html", str(path), "flip", "0", *write, "pad", "1")
    assert Command()("explain", *words).exit_code == 0
    tree = Tree(path.read_text(encoding="utf-8"))
    held = json.loads(tree.all("script")[0])
    assert [s["op"] for s in held["steps"]] == ["strided_slice", "set_value", "pad"]
    assert held["dtype"] == "float32"


def test_masks_go_into_the_page_as_they_were_given(tmp_path):
    path = tmp_path / "page.html"
    masks = ("--begin", "5,9", "--end", "0,9", "--strides", "-1,1", "--end-mask", "1")
    words = ("--shape", "3,4", "--html", str(path), "strided-slice", *masks)
    assert Command()("explain", *words).exit_code == 0
    held = json.loads(Tree(path.read_text(encoding="utf-8")).all("script")[0])
    params = held["steps"][0]["params"]
    assert params["begin"] == ["5", "9"]
    assert (params["end_mask"], params["begin_mask"]) == ("1", "0")
