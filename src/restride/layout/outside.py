"""A few lines of text that show where a walk leaves an array.

>>> print(walk_outside(12, (3, 3), (4, 1), 2))
  y[i, j] = flat(x)[2 + 4*i + j] and flat(x) has elements 0 to 11;
  y[2, 2] would be element 12
    element   2  3  4 .. 10 11 | 12
    read      ^  ^  ^     ^  ^ |  !
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from restride.layout.walks import first_outside, on_walk, span

__all__ = ["cells_outside", "walk_outside"]

NAMES = "ijklmnpq"
"""Index names, as formulas have them."""

MOST_DIGITS = 18
"""Longest number that a picture holds."""


def walk_outside(
    total: int, size: Sequence[int], stride: Sequence[int], offset: int
) -> str:
    """Strides that leave ``0..total - 1``: the first index outside, and the elements.

    Empty where the numbers are too many or too long for a few lines.
    """
    index = first_outside(total, size, stride, offset)
    if index is None or len(size) > len(NAMES) or _is_long(offset, *size, *stride):
        return ""
    walks = list(zip(stride, size, strict=True))
    low, high = (offset + end for end in span(walks))
    at = offset + sum(s * k for s, k in zip(stride, index, strict=True))
    named = [_term(s, name) for s, name in zip(stride, NAMES, strict=False)]
    formula = " + ".join([str(offset), *named]).replace("+ -", "- ")
    left = ", ".join(NAMES[: len(size)])
    has = f"elements 0 to {total - 1}" if total else "no element"
    told = [
        f"  y[{left}] = flat(x)[{formula}] and flat(x) has {has};",
        f"  y[{', '.join(map(str, index))}] would be element {at}",
        *_strip(
            ("element", "read"),
            total,
            (low, high, at),
            lambda k: on_walk(k - offset, walks),
        ),
    ]
    return "\n".join(told)


def cells_outside(n: int, start: int, step: int, count: int) -> str:
    """Cells to be written along an axis of extent `n` that they leave.

    Examples
    --------
    >>> print(cells_outside(5, 3, 2, 2))
        cell      3  4 |  5
        written   ^    |  !
    """
    if _is_long(n, start, step, count):
        return ""
    last = start + (count - 1) * step
    low, high = min(start, last), max(start, last)
    inside = [(step, count)]
    shown = _strip(
        ("cell", "written"), n, (low, high, high), lambda k: on_walk(k - start, inside)
    )
    return "\n".join(shown)


def _term(stride: int, name: str) -> str:
    if stride in (1, -1):
        return name if stride == 1 else f"-{name}"
    return f"{stride}*{name}"


def _is_long(*numbers: int) -> bool:
    return any(abs(number) >= 10**MOST_DIGITS for number in numbers)


def _strip(
    heads: tuple[str, str],
    total: int,
    ends: tuple[int, int, int],
    reads: Callable[[int], bool],
) -> Iterator[str]:
    """Two lines: positions, with bars where the array ends, and which are read."""
    upper, lower = ([f"{head:<8}"] for head in heads)
    before: int | None = None
    for k in _worth_showing(total, *ends):
        width = max(2, len(str(k)))
        if before is not None and k != before + 1 and not _is_bar(before, k, total):
            upper.append("..")
            lower.append("  ")
        if before is not None and _is_bar(before, k, total):
            upper.append("|")
            lower.append("|")
        mark = ("^" if 0 <= k < total else "!") if reads(k) else ""
        upper.append(f"{k:>{width}}")
        lower.append(f"{mark:>{width}}")
        before = k
    yield "    " + " ".join(upper).rstrip()
    yield "    " + " ".join(lower).rstrip()


def _is_bar(before: int, here: int, total: int) -> bool:
    """True where an end of the array lies between two positions."""
    return before < 0 <= here or before < total <= here


def _worth_showing(total: int, low: int, high: int, at: int) -> list[int]:
    """Where the walk begins and ends, where the array does, and what is outside."""
    wanted = {low, low + 1, low + 2, at - 1, at, high}
    if low < 0:
        wanted |= {-1, 0, 1}
    if high >= total:
        wanted |= {total - 2, total - 1, total}
    return sorted(k for k in wanted if low <= k <= high or 0 <= k < total)
