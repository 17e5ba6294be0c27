"""Binding a move to memory: byte offsets, and short rows as wider elements."""

from __future__ import annotations

from itertools import product

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


@pytest.mark.parametrize("channels", [2, 3, 4, 6, 8, 12, 16])
def test_a_short_row_becomes_one_element(channels):
    wide = widen(program(channels))
    assert wide.itemsize == channels
    assert wide.source_offset == 9
    assert wide.axes == program(channels).axes[:1]
    assert wide.fills == (b"\x09" * channels,)


@pytest.mark.parametrize("narrow", [program(5), program(32), program(4, step=2)])
def test_other_rows_stay(narrow):
    assert widen(narrow) is narrow


def turned(pixel: int, step: int, apart: int = 1) -> Program:
    """Pixels of `pixel` bytes whose rows become columns: 5 rows of 4, `apart` apart."""
    columns = (ProgramPiece(4, 0, apart * pixel),)
    rows = (ProgramPiece(2, fill=0), ProgramPiece(5, 0, step))
    axes = (
        ProgramAxis(7 * pixel, columns),
        ProgramAxis(pixel, rows),
        ProgramAxis(1, (ProgramPiece(pixel, 0, 1),)),
    )
    return Program(1, 0, 0, -1, axes, (b"\x09",))


@pytest.mark.parametrize("pixel", [3, 6, 12])
def test_odd_pixels_are_one_element_where_they_turn(pixel):
    wide = widen(turned(pixel, 4 * pixel))
    assert (wide.itemsize, len(wide.axes)) == (pixel, 2)
    stay = turned(pixel, pixel)
    assert widen(stay) is stay


@pytest.mark.parametrize("pixel", [3, 6, 12])
@pytest.mark.parametrize("apart", [2, -2, 5, -5])
def test_odd_pixels_some_apart_are_one_element_where_they_turn(pixel, apart):
    wide = widen(turned(pixel, 10 * pixel, apart))
    assert (wide.itemsize, len(wide.axes)) == (pixel, 2)
    for stay in turned(pixel, 3 * pixel, apart), turned(pixel, 999, 64 // pixel + 1):
        assert widen(stay) is stay


def row_of(pixel: int, step: int, stride: int) -> Program:
    """Rows of five pixels of `pixel` bytes, `step` apart in the source."""
    axes = (
        ProgramAxis(40 * pixel, (ProgramPiece(2, 0, 99 * pixel),)),
        ProgramAxis(stride, (ProgramPiece(2, fill=0), ProgramPiece(5, 0, step))),
        ProgramAxis(1, (ProgramPiece(pixel, 0, 1),)),
    )
    return Program(1, 0, 0, -1, axes, (b"\x09",))


@pytest.mark.parametrize("pixel", [3, 6, 12])
@pytest.mark.parametrize("ahead", [1, -1])
def test_odd_pixels_are_one_element_where_rows_turn_or_skip(pixel, ahead):
    stride = ahead * pixel
    for times in (-1, 0, 2):
        wide = widen(row_of(pixel, times * stride, stride))
        assert (wide.itemsize, len(wide.axes)) == (pixel, 2)
    for times in (1, 3, -2):
        stay = row_of(pixel, times * stride, stride)
        assert widen(stay) is stay
    apart = row_of(pixel, -pixel, 2 * pixel)
    assert widen(apart) is apart


@pytest.mark.parametrize("width", [1, 2, 5, 17, 40, 400])
@pytest.mark.parametrize("dtype", ["u1", "u2", "f4"])
def test_pixels_of_three_channels_are_mirrored_and_padded(engine, width, dtype):
    x = np.arange(30 * width * 3).astype(dtype).reshape(30, width, 3)
    for index in np.s_[:, ::-1], np.s_[::-1, ::-1], np.s_[:, ::2], np.s_[:, ::-2]:
        np.testing.assert_array_equal(rs.slice(x, index), x[index])
    pads = ((0, 0), (width - 1, width // 2), (0, 0))
    for mode in ("reflect", "edge"):
        wanted = np.pad(x, pads, mode)
        np.testing.assert_array_equal(rs.pad(x, pads, mode=mode), wanted)
    mirrored = rs.view(x)[:, ::-1].pad(pads, "constant", 7).copy()
    wanted = np.pad(x[:, ::-1], pads, constant_values=7)
    np.testing.assert_array_equal(mirrored, wanted)


@pytest.mark.parametrize("shape", [(5, 7), (64, 128), (300, 261), (300, 4), (3, 300)])
@pytest.mark.parametrize("dtype", ["u1", "u2", "f4"])
def test_pixels_of_three_channels_turn(engine, shape, dtype):
    x = np.arange(np.prod(shape) * 3).astype(dtype).reshape(*shape, 3)
    turned = rs.view(x).transpose(1, 0, 2)
    for rows, columns in product((1, -1, 2, -3, 7), repeat=2):
        given = turned[::rows, ::columns].copy()
        wanted = x.transpose(1, 0, 2)[::rows, ::columns]
        np.testing.assert_array_equal(given, wanted)


def test_pixels_arrive_whole(engine):
    x = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4)
    v = rs.view(x)[::-1].transpose(1, 0, 2).pad(((1, 2), (0, 0), (0, 0)), "constant", 9)
    wanted = np.pad(
        x[::-1].transpose(1, 0, 2), ((1, 2), (0, 0), (0, 0)), constant_values=9
    )
    np.testing.assert_array_equal(v.copy(), wanted)
    back = rs.plan(v).adjoint()(wanted)
    np.testing.assert_array_equal(back, x)
