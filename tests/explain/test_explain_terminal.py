"""On a terminal: colours that tie cells together, and lines no wider than it is."""

from __future__ import annotations

import re
from itertools import pairwise
from math import prod

import pytest
from explained import VIEWS, view

import restride as rs
from restride.explain.palette import HUES, INK, SHADES, Tint, colour, hexed, tint
from restride.explain.panels import panels
from restride.explain.subject import Reading, Writing, explain
from restride.explain.terminal.grids import grid_lines, room_of
from restride.explain.terminal.look import PLAIN, Look, look_of

FULL = 1 << 24
every = pytest.mark.parametrize("seen", VIEWS.values(), ids=VIEWS)
CODE = re.compile(r"\x1b\[[0-9;]*m")
CELL = re.compile(r"\x1b\[[0-9;]*48;2;(\d+);(\d+);(\d+)m *(\d+)\x1b\[0m")


@every
@pytest.mark.parametrize("width", [40, 57, 80, 120, 200])
@pytest.mark.parametrize("colours", [0, 16, 256, FULL])
def test_no_line_is_wider_than_the_terminal(
    seen: rs.View, width: int, colours: int
) -> None:
    told = explain(seen.chain, dtype=seen.dtype, look=Look(colours, width))
    for line in told.splitlines():
        assert len(CODE.sub("", line)) <= width
    assert ("\x1b" in told) == bool(colours)


@every
def test_a_cell_has_the_colour_of_its_source_cell(seen: rs.View) -> None:
    shape = seen.chain.source_shape
    look = Look(FULL, 200)
    told = grid_lines(panels(seen.chain, room_of(look, prod(shape))), shape, look)
    painted = [found for line in told for found in CELL.findall(line)]
    by_number: dict[str, set[tuple[str, ...]]] = {}
    for *rgb, number in painted:
        by_number.setdefault(number, set()).add(tuple(rgb))
    for number, colours in by_number.items():
        want = colour(tint(int(number), shape))
        assert colours == {tuple(map(str, want))}
    assert painted or not prod(seen.shape) or seen.chain.maps[-1].background is not None


def test_constants_are_hatched_and_not_tinted() -> None:
    chain = view(2).pad((1, 0), "constant", 7).chain
    told = list(grid_lines(panels(chain), (2,), Look(FULL, 80)))
    assert any("\x1b[2m ░7░" in line for line in told)
    plain = list(grid_lines(panels(chain), (2,), Look(0, 80, is_unicode=False)))
    assert any("[7]" in line for line in plain)
    assert all(line.isascii() for line in plain)


def test_an_odd_constant_cannot_paint_or_break_a_line() -> None:
    chain = view(2).pad((1, 0), "constant", "\x1b[31m\nlong long").chain
    for line in grid_lines(panels(chain), (2,), Look(0, 60)):
        assert line.isprintable()


def test_planes_of_higher_ranks_are_named() -> None:
    told = "\n".join(Reading(view(9, 3, 2, 2).chain).lines(Look(0, 100)))
    assert "x[0, 0, :, :]" in told
    assert "… 24 more" in told


def test_a_region_write_on_a_terminal() -> None:
    region = rs.SetValue((1, 2), (4, 4)).region((5, 5))
    told = "\n".join(Writing(region, (3, 2)).lines(Look(FULL, 80)))
    assert "writes (3, 2) in place" in told
    numbers = [found[3] for found in CELL.findall(told)]
    assert sorted(map(int, numbers)) == sorted([*range(6), *range(6)])


# ------------------------------------------------------------------ what it can show


