"""The plain functions beside JAX: slices, reversals, pads, indices, updates.

JAX compiles every call, which takes far longer than the call: so many sets are traced
into one function.  What JAX refuses it refuses while tracing, set by set.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import sets

import restride as rs

jax = sets.framework("jax")
jnp = sets.framework("jax").numpy
lax = jax.lax

NAME = "jax"
AT_ONCE = 50
"""Sets compiled together: fewer take longer each, and so do many more."""

DTYPES = ("int8", "int64", "uint16", "bool", "float32", "float64", "complex64")
REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError)

Array = np.ndarray[Any, Any]
Answer = Array | Exception


class Set(NamedTuple):
    """One comparison, drawn and not yet made."""

    x: tuple[Array, ...]
    theirs: Callable[..., Any]
    judge: Callable[[Answer], str | None]
    given: Any


@pytest.fixture(autouse=True)
def wide() -> Any:
    """Elements of 64 bits, which JAX cuts to 32 unless asked."""
    with jax.enable_x64(True):
        yield


def answers(drawn: list[Set]) -> list[Answer]:
    """JAX's result of every set, or what it refused it with."""
    refused: dict[int, Exception] = {}

    def all_of_them(arrays: list[tuple[Any, ...]]) -> list[Any]:
        made = []
        for number, (one, given) in enumerate(zip(drawn, arrays, strict=True)):
            try:
                made.append(one.theirs(*given))
            except REFUSALS as error:
                refused[number] = error
                made.append(given[0])
        return made

    made = jax.jit(all_of_them)([one.x for one in drawn])
    return [refused.get(k, np.asarray(result)) for k, result in enumerate(made)]


def many(draw: Callable[[random.Random], Set]) -> Callable[..., list[str | None]]:
    def judged(rngs: list[random.Random]) -> list[str | None]:
        drawn = [draw(rng) for rng in rngs]
        told = [
            one.judge(answer) for one, answer in zip(drawn, answers(drawn), strict=True)
        ]
        pairs = zip(told, drawn, strict=True)
        return [said and f"{said} for {one.given}" for said, one in pairs]

    return judged


def same(ours: Callable[[], Any]) -> Callable[[Answer], str | None]:
    """Agree on refusals, and on bits."""

    def judge(answer: Answer) -> str | None:
        try:
            result = ours()
        except rs.RestrideError as error:
            return None if isinstance(answer, Exception) else f"refused ({error})"
        if isinstance(answer, Exception):
            return f"gave {result.shape}, JAX refused ({answer})"
        return sets.different(result, answer)

    return judge


def drawn_array(rng: random.Random, of: tuple[int, ...] | None = None) -> Array:
    shape = sets.shape(rng, (0, 4)) if of is None else of
    return sets.array(rng, shape, rng.choice(DTYPES))


# ---------------------------------------------------------------------- slices, indices


def one_slice(rng: random.Random) -> Set:
    """A range outside its axis is refused by ``lax.slice`` and cut by ours."""
    x = drawn_array(rng)
    begins = [rng.randint(-1 if rng.random() < 0.05 else 0, n) for n in x.shape]
    pairs = zip(begins, x.shape, strict=True)
    ends = [rng.randint(b - (rng.random() < 0.05), n) for b, n in pairs]
    steps = [rng.choice((1, 1, 2, 3)) for _ in x.shape]
    entries = list(zip(begins, ends, steps, strict=True))
    inside = all(0 <= b <= e for b, e, _ in entries)
    index = tuple(slice(*entry) for entry in entries)

    def judge(answer: Answer) -> str | None:
        if isinstance(answer, Exception):
            return "refused what lies inside" if inside else None
        return sets.different(rs.slice(x, index), answer)

    return Set(
        (x,), lambda a: lax.slice(a, begins, ends, steps), judge, (x.shape, index)
    )


def one_index(rng: random.Random) -> Set:
    """A single index outside its axis: JAX takes the nearest, ours refuses it."""
    x = drawn_array(rng)
    index = drawn_index(rng, x.shape)
    moved = nearest(index, x.shape)

    def judge(answer: Answer) -> str | None:
        if moved != index and not isinstance(answer, Exception):
            with pytest.raises(rs.BoundsError):
                rs.slice(x, index)
            return sets.different(rs.slice(x, moved), answer)
        return same(lambda: rs.slice(x, index))(answer)

    return Set((x,), lambda a: a[index], judge, (x.shape, index))


def drawn_index(rng: random.Random, of: tuple[int, ...]) -> tuple[Any, ...]:
    entries: list[Any] = []
    count = max(0, len(of) + rng.choice((-1, 0, 0, 0, 1 if rng.random() < 0.1 else 0)))
    for n in of[:count]:
        bound = [rng.choice((None, rng.randint(-n - 2, n + 2))) for _ in range(2)]
        step = rng.choice((None, 1, 2, -1, -2, 3))
        outside = rng.random() < 0.1
        single = rng.randint(-n, n - 1) if n and not outside else rng.randint(-9, 9)
        entries.append(single if rng.random() < 0.25 else slice(*bound, step))
    entries += [0] * (count - len(of))
    if rng.random() < 0.3:
        entries.insert(rng.randint(0, len(entries)), ...)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        entries.insert(rng.randint(0, len(entries)), None)
    return tuple(entries)


