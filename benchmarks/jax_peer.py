"""JAX's calls for the cases, compiled."""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from restride.bench.case import Case
from restride.bench.contender import Call, Contender, chained
from restride.bench.steps import Index, Pad, Step, Strided, Transpose

Array = np.ndarray[Any, Any]

# Eight-byte elements would be made four otherwise.
jax.config.update("jax_enable_x64", True)


class Jax(Contender):
    """JAX, the whole case as one compiled function."""

    name = "jax"
    copies = True
    refusals = (NotImplementedError, RuntimeError, TypeError, ValueError)

    def hold(self, x: Array) -> Any:
        return jax.device_put(x)

    def fresh(self, case: Case, x: Any) -> Call | None:
        if case.write is not None:
            return _write(case, x)
        steps = [_step(s) for s in case.steps]
        if any(s is None for s in steps):
            return None
        compiled = jax.jit(lambda t: chained(steps, t))
        return lambda: compiled(x).block_until_ready()


def _write(case: Case, x: Any) -> Call:
    """An update whose target is given away, so that it may be made in place."""
    step = case.write
    assert step is not None
    held = [jnp.zeros(case.result, x.dtype)]
    compiled = jax.jit(
        lambda t, s: lax.dynamic_update_slice(t, s, step.starts), donate_argnums=0
    )

    def call() -> Any:
        held[0] = compiled(held[0], x).block_until_ready()
        return held[0]

    return call


def _step(step: Step) -> Any:
    match step:
        case Index(slices):
            return lambda t: _index(t, slices)
        case Transpose(axes):
            return lambda t: lax.transpose(t, axes)
        case Strided():
            return None if step.same is None else _step(step.same)
        case Pad(widths, mode):
            return lambda t: jnp.pad(t, widths, mode=mode)
    return None


def _index(t: Any, slices: tuple[slice, ...]) -> Any:
    """lax.rev and lax.slice, which are what indexing comes to."""
    if all(s == slice(None, None, -1) for s in slices):
        return lax.rev(t, tuple(range(t.ndim)))
    ranges = [s.indices(n) for s, n in zip(slices, t.shape, strict=True)]
    if any(step < 0 for _, _, step in ranges):
        return t[slices]
    begin, end, steps = zip(*ranges, strict=True)
    return lax.slice(t, begin, end, steps)
