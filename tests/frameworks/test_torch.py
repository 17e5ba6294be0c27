"""The PyTorch dialect against PyTorch: equal bits, and refused by both or by none."""

from __future__ import annotations

import math
import random
from typing import Any

import sets
import torch_sets
from torch_sets import Rule, agreement, compare, outcome, torch

from restride.dialects import pytorch as rt

pad = torch.nn.functional.pad

WIDEST = 40
"""Largest width drawn: far ones make PyTorch allocate, or crash."""


def shape(rng: random.Random, least: int = 0, most: int = 4) -> tuple[int, ...]:
    return sets.shape(rng, (least, most), (0, 4))


def described(x: Any) -> str:
    return f"{tuple(x.shape)} {x.dtype} strides {x.stride()} at {x.storage_offset()}"


# ----------------------------------------------------------------------- strided views


def strides_over(rng: random.Random, x: Any) -> tuple[list[int], list[int], Any]:
    """Parameters of as_strided, most of them inside the storage of `x`."""
    total = x.untyped_storage().nbytes() // max(x.element_size(), 1)
    rank = rng.randint(0, 3)
    size = [rng.choice((0, 1, 2, 2, 3, 3)) for _ in range(rank)]
    stride = [rng.randint(0, max(total // 4, 1)) for _ in range(rank)]
    offset = rng.choice((None, 0, rng.randint(0, total + 1)))
    chosen = rng.choice((size, stride))
    if rank and rng.random() < 0.2:
        wild = (-1, -2, 2**31, 2**62, 2**63 - 1, 2**63, 2**70)
        chosen[rng.randrange(rank)] = rng.choice(wild)
    if rng.random() < 0.03:
        chosen.append(1)
    if rng.random() < 0.05:
        offset = rng.choice((-1, 2**62, 2**64))
    return size, stride, offset


def is_read(size: list[int], stride: list[int], offset: Any) -> bool:
    """The parameters pass what PyTorch asks of each alone."""
    fit = all(abs(n) < 2**63 for n in (*size, *stride, offset or 0))
    return (
        fit
        and len(size) == len(stride)
        and min(stride, default=0) >= 0
        and (offset or 0) >= 0
    )


def has_negative_size(size: list[int]) -> bool:
    """PyTorch makes tensors with an extent below 0, where an earlier one is 0."""
    return min(size, default=0) < 0 and 0 in size


def spans_too_much(size: list[int], x: Any, theirs: Any) -> bool:
    """A result that PyTorch makes, or finds empty, and no NumPy array can count."""
    spanned = math.prod(n for n in size if n) * x.element_size()
    return spanned >= 2**63 and (0 in size or not isinstance(theirs, Exception))


def test_as_strided() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        given = strides_over(rng, x)
        ours = outcome(rt.as_strided, x, *given)
        theirs = outcome(torch.as_strided, x, *given)
        return agreement(
            ours,
            theirs,
            Rule(is_read(*given) and has_negative_size(given[0]), "size"),
            Rule(is_read(*given) and spans_too_much(given[0], x, theirs), "too_large"),
            told=(described(x), given),
        )

    compare("as_strided", one)


def test_narrow() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        wild = (2**63 - 1, -(2**63), 2**63) if rng.random() < 0.05 else ()
        dim = rng.randint(-x.ndim, max(x.ndim - 1, 0))
        if rng.random() < 0.1:
            dim = rng.randint(-x.ndim - 2, x.ndim + 1)
        start = rng.choice((0, 0, 0, 1, -1, *range(-4, 5), *wild))
        length = rng.choice((0, 1, 1, 1, *range(-1, 4), *wild))
        ours = outcome(rt.narrow, x, dim, start, length)
        theirs = outcome(torch.narrow, x, dim, start, length)
        return agreement(ours, theirs, told=(described(x), dim, start, length))

    compare("narrow", one)


def lacks_flip(x: Any, dims: list[int]) -> bool:
    """A dtype that PyTorch flips where whole rows are copied, and refuses elsewhere."""
    name = str(x.dtype)
    turns = any(x.shape[d] > 1 and x.stride(d) for d in dims if x.ndim)
    return (
        x.numel() > 0
        and turns
        and ("torch.uint" in name or "float8" in name)
        and (name != "torch.uint8")
    )


def test_flip() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        dims = rng.sample(range(-x.ndim, 0), rng.randint(0, x.ndim))
        dims = [d + x.ndim if rng.random() < 0.5 else d for d in dims]
        if rng.random() < 0.2:
            dims.append(rng.randint(-x.ndim - 1, x.ndim))
        ours, theirs = outcome(rt.flip, x, dims), outcome(torch.flip, x, dims)
        is_met = isinstance(theirs, NotImplementedError) or not isinstance(
            theirs, Exception
        )
        lacks = is_met and lacks_flip(x, dims)
        return agreement(ours, theirs, Rule(lacks, "dtype"), told=(described(x), dims))

    compare("flip", one)


# --------------------------------------------------------------------------------- pad


def widths(rng: random.Random, count: int, extents: tuple[int, ...]) -> list[int]:
    """Pads of the last `count` axes, in PyTorch's order; some crop, some reach far."""

    def side(n: int) -> int:
        chance = rng.random()
        if chance < 0.75:
            return rng.randint(0, max(n - 1, 0))
        if chance < 0.95:
            return rng.choice((n, 1, -1, -1, -n))
        return rng.randint(-n - 2, WIDEST)

    last = extents[len(extents) - count :] if count else ()
    return [side(n) for n in reversed(last) for _ in range(2)]


def test_pad_constant() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        given = widths(rng, rng.randint(0, x.ndim), tuple(x.shape))
        if rng.random() < 0.1:
            given.extend([1] * rng.randint(1, 3))
        value = rng.choice((None, 1, 2.5, 0.0, True))
        ours = outcome(rt.pad, x, given, "constant", value)
        theirs = outcome(pad, x, given, "constant", value)
        return agreement(ours, theirs, told=(described(x), given, value))

    compare("pad constant", one)


def test_pad_value() -> None:
    """One element of every type from numbers of every size."""

    def one(rng: random.Random) -> str | None:
        kind = getattr(torch, rng.choice(torch_sets.MOVED + torch_sets.RARE))
        x = torch.zeros(16, dtype=torch.uint8).view(kind)[:1]
        value = number(rng)
        ours = outcome(rt.pad, x, (1, 0), "constant", value)
        theirs = outcome(pad, x, (1, 0), "constant", value)
        top = {torch.int64: 2.0**63, torch.uint64: 2.0**64}.get(kind)
        is_open = not isinstance(value, str) and top == float_or_none(value)
        return agreement(ours, theirs, Rule(is_open, "value"), told=(kind, value))

    compare("pad value", one)


def float_or_none(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, OverflowError):
        return None


def number(rng: random.Random) -> Any:
    """Near the ends of the types, between neighbours, and no numbers at all."""
    ends = [2.0**k for k in (7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64, 127, 128)]
    ends += [65504.0, 448.0, 240.0, 57344.0, 3.3895313892515355e38]
    edge = rng.choice(ends) * rng.choice((1, -1))
    odd = [math.nan, math.inf, -math.inf, -0.0, 2**63 - 1, 2**53 + 1, 10**400, True, 1j]
    tiny = rng.choice((1e-40, 2.0**-127, 2.0**-24, 6e-8, 1e-320)) * rng.uniform(0.5, 3)
    return rng.choice(
        [
            edge,
            int(edge),
            edge + rng.choice((-1, -0.5, 0.5, 1)),
            math.nextafter(edge, rng.choice((-math.inf, math.inf))),
            rng.uniform(-300, 300),
            rng.uniform(-1, 1),
            float(torch.tensor(rng.uniform(0, 4)).half()) + 2.0 ** rng.randint(-40, -9),
            tiny,
            rng.choice(odd),
            rng.choice(["1", [1.0], b"1"]) if rng.random() < 0.2 else rng.random(),
        ]
    )


def test_pad_mirrored() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng, rng.choice((1, 2, 2, 2)), 5))
        given = mirror_widths(rng, x)
        mode = rng.choice(("reflect", "replicate"))
        value = rng.choice((None, 0, 0.0, None if rng.random() < 0.8 else 1.0))
        ours = outcome(rt.pad, x, given, mode, value)
        theirs = outcome(pad, x, given, mode, value)
        is_made = not isinstance(theirs, Exception)
        is_negative = is_made and min(theirs.shape, default=0) < 0
        return agreement(
            ours,
            theirs,
            Rule(is_negative, "pad"),
            told=(described(x), given, mode, value),
        )

    compare("pad mirrored", one)


def mirror_widths(rng: random.Random, x: Any) -> list[int]:
    """Mostly of a length that fits the rank."""
    fitting = [k for k in (1, 2, 3) if x.ndim in (k + 1, k + 2)]
    count = rng.choice(fitting or [0]) if rng.random() < 0.9 else rng.randint(0, x.ndim)
    return widths(rng, count, tuple(x.shape))


def repeats_too_much(x: Any, given: list[int]) -> bool:
    """A crop leaves fewer elements than the other side repeats, or fewer than none.

    PyTorch refuses some of these, where it sees that its copy overlaps or does not
    fit, and elsewhere returns memory that it has not written.
    """
    pairs = list(zip(given[::2], given[1::2], strict=True))
    axes = list(zip(reversed(x.shape), pairs, strict=False))
    kept = [n + min(b, 0) + min(a, 0) for n, (b, a) in axes]
    made = [n + b + a for n, (b, a) in axes]
    if min(kept, default=0) < 0:
        return True
    is_empty = 0 in made or (x.numel() == 0 and 0 in x.shape[: x.ndim - len(pairs)])
    short = any(max(p) > k for k, (_, p) in zip(kept, axes, strict=True))
    return short and not is_empty


def test_pad_circular() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng, rng.choice((1, 2, 2, 2)), 5))
        given = mirror_widths(rng, x)
        ours = outcome(rt.pad, x, given, "circular")
        theirs = outcome(pad, x, given, "circular")
        is_open = not isinstance(theirs, NotImplementedError)
        is_open = is_open and repeats_too_much(x, given)
        return agreement(ours, theirs, Rule(is_open, "pad"), told=(described(x), given))

    compare("pad circular", one)


