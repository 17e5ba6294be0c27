"""The laws of the algebra, each as a property."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import chains
import numpy as np
import oracle
import pytest
from chains import Chain
from hypothesis import given
from hypothesis import strategies as st
from samples import ENGINES, cells, different, engine_exists, fresh, raw

import restride as rs
from restride.engines import run
from restride.layout.axis import AxisMap, Piece
from restride.layout.chain import Chain as MapChain
from restride.layout.constant import Constant
from restride.layout.extension import window
from restride.layout.index_map import IndexMap

HERE = tuple(e for e in ENGINES if engine_exists(e[0]))
SMALL = 5

Function = tuple[Any, ...]

# ------------------------------------------------------------------------- AxisMaps


@st.composite
def axis_maps(draw: Any, reads: int | None = None) -> AxisMap:
    """Any pieces over source positions below `reads`, some of them constants."""
    most = draw(st.integers(1, SMALL)) if reads is None else reads
    pieces = []
    for _ in range(draw(st.integers(0, 4))):
        count = draw(st.integers(0, 4))
        if most == 0 or draw(st.integers(0, 3)) == 0:
            pieces.append(Piece(count, fill=draw(st.integers(0, 2))))
            continue
        begin = draw(st.integers(0, most - 1))
        steps = [
            s
            for s in range(-most, most + 1)
            if 0 <= begin + max(count - 1, 0) * s < most
        ]
        pieces.append(Piece(count, begin, draw(st.sampled_from(steps))))
    return AxisMap(tuple(pieces))


def function_of(pieces: Sequence[Piece]) -> Function:
    """What a list of pieces says, position by position."""
    said: list[Any] = []
    for p in pieces:
        for k in range(p.count):
            said.append(p.begin + k * p.step if p.fill is None else ("fill", p.fill))
    return tuple(said)


def said_at(axis: AxisMap, k: int) -> Any:
    at = axis.at(k)
    return ("fill", at.fill) if isinstance(at, Piece) else at


@given(st.data())
def test_axis_maps_compose_as_functions(data: Any) -> None:
    inner = data.draw(axis_maps())
    outer = data.draw(axis_maps(reads=inner.extent))
    made = outer.compose(inner)
    first = function_of(inner.pieces)
    expected = tuple(
        k if isinstance(k, tuple) else first[k] for k in function_of(outer.pieces)
    )
    assert function_of(made.pieces) == expected
    assert tuple(said_at(made, k) for k in range(made.extent)) == expected


@given(st.data())
def test_axis_maps_compose_associatively(data: Any) -> None:
    """As values: the same pieces, not only the same positions."""
    c = data.draw(axis_maps())
    b = data.draw(axis_maps(reads=c.extent))
    a = data.draw(axis_maps(reads=b.extent))
    assert a.compose(b).compose(c) == a.compose(b.compose(c))


@given(axis_maps())
def test_the_identity_changes_nothing(a: AxisMap) -> None:
    assert AxisMap.identity(a.extent).compose(a) == a
    reads = max([k for k in function_of(a.pieces) if isinstance(k, int)], default=0) + 1
    assert a.compose(AxisMap.identity(reads)) == a


@given(axis_maps())
def test_normalising_is_idempotent(a: AxisMap) -> None:
    assert AxisMap(a.pieces).pieces == a.pieces


@given(axis_maps(), st.randoms(use_true_random=False))
def test_normalising_keeps_the_function(a: AxisMap, chance: random.Random) -> None:
    """Cut into other pieces, the same positions give the same value."""
    cut: list[Piece] = []
    for p in a.pieces:
        at = chance.randint(0, p.count)
        cut += [p.part(0, at), p.part(at, p.count - at), Piece(0, 3, 1)]
    again = AxisMap(tuple(cut))
    assert again == a
    assert hash(again) == hash(a)
    assert function_of(again.pieces) == function_of(a.pieces)


@given(axis_maps(reads=3), axis_maps(reads=3))
def test_axis_maps_are_equal_when_their_functions_are(a: AxisMap, b: AxisMap) -> None:
    assert (a == b) == (function_of(a.pieces) == function_of(b.pieces))


def test_every_small_function_has_one_axis_map() -> None:
    """All functions of up to 4 positions into 3 and two constants."""
    seen: dict[AxisMap, Function] = {}
    single = [Piece(1, k) for k in range(3)] + [Piece(1, fill=k) for k in range(2)]
    for extent in range(5):
        for pieces in product(single, repeat=extent):
            made, function = AxisMap(pieces), function_of(pieces)
            assert seen.setdefault(made, function) == function
            assert function_of(made.pieces) == function
    assert len(seen) == sum(5**n for n in range(5))


@pytest.mark.parametrize("mode", oracle.MODES)
def test_a_window_is_the_extension(mode: str) -> None:
    for n, before, after in product(range(5), range(-4, 10), range(-4, 10)):
        if before + n + after < 0 or (mode != "constant" and n == 0):
            continue
        made = window(n, before, after, mode, (0, 1))
        expected = []
        for k in range(-before, n + after):
            found = oracle.extended(mode, n, k)
            expected.append(("fill", int(k >= 0)) if found is None else found)
        assert function_of(made.pieces) == tuple(expected)


# ------------------------------------------------------------------------ IndexMaps


def table(m: IndexMap) -> Function:
    """The function of a map: shapes, and what stands at every index."""
    found = []
    for index in oracle.indices(m.shape):
        at = m.at(index)
        found.append(("fill", at.key) if isinstance(at, Constant) else at)
    return (m.source_shape, m.shape, tuple(found))


FEW = (0.0, -0.0, 1.0)


def any_map(chance: random.Random, source: tuple[int, ...], steps: int) -> IndexMap:
    """A map of a few steps without a cut."""
    chain = MapChain.identity(source)
    for _ in range(steps):
        made = _any_step(chance, chain)
        small = oracle.size_of(made.shape) <= 16 and len(made.shape) <= 3
        if small and made.cuts == 0 and made.shape == made.maps[-1].shape:
            chain = made
    return chain.maps[0]


def _any_step(chance: random.Random, chain: MapChain) -> MapChain:
    shape = chain.shape
    what = chance.choice(("select", "pad", "pad", "transpose", "broadcast", "walk"))
    if what == "select":
        return chain.select([e for n in shape for e in _any_entry(chance, n)])
    if what == "pad":
        mode = chance.choice(("constant", "constant", *oracle.MODES))
        pads = [(chance.randint(-1, 1), chance.randint(-1, 1)) for n in shape]
        pads = [
            p if n + sum(p) >= 0 and n else (0, 0)
            for n, p in zip(shape, pads, strict=True)
        ]
        fills = [(chance.choice(FEW), chance.choice(FEW)) for _ in shape]
        return chain.pad(pads, mode, fills if mode == "constant" else None)
    if what == "transpose":
        return chain.transpose(chance.sample(range(len(shape)), len(shape)))
    if what == "broadcast":
        wide = [chance.randint(1, 2) if n == 1 else n for n in shape]
        return chain.broadcast_to((*[2] * chance.randint(0, 1), *wide))
    count = oracle.size_of(shape)
    if not count:
        return chain
    size = [chance.randint(1, 2) for _ in range(chance.randint(1, 2))]
    room = (count - 1) // len(size)
    return chain.as_strided(size, [chance.randint(0, room) for _ in size], 0)


def _any_entry(chance: random.Random, n: int) -> list[Any]:
    new = [None] if chance.random() < 0.1 else []
    if n and chance.random() < 0.25:
        return [*new, chance.randrange(n)]
    begin, step = chance.choice((None, 0, 1, 2)), chance.choice((1, 1, -1, 2))
    visited = oracle.walk(n, begin, None, step)
    return [*new, (visited[0] if visited else 0, step, len(visited))]


def test_index_maps_are_equal_when_their_functions_are(counts: Any) -> None:
    """Of 12,000 maps over tiny sources, grouped by what they say at every index."""
    chance = random.Random(17)
    by_function: dict[Function, IndexMap] = {}
    by_map: dict[IndexMap, Function] = {}
    found = []
    for number in range(12_000):
        source = chance.choice(((2,), (3,), (2, 2), (1, 2), (2, 1, 2)))
        m = any_map(chance, source, 1 + number % 4)
        function = table(m)
        if by_function.setdefault(function, m) != m:
            found.append(f"{m!r} and {by_function[function]!r} say the same")
        if by_map.setdefault(m, function) != function:
            found.append(f"{m!r} is equal to another that says something else")
    counts["maps grouped by their functions"] = 12_000
    assert len(by_function) > 1_000
    assert not found, f"{len(found)}: " + "\n".join(found[:5])


@given(chain=chains.chains(most=5))
def test_normalising_an_index_map_is_idempotent(chain: Chain) -> None:
    for m in chain.view(fresh(chain.shape, chain.dtype)).chain.maps:
        again = IndexMap.make(m.source_shape, m.axes, m.base, m.fills, m.background)
        assert again == m
        assert again is not None
        assert (again.axes, again.base, again.fills) == (m.axes, m.base, m.fills)


@given(chain=chains.chains(most=4), at=st.integers(0, 4))
def test_composition_is_associative_as_a_function(chain: Chain, at: int) -> None:
    """Grouping the steps otherwise may change the cuts, never the result."""
    x = fresh(chain.shape, chain.dtype)
    whole = chain.view(x).copy()
    first = Chain(chain.shape, chain.dtype, "rows", chain.steps[:at])
    rest = Chain(first.view(x).shape, chain.dtype, "rows", chain.steps[at:])
    assert raw(rest.view(first.view(x).copy()).copy()) == raw(whole)


@given(chain=chains.chains())
def test_a_chain_is_its_steps_one_by_one(chain: Chain) -> None:
    x = fresh(chain.shape, chain.dtype, chain.layout)
    expected = chain.define(cells(x))
    made: Any = x
    for step in chain.steps:
        made = step.apply(rs.view(made)).copy()
    assert different(np.asarray(made), expected) is None
    assert different(chain.view(x).copy(), expected) is None


# ---------------------------------------------------------------------------- plans


@given(chain=chains.chains())
def test_a_plan_stays_inside_its_source(chain: Chain) -> None:
    """At every index of every move, and each move has its result's shape."""
    plan = rs.plan(chain.view(fresh(chain.shape, chain.dtype)))
    source = chain.shape
    for move in plan.moves:
        assert oracle.size_of(move.map.source_shape) == oracle.size_of(source)
        for index in oracle.indices(move.map.shape):
            at = move.map.at(index)
            if not isinstance(at, Constant):
                oracle.position(move.map.source_shape, at)
        source = move.map.shape
    assert oracle.size_of(source) == oracle.size_of(plan.shape)


