"""StridedSlice against the documented rules, Python's slices and NumPy."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import FrozenInstanceError, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from restride.errors import BoundsError, DTypeError, RestrideError, ShapeError
from restride.layout.notation import parse_index
from restride.ops.strided_slice import StridedSlice, encode

MASKS = (
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
)
DOCUMENTED = "foo[1, 2:4, None, ..., :-3:-1, :]"

Taken = int | list[int] | None
"""Of one result entry: a position, the positions of an axis, or a new axis."""


# -- the rules, written a second time and position by position -----------------


@cache
def walk(begin: int | None, end: int | None, step: int, n: int) -> list[int]:
    """Positions of a range, found by stepping through all that could be meant."""
    if begin is not None and begin < 0:
        begin = begin + n
    if end is not None and end < 0:
        end = end + n
    inside = range(n) if step > 0 else range(n - 1, -1, -1)
    beyond = [
        p
        for p in inside
        if (begin is None or (p >= begin if step > 0 else p <= begin))
        and (end is None or (p < end if step > 0 else p > end))
    ]
    # The walk starts at begin cut to the axis, which is the first position left.
    return beyond[:: abs(step)]


def expected(spec: dict[str, Any], shape: tuple[int, ...]) -> list[Taken] | str:
    """What the rules take from `shape`, or the kind of refusal."""
    m = len(spec["begin"])
    if spec["ellipsis_mask"].bit_count() > 1:
        return "multiple ellipsis"
    dots = next((k for k in range(m) if spec["ellipsis_mask"] >> k & 1), m)
    new = {k for k in range(m) if spec["new_axis_mask"] >> k & 1 and k != dots}
    dims = iter(range(len(shape)))
    out: list[Taken] = []
    jobs: list[tuple[int, int]] = []
    dim = 0
    for k in range(m + 1):
        if k == dots:
            after = set(range(k + 1, m))
            stop = len(shape) - len(after) + len(after & new)
            while dim < min(stop, len(shape)):
                out.append(list(range(shape[next(dims)])))
                dim += 1
        elif k < m and k in new:
            out.append(None)
        elif k < m:
            if dim >= len(shape):
                return "too many"
            jobs.append((len(out), k))
            out.append(next(dims))
            dim += 1
    for where, k in jobs:
        axis = out[where]
        assert isinstance(axis, int)
        got = one(spec, k, shape[axis])
        if isinstance(got, str):
            return got
        out[where] = got
    return out


def one(spec: dict[str, Any], k: int, n: int) -> int | list[int] | str:
    """What entry k takes from an axis of extent n."""
    begin, end, step = spec["begin"][k], spec["end"][k], spec["strides"][k]
    if step == 0:
        return "stride 0"
    if spec["shrink_axis_mask"] >> k & 1:
        if step < 0:
            return "single index backwards"
        index: int = begin + n if begin < 0 else begin
        return index if index in range(n) else "outside"
    return walk(
        None if spec["begin_mask"] >> k & 1 else begin,
        None if spec["end_mask"] >> k & 1 else end,
        step,
        n,
    )


KINDS = {
    "has more than one bit": "multiple ellipsis",
    "need an axis": "too many",
    "any other stride is allowed": "stride 0",
    "needs a stride above 0": "single index backwards",
    "is outside axis": "outside",
}


def kind_of(error: RestrideError, allowed: list[str]) -> str:
    kind = next(kind for words, kind in KINDS.items() if words in str(error))
    return kind if kind in allowed else f"{kind}, as {type(error).__name__}"


def found(spec: StridedSlice, shape: tuple[int, ...]) -> list[Taken] | str:
    """What the package takes, in the form of `expected`."""
    try:
        entries = spec.entries(shape)
    except BoundsError as error:
        return kind_of(error, ["outside"])
    except ShapeError as error:
        return kind_of(error, [kind for kind in KINDS.values() if kind != "outside"])
    return [
        [e[0] + j * e[1] for j in range(e[2])] if isinstance(e, tuple) else e
        for e in entries
    ]


def random_spec(rng: random.Random, m: int, masks: tuple[int, ...]) -> dict[str, Any]:
    strides = [1, 1, 2, 3, -1, -2, -3]
    if rng.random() < 0.05:
        strides.append(0)
    values = {
        "begin": [rng.randint(-6, 6) for _ in range(m)],
        "end": [rng.randint(-6, 6) for _ in range(m)],
        "strides": [rng.choice(strides) for _ in range(m)],
    }
    return {**values, **dict(zip(MASKS, masks, strict=True))}


# -- against the rules ---------------------------------------------------------


def test_every_range_on_every_small_axis_is_pythons_slice() -> None:
    count = 0
    bounds = [None, *range(-6, 7)]
    for n, begin, end, step in itertools.product(
        range(5), bounds, bounds, [-4, -3, -2, -1, 1, 2, 3, 4, None]
    ):
        cut = slice(begin, end, step)
        assert found(encode(cut), (n,)) == [list(range(n))[cut]]
        assert walk(begin, end, step or 1, n) == list(range(n))[cut]
        count += 1
    assert count == 5 * 14 * 14 * 9


@pytest.mark.parametrize(("m", "taken"), [(0, 1), (1, 28), (2, 508), (3, 7868)])
def test_every_mask_pattern(m: int, taken: int) -> None:
    patterns = itertools.product(range(2**m), repeat=5)
    assert compared(m, patterns) == (32**m, taken)


def compared(m: int, patterns: Iterable[tuple[int, ...]]) -> tuple[int, int]:
    """How many mask patterns of m entries agree, and how many of them are taken."""
    rng = random.Random(3)
    # 997 settings are drawn once, since drawing costs more than comparing.
    drawn = [
        (random_spec(rng, m, (0,) * 5), rng.choices(range(4), k=rng.randint(0, 4)))
        for _ in range(997)
    ]
    count = taken = 0
    for masks in patterns:
        numbers, extents = drawn[count % 997]
        spec = {**numbers, **dict(zip(MASKS, masks, strict=True))}
        right = expected(spec, tuple(extents))
        assert found(StridedSlice(**spec), tuple(extents)) == right, (spec, extents)
        count += 1
        taken += not isinstance(right, str)
    return count, taken


def test_random_masks_of_up_to_seven_entries() -> None:
    rng = random.Random(5)
    taken = 0
    for _ in range(20_000):
        m = rng.randint(0, 7)
        masks = [rng.getrandbits(m + 1) & rng.getrandbits(m + 1) for _ in MASKS]
        masks[2] = rng.choice([0, 0, 1 << rng.randint(0, m), masks[2]])
        spec = random_spec(rng, m, tuple(masks))
        shape = tuple(rng.choices(range(5), k=rng.randint(0, 6)))
        right = expected(spec, shape)
        assert found(StridedSlice(**spec), shape) == right, (spec, shape)
        taken += not isinstance(right, str)
    assert taken > 5_000


def cells(entries: list[Taken]) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Result shape, and the source index of each result element, row-major."""
    shape = tuple(1 if e is None else len(e) for e in entries if not isinstance(e, int))
    lists = [[e] if isinstance(e, int) else e for e in entries if e is not None]
    return shape, list(itertools.product(*lists))


