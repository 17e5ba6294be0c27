"""Chains of steps over a view: every engine and thread count gives the definition."""

from __future__ import annotations

from typing import Any

import chains
import numpy as np
import oracle
import pytest
from chains import Chain
from hypothesis import example, given
from hypothesis import strategies as st
from samples import (
    DTYPES,
    ENGINES,
    LAYOUTS,
    Array,
    cells,
    different,
    elements,
    engine_exists,
    fresh,
    laid_out,
    raw,
    turned,
    under,
    values,
)

import restride as rs
from restride.engines import run
from restride.layout import axis

HERE = tuple(e for e in ENGINES if engine_exists(e[0]))


@given(chain=chains.chains())
def test_every_engine_gives_the_definition(chain: Chain) -> None:
    x = fresh(chain.shape, chain.dtype, chain.layout)
    before = raw(x)
    expected = chain.define(cells(x))
    v = chain.view(x)
    assert v.shape == expected.shape
    assert v.dtype == x.dtype
    for engine, threads in HERE:
        with under(engine, threads):
            made = v.copy()
        assert different(made, expected) is None, engine
        assert made.dtype == x.dtype
        assert made.flags.c_contiguous
    assert raw(x) == before


@given(chain=chains.chains(most=4), layout=st.sampled_from(LAYOUTS[:5]))
def test_out(chain: Chain, layout: str) -> None:
    x = fresh(chain.shape, chain.dtype, chain.layout)
    expected = chain.define(cells(x))
    v = chain.view(x)
    for engine, threads in HERE:
        out = laid_out(np.zeros(expected.shape, x.dtype), layout)
        with under(engine, threads):
            assert v.copy(out=out) is out
        assert different(out, expected) is None, engine


@given(chain=chains.chains(most=4), shift=st.integers(-3, 40), turn=st.booleans())
@example(Chain((4,), DTYPES[0], "rows", (chains.flipped(None),)), 0, False)
def test_out_that_overlaps_its_source(chain: Chain, shift: int, turn: bool) -> None:
    """The result is that of copying the source first."""
    size = oracle.size_of(chain.shape)
    shape = chain.define(oracle.numbered(chain.shape)).shape
    total = 60 + size + oracle.size_of(shape)
    for engine, threads in HERE:
        memory = values(total, chain.dtype)
        x = memory[20 : 20 + size].reshape(chain.shape)
        start = 20 + min(shift, 19 + size)
        out = memory[start : start + oracle.size_of(shape)].reshape(shape)
        out = turned(out) if turn else out
        expected = chain.define(cells(x))
        with under(engine, threads):
            chain.view(x).copy(out=out)
        assert different(out, expected) is None, engine


@given(chain=chains.chains(), seed=st.integers(0, 3))
def test_a_view_of_memory_shows_the_definition(chain: Chain, seed: int) -> None:
    """as_numpy, where it exists, copies nothing; np.asarray always makes a new one."""
    x = fresh(chain.shape, chain.dtype, chain.layout, seed)
    expected = chain.define(cells(x))
    v = chain.view(x)
    made = np.asarray(v)
    assert different(made, expected) is None
    assert not np.shares_memory(made, x)
    if v.is_affine:
        seen = v.as_numpy()
        assert different(seen, expected) is None
        if seen.size:
            assert np.may_share_memory(seen, x)
        if seen.flags.writeable:
            assert len(set(addresses(seen))) == seen.size
    else:
        with pytest.raises(rs.UnsupportedError):
            v.as_numpy()


def addresses(x: Array) -> list[int]:
    """The offset in memory of every element."""
    return [
        sum(i * s for i, s in zip(index, x.strides, strict=True))
        for index in oracle.indices(x.shape)
    ]


@given(chain=chains.chains(), layout=st.sampled_from(LAYOUTS[:7]))
def test_a_plan_does_not_depend_on_memory(chain: Chain, layout: str) -> None:
    """One plan, made over rows, runs over any layout of the same shape and dtype."""
    plan = rs.plan(chain.view(fresh(chain.shape, chain.dtype)))
    x = fresh(chain.shape, chain.dtype, layout)
    expected = chain.define(cells(x))
    for engine, threads in HERE:
        with under(engine, threads):
            assert different(plan(x), expected) is None, engine