@given(chain=chains.chains(), seed=st.integers(1, 2))
def test_a_plan_writes_each_element_once(chain: Chain, seed: int) -> None:
    """Whatever out held, between guards: all of it is replaced, and nothing else."""
    x = fresh(chain.shape, chain.dtype)
    expected = chain.define(cells(x))
    plan = rs.plan(chain.view(x))
    count = len(expected.cells)
    memory = np.frombuffer(
        bytearray(fresh((count + 16,), x.dtype, seed=seed).tobytes()), x.dtype
    )
    before = raw(memory)
    out = memory[8 : 8 + count].reshape(expected.shape)
    plan(x, out=out)
    edge = 8 * x.itemsize
    assert different(out, expected) is None
    assert raw(memory)[:edge] == before[:edge]
    assert raw(memory)[-edge:] == before[-edge:]


def test_add_reads_every_element_once() -> None:
    """The adjoint of ones counts how often each source element is read."""
    for name, _ in HERE:
        with run.use(name):
            for chain in (
                (chains.padded([(3, 2), (1, 4)], "reflect", 0, None),),
                (chains.windowed([2], [1], [1], [1]), chains.flipped(None)),
                (chains.strided((3, 2), (1, 3), 2),),
                (
                    chains.padded([(1, 1), (1, 1)], "wrap", 0, None),
                    chains.windowed([2], [2], [1], [0]),
                ),
            ):
                where = oracle.numbered((3, 4))
                for step in chain:
                    where = step.define(where)
                plan = rs.plan(
                    Chain((3, 4), np.dtype("i8"), "rows", chain).view(
                        np.zeros((3, 4), "i8")
                    )
                )
                counted = plan.adjoint()(np.ones(where.shape, "i8"))
                times = [where.cells.count(k) for k in range(12)]
                assert counted.ravel().tolist() == times