def test_the_map_reads_those_cells_and_so_does_numpy() -> None:
    rng = random.Random(11)
    done = 0
    while done < 3_000:
        m = rng.randint(0, 4)
        masks = tuple(rng.getrandbits(m) & rng.getrandbits(m) for _ in MASKS)
        values = random_spec(rng, m, masks)
        shape = tuple(rng.choices(range(1, 5), k=rng.randint(0, 4)))
        right = expected(values, shape)
        if isinstance(right, str):
            continue
        spec = StridedSlice(**values)
        result, sources = cells(right)
        chain = spec.chain(shape)
        assert (chain.shape, chain.cuts, spec.infer_shape(shape)) == (result, 0, result)
        indices = itertools.product(*map(range, result))
        assert [chain.maps[0].at(i) for i in indices] == sources
        x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        picked = np.asarray(x[parse_index(spec.decode())])
        assert picked.shape == result
        assert picked.ravel().tolist() == [int(x[i]) for i in sources]
        done += 1


# -- the documents -------------------------------------------------------------


def test_the_documented_example() -> None:
    spec = encode(DOCUMENTED)
    assert spec.begin == (1, 2, 0, 0, 0, 0)
    assert spec.end == (2, 4, 0, 0, -3, 0)
    assert spec.strides == (1, 1, 1, 1, -1, 1)
    assert [getattr(spec, mask) for mask in MASKS] == [48, 32, 8, 4, 1]
    assert spec.infer_shape((5,) * 6) == (2, 1, 5, 5, 2, 5)
    assert spec.decode() == "[1, 2:4, None, ..., :-3:-1, :]"