# ---------------------------------------------------------------------------- scatters


def source_for(rng: random.Random, x: Any, cells: tuple[int, ...]) -> Any:
    """A source of that shape; seldom of another shape or dtype."""
    if rng.random() < 0.1:
        cells = tuple(n + rng.choice((0, 1)) for n in cells)[: rng.randint(0, 4)]
    other = torch.int16 if rng.random() < 0.05 else x.dtype
    return torch_sets.tensor(rng, cells, other)


def countable(step: int, x: Any, dim: int) -> int:
    """A step that means the same, where PyTorch's int64 wraps round of this one."""
    if not x.ndim or not 0 < step < 2**63:
        return step
    most = max(step * x.stride(dim), step + x.shape[dim])
    return x.shape[dim] + 1 if most >= 2**63 else step


def test_slice_scatter() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        dim = rng.randint(-x.ndim, max(x.ndim - 1, 0))
        far = (2**63 - 1, -(2**63), 2**63) if rng.random() < 0.1 else ()
        start = rng.choice((None, *range(-5, 6), *far))
        end = rng.choice((None, *range(-5, 6), *far))
        step = rng.choice((1, 1, 1, 2, 3, 0, -1, *far))
        cells = list(x.shape)
        if x.ndim and step > 0:
            taken = slice(start, end, step).indices(x.shape[dim])
            cells[dim] = len(range(*taken))
        src = source_for(rng, x, tuple(cells))
        given = (dim, start, end, step)
        ours = outcome(rt.slice_scatter, x, src, *given)
        theirs = outcome(
            torch.slice_scatter, x, src, dim, start, end, countable(step, x, dim)
        )
        converts = Rule(src.dtype != x.dtype, "dtype")
        return agreement(
            ours, theirs, converts, told=(described(x), described(src), given)
        )

    compare("slice_scatter", one)


