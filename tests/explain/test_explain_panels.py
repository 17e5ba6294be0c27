"""Every cell that is drawn is what a copy holds, and what is elided is said."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from explained import VIEWS, stands, view
from hypothesis import given
from hypothesis import strategies as st

import restride as rs
from restride.explain.elide import kept
from restride.explain.panels import Room, panels, region_panels
from restride.explain.reached import Reached
from restride.explain.scene import scene
from restride.layout.constant import Constant

every = pytest.mark.parametrize("seen", VIEWS.values(), ids=VIEWS)


@every
@pytest.mark.parametrize("room", [Room(), Room(3, 3, 1), Room(40, 40, 40)])
def test_cells_are_what_a_copy_holds(seen: rs.View, room: Room) -> None:
    result = seen.copy()
    source, *_, made = panels(seen.chain, room)
    drawn = 0
    for panel, values in ((source, seen.array), (made, result)):
        assert panel["shape"] == list(values.shape)
        for plane in panel["planes"]:
            for r, cells in enumerate(plane["cells"]):
                for c, cell in enumerate(cells):
                    index = stands(panel, plane, r, c)
                    if None in index:
                        assert cell is None
                        continue
                    value = cell["constant"] if isinstance(cell, dict) else cell
                    assert value == values[index]
                    drawn += 1
    assert drawn or result.size == 0


@every
def test_what_is_left_out_is_counted(seen: rs.View) -> None:
    for panel in panels(seen.chain, Room(4, 5, 2)):
        count = prod(panel["shape"][:-2]) if prod(panel["shape"]) else 0
        assert len(panel["planes"]) + panel["hidden"] == count
        for plane in panel["planes"]:
            assert len(plane["rows"]) <= 4
            assert len(plane["columns"]) <= 5


def test_of_many_planes_those_that_are_read_are_drawn() -> None:
    seen = rs.view(np.arange(9 * 4 * 2 * 2).reshape(9, 4, 2, 2))[3:5, 1:2]
    source = panels(seen.chain)[0]
    assert [plane["at"] for plane in source["planes"]] == [[3, 1], [4, 1]]
    assert source["hidden"] == 34
    region = rs.SetValue((7, 0, 0), (9, 2, 2)).region((9, 2, 2))
    written = region_panels(region, (2, 2, 2))[1]
    assert [plane["at"] for plane in written["planes"]] == [[7], [8]]
    none = panels(seen[:0].chain)[0]
    assert len(none["planes"]) + none["hidden"] == 36


@every
def test_cells_marked_as_read_are_those_that_are_read(seen: rs.View) -> None:
    m = seen.chain.maps[0]
    reached = Reached(m)
    found = {
        int(np.ravel_multi_index(at, m.source_shape)) if at else 0
        for index in product(*(range(n) for n in m.shape))
        if not isinstance(at := m.at(index), Constant)
    }
    assert {k for k in range(prod(m.source_shape)) if reached.reads(k)} == found


@given(
    st.integers(1, 400),
    st.integers(1, 30),
    st.lists(st.integers(-5, 500), max_size=5),
)
def test_kept_positions(extent: int, places: int, joints: list[int]) -> None:
    told = kept(extent, places, joints)
    live = [k for k in told if k is not None]
    assert len(told) <= max(places, 3)
    assert live == sorted(set(live))
    assert {0, extent - 1} <= set(live) <= set(range(extent))
    for before, here, after in zip(told, told[1:], told[2:], strict=False):
        if here is None:
            assert before is not None
            assert after is not None
            assert after - before > 2
        elif before is not None:
            assert here == before + 1
    if extent <= places:
        assert live == list(range(extent))


def test_a_joint_is_drawn_before_what_lies_inside() -> None:
    told = kept(1000, 9, [500])
    assert {499, 500} <= set(told)


def test_a_region_write_shows_what_is_written_where() -> None:
    dst = np.arange(30).reshape(5, 6)
    src = np.arange(100, 104).reshape(2, 2)
    region = rs.SetValue((4, 1), (0, 6), (-2, 3)).region((5, 6))
    source, made = region_panels(region, (2, 2))
    assert source["planes"][0]["cells"] == [[0, 1], [2, 3]]
    rs.set_value(dst, src, (4, 1), (0, 6), (-2, 3))
    found = [
        [c["kept"] if isinstance(c, dict) else 100 + c for c in row]
        for row in made["planes"][0]["cells"]
    ]
    assert found == dst.tolist()


def test_huge_arrays_cost_what_is_drawn() -> None:
    seen = rs.view(np.broadcast_to(np.zeros((), np.int8), (10**6, 10**6, 10**5)))
    shown = panels(seen.pad(3, "reflect").windows((2, 2), axis=(0, 1)).chain)
    assert sum(len(p["planes"]) for p in shown) <= 4 * len(shown)
    assert view(7).shape == (7,)


def test_of_very_many_pieces_those_at_the_ends_are_told() -> None:
    seen = view(2).pad(3000, "reflect")
    axis = scene(seen.chain)["maps"][0]["axes"][0]
    pieces = axis["pieces"]
    assert axis["piece_count"] == len(seen.chain.maps[0].axes[0].map.pieces) > 1000
    assert len(pieces) == 1000
    assert (pieces[0]["first"], pieces[-1]["first"] + pieces[-1]["count"]) == (0, 6002)
    told = [p["first"] for p in pieces]
    assert told == sorted(told)
    assert f"and {axis['piece_count'] - 12} more pieces" in seen.explain()
    assert "more pieces" in seen.picture()