def test_dont_cares_decide_nothing() -> None:
    spec = encode(DOCUMENTED)
    other = StridedSlice(
        [1, 2, 9, 8, 7, 6],
        [-99, 4, 3, 2, -3, 5],
        [1, 1, 0, 0, -1, 1],
        *[getattr(spec, mask) for mask in MASKS],
    )
    assert other.entries((5,) * 6) == spec.entries((5,) * 6)
    other.check((5,) * 6, strict=True)


def test_more_of_the_documents() -> None:
    assert encode("...").entries((3, 4)) == [(0, 1, 3), (0, 1, 4)]
    assert encode("newaxis, ...").infer_shape((3, 4)) == (1, 3, 4)
    assert encode(":, ...").infer_shape((3, 4)) == (3, 4)
    assert encode(":").entries((3,)) == [(0, 1, 3)]
    assert encode("0:-1").entries((3,)) == [(0, 1, 2)]
    assert encode("-2::-1").entries((4,)) == [(2, -1, 3)]
    assert encode("2, :").infer_shape((5, 6)) == (6,)


def test_masks_after_an_ellipsis_move_with_their_axes() -> None:
    spec = StridedSlice([0, 0, 2], [0, 1, 0], [1, 1, 1], 2, 4, 1)
    assert spec.entries((2, 3, 4)) == [(0, 1, 2), (0, 1, 1), (2, 1, 2)]


def test_precedence_and_corners() -> None:
    ones = StridedSlice([1, 1], [2, 2])
    whole = replace(ones, ellipsis_mask=1, new_axis_mask=1, shrink_axis_mask=1)
    assert whole.entries((3, 4)) == [(0, 1, 3), (1, 1, 1)]
    new = replace(ones, new_axis_mask=1, shrink_axis_mask=3)
    assert new.entries((3, 4)) == [None, 1, (0, 1, 4)]
    # A single index is read from begin even where begin_mask has its bit.
    raw = replace(ones, begin_mask=1, end_mask=1, shrink_axis_mask=1)
    assert raw.entries((3, 4)) == [1, (1, 1, 1)]
    # An ellipsis may find nothing left.
    assert StridedSlice([0] * 3, [1] * 3, ellipsis_mask=2).infer_shape((3, 4)) == (1, 1)
    assert encode("0, 0").infer_shape((3, 4)) == ()
    assert encode(()).infer_shape(()) == ()
    assert encode("1:3").entries((0,)) == [(0, 1, 0)]


def test_bits_beyond_the_entries_mean_nothing_but_count_as_ellipses() -> None:
    far = 1 << 70
    spec = StridedSlice([1], [3], [1], far, far, far, far, far)
    assert spec.entries((5, 2)) == [(1, 1, 2), (0, 1, 2)]
    assert spec.decode() == "[1:3]"
    with pytest.raises(ShapeError, match="more than one bit"):
        StridedSlice([1], [3], [1], ellipsis_mask=far | 1).entries((5,))


