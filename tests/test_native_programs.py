"""The native engine against a slow reading of the same programs, byte for byte."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from restride.engines.program import Program, ProgramAxis, ProgramPiece

native = pytest.importorskip("restride._native")

Case = tuple[Program, int, int]


def at(axis: ProgramAxis, index: int) -> tuple[int, int]:
    """Source bytes and fill of one position of an axis."""
    for piece in axis.pieces:
        if index < piece.count:
            return piece.offset + index * piece.step, piece.fill
        index -= piece.count
    raise IndexError(index)


def positions(program: Program) -> Iterator[tuple[int, int, int]]:
    """Result offset, source offset and fill of every index, by the definition."""
    for index in itertools.product(*(range(n) for n in program.shape)):
        source, fill = program.source_offset, program.background
        result = program.result_offset
        for axis, i in zip(program.axes, index, strict=True):
            moved, constant = at(axis, i)
            source += moved
            fill = max(fill, constant)
            result += i * axis.result_stride
        yield result, source, fill


def interpret(program: Program, source: bytes, result: bytearray) -> None:
    """Run a copy one element at a time."""
    size = program.itemsize
    for to, start, fill in positions(program):
        value = program.fills[fill] if fill >= 0 else source[start : start + size]
        result[to : to + size] = value


def random_step(rng: random.Random, size: int) -> int:
    """One element, none, or a jump; either way round."""
    step = rng.choice([1, 1, 1, 2, 3, 0, 5, 17])
    return rng.choice([-1, 1, 1]) * step * size + rng.choice([0, 0, 0, 0, 1])


def random_pieces(
    rng: random.Random, extent: int, size: int, fills: int
) -> tuple[ProgramPiece, ...]:
    """Tile an extent with a few pieces, some of them fills."""
    pieces = []
    while extent:
        count = rng.randint(1, extent) if rng.random() < 0.6 else extent
        extent -= count
        fill = rng.randrange(fills) if fills and rng.random() < 0.3 else -1
        step = random_step(rng, size)
        offset = 0 if fill >= 0 else rng.randint(-3, 3) * size
        pieces.append(ProgramPiece(count, offset, 0 if fill >= 0 else step, fill))
    return tuple(pieces)


def result_strides(rng: random.Random, shape: list[int], size: int) -> list[int]:
    """Strides that keep every element apart: row-major, or permuted with gaps."""
    axes = list(range(len(shape)))
    gap = 0
    if rng.random() < 0.4:
        rng.shuffle(axes)
        gap = rng.choice([0, 1, size, 3 * size])
    strides, step = [0] * len(shape), size + (gap if rng.random() < 0.5 else 0)
    for axis in reversed(axes):
        strides[axis] = step * (rng.choice([1, -1]) if gap else 1)
        step = step * shape[axis] + gap
    return strides


def random_shape(rng: random.Random, budget: int) -> list[int]:
    """A shape of up to six axes and `budget` elements."""
    shape = []
    for _ in range(rng.randint(0, 6)):
        extent = rng.choice([1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 70, 300])
        if extent > budget:
            extent = 1
        budget //= extent
        shape.append(extent)
    return shape


def reach(axes: list[ProgramAxis], size: int) -> tuple[int, int]:
    """Lowest and highest source byte the axes may read, from the source offset."""
    low, high = 0, size
    for axis in axes:
        ends = [
            p.offset + k * p.step
            for p in axis.pieces
            if p.fill < 0
            for k in (0, p.count - 1)
        ]
        if ends:
            low, high = low + min(ends), high + max(ends)
    return low, high


def random_program(rng: random.Random, size: int, budget: int = 900) -> Case:
    """A program, and the bytes its source and its result must have."""
    n_fills = rng.choice([0, 0, 1, 2, 3])
    shape = random_shape(rng, budget)
    strides = result_strides(rng, shape, size)
    axes = [
        ProgramAxis(stride, random_pieces(rng, extent, size, n_fills))
        for extent, stride in zip(shape, strides, strict=True)
    ]
    low, high = reach(axes, size)
    lead = rng.randint(0, 9)
    result_low = sum(min(0, s * (n - 1)) for n, s in zip(shape, strides, strict=True))
    result_high = sum(max(0, s * (n - 1)) for n, s in zip(shape, strides, strict=True))
    program = Program(
        itemsize=size,
        source_offset=lead - low,
        result_offset=lead - result_low,
        background=rng.randrange(n_fills) if n_fills and rng.random() < 0.1 else -1,
        axes=tuple(axes),
        fills=tuple(rng.randbytes(size) for _ in range(n_fills)),
    )
    return program, lead + high - low, lead + result_high - result_low + size


def run_native(program: Program, source: Any, room: int) -> tuple[Any, Any]:
    """The native result and the expected one, over a marked background."""
    got = np.full(room, 0xA5, np.uint8)
    want = bytearray(got.tobytes())
    native.copy(got, source, program, (), got.dtype)
    interpret(program, source.tobytes(), want)
    return got, np.frombuffer(bytes(want), np.uint8)


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = native.threads()
    native.threads(request.param)
    yield request.param
    native.threads(before)


@pytest.mark.parametrize("size", range(1, 18))
def test_random_programs(size: int, threads: int) -> None:
    rng = random.Random(size * 10 + threads)
    for _ in range(100):
        program, source_bytes, room = random_program(rng, size)
        source = np.frombuffer(rng.randbytes(source_bytes), np.uint8)
        got, want = run_native(program, source, room)
        assert np.array_equal(got, want), program


def affine(
    shape: tuple[int, ...], source: tuple[int, ...], size: int, offset: int = 0
) -> Program:
    """A one-piece-per-axis program into a row-major result; strides in elements."""
    axes, stride = [], size
    for extent, step in zip(reversed(shape), reversed(source), strict=True):
        axes.append(ProgramAxis(stride, (ProgramPiece(extent, 0, step * size),)))
        stride *= extent
    return Program(size, offset * size, 0, -1, tuple(reversed(axes)), ())


LARGE = [
    ((700, 900), (900, 1), 0),
    ((700, 450), (900, 2), 0),
    ((350, 900), (1800, 1), 0),
    ((700, 900), (-900, -1), 700 * 900 - 1),
    ((900, 700), (1, 900), 0),
    ((897, 699), (1, 900), 1),
    ((900, 700), (-1, 900), 899),
    ((300, 2100, 3), (2100, 1, 630000 // 3 * 0 + 1), 0),
    ((2, 300, 300, 3), (270000, 300, 1, 90000), 0),
    ((2, 300, 300, 3), (270000, 300, -1, 90000), 299),
    ((2, 3, 300, 300), (270000, 1, 900, 3), 0),
    ((2, 300, 300, 5), (450000, 300, 1, 90000), 0),
    ((60, 98, 98, 3, 3), (10000, 100, 1, 100, 1), 0),
    ((20, 96, 96, 3, 3), (10000, 100, 1, 200, 2), 0),
    ((20, 98, 98, 3, 3), (10000, 100, 1, 100, -1), 2),
    ((20, 99, 99, 2, 2), (10000, 100, 1, 100, 1), 0),
    ((8, 96, 96, 5, 5), (10000, 100, 1, 100, 1), 0),
    ((90_000, 2, 3), (6, 1, 2), 0),
    ((70_000, 3, 3), (9, -1, 3), 2),
    ((200_000, 3), (1, 1), 0),
    ((200_000, 3), (3, -1), 2),
    ((3000, 400), (160, 1), 0),
    ((630000,), (1,), 0),
    ((630000,), (-1,), 629999),
    ((630000,), (0,), 3),
    ((5, 126000), (0, 1), 0),
    ((126000, 5), (1, 0), 0),
]


@pytest.mark.parametrize("case", range(len(LARGE)))
@pytest.mark.parametrize("size", [1, 2, 3, 4, 8, 16])
def test_large_affine(case: int, size: int, threads: int) -> None:
    shape, steps, offset = LARGE[case]
    rng = np.random.default_rng(case)
    source = rng.integers(0, 256, (1_000_000, size), np.uint8).view(f"V{size}")[:, 0]
    view = np.lib.stride_tricks.as_strided(
        source[offset:], shape, tuple(s * size for s in steps)
    )
    program = affine(shape, steps, size, offset)
    got = native.copy(None, source, program, shape, source.dtype)
    assert got.shape == shape
    assert got.tobytes() == view.tobytes()


def pieces_for(extent: int, width: int, mode: str, step: int) -> Any:
    """A grown axis: mirrored, repeated or filled ends."""
    ends: tuple[ProgramPiece, ProgramPiece]
    if mode == "fill":
        ends = (ProgramPiece(width, 0, 0, 0), ProgramPiece(width, 0, 0, 0))
    elif mode == "repeat":
        last = (extent - 1) * step
        ends = (ProgramPiece(width, 0, 0), ProgramPiece(width, last, 0))
    else:
        ends = (
            ProgramPiece(width, width * step, -step),
            ProgramPiece(width, (extent - 2) * step, -step),
        )
    return (ends[0], ProgramPiece(extent, 0, step), ends[1])


@pytest.mark.parametrize("mode", ["fill", "repeat", "mirror"])
@pytest.mark.parametrize("size", [1, 2, 4, 8, 5])
@pytest.mark.parametrize("last", [False, True])
def test_grown_images(mode: str, size: int, last: bool, threads: int) -> None:
    n, c, h, w, width = 6, 3, 90, 100, 3
    rng = np.random.default_rng(size)
    source = rng.integers(0, 256, (n, c, h, w, size), np.uint8).view(f"V{size}")[..., 0]
    out_h, out_w = h + 2 * width, w + 2 * width
    parts = {
        "n": ((ProgramPiece(n, 0, c * h * w * size),), n),
        "c": ((ProgramPiece(c, 0, h * w * size),), c),
        "h": (pieces_for(h, width, mode, w * size), out_h),
        "w": (pieces_for(w, width, mode, size), out_w),
    }
    order = "nhwc" if last else "nchw"
    shape = tuple(parts[name][1] for name in order)
    axes, stride = [], size
    for name in reversed(order):
        axes.append(ProgramAxis(stride, parts[name][0]))
        stride *= parts[name][1]
    fill = bytes(range(1, size + 1))
    program = Program(size, 0, 0, -1, tuple(reversed(axes)), (fill,))
    got = native.copy(None, source, program, shape, source.dtype)
    bytes_in = source.view(np.uint8).reshape(n, c, h, w, size)
    pads = ((0, 0), (0, 0), (width, width), (width, width))
    if mode == "fill":
        want = np.empty((n, c, out_h, out_w, size), np.uint8)
        want[...] = np.frombuffer(fill, np.uint8)
        want[:, :, width:-width, width:-width] = bytes_in
    else:
        name = {"repeat": "edge", "mirror": "reflect"}[mode]
        want = np.pad(bytes_in, (*pads, (0, 0)), mode=name)  # type: ignore[call-overload]
    if last:
        want = want.transpose(0, 2, 3, 1, 4)
    assert got.tobytes() == np.ascontiguousarray(want).tobytes()


def test_many_pieces(threads: int) -> None:
    rng = random.Random(5)
    offsets = [rng.randrange(1000) * 4 for _ in range(200_000)]
    pieces = tuple(ProgramPiece(1, offset) for offset in offsets)
    source = np.arange(1000, dtype=np.int32)
    program = Program(4, 0, 0, -1, (ProgramAxis(4, pieces),), ())
    got = native.copy(None, source, program, (len(offsets),), source.dtype)
    assert np.array_equal(got, source[np.array(offsets) // 4])


def test_sixty_four_axes() -> None:
    shape = (2,) * 8 + (1,) * 56
    axes = tuple(
        ProgramAxis((1 << max(7 - a, 0)) * 2, (ProgramPiece(n, 0, (1 << a) * 2),))
        if n == 2
        else ProgramAxis(2, (ProgramPiece(1, 0, 0),))
        for a, n in enumerate(shape)
    )
    source = np.arange(256, dtype=np.int16)
    program = Program(2, 0, 0, -1, axes, ())
    got = native.copy(None, source, program, shape, source.dtype)
    assert np.array_equal(got.ravel(), source.reshape((2,) * 8).T.ravel())


KINDS: list[tuple[str, str, str]] = [
    ("i1", "i1", "i1"),
    ("i2", "i2", "i2"),
    ("i4", "i4", "i4"),
    ("i8", "i8", "i8"),
    ("f4", "f4", "f4"),
    ("f8", "f8", "f8"),
    ("c8", "c8", "c8"),
    ("c16", "c16", "c16"),
    ("b1", "?", "?"),
    ("f2", "f4", "f2"),
    ("bf2", "f4", "bfloat16"),
]


def dtype_of(name: str) -> np.dtype[Any]:
    if name != "bfloat16":
        return np.dtype(name)
    ml_dtypes = pytest.importorskip("ml_dtypes")
    return np.dtype(ml_dtypes.bfloat16)


@pytest.mark.parametrize(("kind", "to", "given"), KINDS)
def test_add(kind: str, to: str, given: str, threads: int) -> None:
    rng = np.random.default_rng(3)
    accumulated, incoming = dtype_of(to), dtype_of(given)
    start = rng.integers(0, 256, 60).astype(accumulated)
    grad = (rng.standard_normal((40, 30)) * 100).astype(np.int64).astype(incoming)
    steps = [(-1, 2), (1, 0), (0, 1), (1, -1)]
    for a, b in steps:
        size = accumulated.itemsize
        first = 39 * max(0, -a) + 29 * max(0, -b)
        axes = (
            ProgramAxis(30 * incoming.itemsize, (ProgramPiece(40, 0, a * size),)),
            ProgramAxis(
                incoming.itemsize,
                (ProgramPiece(20, 0, b * size), ProgramPiece(10, 0, 0, 0)),
            ),
        )
        wide = np.zeros(200, accumulated)
        wide[:60] = start
        want = wide.copy()
        program = Program(
            incoming.itemsize, first * size, 0, -1, axes, (bytes(incoming.itemsize),)
        )
        native.add(wide, grad, program, kind)
        for i in range(40):
            for j in range(20):
                k = first + a * i + b * j
                value = grad[i, j].astype(accumulated)
                cell = want[k : k + 1]
                want[k : k + 1] = (cell | value) if kind == "b1" else cell + value
        assert wide.tobytes() == want.tobytes()


def test_half_values() -> None:
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    source = np.zeros(len(halves), np.float32)
    axes = (ProgramAxis(2, (ProgramPiece(len(halves), 0, 4),)),)
    native.add(source, halves, Program(2, 0, 0, -1, axes, ()), "f2")
    assert np.array_equal(source, halves.astype(np.float32))


def test_results_own_their_data_and_return_it() -> None:
    native.pool_clear()
    before = native.pool_stats()
    program = affine((1000, 1000), (1000, 1), 4)
    source = np.ones((1000, 1000), np.float32)
    got = native.copy(None, source, program, (1000, 1000), source.dtype)
    assert got.flags.owndata
    assert got.flags.c_contiguous
    assert got.ctypes.data % 64 == 0
    live = native.pool_stats()
    assert live["live_buffers"] == before["live_buffers"] + 1
    del got
    after = native.pool_stats()
    assert after["live_bytes"] == before["live_bytes"]
    assert after["held_buffers"] == 1
    again = native.copy(None, source, program, (1000, 1000), source.dtype)
    assert native.pool_stats()["hits"] == after["hits"] + 1
    native.pool_clear()
    assert native.pool_stats()["held_bytes"] == 0
    assert (again == 1).all()
    again.resize((2000, 1000), refcheck=False)
    assert (again[:1000] == 1).all()
    assert (again[1000:] == 0).all()


def test_the_pool_keeps_to_its_limit() -> None:
    limit = native.pool_limit()
    try:
        assert native.pool_limit(3 << 20) == 3 << 20
        source = np.ones(1 << 20, np.uint8)
        program = affine((1 << 20,), (1,), 1)
        kept = [
            native.copy(None, source, program, source.shape, source.dtype)
            for _ in range(5)
        ]
        while kept:
            kept.pop()
            assert native.pool_stats()["held_bytes"] <= 3 << 20
        native.pool_limit(0)
        assert native.pool_stats()["held_buffers"] == 0
    finally:
        native.pool_limit(limit)


def wrong_programs(good: Program) -> Iterator[tuple[Any, str]]:
    """Programs that are none, and what is said of them."""
    for none in (b"", "x", good[:5], (*good, 0), list(good)):
        yield none, "tuples"
    (axis,) = good.axes
    (piece,) = axis.pieces
    for pieces in ((piece[:3],), ([*piece],), [piece], None):
        yield good._replace(axes=((axis[0], pieces),)), "tuples"
    yield good._replace(axes=((axis[0],),)), "tuples"
    yield good._replace(axes=(axis,) * 65), "rank"
    yield good._replace(axes=(axis._replace(pieces=()),)), "no pieces"
    for count in (0, -1):
        one = piece._replace(count=count)
        yield good._replace(axes=(axis._replace(pieces=(one,)),)), "no positions"
    for fill in (-2, 0, 7):
        one = piece._replace(fill=fill)
        yield good._replace(axes=(axis._replace(pieces=(one,)),)), "absent fill"
    long = piece._replace(count=2**62)
    yield good._replace(axes=(axis._replace(pieces=(long, long)),)), "too many"
    yield good._replace(axes=(axis._replace(pieces=(long,)), axis)), "too many"
    yield good._replace(axes=(axis._replace(pieces=(piece,) * 2),)), "more bytes"
    yield good._replace(background=0), "background"
    for size in (0, -1, 2**41):
        yield good._replace(itemsize=size), "item size"
    for fills in ((b"12",), ("1",), (1,)):
        yield good._replace(fills=fills), "fill"
    yield good._replace(fills=[b"1"]), "tuples"
    yield good._replace(source_offset=2**63), "big"
    yield good._replace(result_offset="0"), "integer"


def test_wrong_programs_are_refused() -> None:
    source = np.ones(4, np.uint8)
    good = affine((4,), (1,), 1)
    for program, told in wrong_programs(good):
        with pytest.raises((ValueError, TypeError, OverflowError), match=told):
            native.copy(None, source, program, (4,), source.dtype)
    frozen = source.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        native.copy(frozen, source, good, (4,), source.dtype)


def test_settings_refuse_nonsense() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        native.threads(0)
    with pytest.raises(ValueError, match="negative"):
        native.pool_limit(-1)


def test_after_a_fork() -> None:
    import multiprocessing

    native.threads(2)
    source = np.ones((2000, 1000), np.float32)
    program = affine((1000, 2000), (1, 1000), 4)
    native.copy(None, source, program, (1000, 2000), source.dtype)
    child = multiprocessing.get_context("fork").Process(
        target=native.copy, args=(None, source, program, (1000, 2000), source.dtype)
    )
    child.start()
    child.join(30)
    assert child.exitcode == 0


def test_from_many_python_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    source = np.random.default_rng(0).random((600, 700), np.float32)
    program = affine((700, 600), (1, 700), 4)

    def turn(_: int) -> bool:
        got = native.copy(None, source, program, (700, 600), source.dtype)
        return np.array_equal(got, source.T)

    with ThreadPoolExecutor(6) as crew:
        assert all(crew.map(turn, range(120)))
