"""Every setting of a small world, compared with the definition bit for bit.

One axis is gone through completely; every pattern of the five masks over up to four
entries; two and three axes by pairwise cover and by seeded chance.  The number of
settings is asserted, so that none can drop out unseen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Any

import oracle
import pairwise
import pytest
import settings_of as make
from samples import DTYPES, Counts, engine_exists, under
from settings_of import Kind, Setting, disagreements, kind

from restride.errors import RestrideError
from restride.ops.strided_slice import StridedSlice

EXTENTS = range(5)
ENDS = (None, *range(-6, 7))
STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)
WIDTHS = range(-4, 10)
SEEDED = 50_000
CHUNK = 500

ENGINES = [e for e in ("native", "numpy") if engine_exists(e)]


def agree(settings: Iterator[Setting]) -> int:
    """The number of settings, which all agree under every engine."""
    count = 0
    while chunk := list(islice(settings, CHUNK)):
        for engine in ENGINES:
            with under(engine, 1):
                done, found = disagreements(chunk)
            assert not found, f"{engine}: " + "\n".join(found)
        count += done
    return count


# ------------------------------------------------------------------------- one axis


def ranges() -> Iterator[Setting]:
    for number, (n, begin, end, step) in enumerate(product(EXTENTS, ENDS, ENDS, STEPS)):
        yield make.slice_of(kind(number), (n,), (slice(begin, end, step),))
        lists = [[begin or 0], [end or 0], [step]]
        masks = {"begin_mask": int(begin is None), "end_mask": int(end is None)}
        yield make.masked_of(kind(number + 1), (n,), lists, masks)


def singles() -> Iterator[Setting]:
    for number, (n, k, step) in enumerate(product(EXTENTS, range(-6, 7), (-1, 1, 3))):
        yield make.slice_of(kind(number), (n,), (k,))
        lists = [[k], [5], [step]]
        yield make.masked_of(kind(number), (n,), lists, {"shrink_axis_mask": 1})


def pads() -> Iterator[Setting]:
    for number, (mode, n, before, after) in enumerate(
        product(oracle.MODES, EXTENTS, WIDTHS, WIDTHS)
    ):
        constants = ("one", "none", "sides")[number % 3]
        yield make.pad_of(kind(number), (n,), [(before, after)], mode, constants)


def as_strideds() -> Iterator[Setting]:
    for number, (n, size, stride, offset) in enumerate(
        product(EXTENTS, range(-1, 5), range(-4, 5), range(-2, 7))
    ):
        yield make.as_strided_of(kind(number), (n,), (size,), (stride,), offset)


def set_values() -> Iterator[Setting]:
    for number, (n, start, end, step) in enumerate(
        product(EXTENTS, range(-3, 7), range(-3, 7), STEPS)
    ):
        yield make.set_value_of(kind(number), (n,), (1,), [[start], [end], [step]])


def all_windows() -> Iterator[Setting]:
    for number, (n, size, step, gap) in enumerate(
        product(range(7), range(5), range(4), range(4))
    ):
        yield make.windows_of(kind(number), (n,), [size], [step], [gap], [0])


ONE_AXIS = [
    (ranges, 15_680),
    (singles, 390),
    (pads, 4_900),
    (as_strideds, 2_430),
    (set_values, 4_000),
    (all_windows, 560),
]


@pytest.mark.parametrize(("settings", "expected"), ONE_AXIS, ids=lambda p: str(p))
def test_one_axis(settings: Any, expected: int, counts: Counts) -> None:
    count = agree(settings())
    assert count == expected
    counts[f"one axis: {settings.__name__.replace('_', ' ')}"] = count


# ------------------------------------------------------------------ patterns of masks

NAMES = (
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
)

SHAPES = ((3,), (2, 3), (4, 1, 3), (2, 3, 4, 2), (2, 1, 3, 2, 2), ())
"""Of 0 to 5 axes, so that entries are too many, just enough and too few."""

LISTS = (
    ([1, -2, 0, 1], [3, 3, 1, 2], [1, 1, 2, 1]),
    ([2, 1, -1, 3], [0, -4, -3, 0], [-1, -2, -1, 1]),
    ([0, 5, 1, -9], [9, -1, 0, 9], [3, 1, -1, 2]),
    ([-1, 0, 2, 0], [2, 2, 2, 1], [1, 0, 1, 1]),
)
"""Begins, ends and strides, some outside, some backwards, one stride of 0."""


MOST_MOVED = 10_000
"""Most meanings of one length that are moved; all the patterns are resolved."""


def spread(number: int, over: int) -> int:
    """A choice that does not follow the low bits of `number`."""
    return (number * 2_654_435_761 >> 16) % over


def patterns(entries: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every assignment of the five masks' bits to so many entries."""
    return enumerate(product(range(1 << entries), repeat=5))