# ------------------------------------------------------------------------ one algebra

PADS = st.lists(
    st.tuples(st.integers(-1, 4), st.integers(-1, 4)), min_size=2, max_size=2
)
F8 = np.dtype("f8")


@given(PADS, st.sampled_from(oracle.MODES), st.sampled_from((0, -0.0, 1.5, None)))
def test_pad_is_the_view_padded(pads: Any, mode: str, value: Any) -> None:
    x = np.zeros((2, 3))
    pairs = [list(p) for p in pads]
    plan = rs.plan(rs.Pad(pairs, mode, value), x.shape, F8)
    assert plan == rs.plan(rs.view(x).pad(pairs, mode, value))
    assert hash(plan) == hash(rs.plan(rs.view(x).pad(pairs, mode, value)))


@given(st.data())
def test_strided_slice_is_the_view_indexed(data: Any) -> None:
    shape = data.draw(chains.shapes)
    dtype = np.dtype("i4")
    x = fresh(shape, dtype)
    step = chains.draw_index(data.draw, shape, dtype)
    entries: Any = step.apply(Recorder())
    spec = rs.encode(entries)
    v = rs.view(x)
    assert rs.plan(spec, shape, dtype) == rs.plan(v[entries])
    assert rs.plan(spec, shape, dtype) == rs.plan(v[spec.decode()])
    assert different(rs.slice(x, entries), step.define(cells(x))) is None


