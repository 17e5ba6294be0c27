"""Translations into PyTorch's words and out of them, run by PyTorch."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
import sets
from translated import FAMILIES, by_numpy, compared, pasted

from restride.translate import Call, translate

torch = sets.framework("torch")

Array = np.ndarray[Any, Any]


# A pad of no known shape may be refused, or hold for some shapes only: those are drawn
# in tests/translate.
INTO = [
    *((f, "shape") for f in FAMILIES),
    *((f, "rank") for f in FAMILIES if "pad" not in f),
]


@pytest.mark.parametrize(("family", "known"), INTO)
def test_into_torch(family: str, known: str) -> None:
    def one(rng: random.Random) -> str | None:
        drawn = FAMILIES[family](rng)
        words = {known: drawn.x.shape if known == "shape" else drawn.x.ndim}
        made = translate(drawn.spec, "pytorch", **words)
        names = {"np": np, "x": torch.from_numpy(drawn.x.copy())}
        if drawn.src is not None:
            names["src"] = torch.from_numpy(drawn.src)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numbers beyond int64 in x[a:b]
            got = pasted(made, names).numpy()
        said = sets.different(got, drawn.wanted)
        return said and f"{drawn.spec} of {drawn.x.shape}: {made.calls}: {said}"

    sets.compare("torch", f"{family} of known {known}", one)


def theirs(call: Call, x: Array, src: Array | None) -> Array | str:
    """What torch makes of its own words, or why it refuses them."""
    functions = {"pad": torch.nn.functional.pad, "as_strided": torch.as_strided}
    function = functions.get(call.op) or getattr(torch, call.op)
    given = [torch.from_numpy(v) for v in (x, src) if v is not None]
    try:
        made: Array = function(*given, **call.params).numpy()
        return made
    except (RuntimeError, IndexError, NotImplementedError) as error:
        return str(error)


def pads(rng: random.Random, x: Array) -> dict[str, Any]:
    """Widths for as many last axes as the mode takes."""
    mode = rng.choice(("constant", "reflect", "replicate", "circular"))
    count = rng.randint(0, x.ndim)
    if mode != "constant":
        count = rng.choice([k for k in (1, 2, 3) if 1 <= x.ndim - k <= 2])
    widths = []
    for n in x.shape[::-1][:count]:
        widths += [rng.randint(-n, n), rng.randint(-n, n + 1)]
    return {"pad": widths, "mode": mode}


def parameters(rng: random.Random, op: str, x: Array) -> dict[str, Any]:
    dim = rng.randint(-x.ndim, x.ndim - 1)
    n = x.shape[dim]
    if op == "pad":
        return pads(rng, x)
    if op == "flip":
        return {"dims": rng.sample(range(x.ndim), rng.randint(0, x.ndim))}
    if op == "narrow":
        return {"dim": dim, "start": rng.randint(-n, n), "length": rng.randint(0, n)}
    if op in ("select", "select_scatter"):
        return {"dim": dim, "index": rng.randint(-n - 1, n)}
    if op == "slice_scatter":
        far = (2**63 - 1, -(2**62), None)
        start, end = [rng.choice((rng.randint(-n - 2, n + 2), *far)) for _ in "se"]
        return {"dim": dim, "start": start, "end": end, "step": rng.choice((1, 2, 3))}
    size = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
    stride = [rng.randint(0, 4) for _ in size]
    return {"size": size, "stride": stride, "storage_offset": rng.randint(0, 4)}


def source(op: str, params: dict[str, Any], x: Array) -> Array | None:
    """For a scatter, what it writes."""
    if op == "slice_scatter":
        part = slice(params["start"], params["end"], params["step"])
        shape = np.moveaxis(x, params["dim"], 0)[part].shape
        order = np.moveaxis(np.empty(shape), 0, params["dim"])
        return np.arange(order.size, dtype=x.dtype).reshape(order.shape)
    if op == "select_scatter":
        shape = np.delete(x.shape, params["dim"])
        return np.arange(np.prod(shape), dtype=x.dtype).reshape(shape)
    return None


def repeats_more_than_is_left(call: Call, x: Array) -> bool:
    """Circular pads crop first; a wider one reads memory that nobody wrote."""
    widths = call.params.get("pad", ())
    pairs = zip(widths[::2], widths[1::2], x.shape[::-1], strict=False)
    left = [(n + min(b, 0) + min(a, 0), max(b, a)) for b, a, n in pairs]
    return call.params.get("mode") == "circular" and any(w > n for n, w in left)


def leaves_nothing(call: Call, x: Array) -> bool:
    """PyTorch refuses a mirror without elements, which NumPy gives."""
    widths = call.params.get("pad", ())
    pairs = zip(widths[::2], widths[1::2], x.shape[::-1], strict=False)
    return call.params.get("mode") != "constant" and any(
        n + b + a < 1 for b, a, n in pairs
    )


OPS = ("pad", "flip", "narrow", "select", "slice_scatter", "select_scatter")


@pytest.mark.parametrize("op", [*OPS, "as_strided"])
def test_out_of_torch(op: str) -> None:
    def one(rng: random.Random) -> str | None:
        x = sets.array(rng, sets.shape(rng, (2, 4), (1, 5)), "int64")
        params = parameters(rng, op, x)
        src = source(op, params, x)
        call = Call("pytorch", op, params)
        if repeats_more_than_is_left(call, x):
            return None
        found = theirs(call, x, src)
        if isinstance(found, str) and leaves_nothing(call, x):
            return None
        return compared(call, by_numpy(call, x, src), found)

    sets.compare("torch", f"{op} in NumPy's words", one)
