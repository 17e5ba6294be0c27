"""Pictures: well formed, nothing over anything else, each cell in its colour."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from explained import VIEWS, view

import restride as rs
from restride.cli import main
from restride.explain.drawing.items import Box, Drawing, Words, words_width
from restride.explain.palette import colour, hexed, tint
from restride.explain.picture import Picture, compose
from restride.explain.subject import Reading, Subject, Writing

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert('&')</script>\x00\x1b[31m\n" + "long " * 100
REGION = Writing(
    rs.SetValue((4, 1), (0, 6), (-2, 3)).region((5, 6)), (2, 1), np.dtype("u1")
)
SUBJECTS: dict[str, Subject] = {
    **{name: Reading(seen.chain, seen.dtype) for name, seen in VIEWS.items()},
    "five strides": Reading(view(2, 2, 2, 3, 3).transpose(4, 3, 2, 1, 0).chain),
    "backwards": Reading(view(30).as_strided((3, 2, 2), (-5, 2, -1), 20).chain),
    "long constant": Reading(view(2).pad(3, "constant", HOSTILE).chain),
    "many pieces": Reading(view(2).pad(100, "reflect").chain),
    "large numbers": Reading(
        rs.view(np.broadcast_to(np.int8(0), (10**9, 10**9))).pad(2, "wrap").chain
    ),
    "write": REGION,
    "write all": Writing(rs.SetValue((0,), (4,)).region((4,)), (4,)),
    "write nothing": Writing(rs.SetValue((1,), (1,)).region((4,)), (0,)),
}
every = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)


def box_of(words: Words) -> tuple[float, float, float, float]:
    wide = words_width(words.text, words.size)
    left = words.x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    return left, words.y - 0.75 * words.size, left + wide, words.y + 0.2 * words.size


def words_of(drawing: Drawing) -> list[Words]:
    return [item for item in drawing.items if isinstance(item, Words)]


@every
def test_no_words_stand_over_others_or_off_the_page(subject: Subject) -> None:
    drawing = compose([subject], [HOSTILE, "pad 1"]).drawing
    boxes = [(box_of(w), w.text) for w in words_of(drawing)]
    for k, ((left, top, right, low), text) in enumerate(boxes):
        assert left >= 0, text
        assert top >= 0, text
        assert right <= drawing.width, text
        assert low <= drawing.height, text
        for (l2, t2, r2, b2), other in boxes[:k]:
            apart = right <= l2 or r2 <= left or low <= t2 or b2 <= top
            assert apart, (text, other)


@every
def test_words_stay_in_their_cells(subject: Subject) -> None:
    items = compose([subject]).drawing.items
    cells = [b for b in items if isinstance(b, Box) and b.told]
    middles = {
        (round(b.x + b.width / 2, 3), round(b.y + b.height / 2 + 4, 3)): b
        for b in cells
    }
    found = 0
    for words in words_of(compose([subject]).drawing):
        cell = middles.get((round(words.x, 3), round(words.y, 3)))
        if cell is not None:
            found += 1
            assert words_width(words.text, words.size) <= cell.width
    assert found == len(cells)


@every
def test_svg_is_well_formed_and_ties_cells_by_colour(subject: Subject) -> None:
    text = compose([subject], [HOSTILE]).svg()
    root = ElementTree.fromstring(text)
    assert not list(root.iter(f"{SVG}script"))
    assert root.find(f"{SVG}title") is not None
    fills: dict[int, set[str]] = {}
    for cell in root.iter(f"{SVG}rect"):
        told = cell.find(f"{SVG}title")
        if told is None or told.text is None:
            continue
        named = re.fullmatch(r"(x|t\d+|y|src)\[.*\]: element (\d+)", told.text)
        if named and cell.get("fill") != "#ffffff":
            fills.setdefault(int(named[2]), set()).add(str(cell.get("fill")))
        if "constant" in told.text:
            assert cell.get("fill") == "url(#hatch)"
    for element, found in fills.items():
        assert found == {hexed(colour(tint(element, subject.source_shape)))}
    assert compose([subject], [HOSTILE]).svg() == text


def test_the_strip_has_the_colours_of_the_grid() -> None:
    root = ElementTree.fromstring(compose([SUBJECTS["as_strided"]]).svg())
    strip = {
        told.text.split()[-1]: cell.get("fill")
        for cell in root.iter(f"{SVG}rect")
        if (told := cell.find(f"{SVG}title")) is not None
        and told.text
        and told.text.startswith("x: element")
    }
    assert len(strip) == 9
    for element in (2, 4, 5, 7):
        assert strip[str(element)] == hexed(colour(tint(element, (3, 3))))
    assert strip["0"] == "#ffffff"


def test_offset_and_strides_are_written() -> None:
    text = compose([SUBJECTS["as_strided"]]).svg()
    for words in ("offset 2, strides (2, 3)", ">j: +3<", ">i: +2<", ">offset 2<"):
        assert words in text
    text = compose([SUBJECTS["backwards"]]).svg()
    for words in (">k: -1<", ">j: +2<", ">i: -5<", ">offset 20<"):
        assert words in text


def test_an_axis_that_bends_is_told_by_its_pieces() -> None:
    text = compose([SUBJECTS["reflect"]]).svg()
    assert "a(i): position on axis 0 of x at each position of axis 0 of y" in text
    assert "0..2: i + 1" in text
    assert "polygon" in text


def test_a_cut_is_told() -> None:
    text = compose([SUBJECTS["cut"]]).svg()
    assert "cut: t1 (12,) is written first" in text
    assert "t1[0]: element 2" in text


def test_what_a_reader_without_eyes_is_told() -> None:
    made = compose([SUBJECTS["reflect"]], ["pad 5 --mode reflect"])
    assert made.title == "(4, 3) -> (14, 13)"
    assert made.told == "pad 5 --mode reflect; y[i, j] = x[a(i), b(j)]"


def test_a_picture_of_several_subjects() -> None:
    made = compose([SUBJECTS["reflect"], REGION])
    assert "src[0, 0]: element 0" in made.svg()
    assert made.title == "(4, 3) -> (5, 6)"


# -------------------------------------------------------------------------- the files


def pixels(made: Picture) -> np.ndarray:
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(io.BytesIO(made.png())).convert("RGB"))


@pytest.mark.parametrize("name", ["reflect", "constants", "as_strided", "write", "cut"])
def test_png_has_the_same_cells(name: str) -> None:
    made = compose([SUBJECTS[name]])
    image = pixels(made)
    assert image.shape == (
        round(made.drawing.height * 2),
        round(made.drawing.width * 2),
        3,
    )
    seen = 0
    for item in made.drawing.items:
        if isinstance(item, Box) and item.told and item.fill:
            corner = image[round(item.y * 2) + 5, round(item.x * 2) + 5]
            assert tuple(corner) == item.fill
            seen += 1
    assert seen > 4


def test_png_hatches_constants() -> None:
    made = compose([SUBJECTS["constants"]])
    image = pixels(made)
    hatched = [
        b for b in made.drawing.items if isinstance(b, Box) and b.hatched and b.told
    ]
    assert hatched
    for box in hatched:
        part = image[
            round(box.y * 2) + 4 : round((box.y + box.height) * 2) - 4,
            round(box.x * 2) + 4 : round((box.x + box.width) * 2) - 4,
        ].mean(axis=2)
        assert part.min() < 160
        assert part.max() > 250


def test_files_are_written_whole_and_by_suffix(tmp_path: Path) -> None:
    seen = view(3, 4).pad(1, "edge")
    text = seen.picture(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == text == seen.picture()
    assert ">pad(1, 'edge')<" in text
    pytest.importorskip("PIL")
    seen.picture(str(tmp_path / "a.PNG"))
    assert (tmp_path / "a.PNG").read_bytes()[:4] == b"\x89PNG"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.PNG", "a.svg"]


@pytest.mark.parametrize(
    "name", ["a.gif", "a", "", ".svg", 7, b"a.svg", "a\0.svg", "no/a.svg"]
)
def test_files_that_cannot_be(
    name: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.UnsupportedError):
        view(3).picture(name)
    assert not list(tmp_path.iterdir())


def test_without_pillow_a_png_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(rs.UnsupportedError, match=r"restride\[image\]"):
        view(3).picture(tmp_path / "a.png")
    assert view(3).picture(tmp_path / "a.svg")


def test_the_tool_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(tmp_path / "p.svg")
    words = ["explain", "--shape", "3,4", "pad", "1", "slice", "::2", "--picture", name]
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    text = (tmp_path / "p.svg").read_text()
    assert "1. pad 1" in text
    assert "2. slice ::2" in text


def test_the_tool_draws_beside_a_run_and_never_over_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = str(tmp_path / "a.npy"), str(tmp_path / "b.npy")
    np.save(source, np.arange(6))
    name = str(tmp_path / "p.svg")
    assert main(["run", source, "pad", "1", "-o", out, "--picture", name]) == 0
    assert ">pad 1<" in (tmp_path / "p.svg").read_text()
    assert main(["run", source, "flip", "0", "-o", name, "--picture", name]) == 2
    assert "name two files" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["p.svg", "p.html"])
def test_a_pipe_is_not_replaced_by_a_picture(tmp_path, name):
    os.mkfifo(tmp_path / name)
    v = rs.view(np.arange(3))
    with pytest.raises(rs.UnsupportedError, match="is not a file"):
        (v.picture if name == "p.svg" else v.html)(tmp_path / name)
    assert (tmp_path / name).is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == [name]