class Recorder:
    """Gives back the index it is asked for."""

    def __getitem__(self, entries: Any) -> Any:
        return entries


@given(st.data())
def test_as_strided_is_the_view_strided(data: Any) -> None:
    shape = data.draw(chains.shapes)
    x = fresh(shape, F8)
    step = chains.draw_strided(data.draw, shape, F8)
    view = step.apply(rs.view(x))
    size, stride, offset = step.apply(Arguments())
    assert rs.plan(rs.AsStrided(size, stride, offset), shape, F8) == rs.plan(view)


class Arguments:
    """Gives back the arguments of as_strided."""

    def as_strided(self, *given: Any) -> Any:
        return given


def test_a_transpose_as_as_strided_is_the_transpose() -> None:
    v = rs.view(np.zeros((3, 4, 5)))
    for order in ((2, 1, 0), (1, 0, 2), (0, 2, 1)):
        shape, strides = (3, 4, 5), (20, 5, 1)
        size = tuple(shape[a] for a in order)
        made = v.as_strided(size, tuple(strides[a] for a in order))
        assert rs.plan(made) == rs.plan(v.transpose(order))


@pytest.mark.parametrize(
    ("lists", "index"),
    [
        ([[1, 2], [4, 4], [1, 1]], "1:4, 2:4"),
        ([[4, 0], [-1, 5], [-2, 3]], "::-2, ::3"),
        ([[3, 1], [0, 2], [-1, 1]], "3:0:-1, 1:2"),
        ([[0, 0], [0, 5], [1, 1]], "0:0"),
        ([[2, 2], [3, 2], [4, 1]], "2:3:4, 2:2"),
    ],
    ids=str,
)
def test_a_region_is_the_map_of_its_slice(lists: Any, index: str) -> None:
    region = rs.SetValue(*lists).region((5, 5))
    assert region == rs.view(np.zeros((5, 5)))[index].chain.maps[0]
    assert region.shape == rs.SetValue(*lists).infer_shape((5, 5))


@given(chain=chains.chains(most=3))
def test_equal_maps_give_equal_plans(chain: Chain) -> None:
    """Steps that cancel out leave no trace, unless a merge before them is a cut."""
    v = chain.view(fresh(chain.shape, chain.dtype))
    turned = v.flip(None).transpose().transpose().flip(None)
    for same in (turned, v[...], v[None, ...][0]):
        if same.cuts == v.cuts:
            assert rs.plan(same) == rs.plan(v)


def test_a_plan_refuses_what_it_would_ignore():
    x = np.zeros((3, 4), np.float32)
    assert rs.plan(rs.view(x), (3, 4), "float32") == rs.plan(rs.view(x))
    with pytest.raises(rs.ShapeError, match="leave out"):
        rs.plan(rs.view(x), (3,))
    with pytest.raises(rs.DTypeError, match="leave out"):
        rs.plan(rs.view(x), dtype="int8")
    with pytest.raises(rs.DTypeError, match="takes a View or one operator"):
        rs.plan("pad", (3,), "float32")
    with pytest.raises(rs.ShapeError, match="copy=False"):
        rs.as_strided(x, (2,), (1,), copy=False, out=np.zeros(2, np.float32))