Meaning = tuple[Any, ...] | None
"""Per entry an index, the positions of a range, or None; as a whole None: refused."""


@cache
def range_of(begin: int, step: int, count: int) -> oracle.Index:
    return tuple(begin + k * step for k in range(count))


def said_by_package(
    shape: tuple[int, ...], lists: Any, masks: tuple[int, ...]
) -> Meaning:
    try:
        entries = StridedSlice(*lists, *masks).entries(shape)
    except RestrideError:
        return None
    return tuple([range_of(*e) if isinstance(e, tuple) else e for e in entries])


def said_by_oracle(
    shape: tuple[int, ...], lists: Any, masks: tuple[int, ...]
) -> Meaning:
    try:
        chosen = oracle.masked(shape, *lists, *masks)
    except oracle.Wrong:
        return None
    return tuple([_meant(c) for c in chosen])


def _meant(choice: oracle.Chosen) -> Any:
    if choice.kind == "new":
        return None
    return choice.positions if choice.kind == "axis" else choice.positions[0]


@pytest.mark.parametrize(("entries", "expected"), [(0, 1), (1, 32), (2, 1_024)])
def test_patterns_of_few_masks(entries: int, expected: int, counts: Counts) -> None:
    """Each pattern on each rank, with begins, ends and strides that alternate."""

    def settings() -> Iterator[Setting]:
        for number, masks in patterns(entries):
            named = dict(zip(NAMES, masks, strict=True))
            for at, shape in enumerate(SHAPES):
                lists = LISTS[spread(number * len(SHAPES) + at, len(LISTS))]
                few = [values[:entries] for values in lists]
                yield make.masked_of(kind(number + at), shape, few, named)

    count = agree(settings())
    assert count == expected * len(SHAPES)
    counts[f"masks of {entries} entries, moved"] = count


