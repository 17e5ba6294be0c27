"""Binding a move to memory: byte offsets, and short rows as wider elements."""

from __future__ import annotations

import numpy as np
import pytest

import restride as rs
from restride.engines.bind import widen
from restride.engines.program import Program, ProgramAxis, ProgramPiece


def program(channels: int, step: int = 1, itemsize: int = 1) -> Program:
    """Rows turned round, of `channels` elements each, with a fill before."""
    rows = (ProgramPiece(1, fill=0), ProgramPiece(5, 5 * channels, -channels))
    row = (ProgramPiece(channels, 2, step),)
    axes = (ProgramAxis(channels, rows), ProgramAxis(itemsize, row))
    return Program(itemsize, 7, 0, -1, axes, (b"\x09" * itemsize,))


@pytest.mark.parametrize("channels", [2, 4, 8, 16])
def test_a_short_row_becomes_one_element(channels):
    wide = widen(program(channels))
    assert wide.itemsize == channels
    assert wide.source_offset == 9
    assert wide.axes == program(channels).axes[:1]
    assert wide.fills == (b"\x09" * channels,)


@pytest.mark.parametrize("narrow", [program(3), program(32), program(4, step=2)])
def test_other_rows_stay(narrow):
    assert widen(narrow) is narrow


def test_pixels_arrive_whole(engine):
    x = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4)
    v = rs.view(x)[::-1].transpose(1, 0, 2).pad(((1, 2), (0, 0), (0, 0)), "constant", 9)
    wanted = np.pad(
        x[::-1].transpose(1, 0, 2), ((1, 2), (0, 0), (0, 0)), constant_values=9
    )
    np.testing.assert_array_equal(v.copy(), wanted)
    back = rs.plan(v).adjoint()(wanted)
    np.testing.assert_array_equal(back, x)
