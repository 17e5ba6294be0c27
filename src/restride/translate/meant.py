"""From the words of a call to what its own dialect makes of them.

The same words mean different elements where dialects crop before they extend, or cut
the start of a backward slice otherwise; and some refuse what others take.
"""

from __future__ import annotations

from restride.layout.notation import IndexEntry
from restride.translate.abilities import SOURCES
from restride.translate.errors import RefusedError
from restride.translate.lower import crop_entries, grown_pairs, is_crop_separate
from restride.translate.meaning import Extend, Select, Step, Write, result_shape
from restride.translate.pads import is_wide
from restride.translate.words import INT64, Frame

__all__ = ["meant", "opened", "per_axis"]

ONNX = ("onnx", "onnxruntime")

INT32 = (-(2**31), 2**31 - 1)
"""What models with 32-bit index tensors write for "to the end"."""


def meant(dialect: str, step: Step, frame: Frame) -> tuple[Step, ...]:
    """What a dialect's operator does on an array of `frame`, in steps of one meaning.

    Raises
    ------
    RefusedError
        The dialect itself refuses its operator on this shape.
    """
    if isinstance(step, Extend):
        return _pad(dialect, step, frame)
    if isinstance(step, (Select, Write)):
        rule = dialect if isinstance(step, Select) else ""
        entries = per_axis(step.entries, frame)
        found = [e if n == "new" else opened(e, n, rule) for e, n in entries]
        return (type(step)(tuple(found)),)
    return (step,)


def per_axis(
    entries: tuple[IndexEntry, ...], frame: Frame
) -> list[tuple[IndexEntry, int | str | None]]:
    """Each entry with the extent of its axis; "new" where it has none."""
    found: list[tuple[IndexEntry, int | str | None]] = []
    used = sum(isinstance(e, (int, slice)) for e in entries)
    axis = 0
    for entry in entries:
        if not isinstance(entry, (int, slice)):
            found.append((entry, "new"))
            axis += 0 if entry is None or frame.rank is None else frame.rank - used
            continue
        known = frame.shape is not None and 0 <= axis < len(frame.shape)
        found.append((entry, frame.shape[axis] if known and frame.shape else None))
        axis += 1
    return found


def opened(entry: IndexEntry, n: int | str | None, dialect: str = "") -> IndexEntry:
    """A range with its sentinels left open, since no axis reaches so far.

    ONNX cuts the start of a step below 0 to 0, not to -1, and ONNX Runtime 1.32 takes
    an end of INT_MAX as no end whatever the step.

    Examples
    --------
    >>> opened(slice(2**63 - 1, -(2**63), -1), None)
    slice(None, None, -1)
    >>> opened(slice(0, 2**31 - 1), 5), opened(slice(0, 2**31 - 1), None)
    (slice(None, None, None), slice(None, 2147483647, None))
    """
    if not isinstance(entry, slice):
        return entry
    begin, end, step = entry.start, entry.stop, entry.step or 1
    low, high = INT64
    if isinstance(n, int) and n < INT32[1]:
        low, high = INT32
    if begin is not None:
        from_first = dialect in ONNX and step < 0 and begin < 0
        if from_first and (begin == low or (isinstance(n, int) and begin < -n)):
            begin = 0
        if (begin == 0 or begin <= low) if step > 0 else begin >= high:
            begin = None
    if dialect == "onnxruntime" and end in (INT32[1], INT64[1]):
        end = None
    if end is not None and (end >= high if step > 0 else end <= low):
        end = None
    return slice(begin, end, None if step == 1 else step)


def _pad(dialect: str, pad: Extend, frame: Frame) -> tuple[Step, ...]:
    """One pad, or a crop and a pad where the dialect crops first and that matters."""
    if not pad.pairs:  # no axes: nothing to extend, and few targets take that
        return (Select((Ellipsis,)),)
    can, shape = SOURCES[dialect], frame.shape
    first = can.crop_of(pad.mode) == "first" and not is_crop_separate(pad, shape)
    if not first or (shape is None and pad.mode == "constant"):
        _check_pad(dialect, pad, shape)
        return (pad,)
    crop = Select(crop_entries(pad))
    rest = Extend(grown_pairs(pad), pad.mode, pad.fills)
    if shape is not None:
        for axis, (n, (b, a)) in enumerate(zip(shape, pad.pairs, strict=True)):
            if n + min(b, 0) + min(a, 0) < 0:
                raise RefusedError(
                    dialect,
                    f"pads {(b, a)} take more than the {n} elements of axis {axis}, "
                    f"and {dialect} crops before it pads.",
                    "Crop less.",
                )
        _check_pad(dialect, rest, result_shape(crop, shape))
    return (crop, rest)


def _check_pad(dialect: str, pad: Extend, shape: tuple[int, ...] | None) -> None:
    """Refuse a pad that its own dialect refuses on this shape."""
    can = SOURCES[dialect]
    if shape is not None and is_wide(pad, shape, can.widths):
        most = [can.most(pad.mode, n) for n in shape]
        raise RefusedError(
            dialect,
            f"a '{can.modes[pad.mode]}' pad of {pad.pairs} on shape {shape} is wider "
            f"than {dialect} allows ({most} per axis).",
            "Pad less, or in two steps.",
        )