def test_a_mask_of_minus_one_sets_every_bit() -> None:
    spec = StridedSlice([1, 2], [1, 2], [1, -1], begin_mask=-1, end_mask=-1)
    assert spec.entries((3, 4)) == [(0, 1, 3), (3, -1, 4)]


# -- the parameters ------------------------------------------------------------


def test_parameters_are_kept_as_plain_ints() -> None:
    begin: list[Any] = [np.int32(1), 2]
    numpy_int: Any = np.uint8(1)
    spec = StridedSlice(begin, np.array([3, 4]).tolist(), begin_mask=numpy_int)
    begin[0] = 0
    assert spec == StridedSlice((1, 2), (3, 4), (1, 1), 1)
    assert hash(spec) == hash(StridedSlice((1, 2), (3, 4), (1, 1), 1))
    kept = (*spec.begin, *spec.end, *(spec.strides or ()), spec.begin_mask)
    assert {type(v) for v in kept} == {int}
    with pytest.raises(FrozenInstanceError):
        spec.begin_mask = 0  # type: ignore[misc]
    assert replace(spec, begin_mask=0).begin_mask == 0


def test_parameters_of_the_wrong_form() -> None:
    with pytest.raises(ShapeError) as caught:
        StridedSlice([1, 2], [1], [1, 1])
    assert str(caught.value) == (
        "strided_slice: begin has length 2, end 1 and strides 2; give one of each "
        "per entry of the index."
    )
    for wrong in ([1.0], [True], "1", 1, None):
        with pytest.raises(DTypeError, match="strided_slice: begin"):
            StridedSlice(wrong, [1])  # type: ignore[arg-type]
    with pytest.raises(DTypeError, match="strided_slice: end_mask = True is not"):
        StridedSlice([1], [1], end_mask=True)


# -- encode and decode ---------------------------------------------------------


def test_encode_takes_objects_and_text() -> None:
    index = (1, slice(2, 4), None, ..., slice(None, -3, -1), slice(None))
    assert encode(index) == encode(DOCUMENTED) == StridedSlice.encode(index, 5)
    assert encode(-1) == StridedSlice([-1], [0], [1], shrink_axis_mask=1)
    assert encode(()) == StridedSlice([], [])


def test_encode_with_a_rank_counts_axes_only() -> None:
    assert encode("99, None, ..., 99", rank=2).shrink_axis_mask == 0b1001
    with pytest.raises(ShapeError) as caught:
        encode("1, :, None, ..., 2", rank=2)
    assert str(caught.value) == (
        "encode: 3 of the entries need an axis and rank is 2; leave out 1."
    )
    with pytest.raises(DTypeError):
        encode("1", rank=1.0)  # type: ignore[arg-type]


