"""Random operators to translate, what they give by NumPy, and running what comes out.

A set is drawn in the words of NumPy or restride, translated, and the text is pasted
into the framework; or drawn in the framework's words, run there, and its translation
to NumPy is pasted here.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sets

import restride as rs
from restride.translate import Call, Translation, translate

Array = np.ndarray[Any, Any]

FAR = (2**31 - 1, 2**63 - 1, -(2**31), -(2**63), 2**40, 2**70, -(2**70))
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
DTYPES = ("int32", "int64", "float32", "float64", "int16")


class Drawn(NamedTuple):
    """An operator on an array, and what it gives."""

    spec: Any
    x: Array
    wanted: Array
    src: Array | None = None


def bound(rng: random.Random, n: int) -> int | None:
    return rng.choice((None, rng.randint(-n - 2, n + 2), rng.randint(-9, 9), far(rng)))


def far(rng: random.Random) -> int:
    return rng.choice(FAR)


def entries(rng: random.Random, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index of an array of `shape`, which NumPy takes."""
    found: list[Any] = []
    used = rng.randint(0, len(shape))
    at_end = used < len(shape) and rng.random() < 0.4
    for n in shape[len(shape) - used :] if at_end else shape[:used]:
        if n and rng.random() < 0.25:
            found.append(rng.randint(-n, n - 1))
        else:
            step = rng.choice((None, 1, 1, 2, 3, -1, -1, -2, -3, far(rng)))
            found.append(slice(bound(rng, n), bound(rng, n), step))
    if at_end:
        found.insert(0, Ellipsis)
    for _ in range(rng.choice((0, 0, 1, 2))):
        found.insert(rng.randint(0, len(found)), None)
    return tuple(found)


def array(rng: random.Random, shape: tuple[int, ...]) -> Array:
    return sets.array(rng, shape, rng.choice(DTYPES))


def sliced(rng: random.Random) -> Drawn:
    x = array(rng, sets.shape(rng, (0, 4)))
    index = entries(rng, x.shape)
    return Drawn(index, x, x[index])


def written(rng: random.Random) -> Drawn:
    x = array(rng, sets.shape(rng, (0, 4)))
    index = entries(rng, x.shape)
    src = sets.array(rng, x[index].shape, x.dtype)
    wanted = x.copy()
    wanted[index] = src
    return Drawn(Call("numpy", "setitem", {"index": index}), x, wanted, src)


def padded(rng: random.Random) -> Drawn:
    """Any mode, width and sign; one constant, or one per side."""
    x = array(rng, sets.shape(rng, (1, 4), (1, 5)))
    pairs = []
    for n in x.shape:
        before = rng.choice((0, 0, rng.randint(-n, 7)))
        pairs.append((before, rng.choice((0, rng.randint(max(-n - before, -n), 7)))))
    pairs = [(b, max(a, -n - b)) for n, (b, a) in zip(x.shape, pairs, strict=True)]
    mode = rng.choice(MODES)
    fills: Any = rng.randint(-9, 9)
    if rng.random() < 0.3:
        fills = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in x.shape]
    words: dict[str, Any] = {"paddings": pairs, "mode": mode}
    if mode == "constant":
        words["constant_values"] = fills
    return Drawn(Call("restride", "pad", words), x, rs.pad(x, **words))


def strided(rng: random.Random) -> Drawn:
    """Strides inside the array, many of them a transpose's or a window's."""
    x = array(rng, sets.shape(rng, (1, 3), (1, 5)))
    steps = [*np.cumprod([1, *x.shape[::-1]]).tolist(), 0, 1, 2, 3]
    size: list[int] = []
    stride: list[int] = []
    offset = low = high = rng.randrange(x.size)
    for _ in range(rng.randint(0, 3)):
        step = rng.choice(steps) * rng.choice((1, 1, 1, -1))
        room = x.size - 1 - high if step > 0 else low
        count = rng.randint(1, min(4, 4 if step == 0 else 1 + room // abs(step)))
        high += (count - 1) * max(step, 0)
        low += (count - 1) * min(step, 0)
        size.append(0 if rng.random() < 0.05 else count)
        stride.append(step)
    words = {"size": size, "stride": stride, "offset": offset}
    return Drawn(
        Call("restride", "as_strided", words), x, rs.as_strided(x, size, stride, offset)
    )


FAMILIES: dict[str, Callable[[random.Random], Drawn]] = {
    "translated slices": sliced,
    "translated pads": padded,
    "translated views": strided,
    "translated writes": written,
}


def pasted(made: Translation, names: dict[str, Any]) -> Any:
    """What the text leaves in ``y``."""
    exec(made.text(), names)
    return names["y"]


def by_numpy(call: Call, x: Array, src: Array | None = None) -> Array | None:
    """The call by its translation to NumPy; None where it is refused."""
    try:
        made = translate(call, "numpy", x.shape)
    except rs.RestrideError:
        return None
    names = {"np": np, "x": x.copy()} | ({} if src is None else {"src": src})
    return np.asarray(pasted(made, names))


def compared(drawn: Call, ours: Array | None, theirs: Array | str) -> str | None:
    """None where both give the same bits, or both refuse."""
    if ours is None and isinstance(theirs, str):
        return None
    if ours is None or isinstance(theirs, str):
        return f"{drawn}: ours {ours}, theirs {theirs}"
    said = sets.different(ours, theirs)
    return said and f"{drawn}: {said}"