@pytest.mark.parametrize(("entries", "expected"), [(3, 32_768), (4, 1_048_576)])
def test_patterns_of_masks(entries: int, expected: int, counts: Counts) -> None:
    """Each pattern resolved; one of each meaning moved."""
    meanings: dict[Any, Setting] = {}
    count, found = 0, list[str]()
    short = [[values[:entries] for values in lists] for lists in LISTS]
    for number, masks in patterns(entries):
        which = spread(number, len(LISTS) * len(SHAPES))
        shape, lists = SHAPES[which % len(SHAPES)], short[which // len(SHAPES)]
        ours = said_by_oracle(shape, lists, masks)
        theirs = said_by_package(shape, lists, masks)
        count += 1
        if ours != theirs and len(found) < 8:
            found.append(f"{shape} {lists} {masks}: {theirs}, expected {ours}")
        meaning = (which, ours)
        if meaning not in meanings and len(meanings) < MOST_MOVED:
            named = dict(zip(NAMES, masks, strict=True))
            meanings[meaning] = make.masked_of(kind(number), shape, lists, named)
    assert not found, "\n".join(found)
    assert count == expected
    counts[f"masks of {entries} entries, resolved"] = count
    counts[f"masks of {entries} entries, moved"] = agree(iter(meanings.values()))


# ------------------------------------------------------------- two and three axes


def cover(rank: int, *factors: Any, once: tuple[Any, ...] = ()) -> list[list[Any]]:
    """Pairwise rows over `factors` of every axis, then over those that come once."""
    return pairwise.rows([*factors * rank, *once], seed=rank)


def per_axis(row: list[Any], rank: int, width: int) -> list[list[Any]]:
    return [row[a * width : (a + 1) * width] for a in range(rank)]


def ranges_by_pairs(rank: int) -> Iterator[Setting]:
    rows = cover(rank, EXTENTS, ENDS, ENDS, STEPS, once=(range(16),))
    for number, row in enumerate(rows):
        axes = per_axis(row, rank, 4)
        shape = tuple(a[0] for a in axes)
        yield make.slice_of(kind(number), shape, tuple(slice(*a[1:]) for a in axes))
        lists = [[a[k] or 0 for a in axes] for k in (1, 2, 3)]
        masks = {"begin_mask": row[-1], "end_mask": row[-1] >> 1}
        yield make.masked_of(kind(number + 3), shape, lists, masks)


def pads_by_pairs(rank: int) -> Iterator[Setting]:
    once = (oracle.MODES, ("one", "none", "sides"), (True, False))
    for number, row in enumerate(cover(rank, EXTENTS, WIDTHS, WIDTHS, once=once)):
        axes = per_axis(row, rank, 3)
        shape = tuple(a[0] for a in axes)
        pairs = [(a[1], a[2]) for a in axes]
        mode, constants, contiguous = row[-3:]
        yield make.pad_of(kind(number), shape, pairs, mode, constants, contiguous)


def as_strideds_by_pairs(rank: int) -> Iterator[Setting]:
    once = (EXTENTS, range(1, 5), range(-1, 9))
    rows = cover(rank, range(1, 5), range(-3, 5), once=once)
    for number, row in enumerate(rows):
        axes = per_axis(row, rank, 2)
        size, stride = (tuple(a[k] for a in axes) for k in (0, 1))
        for offset in (row[-1], row[-1] + 12):
            shape = (row[-3], row[-2])
            yield make.as_strided_of(kind(number), shape, size, stride, offset)
            yield make.as_strided_of(kind(number), (4, 3, 4), size, stride, offset)


def set_values_by_pairs(rank: int) -> Iterator[Setting]:
    rows = cover(rank, EXTENTS, EXTENTS, range(-1, 5), STEPS, (True, False))
    for number, row in enumerate(rows):
        axes = per_axis(row, rank, 5)
        shape = tuple(a[0] for a in axes)
        lists = [[a[k] for a in axes] for k in (1, 2, 3)]
        src = tuple(
            1 if a[4] else len(range(*a[1:4])) for a in axes[number % (rank + 1) :]
        )
        yield make.set_value_of(kind(number), shape, src, lists)
        fitting = [
            [0 if a[3] > 0 else n - 1 for a, n in zip(axes, shape, strict=True)],
            [n if a[3] > 0 else -1 for a, n in zip(axes, shape, strict=True)],
            [a[3] for a in axes],
        ]
        yield make.set_value_of(kind(number), shape, (1,) * (number % rank), fitting)


def windows_by_pairs(rank: int) -> Iterator[Setting]:
    rows = cover(rank, range(1, 7), range(1, 4), range(1, 4), range(1, 3))
    for number, row in enumerate(rows):
        axes = per_axis(row, rank, 4)
        shape = tuple(a[0] for a in axes)
        order = range(rank) if number % 2 else range(-1, -rank - 1, -1)
        used = list(order)[: number % (rank + 1)]
        lists = [[axes[a][k] for a in used] for k in (1, 2, 3)]
        yield make.windows_of(kind(number), shape, lists[0], lists[1], lists[2], used)


BY_PAIRS = [
    ranges_by_pairs,
    pads_by_pairs,
    as_strideds_by_pairs,
    set_values_by_pairs,
    windows_by_pairs,
]


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("settings", BY_PAIRS, ids=lambda p: p.__name__)
def test_pairs_of_axes(settings: Any, rank: int, counts: Counts) -> None:
    count = agree(settings(rank))
    assert count > 30
    name = settings.__name__.replace("_", " ")
    counts[f"{rank} axes: {name}"] = count


def test_pairwise_rows_cover_every_pair() -> None:
    factors = [range(3), "ab", (None, 1, 2, 3), range(5)]
    rows = pairwise.rows(factors)
    for a, b in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]:
        met = {(row[a], row[b]) for row in rows}
        assert met == set(product(factors[a], factors[b]))
    assert len(rows) < 3 * 2 * 4 * 5


# ------------------------------------------------------------------------- by chance