def test_decode_selects_the_same_of_every_shape() -> None:
    rng = random.Random(13)
    shapes = [s for r in range(4) for s in itertools.product((0, 1, 3), repeat=r)]
    decoded = 0
    for _ in range(2_000):
        m = rng.randint(0, 4)
        masks = tuple(rng.getrandbits(m + 1) & rng.getrandbits(m + 1) for _ in MASKS)
        spec = StridedSlice(**random_spec(rng, m, masks))
        try:
            text = spec.decode()
        except ShapeError:
            assert all(isinstance(found(spec, shape), str) for shape in shapes)
            continue
        again = encode(text)
        assert again.decode() == text
        for shape in shapes:
            assert found(again, shape) == found(spec, shape), (spec, text, shape)
        decoded += 1
    assert decoded > 1_000


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            StridedSlice([0], [0], [0]),
            "strided_slice: strides[0] = 0; any other stride is allowed. Use 1 or -1.",
        ),
        (
            StridedSlice([0], [0], [-1], shrink_axis_mask=1),
            "strided_slice: strides[0] = -1; a single index (shrink_axis_mask bit 0) "
            "needs a stride above 0. Use 1.",
        ),
        (
            StridedSlice([0], [0], [1], ellipsis_mask=3),
            "strided_slice: ellipsis_mask = 3 has more than one bit; an index holds "
            "at most one ellipsis. Keep one bit.",
        ),
    ],
    ids=["stride", "single", "ellipsis"],
)
def test_decode_refuses_what_no_shape_accepts(spec: StridedSlice, message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        spec.decode()
    assert str(caught.value) == message


# -- refusals ------------------------------------------------------------------


def test_a_single_index_outside_its_axis() -> None:
    spec = StridedSlice([0, 0, 7], [1, 1, 8], [1, 1, 1], shrink_axis_mask=4)
    for error in (BoundsError, IndexError):
        with pytest.raises(error) as caught:
            spec.check((5, 5, 5))
    assert str(caught.value) == (
        "strided_slice: begin[2] = 7 is outside axis 2 of extent 5; a single index "
        "(shrink_axis_mask bit 2) must lie in -5..4. A range is cut to fit instead."
    )
    with pytest.raises(BoundsError) as caught:
        encode("..., None, -6").entries((0, 5), "slice")
    assert str(caught.value) == (
        "slice: index[2] = -6 is outside axis 1 of extent 5; a single index must lie "
        "in -5..4. A range is cut to fit instead."
    )
    with pytest.raises(BoundsError, match="a single index does not exist there"):
        encode("0").entries((0,), "slice")


def test_too_many_entries_and_axes() -> None:
    with pytest.raises(ShapeError) as caught:
        encode("1, ..., :, None, 2").check((4,))
    assert str(caught.value) == (
        "strided_slice: 3 of the entries need an axis and shape (4,) has 1; "
        "leave out 2."
    )
    assert encode((None,) * 63).infer_shape((4,)) == (1,) * 63 + (4,)
    with pytest.raises(ShapeError) as caught:
        encode((None,) * 64).infer_shape((4,))
    assert str(caught.value) == (
        "strided_slice: the result would have 65 axes; at most 64 are allowed. "
        "Leave out some new axes."
    )
    with pytest.raises(ShapeError, match="strided_slice: 500 entries; at most 129"):
        StridedSlice([0] * 500, [0] * 500)
    with pytest.raises(ShapeError, match="begin has more than 512 entries"):
        StridedSlice([0] * 10**6, [0] * 10**6)


HOSTILE = [2**31, 2**63 - 1, 2**63, -(2**63), 2**70, -(2**70), 10**5000, -(10**5000)]


def test_hostile_numbers() -> None:
    for begin, end, step in itertools.product([0, 2, *HOSTILE], repeat=3):
        if step:
            cut = slice(begin, end, step)
            spec = encode(cut)
            assert found(spec, (5,)) == [list(range(5))[cut]]
            chain = spec.chain((5,))
            got = [chain.maps[0].at((k,)) for k in range(chain.shape[0])]
            assert got == [(p,) for p in range(5)[cut]]
    for index in HOSTILE:
        with pytest.raises(BoundsError) as caught:
            encode(index).check((5,))
        assert "is outside axis 0 of extent 5" in str(caught.value)
    for extent in (2**63 - 1, 2**70):
        assert encode(f"{-extent}:{2**80}:{extent - 1}").entries((extent,)) == [
            (0, extent - 1, 2)
        ]
    with pytest.raises(ShapeError, match=r"strides\[0\] = about -2\*\*16609"):
        StridedSlice([0], [0], [-(10**5000)], shrink_axis_mask=1).check((5,))


@pytest.mark.parametrize("shape", [(-1,), (1,) * 65])
def test_shapes_that_are_none(shape: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError, match="strided_slice: shape"):
        encode("...").check(shape)
