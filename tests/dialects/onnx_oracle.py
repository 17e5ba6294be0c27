"""ONNX's Slice and Pad executed index by index, as the operators' text tells them.

Plain ints and lists; nothing here imports the package under test, nor NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle import Chosen, Tensor, Wrong, take
from oracle import pad as window

INT_MAX = (2**31 - 1, 2**63 - 1)


def visited(n: int, start: int, end: int, step: int, no_end: bool = False) -> list[int]:
    """Positions read on an axis of extent n, walked one by one.

    `no_end` is ONNX Runtime's reading of INT_MAX as an end.
    """
    if step == 0:
        raise Wrong("step 0")
    at = start + n if start < 0 else start
    stop = end + n if end < 0 else end
    if step > 0:
        at, stop = min(max(at, 0), n), min(max(stop, 0), n)
    else:
        at, stop = min(max(at, 0), n - 1), min(max(stop, -1), n - 1)
    if no_end and end in INT_MAX:
        stop = n if step > 0 else -1
    found = []
    while n and (at < stop if step > 0 else at > stop):
        found.append(at)
        at += step
    return found


def slice_of(
    t: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
    runtime: str | None = None,
) -> Tensor:
    """ONNX's Slice of a tensor."""
    rank = len(t.shape)
    if runtime and not rank:
        raise Wrong("a scalar")
    named = _named(axes, len(starts), rank)
    whole = [list(range(n)) for n in t.shape]
    for k, axis in enumerate(named):
        step = 1 if steps is None else steps[k]
        whole[axis] = visited(t.shape[axis], starts[k], ends[k], step, bool(runtime))
    return take(t, [Chosen("axis", tuple(positions)) for positions in whole])


def pad_of(
    t: Tensor,
    pads: Sequence[int],
    mode: str,
    constant: object,
    axes: Sequence[int] | None = None,
    runtime: str | None = None,
) -> Tensor:
    """ONNX's Pad of a tensor."""
    rank = len(t.shape)
    named = _named(axes, rank if axes is None else len(axes), rank)
    pairs = [(0, 0)] * rank
    for k, axis in enumerate(named):
        pairs[axis] = (pads[k], pads[k + len(named)])
    if runtime:
        return _cropped_first(t, pairs, mode, constant)
    return window(t, pairs, mode, constant)


def _named(axes: Sequence[int] | None, count: int, rank: int) -> list[int]:
    named = list(range(count)) if axes is None else [a % rank for a in axes]
    if len(named) > rank or len(set(named)) < len(named):
        raise Wrong("axes")
    return named


def _cropped_first(
    t: Tensor, pairs: list[tuple[int, int]], mode: str, constant: object
) -> Tensor:
    """ONNX Runtime's order: remove what is negative, then extend what is left."""
    if not t.shape or (mode == "wrap" and 0 in t.shape):
        raise Wrong("nothing to pad")
    if mode == "constant" or 0 in t.shape:
        return window(t, pairs, mode, constant)
    window(t, pairs, mode, constant)  # refuses an extent below 0
    kept = []
    for n, (begin, end) in zip(t.shape, pairs, strict=True):
        left = list(range(n))[max(0, -begin) :]
        left = left[: max(0, len(left) - max(0, -end))]
        if not left or (
            mode == "reflect" and max(begin, end, 0) >= len(left) > 0 < max(begin, end)
        ):
            raise Wrong("too little is left")
        kept.append(Chosen("axis", tuple(left)))
    widths = [(max(begin, 0), max(end, 0)) for begin, end in pairs]
    return window(take(t, kept), widths, mode, constant)