@given(chain=chains.chains())
def test_moves_are_cuts_and_one(chain: Chain) -> None:
    x = fresh(chain.shape, chain.dtype)
    v = chain.view(x)
    plan = rs.plan(v)
    before = run.counter()
    plan(x)
    assert run.counter() - before == plan.cuts + 1
    before = run.counter()
    v.copy()
    assert run.counter() - before == plan.cuts + 1


# ------------------------------------------------------- large enough for two threads


def _large() -> list[tuple[str, tuple[chains.Step, ...]]]:
    sides = [(5, 70), (90, 3)]
    return [
        ("flip", (chains.flipped(None),)),
        ("transpose", (chains.transposed((1, 0)),)),
        ("every other", (chains.indexed((slice(None, None, 2), slice(3, -1, 3))),)),
        ("reflect", (chains.padded(sides, "reflect", 0, None),)),
        ("wrap, turned", (chains.padded(sides, "wrap", 0, None), chains.flipped((0,)))),
        (
            "edge, transpose",
            (chains.padded(sides, "edge", 0, None), chains.transposed((1, 0))),
        ),
        ("windows", (chains.windowed([3], [2], [2], [1]),)),
        (
            "pad, windows: a cut",
            (
                chains.padded([(2, 2), (2, 2)], "symmetric", 0, None),
                chains.windowed([2, 3], [2, 3], [1, 1], [0, 1]),
            ),
        ),
        ("as_strided", (chains.strided((250, 300), (310, -1), 1000),)),
        ("merge", (chains.transposed((1, 0)), chains.reshaped((-1,)))),
    ]


@pytest.mark.parametrize("dtype", [DTYPES[0], DTYPES[5], DTYPES[17]], ids=str)
@pytest.mark.parametrize(("name", "steps"), _large(), ids=lambda p: str(p)[:20])
def test_large(name: str, steps: tuple[chains.Step, ...], dtype: Any) -> None:
    """The oracle numbers the cells once; the arrays have a quarter million bytes up."""
    shape = (300, 310)
    steps = tuple(_sized(step, shape) for step in steps)
    where = oracle.numbered(shape)
    for step in steps:
        where = step.define(where)
    for layout in ("rows", "columns", "unaligned"):
        x = fresh(shape, dtype, layout)
        source = np.array(elements(x), object)
        expected = b"".join(source[where.cells])
        v = Chain(shape, dtype, layout, steps).view(x)
        for engine, threads in HERE:
            with under(engine, threads):
                made = v.copy()
            assert made.shape == where.shape
            assert raw(made) == expected, (engine, threads, layout)


def _sized(step: chains.Step, shape: tuple[int, ...]) -> chains.Step:
    """The merge of all cells, which the oracle wants spelled out."""
    merge = step.text == ".reshape((-1,))"
    return chains.reshaped((oracle.size_of(shape),)) if merge else step


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_in_every_layout(engine: str, layout: str) -> None:
    for dtype in DTYPES:
        _check_dtype(dtype, layout)


def _check_dtype(dtype: np.dtype[Any], layout: str) -> None:
    x = fresh((3, 4), dtype, layout)
    steps = (
        chains.indexed((slice(None, None, -1), slice(1, None))),
        chains.padded([(1, 0), (0, 2)], "constant", None, bytes(x.itemsize)),
        chains.transposed((1, 0)),
    )
    chain = Chain((3, 4), dtype, layout, steps)
    assert different(chain.view(x).copy(), chain.define(cells(x))) is None, dtype


@pytest.mark.parametrize(
    "x", [7, 1.5, [[1, 2], [3, 4]], [], (True, False), np.str_("ab")]
)
def test_what_numpy_makes_an_array_of(engine: str, x: Any) -> None:
    array = np.asarray(x)
    assert different(rs.slice(x, ...), cells(array)) is None
    assert different(rs.pad(x, 0), cells(array)) is None


def test_a_chain_holds_no_more_pieces_than_one_pad(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each pad doubles them, and memory with them."""
    monkeypatch.setattr(axis, "MAX_PIECES", 1000)
    seen = rs.view(np.arange(3))
    for k in range(9):
        seen = seen.pad(2**k, "wrap")
    assert 500 < len(seen.chain.maps[0].axes[0].map.pieces) <= 1000
    with pytest.raises(rs.UnsupportedError, match="more than 1000 pieces"):
        seen.pad(2**9, "wrap")
    made = seen.copy()
    assert rs.view(made).pad(2**9, "wrap").shape == (len(made) + 2**10,)
