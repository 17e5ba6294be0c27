"""docs/benchmarks.md and its picture, from the document of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from restride.bench.document import rows_of
from restride.bench.picture import roofline
from restride.bench.report import HEADINGS, cells, memory_cell, summary, time_cell
from restride.bench.rows import VARIANTS, Row

__all__ = ["page", "write"]

PICTURE = Path("pictures") / "roofline.svg"

INTRODUCTION = """\
# Benchmarks

Written by `make bench` from one run; nothing here is typed by hand. What the words
mean, and where the wins come from, is told below the tables.

{where}

![Bytes per second of restride and of its fastest peer, below a plain copy]({picture})

The picture shows the groups core, vendor and sizes; the tables show all.
"""

METHOD = """\
## How it was measured

- *limit*: the fastest plain copy of NumPy, torch and restride, in the same process, of
  half as many bytes as the case must touch: the cache lines of the source that it
  reads, and the bytes it writes. A limit can be beaten where the bytes stay in a cache.
- *peer*: the fastest contender other than restride. *vs*: its time over restride's.
  *of*: the limit over restride's time. Means are geometric.
- Every contender gets a contiguous array of its own kind and hands back a finished,
  contiguous result; every result is compared with NumPy's, bit for bit, before it is
  timed. One that differs, or is refused, is left out and named.
- A time is that of the fastest call of many within {budget} s, after warm-up. Letting
  go of a result is not part of it.
- *fresh*: into a new result. restride's comes from its pool of buffers, so its pages
  are there already; the peers' mostly come from the system, which hands out pages one
  by one and clears each. *no pool* shows restride without that, against the peers'
  *fresh*. *out*: into the caller's array, where a contender can. *kept*: {kept} results
  in a row, all kept alive, then all let go and the same again: restride's pool then
  holds no more than its limit, the rest comes from the system. *one thread*: the whole
  process held to one processor, as `taskset -c 0` does, the limit too.
- Peak memory is the most that was resident above what was when the timing began, with
  the pool and the heap emptied first. TensorFlow and JAX keep memory of their own from
  call to call, so theirs may show as less than a result.
"""


def write(folder: Path, told: dict[str, Any]) -> None:
    """Write the page and its picture into a folder of documents."""
    (folder / PICTURE).parent.mkdir(parents=True, exist_ok=True)
    title = f"{told['machine']['processor']}, {told['date']}"
    # The other groups vary one thing at one size: their dots would lie on each other.
    rows = [row for row in rows_of(told) if row.group in ("core", "sizes", "vendor")]
    (folder / PICTURE).write_text(roofline(rows, title), encoding="utf-8")
    (folder / "benchmarks.md").write_text(page(told), encoding="utf-8")


def page(told: dict[str, Any]) -> str:
    """The whole page."""
    rows = rows_of(told)
    parts = [INTRODUCTION.format(where=_where(told), picture=PICTURE)]
    parts += _sums(rows)
    for group in dict.fromkeys(row.group for row in rows):
        parts += _group(group, [row for row in rows if row.group == group])
    parts += _left_out(told["left_out"], rows)
    parts += _growth(told.get("growth", {})) + _overhead(told.get("overhead", {}))
    method = METHOD.format(budget=told["budget_s"], kept=told["kept_results"])
    return "\n".join([*parts, method])


def _where(told: dict[str, Any]) -> str:
    m = told["machine"]
    caches = ", ".join(f"{level} {size}" for level, size in m["caches"].items())
    versions = ", ".join(f"{name} {v}" for name, v in told["versions"].items())
    return "\n".join(
        [
            f"- {told['date']}; load average before the run {told['load_before']:.2f}",
            f"- {m['processor']}, {m['processors_allowed']} processors; {caches}",
            f"- {m['memory_bytes'] / 1e9:.0f} GB of memory; transparent huge pages: "
            f"{m['huge_pages']}; {m['system']}",
            f"- {versions}",
        ]
    )


def _sums(rows: Sequence[Row]) -> list[str]:
    """The means per group, then over all rows."""
    lines = ["## In short", ""]
    for group in dict.fromkeys(row.group for row in rows):
        own = [row for row in rows if row.group == group]
        lines += [f"- {group}: {line}" for line in summary(own)]
    for variant in VARIANTS:
        lines += [f"- all: {line}" for line in summary(rows, variant, by_name=False)]
    return [*lines, ""]


def _group(name: str, rows: Sequence[Row]) -> list[str]:
    """The main table of a group, then its repeats and their memory."""
    variants = [v for v in VARIANTS if any(row.own(v) is not None for row in rows)]
    lines = [f"## {name.capitalize()}", ""]
    lines += _table(HEADINGS, [cells(row) for row in rows])
    lines += ["Time of restride, and how many times longer the fastest peer takes:", ""]
    times = [(r.name, *(time_cell(r, v) for v in variants)) for r in rows]
    lines += _table(("case", *variants), times)
    lines += ["Peak memory, restride / the fastest peer:", ""]
    memory = [(r.name, *(memory_cell(r, v) for v in variants)) for r in rows]
    return lines + _table(("case", *variants), memory)


def _left_out(cases: dict[str, str], rows: Sequence[Row]) -> list[str]:
    lines = [f"- {name}: {why}" for name, why in cases.items()]
    for row in rows:
        lines += [f"- {row.name}, {who}: {why}" for who, why in row.refused.items()]
    return ["## Left out", "", *lines, ""] if lines else []


def _growth(told: dict[str, list[dict[str, Any]]]) -> list[str]:
    """A table per axis: what down, where across."""
    if not told:
        return []
    lines = ["## Growth", ""]
    lines += [
        "Time over that of the faster plain copy of the same bytes, between the same",
        "buffers; square arrays of float32, written into `out`.",
        "",
    ]
    for axis in ("bytes", "rank"):
        lines += _table(*_crossed(told[axis], lambda g: f"{g['over_copy']:.2f}"))
    lines += [
        "More threads: how many times faster than one, and the copy likewise.",
        "",
    ]
    return lines + _table(("case", "threads", "restride", "copy"), _scaling(told))


def _crossed(
    found: list[dict[str, Any]], cell: Any
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    places = list(dict.fromkeys(g["at"] for g in found))
    whats = dict.fromkeys(g["what"] for g in found)
    by_both = {(g["what"], g["at"]): cell(g) for g in found}
    lines = [(what, *(by_both[what, at] for at in places)) for what in whats]
    return ("case", *places), lines


def _scaling(told: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, ...]]:
    one = {g["what"]: g for g in told["threads"] if g["at"] == "1 threads"}
    for g in told["threads"]:
        first = one[g["what"]]
        if g is not first:
            own = first["seconds"] / g["seconds"]
            copy = first["copy_seconds"] / g["copy_seconds"]
            yield g["what"], g["at"].split()[0], f"{own:.2f}", f"{copy:.2f}"


def _overhead(told: dict[str, float]) -> list[str]:
    if not told:
        return []
    lines = [(name, f"{seconds * 1e6:.2f}") for name, seconds in told.items()]
    return ["## What a call costs", "", *_table(("call", "us"), lines)]


def _table(headings: Sequence[str], lines: Any) -> list[str]:
    """A Markdown table and the empty line after it."""
    cells = [headings, ["---"] * len(headings), *lines]
    return [*(f"| {' | '.join(map(_escaped, line))} |" for line in cells), ""]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