def any_slice(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    return make.slice_of(k, shape, any_index(chance, shape))


def any_index(chance: random.Random, shape: tuple[int, ...]) -> tuple[Any, ...]:
    entries: list[Any] = []
    for n in shape[: chance.randint(0, len(shape))]:
        single = n > 0 and chance.random() < 0.2
        wide = (chance.choice(ENDS), chance.choice(ENDS), chance.choice(STEPS))
        low = chance.random() < 0.1
        entries.append(
            chance.randint(-n - low, n - 1 + low) if single else slice(*wide)
        )
    if chance.random() < 0.3:
        entries.insert(chance.randint(0, len(entries)), None)
    if chance.random() < 0.3:
        entries.insert(chance.randint(0, len(entries)), Ellipsis)
    return tuple(entries)


def any_masked(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    count = chance.randint(0, len(shape) + 1)
    steps = (*STEPS, 1, 1, 1, 1)
    lists = [
        [chance.randint(-6, 6) for _ in range(count)],
        [chance.randint(-6, 6) for _ in range(count)],
        [chance.choice(steps) for _ in range(count)],
    ]
    masks = {name: chance.getrandbits(4) & chance.getrandbits(4) for name in NAMES}
    if chance.random() < 0.9:
        masks["ellipsis_mask"] = (1 << chance.randint(0, 5)) & ~1
    return make.masked_of(k, shape, lists, masks)


def any_as_strided(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    rank = chance.randint(0, 3)
    size = tuple(
        chance.randint(0 if chance.random() < 0.1 else 1, 4) for _ in range(rank)
    )
    stride = tuple(chance.randint(-3, 6) for _ in range(rank))
    low = sum(min(s, 0) * (n - 1) for n, s in zip(size, stride, strict=True))
    reach = sum(abs(s) * (n - 1) for n, s in zip(size, stride, strict=True))
    room = oracle.size_of(shape) - reach
    offset = chance.randint(-1, max(room, 0)) - low
    return make.as_strided_of(k, shape, size, stride, offset)


def any_pad(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    pairs = [(chance.randint(-4, 5), chance.randint(-2, 5)) for _ in shape]
    mode = chance.choice(oracle.MODES)
    constants = chance.choice(("one", "none", "sides"))
    return make.pad_of(k, shape, pairs, mode, constants, chance.random() < 0.8)


def any_set_value(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    lists: list[list[int]] = [[], [], []]
    src: list[int] = []
    for n in shape:
        step = chance.choice(STEPS)
        start = chance.randint(0, max(n - 1, 0))
        end = chance.randint(start, n) if step > 0 else chance.randint(-1, start)
        if chance.random() < 0.05:
            end += chance.randint(-2, 2)
        for values, value in zip(lists, (start, end, step), strict=True):
            values.append(value)
        src.append(chance.choice((1, len(range(start, end, step)))))
    return make.set_value_of(k, shape, tuple(src[chance.randint(0, len(src)) :]), lists)


def any_assign(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    entries = any_index(chance, shape)
    try:
        cells = oracle.index(oracle.numbered(shape), entries).shape
    except oracle.Wrong:
        cells = ()
    src = tuple(1 if chance.random() < 0.3 else n for n in cells)
    lead = chance.choice(((), (1,), (1, 1)))
    src = lead + src if chance.random() < 0.2 else src[chance.randint(0, len(src)) :]
    return make.assign_of(k, shape, src, entries)


def any_windows(chance: random.Random, k: Kind, shape: tuple[int, ...]) -> Setting:
    axes = chance.sample(range(len(shape)), chance.randint(0, len(shape)))
    lists = [[chance.randint(1, most) for _ in axes] for most in (3, 3, 2)]
    return make.windows_of(k, shape, lists[0], lists[1], lists[2], axes)


BY_CHANCE = (
    any_slice,
    any_masked,
    any_as_strided,
    any_pad,
    any_pad,
    any_set_value,
    any_assign,
    any_windows,
)


def by_chance(seed: int, count: int) -> Iterator[Setting]:
    chance = random.Random(seed)
    for number in range(count):
        rank = chance.choice((0, 1, 2, 2, 3, 3))
        shape = tuple(chance.choice((0, 1, 2, 3, 3, 4)) for _ in range(rank))
        draw = BY_CHANCE[number % len(BY_CHANCE)]
        yield draw(chance, Kind(chance.choice(DTYPES), kind(number).layout), shape)


def test_seeded_settings(counts: Counts) -> None:
    """All operators, ranks, dtypes and layouts in memory, at random."""
    count = agree(by_chance(20_240_229, SEEDED))
    assert count == SEEDED
    counts["by seeded chance"] = count