def nearest(index: tuple[Any, ...], of: tuple[int, ...]) -> tuple[Any, ...]:
    """The index with single positions outside moved to the nearest inside."""
    takers = sum(entry is not None and entry is not ... for entry in index)
    axes = iter(range(len(of)))
    found = []
    for entry in index:
        if entry is None or takers > len(of):
            found.append(entry)
        elif entry is ...:
            found.append(entry)
            for _ in range(len(of) - takers):
                next(axes)
        else:
            n = of[next(axes)]
            single = isinstance(entry, int) and n
            found.append(min(max(entry, -n), n - 1) if single else entry)
    return tuple(found)


def one_reversal(rng: random.Random) -> Set:
    x = drawn_array(rng)
    axes = tuple(r for r in range(x.ndim) if rng.random() < 0.5)
    ours = same(lambda: rs.view(x).flip(axes).copy())
    return Set((x,), lambda a: lax.rev(a, axes), ours, (x.shape, axes))


# -------------------------------------------------------------------------------- pads


def one_pad(rng: random.Random) -> Set:
    """``lax.pad``: negative widths crop."""
    x = drawn_array(rng)
    pads = sets.pads(rng, x.shape, -3, 4)
    constant = sets.array(rng, (), x.dtype)
    wanted = [(*pair, 0) for pair in pads]
    ours = same(lambda: rs.pad(x, pads, constant_values=constant))
    return Set((x, constant), lambda a, c: lax.pad(a, c, wanted), ours, (x.shape, pads))


def one_mirror(rng: random.Random) -> Set:
    """``jnp.pad`` in the modes that move, of any width."""
    x = drawn_array(rng, sets.shape(rng, (1, 3), (0, 4)))
    pads = sets.pads(rng, x.shape, 0, rng.choice((2, 9)))
    mode = rng.choice(("edge", "reflect", "symmetric", "wrap"))
    ours = same(lambda: rs.pad(x, pads, mode))
    return Set((x,), lambda a: jnp.pad(a, pads, mode), ours, (x.shape, pads, mode))


def one_constant(rng: random.Random) -> Set:
    """``jnp.pad`` with a constant per side: the last axis wins in corners."""
    x = sets.array(rng, sets.shape(rng, (1, 3), (0, 4)), np.int64)
    pads = sets.pads(rng, x.shape, 0, 3)
    values = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in x.shape]
    ours = same(lambda: rs.pad(x, pads, constant_values=values))
    return Set(
        (x,),
        lambda a: jnp.pad(a, pads, constant_values=values),
        ours,
        (x.shape, pads, values),
    )


# ------------------------------------------------------------------- slices that move


def one_dynamic_slice(rng: random.Random) -> Set:
    """A start is counted from the end if negative, then moved inside."""
    x = drawn_array(rng)
    sizes = tuple(rng.randint(0, n) for n in x.shape)
    starts = [rng.randint(-n - 2, n + 2) for n in x.shape]
    begins = moved_inside(starts, sizes, x.shape)
    ours = same(lambda: rs.slice(x, region(begins, sizes)))
    return Set(
        (x, np.array(starts, np.int64)),
        lambda a, at: lax.dynamic_slice(a, list(at), sizes),
        ours,
        (x.shape, starts, sizes),
    )


def one_dynamic_update(rng: random.Random) -> Set:
    """JAX moves an update inside; ours refuses one that is not there already."""
    x = drawn_array(rng)
    sizes = tuple(rng.randint(1, n) if n else 0 for n in x.shape)
    starts = [rng.randint(-n - 2, n + 2) for n in x.shape]
    if rng.random() < 0.5:
        pairs = zip(x.shape, sizes, strict=True)
        starts = [rng.randint(0, n - size) for n, size in pairs]
    begins = moved_inside(starts, sizes, x.shape)
    update = sets.array(rng, sizes, x.dtype)

    def ours(at: list[int]) -> Array:
        ends = [b + size for b, size in zip(at, sizes, strict=True)]
        return rs.set_value(x.copy(), update, at, ends)

    def judge(answer: Answer) -> str | None:
        if starts != begins and x.size:
            with pytest.raises(rs.BoundsError):
                ours(starts)
        return same(lambda: ours(begins))(answer)

    return Set(
        (x, update, np.array(starts, np.int64)),
        lambda a, u, at: lax.dynamic_update_slice(a, u, list(at)),
        judge,
        (x.shape, starts, sizes),
    )


def moved_inside(
    starts: list[int], sizes: tuple[int, ...], of: tuple[int, ...]
) -> list[int]:
    """Where XLA begins: the nearest start from which the whole size fits."""
    return [
        min(max(start + n if start < 0 else start, 0), n - size)
        for start, size, n in zip(starts, sizes, of, strict=True)
    ]


def region(begins: list[int], sizes: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(b, b + n) for b, n in zip(begins, sizes, strict=True))


FAMILIES = {
    "slice, rev and indices": (one_slice, one_reversal, one_index),
    "pads": (one_pad, one_mirror, one_constant),
    "dynamic slices and updates": (one_dynamic_slice, one_dynamic_update),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_plain_functions_do_as_jax_does(family: str) -> None:
    def draw(rng: random.Random) -> Set:
        return rng.choice(FAMILIES[family])(rng)

    sets.compare_many(NAME, family, many(draw), AT_ONCE)
