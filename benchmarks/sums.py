"""What a run comes to, before its tables: means, who is slower, and what the pool is
worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from benchmarks.tables import NOTHING, table
from restride.bench.report import ratio, seconds
from restride.bench.rows import EQUAL, VARIANTS, Row, mean

__all__ = ["short", "slower", "wins"]

LARGE_BYTES = 1_000_000
"""Results from here on come from the system where no pool has them."""

Figure = Callable[[Row], float | None]


def short(rows: Sequence[Row]) -> list[str]:
    """The means by variant and by group."""
    headings = ("", "cases", "vs", "slower", "of", "lowest vs", "lowest of")
    lines = table(headings, [_by_variant(rows, v) for v in _variants(rows)])
    lines += ["Into fresh results, by group:", ""]
    groups = dict.fromkeys(row.group for row in rows)
    cells = []
    for name in groups:
        own = [row for row in rows if row.group == name]
        cells.append((name, *_sums(own, "fresh")))
    return lines + table(("group", *headings[1:]), cells)


def _variants(rows: Sequence[Row]) -> list[str]:
    return [v for v in VARIANTS if any(row.own(v) is not None for row in rows)]


def _by_variant(rows: Sequence[Row], variant: str) -> tuple[str, ...]:
    return (variant, *_sums(rows, variant))


def _sums(rows: Sequence[Row], variant: str) -> tuple[str, ...]:
    """Cases, mean of vs, how many slower, mean of the limit, and the lowest of both."""
    vs = known(rows, lambda r: r.vs(variant))
    of = known(rows, lambda r: r.of_limit(variant))
    return (
        str(len(vs)),
        ratio(mean(vs)),
        str(sum(value < EQUAL for value in vs)),
        ratio(mean(of)),
        ratio(min(vs, default=None)),
        ratio(min(of, default=None)),
    )


def known(rows: Iterable[Row], figure: Figure) -> list[float]:
    """The figures of the rows that have one."""
    return [value for row in rows if (value := figure(row)) is not None]


def slower(rows: Sequence[Row]) -> list[str]:
    """Every case in which a peer was faster, the worst first."""
    lines = [
        "## Slower than a peer",
        "",
        f"*vs* below {EQUAL}: two runs of the same call differ by the rest.",
        "",
    ]
    found = [
        (vs, variant, row)
        for variant in _variants(rows)
        for row in rows
        if (vs := row.vs(variant)) is not None and vs < EQUAL
    ]
    if not found:
        return [*lines, "None, in any variant.", ""]
    found.sort(key=lambda one: (VARIANTS.index(one[1]), one[0]))
    headings = ("case", "variant", "restride", "fastest peer", "vs", "of")
    return lines + table(headings, [_slow(*one) for one in found])


def _slow(vs: float, variant: str, row: Row) -> tuple[str, ...]:
    who = row.peer(variant)
    other = f"{seconds(row.peers(variant)[who])} {who}" if who else NOTHING
    own, of = seconds(row.own(variant)), row.of_limit(variant)
    return row.name, variant, own, other, f"{vs:.2f}", ratio(of)


WINS = """\
## Where the wins come from

A new result of some size needs pages of memory, and the system hands them out one by
one, cleared. The C library, which most peers take results from, keeps the pages of a
result of up to 32 MiB (glibc) for the next one and gives larger ones back; restride's
pool of buffers keeps both. So *fresh* compares both as they are used, and the other
columns say how much of that is the moving itself:

- *no pool* makes restride take results from the C library, as NumPy does,
- *out* asks nobody to make a result; NumPy and torch alone can do that here, and not
  for pads,
- *kept* lets go of many results at once, of which the pool keeps no more than its
  limit allows; the next ones come from the system.
"""


def wins(rows: Sequence[Row]) -> list[str]:
    """What the pool is worth: *vs* of the same cases with and without it, by size."""
    cells = []
    for name, found in _by_size(rows):
        both = [r for r in found if None not in (r.vs(), r.vs("no pool"))]
        if both:
            cells.append((name, str(len(both)), *_worth(both)))
    if not cells:
        return []
    lines = [*WINS.splitlines(), "", "*vs* over the same cases, by bytes written:", ""]
    return lines + table(
        ("cases that write", "cases", *SHOWN, "slower, no pool"), cells
    )


SHOWN = ("fresh", "no pool", "out", "kept")


def _by_size(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    return [
        ("less than 1 MB", [r for r in rows if r.written_bytes < LARGE_BYTES]),
        ("1 MB and more", [r for r in rows if r.written_bytes >= LARGE_BYTES]),
    ]


def _worth(rows: Sequence[Row]) -> tuple[str, ...]:
    means = [mean(known(rows, lambda r, v=v: r.vs(v))) for v in SHOWN]
    behind = sum(vs < EQUAL for vs in known(rows, lambda r: r.vs("no pool")))
    return (*map(ratio, means), str(behind))
