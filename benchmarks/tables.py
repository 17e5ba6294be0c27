"""The tables of the page: cases, memory, growth, calls and what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from restride.bench.report import memory_cell, ratio, seconds, time_cell
from restride.bench.rows import OWN, VARIANTS, Row

__all__ = ["calls", "group", "growth", "left_out", "memory", "table"]

NOTHING = "-"

UNBROKEN = "\N{NO-BREAK SPACE}"

MOVING_BYTES = 1_000_000
"""Cases that write less show no memory: what they take drowns in the rest."""


def table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table and the empty line after it; all but the first to the right."""
    marks = ["---", *["---:"] * (len(headings) - 1)]
    cells = [headings, marks, *map(_unbroken, lines)]
    return [*(f"| {' | '.join(map(_escaped, line))} |" for line in cells), ""]


def _unbroken(line: Sequence[str]) -> list[str]:
    """All but the first cell keep number and unit on one line."""
    return [line[0], *(text.replace(" ", UNBROKEN) for text in line[1:])]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def group(name: str, about: str, rows: Sequence[Row]) -> list[str]:
    """A group's cases beside everybody, then repeated in the other variants."""
    lines = [f"### {name.capitalize()}", "", about, ""]
    peers = [who for who in _contenders(rows) if who != OWN]
    headings = ("case", "copy", *peers, OWN, "vs", "of")
    lines += table(headings, [_everybody(row, peers) for row in rows])
    variants = [v for v in VARIANTS[1:] if any(row.own(v) is not None for row in rows)]
    if not variants:
        return lines
    again = [(r.name, *(time_cell(r, v) for v in variants)) for r in rows]
    return lines + table(("repeated", *variants), again)


def _contenders(rows: Sequence[Row]) -> list[str]:
    found = (who for row in rows for who in row.taken.get("fresh", {}))
    return list(dict.fromkeys(found))


def _everybody(row: Row, peers: Sequence[str]) -> tuple[str, ...]:
    """Times of a fresh result, the fastest peer's in bold."""
    times, fastest = row.peers(), row.peer()
    others = [seconds(times.get(who)) for who in peers]
    pairs = zip(peers, others, strict=True)
    bold = [f"**{took}**" if who == fastest else took for who, took in pairs]
    own = seconds(row.own())
    return (
        row.name,
        seconds(row.limit_s),
        *bold,
        own,
        ratio(row.vs()),
        ratio(row.of_limit()),
    )


def memory(rows: Sequence[Row]) -> list[str]:
    """Peak memory of restride and of the fastest peer, where there is much to move."""
    large = [row for row in rows if row.written_bytes >= MOVING_BYTES]
    variants = [v for v in VARIANTS if any(row.own(v) is not None for row in large)]
    if not variants:
        return []
    lines = [
        "## Peak memory",
        "",
        "restride / the fastest peer, of cases that write 1 MB and more: the most that",
        "was resident while it was timed, above what was when the timing began, with",
        "the pool and the heap emptied first. TensorFlow and JAX keep memory of their",
        "own from call to call, so theirs may show as less than a result. Of a kept",
        "peer far behind the fastest fewer results are kept (below).",
        "",
    ]
    cells = [(r.name, *(memory_cell(r, v) for v in variants)) for r in large]
    return lines + table(("case", *variants), cells)


def growth(told: dict[str, list[dict[str, Any]]]) -> list[str]:
    """A table per axis: what down, where across."""
    if not told:
        return []
    lines = [
        "## Growth",
        "",
        "restride's time over that of the faster plain copy of as many bytes, between",
        "the same two buffers; square arrays of float32, written into `out`. The",
        "largest is the last of 1, 4, 16, 64, 256 MB and 1, 2, 4, 8 GB for which",
        "source and result fit into the memory a case may need.",
        "",
    ]
    lines += table(*_crossed(told["bytes"]))
    lines += ["The same bytes, 64 MB where memory allows, by rank:", ""]
    lines += table(*_crossed(told["rank"]))
    scaling = list(_scaling(told["threads"]))
    if not scaling:
        return lines
    lines += ["From one thread to more, how many times as fast; and the copy:", ""]
    return lines + table(("case", "threads", "restride", "copy"), scaling)


def _crossed(
    found: list[dict[str, Any]],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    places = list(dict.fromkeys(g["at"] for g in found))
    whats = dict.fromkeys(g["what"] for g in found)
    by_both = {(g["what"], g["at"]): f"{g['over_copy']:.2f}" for g in found}
    lines = [(what, *(by_both[what, at] for at in places)) for what in whats]
    return ("case", *map(_place, places)), lines


def _place(at: str) -> str:
    """Thousands of MB as GB.

    Examples
    --------
    >>> _place("8000 MB"), _place("256 MB"), _place("rank 2")
    ('8 GB', '256 MB', 'rank 2')
    """
    number, _, unit = at.partition(" ")
    if unit == "MB" and number.endswith("000"):
        return f"{number[:-3]} GB"
    return at


def _scaling(threads: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    one = {g["what"]: g for g in threads if g["at"] == "1 threads"}
    for g in threads:
        first = one[g["what"]]
        if g is not first:
            own = first["seconds"] / g["seconds"]
            copy = first["copy_seconds"] / g["copy_seconds"]
            yield g["what"], g["at"].split()[0], f"{own:.2f}", f"{copy:.2f}"


def calls(told: dict[str, float]) -> list[str]:
    """Microseconds by name."""
    if not told:
        return []
    lines = [(name, f"{taken * 1e6:.2f}") for name, taken in told.items()]
    return ["## What a call costs", "", *table(("call", "us"), lines)]


def left_out(cases: dict[str, str], rows: Sequence[Row]) -> list[str]:
    """Cases that were not measured, then what each peer did not do, and why."""
    lines = [f"- {name}: {why}" for name, why in cases.items()]
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for who, why in row.refused.items():
            reasons.setdefault((who, why), []).append(row.name)
    for (who, why), names in sorted(reasons.items()):
        lines.append(f'- {who}, "{why}": {"; ".join(names)}')
    lines = lines or ["- nothing"]
    return ["## Left out", "", *lines, ""]