@pytest.mark.parametrize(
    ("terminal", "environment", "colours", "width"),
    [
        (False, {}, 0, None),
        (False, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 0, None),
        (True, {"TERM": "xterm"}, 16, 80),
        (True, {"TERM": "screen-256color"}, 256, 80),
        (True, {"TERM": "xterm", "COLORTERM": "truecolor"}, FULL, 80),
        (True, {"TERM": "dumb"}, 0, 80),
        (True, {"NO_COLOR": "1", "TERM": "xterm"}, 0, 80),
        (True, {"NO_COLOR": "", "TERM": "xterm"}, 16, 80),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "3"}, 0, 80),
        (False, {"NO_COLOR": "1", "FORCE_COLOR": "3"}, 0, None),
        (False, {"FORCE_COLOR": "1"}, 16, 80),
        (False, {"FORCE_COLOR": "2"}, 256, 80),
        (False, {"FORCE_COLOR": "3", "COLUMNS": "132"}, FULL, 132),
        (False, {"FORCE_COLOR": "0"}, 0, None),
        (True, {"FORCE_COLOR": "0", "TERM": "xterm"}, 0, 80),
        (True, {"COLUMNS": "-7"}, 16, 80),
        (True, {"COLUMNS": "9" * 90}, 16, 80),
        (True, {"COLUMNS": "1"}, 16, 20),
    ],
)
def test_what_a_terminal_can_show(
    terminal: bool, environment: dict[str, str], colours: int, width: int | None
) -> None:
    assert look_of(terminal, environment)[:2] == (colours, width)


def test_columns_of_the_terminal_and_its_encoding() -> None:
    assert look_of(True, {}, 50).width == 50
    assert not look_of(True, {}, encoding="ascii").is_unicode


@every
def test_without_a_terminal_the_text_is_plain(seen: rs.View) -> None:
    assert explain(seen.chain, dtype=seen.dtype, look=PLAIN) == seen.explain()
    assert "\x1b" not in seen.explain()


def test_colour_that_is_asked_for() -> None:
    assert "\x1b[" in view(3).explain(colour=True)


# ------------------------------------------------------------------------ the palette

LINEAR = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""sRGB to XYZ under D65 (IEC 61966-2-1)."""

SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""How linear RGB looks at full severity: A Physiologically-based Model for Simulation
of Color Vision Deficiency, IEEE TVCG 15 (2009), table of severity 1.0."""

Triple = tuple[float, float, float]


def times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    a, b, c = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def linear(rgb: tuple[int, ...]) -> Triple:
    a, b, c = (
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
        for p in (part / 255 for part in rgb)
    )
    return a, b, c


def luminance(rgb: tuple[int, ...]) -> float:
    return times(LINEAR, linear(rgb))[1]


def lab(seen: Triple) -> Triple:
    clipped = tuple(min(1.0, max(0.0, part)) for part in seen)
    xyz = times(LINEAR, (clipped[0], clipped[1], clipped[2]))
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (v / w for v, w in zip(xyz, (0.95047, 1, 1.08883), strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("matrix", SIGHT.values(), ids=SIGHT)
@pytest.mark.parametrize("shade", range(SHADES))
def test_hues_are_told_apart_by_every_reader(
    matrix: tuple[Triple, ...], shade: int
) -> None:
    seen = [lab(times(matrix, linear(colour(Tint(hue, shade))))) for hue in range(HUES)]
    for k, one in enumerate(seen):
        for other in seen[:k]:
            apart = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
            assert apart >= 12


def test_in_grey_neighbouring_rows_and_shades_differ() -> None:
    def grey(hue: int, shade: int) -> float:
        return lab((luminance(colour(Tint(hue, shade))),) * 3)[0]

    for shade in range(SHADES):
        for before, after in pairwise([*range(HUES), 0]):
            assert abs(grey(before, shade) - grey(after, shade)) >= 8
    for hue in range(HUES):
        for before, after in pairwise(range(SHADES)):
            assert grey(hue, before) - grey(hue, after) >= 5


def test_ink_is_read_on_every_tint() -> None:
    for hue in range(HUES):
        for shade in range(SHADES):
            ground = luminance(colour(Tint(hue, shade)))
            assert (ground + 0.05) / (luminance(INK) + 0.05) >= 6.5
    assert hexed(INK) == "#141414"
