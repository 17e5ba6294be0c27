"""A pad as what a target can say, one call each: split, cropped, staged or gathered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from restride.layout.constant import Constant
from restride.translate.draft import Draft
from restride.translate.lower import (
    cropped,
    gathered,
    is_crop_separate,
    one_fill_each,
    staged,
)
from restride.translate.meaning import Extend, Step

__all__ = ["fitted", "has_one_fill", "is_wide", "is_zero", "single_fill"]


def fitted(d: Draft, pad: Extend, stages: bool = False) -> list[Step]:
    """Steps of which each Extend is one call of the target, and none is too wide.

    `stages` says that the target has no table of positions: a wide pad then becomes
    several narrow ones.
    """
    several = pad.mode == "constant" and not (d.can.many_fills or has_one_fill(pad))
    steps = cropped(pad) if several or not _has_crop(d, pad) else [pad]
    return [said for step in steps for said in _fitted(d, step, stages)]


def _fitted(d: Draft, step: Step, stages: bool) -> list[Step]:
    if not isinstance(step, Extend):
        return [step]
    if step.mode == "constant":
        split = not (d.can.many_fills or has_one_fill(step))
        return [*one_fill_each(step)] if split else [step]
    if step.mode not in d.can.modes or _too_many_axes(d, step):
        return _tabled(d, step, stages)
    if d.frame.shape is None:
        _warn(d, step)
        return [step]
    if is_wide(step, d.frame.shape, d.can.widths):
        return _tabled(d, step, stages)
    return [step]


def _has_crop(d: Draft, pad: Extend) -> bool:
    """True where the target takes the negative sides of `pad` as they are meant."""
    least = min((side for pair in pad.pairs for side in pair), default=0)
    if least >= 0:
        return True
    if d.can.crop_of(pad.mode) == "no":
        return False
    if d.can.crop_of(pad.mode) == "last":
        return d.frame.shape is None or not _crops_all(pad, d.frame.shape)
    return pad.mode == "constant" and is_crop_separate(pad, d.frame.shape)


def _crops_all(pad: Extend, shape: tuple[int, ...]) -> bool:
    """True where a side takes more than the axis has: targets bound it by n."""
    return any(
        min(b, a, b + a) < -n for n, (b, a) in zip(shape, pad.pairs, strict=True)
    )


def is_wide(pad: Extend, shape: tuple[int, ...], widths: Mapping[str, int]) -> bool:
    """True where a side of `pad` is wider than `widths` allow."""
    past = widths.get(pad.mode)
    if past is None:
        return False
    return any(
        max(pair) > max(n + past, 0) for n, pair in zip(shape, pad.pairs, strict=True)
    )


def _too_many_axes(d: Draft, pad: Extend) -> bool:
    return len(pad.pairs) > d.can.rank_of(pad.mode)


def _tabled(d: Draft, pad: Extend, stages: bool) -> list[Step]:
    """A pad that the target does not have, by tables or by stages."""
    if not stages:
        shape = d.shape_for(f"mode '{pad.mode}' becomes a table of positions")
        return gathered(pad, shape)
    shape = d.shape_for(f"a wide '{pad.mode}' pad becomes several")
    # Each stage mirrors at the ends of the one before it: crop only at the last.
    grown, *rest = cropped(pad)
    return [*(_staged(grown, shape) if isinstance(grown, Extend) else [grown]), *rest]


def _staged(pad: Extend, shape: tuple[int, ...]) -> list[Extend]:
    if pad.mode != "reflect" or 1 not in shape:
        return staged(pad, shape)
    return [s for part in _by_single(pad, shape) for s in staged(part, shape)]


def _by_single(pad: Extend, shape: tuple[int, ...]) -> list[Extend]:
    """Axes of extent 1 apart: a mirror of one element only repeats it."""
    one = [pair if n == 1 else (0, 0) for n, pair in zip(shape, pad.pairs, strict=True)]
    more = [pair if n > 1 else (0, 0) for n, pair in zip(shape, pad.pairs, strict=True)]
    parts = [Extend(tuple(one), "edge"), replace(pad, pairs=tuple(more))]
    return [part for part in parts if any(map(any, part.pairs))]


def _warn(d: Draft, pad: Extend) -> None:
    past = d.can.widths.get(pad.mode)
    if past is not None:
        least = max((side for pair in pad.pairs for side in pair), default=0) - past
        d.note(
            f"{d.dialect} takes a '{pad.mode}' pad this wide only where each padded "
            f"axis has at least {least} elements; give shape= for one that is shorter."
        )


def has_one_fill(pad: Extend) -> bool:
    """True where all sides that grow have one constant."""
    return len(one_fill_each(pad)) == 1


def is_zero(fill: object) -> bool:
    """True of what every pad takes unsaid; -0.0 is not: its bits are others."""
    return Constant(fill) in (Constant(0), Constant(0.0))


def single_fill(pad: Extend) -> object:
    """The one constant of a pad; None, all-zero bytes, is 0."""
    fills = one_fill_each(pad)[0].fills
    fill = fills[0][0] if fills else 0
    return 0 if fill is None else fill
