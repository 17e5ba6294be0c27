"""PyTorch's calls for the cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor

from restride.bench.case import Case
from restride.bench.contender import Call, Contender, chained, target_of
from restride.bench.steps import Index, Pad, Step, Strided, Transpose

Array = np.ndarray[Any, Any]

MODES = {"edge": "replicate", "reflect": "reflect", "wrap": "circular"}


class Torch(Contender):
    """Eager PyTorch on the processor; it shares the source's memory."""

    name = "torch"
    copy_limits = True
    # TypeError and ValueError: dtypes and strides that from_numpy does not take.
    refusals = (NotImplementedError, RuntimeError, TypeError, ValueError)

    def hold(self, x: Array) -> Tensor:
        return torch.from_numpy(x)

    def fresh(self, case: Case, x: Tensor) -> Call:
        if case.write is not None:
            target = torch.from_numpy(target_of(case))
            region = case.write.region(case.shape)
            return lambda: _assigned(target, region, x)
        if _is_flip(case.steps):
            axes = tuple(range(len(case.shape)))
            return lambda: torch.flip(x, axes)
        steps = [_step(s, x.ndim) for s in case.steps]
        if len(steps) > 1:
            return lambda: chained(steps, x).contiguous()
        one = steps[0]
        if isinstance(case.steps[0], Pad):
            return lambda: one(x)
        # A whole-array slice is contiguous already, so contiguous() may not copy it.
        made = one(x)
        if made.is_contiguous() and made.data_ptr() == x.data_ptr():
            return lambda: one(x).clone()
        return lambda: one(x).contiguous()

    def into(self, case: Case, x: Tensor, out: Array) -> Call | None:
        views = (Index, Strided, Transpose)
        if not all(isinstance(s, views) for s in case.steps) or _flips(case.steps):
            return None
        steps, to = [_step(s, x.ndim) for s in case.steps], torch.from_numpy(out)
        return lambda: to.copy_(chained(steps, x))

    def copy(self, x: Array, out: Array) -> Call:
        a, b = torch.from_numpy(x), torch.from_numpy(out)
        return lambda: b.copy_(a)

    def as_numpy(self, made: Tensor) -> Array:
        return made.numpy()


def _assigned(target: Tensor, region: tuple[slice, ...], x: Tensor) -> Tensor:
    target[region] = x
    return target


def _flips(steps: tuple[Step, ...]) -> bool:
    """True where a step is negative: torch has no such views."""
    return any(
        (s.step or 1) < 0
        for step in steps
        if isinstance(step, Index)
        for s in step.slices
    )


def _is_flip(steps: tuple[Step, ...]) -> bool:
    """True for a mirror of all axes, which is one call."""
    whole = slice(None, None, -1)
    step = steps[0]
    return (
        len(steps) == 1
        and isinstance(step, Index)
        and set(map(str, step.slices)) == {str(whole)}
    )


def _step(step: Step, rank: int) -> Any:
    match step:
        case Index(slices):
            return _index(slices)
        case Transpose(axes):
            return lambda t: t.permute(axes)
        case Strided(size, stride):
            return lambda t: torch.as_strided(t, size, stride)
        case Pad(widths, mode):
            return _pad(widths, mode, rank)
    raise NotImplementedError(type(step).__name__)


def _index(slices: tuple[slice, ...]) -> Any:
    """Basic slicing, and flip for the axes whose step is -1."""
    mirrored = tuple(k for k, s in enumerate(slices) if (s.step or 1) < 0)
    if any((slices[k].start, slices[k].stop) != (None, None) for k in mirrored):
        raise NotImplementedError("a negative step with bounds")
    if any(slices[k].step != -1 for k in mirrored):
        raise NotImplementedError("a negative step other than -1")
    kept = tuple(slice(None) if k in mirrored else s for k, s in enumerate(slices))
    if not mirrored:
        return lambda t: t[kept]
    if all(s == slice(None) for s in kept):
        return lambda t: torch.flip(t, mirrored)
    return lambda t: torch.flip(t[kept], mirrored)


def _pad(widths: tuple[tuple[int, int], ...], mode: str, rank: int) -> Any:
    """functional.pad counts axes from the last; other modes want batch axes.

    They take up to three spatial axes behind one or two others: axes of extent 1 are
    put before, and taken away again, where the array has too few.
    """
    flat = [n for pair in reversed(widths) for n in pair]
    if mode == "constant":
        return lambda t: functional.pad(t, flat)
    if mode not in MODES:
        raise NotImplementedError(f"pad has no mode {mode}")
    word = MODES[mode]
    while len(flat) > 2 and flat[-2:] == [0, 0]:
        flat = flat[:-2]
    if len(flat) > 6:
        raise NotImplementedError(f"pad {mode} of more than three axes")
    missing = len(flat) // 2 + 1 - rank
    lead = rank - len(flat) // 2
    if missing <= 0 and lead <= 2:
        return lambda t: functional.pad(t, flat, mode=word)
    return lambda t: _reshaped_pad(t, flat, word)


def _reshaped_pad(t: Tensor, flat: list[int], word: str) -> Tensor:
    """All leading axes as one, and one more before it: views, so nothing is moved."""
    spatial = len(flat) // 2
    lead, last = t.shape[: t.ndim - spatial], t.shape[t.ndim - spatial :]
    made = functional.pad(t.reshape(1, -1, *last), flat, mode=word)
    return made.reshape(*lead, *made.shape[2:])
