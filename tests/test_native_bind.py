"""The extension binds moves as the definition in Python does, or refuses."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sanitize_run import random_shape, random_steps

import restride as rs
from restride.engines.bind import bind, bind_wide
from restride.layout.chain import Chain
from restride.plans.move import Move

native = pytest.importorskip("restride._native")


def random_moves(rng: random.Random, dtype: str) -> Iterator[Move]:
    """The moves of a chain, its bands, and its result in cells of a larger array.

    None of an empty result: engines are not asked for these.
    """
    x = np.zeros(random_shape(rng, 60), dtype)
    v = rs.view(x)
    for step in random_steps(rng, x.shape, 60)[0]:
        v = step.apply(v)
    if 0 in v.shape:
        return
    moves = list(rs.plan(v).moves)
    for band in moves[-1].bands:
        moves += [m for m in (band.scratch, band.move) if m is not None]
    yield from moves
    shape = moves[-1].shape
    larger = Chain.identity(tuple([2 * n + 3 for n in shape]))
    apart = [(rng.choice([0, 2]), rng.choice([1, 2]), n) for n in shape]
    turned = [(b + s * (n - 1), -s, n) if n > 1 else (b, s, n) for b, s, n in apart]
    region = larger.select(rng.choice([apart, turned])).maps[0]
    yield moves[-1]._replace(target=region, bands=())


def random_strides(rng: random.Random, shape: tuple[int, ...], size: int) -> Any:
    """Of rows, of columns, or any."""
    rows = np.empty(shape, f"V{size}").strides
    columns = np.empty(shape, f"V{size}", order="F").strides
    some = tuple([rng.randint(-999, 999) for _ in shape])
    return rng.choice([rows, rows, columns, some])


def test_programs_equal_those_of_the_definition() -> None:
    rng = random.Random(4)
    met = 0
    for round_ in range(200):
        size = rng.choice([1, 1, 2, 4, 8, 3])
        for move in random_moves(rng, f"V{size}"):
            source = random_strides(rng, move.map.source_shape, size)
            shape = move.map.shape if move.target is None else move.target.source_shape
            result = rng.choice([None, random_strides(rng, shape, size)])
            wanted = bind_wide(move, size, source, result)
            assert native.bind(move, size, source, result) == wanted, round_
            met += 1
    assert met > 200


def test_mirrors_turn_at_the_same_element() -> None:
    aligned = 0
    for before, after, n in itertools.product(range(7), range(7), range(1, 7)):
        v = rs.view(np.zeros((n, 3), "u2")).pad([(before, after), (1, 1)], "reflect")
        (move,) = rs.plan(v).moves
        wanted = bind_wide(move, 2, (6, 2), None)
        assert native.bind(move, 2, (6, 2), None) == wanted
        counts = [[p.count for p in axis.pieces] for axis in wanted.axes]
        aligned += counts != [[p.count for p in a.map.pieces] for a in move.map.axes]
    assert aligned > 20


def test_pixels_that_turn_are_one_element_in_both() -> None:
    rng = random.Random(5)
    widened = 0
    for channels in (2, 3, 4, 6, 12, 16, 5):
        for _ in range(20):
            shape = (rng.randint(1, 9), rng.randint(1, 9), channels)
            near, far = rng.choice([1, 1, 2, -2, 5]), rng.choice([1, 1, -2])
            v = rs.view(np.zeros(shape, "u1"))[::far, ::near]
            v = v.transpose(rng.choice([(1, 0, 2), None]))
            if rng.random() < 0.5:
                v = v.pad([(1, 2), (0, 1), (0, 0)], rng.choice(["wrap", "constant"]), 7)
            (move,) = rs.plan(v).moves
            source = np.zeros(shape, "u1").strides
            wanted = bind_wide(move, 1, source, None)
            assert native.bind(move, 1, source, None) == wanted
            widened += wanted != bind(move, 1, source, None)
    assert widened > 20


def test_pixels_that_turn_back_or_skip_are_one_element_in_both() -> None:
    rng = random.Random(6)
    widened = 0
    for channels in (3, 6, 12, 5):
        for _ in range(30):
            shape = (rng.randint(1, 9), rng.randint(1, 9), channels)
            v = rs.view(np.zeros(shape, "u1"))[:, :: rng.choice([-1, 2, -2, 1])]
            v = v.pad([(1, 2), (0, 2), (0, 0)], rng.choice(["edge", "constant"]), 7)
            (move,) = rs.plan(v).moves
            source = np.zeros(shape, "u1").strides
            result = rng.choice([None, (-99 * channels, -channels, 1)])
            wanted = bind_wide(move, 1, source, result)
            assert native.bind(move, 1, source, result) == wanted
            widened += wanted != bind(move, 1, source, result)
    assert widened > 20


def good_move() -> Move:
    v = rs.view(np.zeros((3, 4), "u1")).pad(1, "constant", 7)
    return rs.plan(v).moves[0]


def wrong_moves() -> Iterator[tuple[Any, str]]:
    """Moves that are none, and what is said of them."""
    move = good_move()
    m = move.map
    (first, second), (piece, *_) = m.axes, m.axes[0].map.pieces
    for none in ([], 3, "ab", list(move), ([], None), (m, 3)):
        yield none, "tuples"
    for short in ((), (m,), (tuple(m[:4]), None), (m, ())):
        yield short, "lacks an item"
    for axes in (3, [first], (3, 4), ((0, 3), second), ((0, (3,)), second)):
        yield (m._replace(axes=axes), None), "tuples"
    for axis in ((), (0,), (0, ()), (0, (((1, 2, 3),),))):
        yield (m._replace(axes=(axis, second)), None), "lacks an item"
    yield (m._replace(axes=(first,) * 65), None), "rank"
    yield (m._replace(axes=(first,) * 3), None), "no stride"
    for source in (2, -1, 2**40):
        yield (m._replace(axes=((source, first.map), second)), None), "no stride"
    yield (m._replace(base=(0, 0, 1)), None), "no stride"
    for begin in (2**61, -(2**61), 2**63):
        wild = ((0, ((piece._replace(begin=begin, fill=None),),)), second)
        yield (m._replace(axes=wild), None), "big"
    for count, step in ((2**62, 9), (-(2**63), -(2**63))):
        long = (piece._replace(count=4, fill=None), (2**63 - 1, 2**62, step, None))
        yield (m._replace(axes=((0, (long,)), second)), None), "big"
        row = ((count, step, step, None), (2**63 - 1, 0, step, None))
        yield (m._replace(axes=((0, (row,)), second)), None), "big"
    yield (m._replace(base=(2**62, 0)), None), "big"
    yield (m._replace(shape=(2**62, 2**62)), None), "big"
    yield (m._replace(background="0"), None), "integer"
    yield (m._replace(fills=(b"1",)), None), "value"
    yield (m._replace(fills=[]), None), "tuples"
    yield (
        (m._replace(fills=rs.view(np.zeros(1)).pad(1).chain.maps[0].fills), None),
        ("bytes"),
    )


@pytest.mark.parametrize(("move", "told"), list(wrong_moves()))
def test_wrong_moves_are_refused(move: Any, told: str) -> None:
    kinds = (ValueError, TypeError, OverflowError, AttributeError)
    with pytest.raises(kinds, match=told):
        native.bind(move, 4, (16, 4), None)


def test_wrong_strides_are_refused() -> None:
    move = good_move()
    for strides in ((4,), (), (1,) * 65, (2**63, 4), "ab", ("a", 4)):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            native.bind(move, 1, strides, None)
        with pytest.raises((ValueError, TypeError, OverflowError)):
            native.bind(move, 1, (4, 1), strides)
    with pytest.raises(OverflowError):
        native.bind(move, 2**62, (4, 1), None)
