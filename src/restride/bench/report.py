"""A run as text: one line per case, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from restride.bench.rows import EQUAL, OWN, Row, mean

__all__ = [
    "HEADINGS",
    "cells",
    "memory_cell",
    "seconds",
    "size",
    "summary",
    "time_cell",
]

HEADINGS = ("case", "limit", "peer", "", "restride", "vs", "of")
"""Columns of the main table."""

NOTHING = "-"


def cells(row: Row, variant: str = "fresh") -> tuple[str, ...]:
    """One line of the main table, as `HEADINGS` names its columns."""
    who, own = row.peer(variant), row.own(variant)
    limit = row.limit_one_thread_s if variant == "one thread" else row.limit_s
    return (
        row.name,
        seconds(limit),
        who or NOTHING,
        seconds(row.peers(variant)[who]) if who else NOTHING,
        seconds(own),
        ratio(row.vs(variant)),
        ratio(row.of_limit(variant)),
    )


def time_cell(row: Row, variant: str) -> str:
    """Restride's time in a variant, and how many times longer the peer takes."""
    vs = row.vs(variant)
    return seconds(row.own(variant)) + (f" ({vs:.2f})" if vs is not None else "")


def memory_cell(row: Row, variant: str) -> str:
    """Peak memory of restride and of the fastest peer in a variant."""
    own = row.taken.get(variant, {}).get(OWN)
    if own is None:
        return NOTHING
    who = row.peer(variant)
    column = "fresh" if variant == "no pool" else variant
    other = row.taken[column][who].peak_bytes if who else None
    return f"{size(own.peak_bytes)} / {size(other)}"


def seconds(value: float | None) -> str:
    """A time in the unit that fits it.

    Examples
    --------
    >>> seconds(0.0123), seconds(4.2e-7), seconds(None)
    ('12.3 ms', '0.42 us', '-')
    """
    if value is None:
        return NOTHING
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} us"


def size(value: int | None) -> str:
    """Bytes in MB, as memory makers count them.

    Examples
    --------
    >>> size(134_217_728), size(1000), size(None)
    ('134 MB', '0 MB', '-')
    """
    return NOTHING if value is None else f"{value / 1e6:.0f} MB"


def ratio(value: float | None) -> str:
    """Two decimals, or what stands for nothing."""
    return NOTHING if value is None else f"{value:.2f}"


def summary(
    rows: Sequence[Row], variant: str = "fresh", by_name: bool = True
) -> list[str]:
    """What the rows come to: means, the worst, and who is slower than a peer."""
    vs = _known(rows, lambda r: r.vs(variant))
    of = _known(rows, lambda r: r.of_limit(variant))
    lines = []
    if vs:
        slower = [name for name, value in vs if value < EQUAL]
        lines.append(
            f"{variant}: {len(vs)} cases, vs the fastest peer: geometric mean "
            f"{mean(v for _, v in vs):.2f}, worst {_worst(vs)}; slower in {len(slower)}"
            + (f" ({'; '.join(slower)})" if slower and by_name else "")
        )
    if of:
        lines.append(
            f"{variant}: of the limit: geometric mean {mean(v for _, v in of):.2f}, "
            f"worst {_worst(of)}"
        )
    return lines


def _known(
    rows: Sequence[Row], figure: Callable[[Row], float | None]
) -> list[tuple[str, float]]:
    pairs = [(row.name, figure(row)) for row in rows]
    return [(name, value) for name, value in pairs if value is not None]


def _worst(figures: list[tuple[str, float]]) -> str:
    name, value = min(figures, key=lambda pair: pair[1])
    return f"{value:.2f} ({name})"