def test_select_scatter() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        dim = rng.randint(-x.ndim - (rng.random() < 0.05), max(x.ndim - 1, 0))
        index = rng.choice((*range(-5, 5), 2**63) if rng.random() < 0.3 else (0, -1))
        cells = list(x.shape)
        if x.ndim:
            cells.pop(dim % x.ndim)
        src = source_for(rng, x, tuple(cells))
        ours = outcome(rt.select_scatter, x, src, dim, index)
        theirs = outcome(torch.select_scatter, x, src, dim, index)
        converts = Rule(src.dtype != x.dtype, "dtype")
        return agreement(
            ours, theirs, converts, told=(described(x), described(src), dim, index)
        )

    compare("select_scatter", one)


def writes_twice(size: list[int], stride: list[int]) -> bool:
    """Two indices meet one cell: PyTorch refuses a stride of 0, or writes in turn."""
    at = [0]
    for n, s in zip(size, stride, strict=True):
        at = [a + k * s for a in at for k in range(n)]
    return len(set(at)) < len(at)


def repeats(x: Any) -> bool:
    return bool(x.numel()) and any(
        s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True)
    )


def test_as_strided_scatter() -> None:
    def one(rng: random.Random) -> str | None:
        x = torch_sets.tensor(rng, shape(rng))
        given = strides_over(rng, x)
        size, stride, _ = given
        is_small = all(0 <= n < 10 for n in size)
        src = source_for(rng, x, tuple(size) if is_small else ())
        ours = outcome(rt.as_strided_scatter, x, src, *given)
        theirs = outcome(torch.as_strided_scatter, x, src, *given)
        is_made = not isinstance(theirs, Exception) or "clone()" in str(theirs)
        asked = is_read(*given)
        return agreement(
            ours,
            theirs,
            Rule(src.dtype != x.dtype, "dtype"),
            Rule(repeats(x), "overlap"),
            Rule(asked and has_negative_size(size), "size"),
            Rule(asked and spans_too_much(size, x, theirs), "too_large"),
            Rule(is_made and writes_twice(size, stride), "overlap"),
            told=(described(x), described(src), given),
        )

    compare("as_strided_scatter", one)
