"""Tensors to draw and results to compare, for the tests against PyTorch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import sets

from restride.dialects import pytorch as rt

torch = sets.framework("torch")

MOVED = ("int64", "uint8", "bool", "float32", "bfloat16", "float16", "complex64")
"""Types that every function takes, drawn most often."""

RARE = (
    *("int8", "int16", "int32", "float64", "complex128", "uint16", "uint32", "uint64"),
    *("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
)


LARGE = 1_000_000
"""Elements that a view with strides of 0 may have, and no memory should."""

EQUAL: Counter[str] = Counter()
"""Sets whose bits were compared, and found equal."""


class Rule(NamedTuple):
    """A difference by design: where it holds, we refuse with this kind.

    Each is written in docs/semantics.md, "Where the peers differ".
    """

    holds: bool
    kind: str


def compare(family: str, one: Callable[[random.Random], str | None]) -> None:
    """Go through the sets of a family; a third of them at least must have results."""
    EQUAL.clear()
    sets.compare("torch", family, one)
    assert EQUAL["sets"] >= sets.sets("torch") // 3, EQUAL


def dtype(rng: random.Random) -> Any:
    """A torch.dtype that NumPy or ml_dtypes has too."""
    return getattr(torch, rng.choice(MOVED if rng.random() < 0.7 else RARE))


def tensor(rng: random.Random, of: tuple[int, ...], kind: Any = None) -> Any:
    """A tensor of that shape, of random bits, anyhow in its storage."""
    kind = kind or dtype(rng)
    layout = rng.choice(("plain", "plain", "turned", "stepped", "repeated"))
    if layout == "turned":
        order = rng.sample(range(len(of)), len(of))
        whole = filled(rng, tuple(of[k] for k in order), kind)
        return whole.permute([order.index(k) for k in range(len(of))])
    if layout == "stepped":
        whole = filled(rng, tuple(2 * n + 1 for n in of), kind)
        return whole[tuple(slice(rng.randint(0, 1), None, 2) for _ in of)][
            tuple(slice(n) for n in of)
        ]
    if layout == "repeated" and of:
        axis = rng.randrange(len(of))
        narrow = tuple(min(n, 1) if k == axis else n for k, n in enumerate(of))
        return filled(rng, narrow, kind).expand(of)
    return filled(rng, of, kind)


def filled(rng: random.Random, of: tuple[int, ...], kind: Any) -> Any:
    """A contiguous tensor of random bits; a bool is 0 or 1."""
    size = torch.empty(0, dtype=kind).element_size()
    raw = sets.array(rng, (*of, size), "bool" if kind is torch.bool else "uint8")
    line = torch.from_numpy(raw.ravel().view("uint8"))
    return line.view(kind).reshape(of)


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result, or the error."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def bits(result: Any) -> tuple[Any, ...]:
    """What must be equal: dtype, shape and every byte; of large views a corner."""
    of = tuple(result.shape)
    if result.numel() > LARGE:
        result = result[(slice(3),) * result.ndim]
    line = torch.empty(result.numel(), dtype=result.dtype).copy_(result.reshape(-1))
    return result.dtype, of, line.view(torch.uint8).numpy().tobytes()


def agreement(ours: Any, theirs: Any, *rules: Rule, told: Any = None) -> str | None:
    """None where both give the same bits, both refuse, or a rule says otherwise."""
    for rule in rules:
        if rule.holds:
            is_kept = isinstance(ours, rt.TorchError) and ours.kind == rule.kind
            return None if is_kept else f"rule {rule.kind} broken: {ours!r} of {told}"
    if isinstance(theirs, Exception):
        alike = isinstance(ours, rt.TorchError) and isinstance(ours, type(theirs))
        return (
            None if alike else f"theirs {theirs!r:.300}, ours {ours!r:.300} of {told}"
        )
    if isinstance(ours, Exception):
        return f"ours alone refuses: {ours!r:.300} of {told}"
    same = bits(ours) == bits(theirs)
    EQUAL["sets"] += same
    return None if same else f"{ours!r:.300}, theirs {theirs!r:.300} of {told}"
